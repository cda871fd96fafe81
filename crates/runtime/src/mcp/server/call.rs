//! One call of a client, through the registry and through nothing else.

use std::sync::Arc;

use axum::http::request::Parts;
use rmcp::{
    RoleServer,
    model::{CallToolRequestParams, CallToolResponse, ErrorData, ProtocolVersion},
    service::RequestContext,
};
use toolcontract_protocol::{ErrorCode, approval::CallSurface};

use super::{
    Ask, Shared,
    approve::{Elicitation, forms, shows_forms},
    catalog::Catalog,
    progress::Relay,
    result::result,
    state::answered,
};
use crate::{
    approval::Nobody,
    call::{CallReport, Progress},
    caller::{Caller, Session},
    mcp::frame::Arguments,
    text::one_line,
};

/// One call.
pub(super) struct Call<'c> {
    shared: &'c Shared,
    catalog: Arc<Catalog>,
    params: CallToolRequestParams,
    context: RequestContext<RoleServer>,
    arguments: Arc<str>,
    caller: Caller,
}

impl<'c> Call<'c> {
    pub(super) fn new(
        shared: &'c Shared,
        session: &Arc<Session>,
        params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Self {
        let caller = Caller::at(
            CallSurface::Mcp,
            shared.principal.clone(),
            session,
            shared.next_call(),
        );
        Self {
            shared,
            catalog: shared.catalog(),
            arguments: arguments(&params, &context),
            caller: caller.cancelled_by(context.ct.clone()),
            params,
            context,
        }
    }

    pub(super) async fn run(mut self) -> Result<CallToolResponse, ErrorData> {
        let Some(token) = self.context.meta.get_progress_token() else {
            return self.decide().await;
        };
        let (relay, ear) = Relay::new(self.context.peer.clone(), token);
        self.caller = self.caller.heard_by(ear);
        relay.during(self.decide()).await
    }

    async fn decide(&self) -> Result<CallToolResponse, ErrorData> {
        let registry = &self.catalog.registry;
        let name = self.tool();
        match (self.shared.ask, is_modern(&self.context)) {
            (Ask::Registry, _) => {
                let report = registry.call(name, &*self.arguments, &self.caller).await;
                self.complete(report)
            }
            (Ask::Client, false) => {
                let capabilities = self.context.client_capabilities();
                let report = if shows_forms(capabilities.as_ref()) {
                    let approver = Elicitation {
                        peer: self.context.peer.clone(),
                        client: self.client(),
                    };
                    let caller = &self.caller;
                    registry
                        .call_asking(name, &*self.arguments, caller, &approver)
                        .await
                } else {
                    self.ask_nobody().await
                };
                self.complete(report)
            }
            (Ask::Client, true) => match &self.params.request_state {
                Some(state) => self.go_on(state).await,
                None => self.begin().await,
            },
        }
    }

    /// A call of a client that is asked by returning the question.
    async fn begin(&self) -> Result<CallToolResponse, ErrorData> {
        let registry = &self.catalog.registry;
        if !shows_forms(self.context.client_capabilities().as_ref()) {
            let report = self.ask_nobody().await;
            if report.code() == Some(&ErrorCode::ApprovalUnanswerable) {
                return Err(ErrorData::missing_required_client_capability(forms()));
            }
            return self.complete(report);
        }
        let name = self.tool();
        let ticket = match registry.begin(name, &*self.arguments, &self.caller).await {
            Progress::Done(report) => return self.complete(*report),
            Progress::Pending(ticket) => ticket,
        };
        let (principal, time) = (self.caller.principal(), registry.inner.limits.approval);
        match self
            .shared
            .seal
            .ask(&ticket, &self.arguments, principal, time)
        {
            Some(question) => Ok(question.into()),
            None => self.complete(registry.unanswerable(ticket.id(), &self.caller).await),
        }
    }

    /// The same call once more, with an answer.
    async fn go_on(&self, state: &str) -> Result<CallToolResponse, ErrorData> {
        let registry = &self.catalog.registry;
        let Some(state) = self.shared.seal.open(state, self.caller.principal()) else {
            let what = "`requestState` is not one that this server gave out to this client";
            return Err(ErrorData::invalid_params(what, None));
        };
        let report = if state.is_of(self.tool(), &self.arguments) {
            let answer = answered(self.params.input_responses.as_ref());
            let by = Some(self.client());
            registry
                .resume(&state.ticket, &self.caller, answer, by)
                .await
        } else {
            registry.mismatched(&state.ticket, &self.caller).await
        };
        self.complete(report)
    }

    /// The name of the contract.
    fn tool(&self) -> &str {
        self.catalog.canonical(&self.params.name)
    }

    async fn ask_nobody(&self) -> CallReport {
        let name = self.tool();
        self.catalog
            .registry
            .call_asking(name, &*self.arguments, &self.caller, &Nobody)
            .await
    }

    fn complete(&self, report: CallReport) -> Result<CallToolResponse, ErrorData> {
        let mut result = result(report.output, report.attachments)?;
        if is_modern(&self.context) {
            self.shared.sign(result.meta.get_or_insert_default());
        }
        Ok(result.into())
    }

    /// Who answers, as journals show it: a name that the client gave itself.
    fn client(&self) -> String {
        let name = self.context.client_info().map(|client| client.name);
        format!("mcp:{}", one_line(name.as_deref().unwrap_or("client"), 64))
    }
}

/// Whether a request is of the era without sessions and without requests of the server.
pub(super) fn is_modern(context: &RequestContext<RoleServer>) -> bool {
    let version = context.protocol_version();
    version.is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
}

/// The arguments as they came; where a transport of others brought them, as it read them.
fn arguments(params: &CallToolRequestParams, context: &RequestContext<RoleServer>) -> Arc<str> {
    let of_http = || context.extensions.get::<Parts>()?.extensions.get();
    if let Some(Arguments(text)) = context.extensions.get().or_else(of_http) {
        return Arc::clone(text);
    }
    let read = params.arguments.as_ref().map(serde_json::to_string);
    match read {
        Some(Ok(text)) => Arc::from(text),
        Some(Err(_)) | None => Arc::from("{}"),
    }
}
