//! A tool of a server, as the registry runs it. The call is cancelled at the server when nobody
//! wants it any more, or when it takes too long.

use std::{sync::Arc, time::Duration};

use rmcp::{
    Peer, RoleClient,
    model::{
        CallToolRequest, CallToolRequestParams, ClientRequest, JsonObject, ProgressToken,
        ServerResult,
    },
    service::{PeerRequestOptions, RequestHandle, ServiceError},
};
use serde_json::Value;
use tokio::sync::mpsc;
use toolcontract_protocol::{ErrorClass, ErrorCode, ToolOutput};

use super::{
    outcome::{Outcome, outcome, too_large},
    raw,
    state::State,
    told,
};
use crate::{
    ctx::{AnyEvent, Progress, ToolCtx},
    tool::{BoxFuture, DynTool},
};

/// One tool of a server.
pub struct Remote {
    pub(super) server: String,
    pub(super) peer: Peer<RoleClient>,
    pub(super) state: Arc<State>,
    /// The name as served.
    pub(super) tool: String,
    /// Digest of the definition as it was served when the contract was made.
    pub(super) served: String,
    /// Digest of that contract.
    pub(super) registered: String,
    pub(super) time: Duration,
}

impl std::fmt::Debug for Remote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Remote")
            .field("server", &self.server)
            .field("tool", &self.tool)
            .finish_non_exhaustive()
    }
}

impl DynTool for Remote {
    fn call<'a>(&'a self, input: Value, ctx: &'a ToolCtx<AnyEvent>) -> BoxFuture<'a, ToolOutput> {
        Box::pin(async move {
            let outcome = match input {
                Value::Object(arguments) => self.run(arguments, ctx).await,
                _ => ToolOutput::error(ErrorClass::InvalidInput, "the input is no object").into(),
            };
            outcome
                .attachments
                .into_iter()
                .for_each(|part| ctx.attach(part));
            outcome.output
        })
    }

    /// What the server lists under the name now.
    fn current_digest(&self) -> Option<String> {
        Some(match self.state.digest(&self.tool) {
            Some(now) if now == self.served => self.registered.clone(),
            Some(now) => format!("changed:{now}"),
            None => "gone".to_owned(),
        })
    }
}

impl Remote {
    async fn run(&self, arguments: JsonObject, ctx: &ToolCtx<AnyEvent>) -> Outcome {
        tokio::select! {
            biased;
            () = self.state.settled() => {}
            () = ctx.cancellation().cancelled() => return self.ended(ErrorCode::Cancelled).into(),
            () = tokio::time::sleep(self.time) => {
                return self.ended(ErrorCode::DeadlineExceeded).into();
            }
        }
        // While it waited, the list may have been found to be another one.
        if self.state.digest(&self.tool).as_deref() != Some(&self.served) {
            return self.begun_anew().into();
        }
        let params = CallToolRequestParams::new(self.tool.clone()).with_arguments(arguments);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let sent = self
            .peer
            .send_cancellable_request(request, PeerRequestOptions::no_options())
            .await;
        let mut call = match sent {
            Ok(call) => call,
            Err(error) => return self.failed(error).into(),
        };
        let mut heard = self.state.listen(&call.progress_token);
        let result = tokio::select! {
            biased;
            result = self.answer(&mut call, &mut heard.progress, ctx) => result,
            () = ctx.cancellation().cancelled() => Err(ErrorCode::Cancelled),
            () = tokio::time::sleep(self.time) => Err(ErrorCode::DeadlineExceeded),
        };
        match result {
            Ok(Ok(result)) => match raw::text(result) {
                Some(text) => outcome(&self.server, &text),
                None => too_large(&self.server),
            },
            Ok(Err(_)) if self.state.was_held_back(&call.id) => self.begun_anew().into(),
            Ok(Err(error)) if told::is_too_large(&error) => too_large(&self.server),
            Ok(Err(error)) => self.failed(error).into(),
            Err(code) => {
                let id = call.id.clone();
                // A server that is gone needs not be told.
                let _ = call.cancel(Some(code.about().to_owned())).await;
                // Over HTTP that is told by letting go of the answer, in no message.
                self.state.awaited().remove(&id);
                self.ended(code).into()
            }
        }
    }

    fn begun_anew(&self) -> ToolOutput {
        let server = &self.server;
        let message =
            format!("`{server}` has begun anew, and its list is read before anything is called");
        ToolOutput::coded(ErrorCode::DefinitionChanged, message)
    }

    /// What a call is that ended before there was a result.
    fn ended(&self, code: ErrorCode) -> ToolOutput {
        let message = format!("`{}` of `{}`: {}", self.tool, self.server, code.about());
        ToolOutput::coded(code, message)
    }

    /// The answer. Progress goes on while it is waited for.
    async fn answer(
        &self,
        call: &mut RequestHandle<RoleClient>,
        progress: &mut mpsc::Receiver<Progress>,
        ctx: &ToolCtx<AnyEvent>,
    ) -> Result<Result<ServerResult, ServiceError>, ErrorCode> {
        loop {
            tokio::select! {
                biased;
                Some(step) = progress.recv() => {
                    ctx.progress(step);
                }
                answer = &mut call.rx => {
                    return answer.map_err(|_| ErrorCode::HostGone);
                }
            }
        }
    }

    fn failed(&self, error: ServiceError) -> ToolOutput {
        let server = &self.server;
        let why = told::of_request(&error);
        match error {
            ServiceError::McpError(_) => {
                ToolOutput::error(ErrorClass::Internal, format!("`{server}`: {why}"))
            }
            ServiceError::Cancelled { .. } => {
                let message = format!("`{server}` gave the call up");
                ToolOutput::coded(ErrorCode::Cancelled, message)
            }
            ServiceError::TransportSend(_) => {
                let message = format!(
                    "`{server}` gave no answer that can be read: {why}; how far the call came is not known"
                );
                ToolOutput::coded(ErrorCode::HostGone, message)
            }
            _ => {
                let message = format!("`{server}` is gone; how far the call came is not known");
                ToolOutput::coded(ErrorCode::HostGone, message)
            }
        }
    }
}

/// Progress of one call; nobody listens any more when it goes.
pub(super) struct Heard {
    pub(super) progress: mpsc::Receiver<Progress>,
    pub(super) token: ProgressToken,
    pub(super) state: Arc<State>,
}

impl Drop for Heard {
    fn drop(&mut self) {
        self.state.forget(&self.token);
    }
}
