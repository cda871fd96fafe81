//! What `rmcp` asks of a server, for one connection.

use std::{
    borrow::Cow,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use rmcp::{
    RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult, ErrorCode, ErrorData,
        ListToolsResult, MetaObject, PaginatedRequestParams, ProtocolVersion, ServerConfig,
        SubscriptionFilter,
    },
    service::{NotificationContext, RequestContext, SubscriptionContext},
};
use tokio::sync::watch;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::{
    Shared, VERSIONS,
    call::{Call, is_modern},
    catalog::{Catalog, Era},
    open::Open,
    running::Running,
};
use crate::caller::Session;

type Changes = watch::Receiver<Arc<Catalog>>;

/// Clients to which it was said that they are subscribed, and who do not listen yet.
#[derive(Default)]
struct Subscribing {
    count: usize,
    /// Changes since the first of them was told.
    changes: Option<Changes>,
}

/// One connection.
pub(super) struct Handler {
    shared: Arc<Shared>,
    /// What the calls of this connection share. Without one, and of the era without sessions, it
    /// is what all calls of the server share.
    session: OnceLock<Arc<Session>>,
    /// The requests of a connection that is ours from end to end.
    open: Option<Arc<Open>>,
    running: Running,
    /// Changes since the connection began, until somebody tells the client of them: it may say
    /// more than once that it has begun, and call before that is heard.
    changes: Mutex<Option<Changes>>,
    subscribing: Mutex<Subscribing>,
    over: CancellationToken,
    _over: DropGuard,
}

impl Handler {
    /// A handler of one connection, in which a client stays the same.
    pub(super) fn of_connection(shared: Arc<Shared>, open: Arc<Open>, running: Running) -> Self {
        Self::new(shared, Some(open), running)
    }

    /// A handler of HTTP requests, which may belong to a session or not.
    pub(super) fn of_requests(shared: Arc<Shared>, running: Running) -> Self {
        Self::new(shared, None, running)
    }

    fn new(shared: Arc<Shared>, open: Option<Arc<Open>>, running: Running) -> Self {
        let over = CancellationToken::new();
        Self {
            changes: Mutex::new(Some(shared.changes())),
            shared,
            session: OnceLock::new(),
            open,
            running,
            subscribing: Mutex::default(),
            _over: over.clone().drop_guard(),
            over,
        }
    }

    fn session(&self, is_modern: bool) -> &Arc<Session> {
        if is_modern && self.open.is_none() {
            return &self.shared.session;
        }
        self.session.get_or_init(|| self.shared.new_session())
    }

    /// Changes since a client was told that it is subscribed. Where several subscribe at once, a
    /// change may be told to one who has seen it; none is kept from anybody.
    fn since_told(&self) -> Changes {
        let mut subscribing = lock(&self.subscribing);
        subscribing.count = subscribing.count.saturating_sub(1);
        let changes = match subscribing.count {
            0 => subscribing.changes.take(),
            _ => subscribing.changes.clone(),
        };
        changes.unwrap_or_else(|| self.shared.changes())
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        self.shared.info.clone()
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(VERSIONS)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        let shared = &self.shared;
        let era = match is_modern(&context) {
            true => Era::Modern,
            false => Era::Legacy,
        };
        let sign = |meta: &mut MetaObject| shared.sign(meta);
        let (catalog, principal) = (shared.catalog(), &shared.principal);
        let page = catalog.page(principal, cursor.as_deref(), shared.page, era, sign)?;
        let Some(open) = &self.open else {
            return Ok(catalog.result(&page));
        };
        let result = match page.sent.get() {
            // It is sent as it was sent before.
            Some(_) => ListToolsResult::default(),
            None => catalog.result(&page),
        };
        open.answer_with(&context.id, page);
        Ok(result)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let session = self.session(is_modern(&context));
        let call = Call::new(&self.shared, session, request, context);
        // The future of a call is large, and is moved a few times on its way to a task.
        let made = self.running.make(Box::pin(call.run())).await;
        made.unwrap_or_else(|| Err(ErrorData::internal_error("the server ends", None)))
    }

    async fn on_custom_request(
        &self,
        _: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let what = "this server has no such method";
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, what, None))
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let Some(mut changes) = lock(&self.changes).take() else {
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

    /// Comes before the client is told that it is subscribed; from then on no change is missed.
    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        let mut subscribing = lock(&self.subscribing);
        subscribing.count += 1;
        let changes = || self.shared.changes();
        subscribing.changes.get_or_insert_with(changes);
        let mut accepted = SubscriptionFilter::new();
        accepted.tools_list_changed = requested.tools_list_changed;
        Some(accepted)
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut changes = self.since_told();
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

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use toolcontract_protocol::Principal;

    use super::*;
    use crate::{
        authz::NoAuthz,
        mcp::server::{Server, Settings},
        registry::Registry,
    };

    #[test]
    fn a_change_after_the_acknowledgement_is_not_missed() {
        let nothing = || Registry::builder(NoAuthz).build().unwrap();
        let settings = Settings::new(Principal::User, "test", "1");
        let server = Server::new(nothing(), settings).unwrap();
        let handler = Handler::of_requests(Arc::clone(&server.shared), Running::default());
        let told = || handler.accepted_subscription_filter(&SubscriptionFilter::new());
        let has_changed = || handler.since_told().has_changed().unwrap();

        server.replace(nothing());
        told();
        assert!(!has_changed(), "that was before");
        told();
        server.replace(nothing());
        assert!(has_changed());
        // Two at once: whoever listens first takes nothing from the other.
        told();
        server.replace(nothing());
        told();
        assert!(has_changed() && has_changed());
        told();
        assert!(!has_changed());
    }
}
