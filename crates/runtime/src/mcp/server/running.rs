//! The calls that run. Who ends a server, or a connection of it, gives up what runs there; the
//! journal says of each of those calls that nobody knows how it ended.

use std::time::Duration;

use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// How long a call may hold its thread after it was given up.
const LAST: Duration = Duration::from_secs(5);

/// The calls of a server, or of a part of it. Cheap to clone; clones are the same calls.
#[derive(Debug, Clone, Default)]
pub(super) struct Running {
    over: CancellationToken,
    /// All of the server.
    calls: TaskTracker,
}

impl Running {
    /// A part that can be given up by itself.
    pub(super) fn part(&self) -> Self {
        Self {
            over: self.over.child_token(),
            calls: self.calls.clone(),
        }
    }

    /// Ends when the calls are given up.
    pub(super) async fn over(&self) {
        self.over.cancelled().await;
    }

    /// Makes `call`. None when it was given up, or is not begun any more.
    pub(super) async fn make<T>(&self, call: impl Future<Output = T>) -> Option<T> {
        // Before the look at the end: whoever waits for the last call waits for this one.
        let call = self.calls.track_future(call);
        self.over.run_until_cancelled(call).await
    }

    /// Gives the calls up. They are not waited for.
    pub(super) fn give_up(&self) {
        self.over.cancel();
    }

    /// Gives the calls up, and waits until every call of the server is written down.
    pub(super) async fn end(&self) {
        self.give_up();
        self.calls.close();
        // A call that holds its thread for longer is not waited for.
        let _ = tokio::time::timeout(LAST, self.calls.wait()).await;
    }
}
