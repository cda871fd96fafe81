//! Work that blocks a thread, and how it is told to stop.

use std::time::Duration;

use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;
use toolcontract_protocol::{ErrorClass, ErrorCode};
use toolcontract_runtime::{ctx::ToolCtx, tool::ToolError};

/// Runs `work` on a thread of its own. What it is given ends when the call does, when nobody waits
/// for it any more, and after `limit`; it must look at it.
///
/// # Errors
/// Those of `work`.
pub(super) async fn blocking<E, T, W>(
    ctx: &ToolCtx<E>,
    limit: Duration,
    work: W,
) -> Result<T, ToolError>
where
    T: Send + 'static,
    W: FnOnce(&CancellationToken) -> Result<T, ToolError> + Send + 'static,
{
    let stop = ctx.cancellation().child_token();
    let _stopped_when_dropped = stop.clone().drop_guard();
    let mut working = spawn_blocking({
        let stop = stop.clone();
        move || work(&stop)
    });
    let ended = tokio::select! {
        biased;
        ended = &mut working => ended,
        () = tokio::time::sleep(limit) => {
            stop.cancel();
            working.await
        }
    };
    ended.unwrap_or_else(|_| {
        let code = ErrorCode::ToolPanicked;
        Err(ToolError::new(ErrorClass::Internal, code.about()).with_code(code))
    })
}

/// The work was told to stop before it had anything to give.
pub(super) fn stopped() -> ToolError {
    let code = ErrorCode::Cancelled;
    ToolError::new(code.class(), code.about()).with_code(code)
}
