//! What `rmcp` asks of a server, for one connection.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rmcp::{
    RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult, ErrorCode, ErrorData,
        ListToolsResult, PaginatedRequestParams, ServerConfig, SubscriptionFilter,
    },
    service::{NotificationContext, RequestContext, SubscriptionContext},
};
use tokio::sync::watch;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::{
    Shared,
    call::{Call, is_modern},
    catalog::Catalog,
};
use crate::caller::Session;

/// One connection.
pub(super) struct Handler {
    shared: Arc<Shared>,
    /// What the calls of this connection share. Without one, and of the era without sessions, it
    /// is what all calls of the server share.
    session: OnceLock<Arc<Session>>,
    is_connection: bool,
    /// Changes since the connection began, until somebody tells the client of them: it may say
    /// more than once that it has begun, and call before that is heard.
    changes: Mutex<Option<watch::Receiver<Arc<Catalog>>>>,
    over: CancellationToken,
    _over: DropGuard,
}

impl Handler {
    /// A handler of one connection, in which a client stays the same.
    pub(super) fn of_connection(shared: Arc<Shared>) -> Self {
        Self::new(shared, true)
    }

    /// A handler of HTTP requests, which may belong to a session or not.
    pub(super) fn of_requests(shared: Arc<Shared>) -> Self {
        Self::new(shared, false)
    }

    fn new(shared: Arc<Shared>, is_connection: bool) -> Self {
        let over = CancellationToken::new();
        Self {
            changes: Mutex::new(Some(shared.changes())),
            shared,
            session: OnceLock::new(),
            is_connection,
            _over: over.clone().drop_guard(),
            over,
        }
    }

    fn session(&self, is_modern: bool) -> &Arc<Session> {
        if is_modern && !self.is_connection {
            return &self.shared.session;
        }
        self.session.get_or_init(|| self.shared.new_session())
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        self.shared.info.clone()
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        let catalog = self.shared.catalog();
        let principal = &self.shared.principal;
        let mut page = catalog.page(principal, cursor.as_deref(), self.shared.page)?;
        if is_modern(&context) {
            self.shared.sign(page.meta.get_or_insert_default());
        }
        Ok(page)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let session = self.session(is_modern(&context));
        Call::new(&self.shared, session, request, context)
            .run()
            .await
    }

    /// What is of the protocol and comes here has parameters that are not.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let known = ["initialize", "server/discover", "tools/list", "tools/call"];
        if known.contains(&request.method.as_str()) {
            let what = "the parameters are not those of this method";
            return Err(ErrorData::invalid_params(what, None));
        }
        let what = "this server has no such method";
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, what, None))
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let mut changes = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(mut changes) = changes.take() else {
            return;
        };
        let over = self.over.clone();
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    changed = changes.changed() => if changed.is_err() { return },
                    () = over.cancelled() => return,
                }
                if context.peer.notify_tool_list_changed().await.is_err() {
                    return;
                }
            }
        });
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        let mut accepted = SubscriptionFilter::new();
        accepted.tools_list_changed = requested.tools_list_changed;
        Some(accepted)
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut changes = self.shared.changes();
        loop {
            tokio::select! {
                changed = changes.changed() => if changed.is_err() { return Ok(()) },
                () = context.cancelled() => return Ok(()),
            }
            // What was not asked for is refused by the sink.
            let _ = context.sink().notify_tool_list_changed().await;
        }
    }
}
