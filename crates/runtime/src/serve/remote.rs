//! A tool that the host runs. By the time it is asked, the call is valid, authorized and written
//! down: there is no other way here than through the registry. What comes back is judged like the
//! output of any tool.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde_json::Value;
use toolcontract_protocol::{
    ErrorCode, ToolOutput, ToolRequest, frame::KnownFrame, session::Approvals,
};

use super::line::Line;
use crate::{
    ctx::{AnyEvent, ToolCtx},
    nonce::nonce,
    tool::{BoxFuture, Ran, Runner},
};

/// Runs one tool of a host by asking the host for it.
pub struct RemoteToolExecutor {
    line: Arc<Line>,
    answer: Duration,
    approvals: Approvals,
}

impl std::fmt::Debug for RemoteToolExecutor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RemoteToolExecutor")
            .field("turn", &self.line.turn_id)
            .finish_non_exhaustive()
    }
}

impl RemoteToolExecutor {
    /// A host has `answer` for one call.
    pub(super) fn new(line: &Arc<Line>, answer: Duration, approvals: Approvals) -> Self {
        Self {
            line: Arc::clone(line),
            answer,
            approvals,
        }
    }

    async fn remote(&self, input: Value, ctx: &ToolCtx<AnyEvent>) -> ToolOutput {
        let Some(request_id) = nonce() else {
            return failed(ctx, ErrorCode::HostGone, false);
        };
        let sent = AtomicBool::new(false);
        let failed = |code| failed(ctx, code, sent.load(Ordering::Relaxed));
        let until = self.line.clock.monotonic() + self.answer;
        let bytes = input.to_string().len();
        let frame = KnownFrame::ToolRequest(ToolRequest {
            request_id: request_id.clone(),
            name: ctx.tool().to_owned(),
            input,
        });
        tokio::select! {
            biased;
            output = self.line.request(request_id, frame, bytes, &sent) => match output {
                Some(output) => output,
                None => failed(ErrorCode::HostGone),
            },
            () = ctx.cancellation().cancelled() => failed(ErrorCode::Cancelled),
            () = self.line.clock.sleep_until(until) => failed(ErrorCode::DeadlineExceeded),
        }
    }
}

/// A call without an answer. One whose request was never sent did not run.
fn failed(ctx: &ToolCtx<AnyEvent>, code: ErrorCode, was_sent: bool) -> ToolOutput {
    let (tool, about) = (ctx.tool(), code.about());
    let message = match was_sent {
        true => format!("`{tool}` gave no answer. {about} How far it came is not known."),
        false => format!("`{tool}` did not run. {about}"),
    };
    ToolOutput::coded(code, message)
}

impl Runner for RemoteToolExecutor {
    fn run<'a>(&'a self, input: Value, ctx: &'a ToolCtx<AnyEvent>) -> BoxFuture<'a, Ran> {
        Box::pin(async move { Ran::Returned(self.remote(input, ctx).await) })
    }

    fn current_digest(&self) -> Option<String> {
        None
    }

    fn asks_its_own_people(&self) -> bool {
        self.approvals == Approvals::Host
    }
}
