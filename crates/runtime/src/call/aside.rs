//! Asking what may panic, and on a thread of its own what may block.
//!
//! A pure gate answers on the caller's thread. Every other is given a thread and a deadline; one
//! that overruns it is not waited for, its late answer goes nowhere, and a gate of which too many
//! evaluations still run is not asked again.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

use tokio::sync::oneshot;

use crate::{clock::Clock, registry::Named};

/// How many evaluations of one gate may run at once.
const MAX_RUNNING: u64 = 64;

/// What came of asking.
pub(super) enum Asked<T> {
    Answered(T),
    Failed(&'static str),
    Running(Running<T>),
}

impl<T> Asked<T> {
    /// The answer, or why there is none at the monotonic time `until`.
    pub(super) async fn until(self, clock: &dyn Clock, until: Duration) -> Result<T, &'static str> {
        match self {
            Self::Answered(answer) => Ok(answer),
            Self::Failed(detail) => Err(detail),
            Self::Running(running) => running.until(clock, until).await,
        }
    }
}

/// An answer that is being worked out on another thread.
pub(super) struct Running<T> {
    answer: oneshot::Receiver<Option<T>>,
}

const PANICKED: &str = "it panicked";

/// Asks for `answer` here.
pub(super) fn here<T>(answer: impl FnOnce() -> T) -> Asked<T> {
    match catch_unwind(AssertUnwindSafe(answer)) {
        Ok(answer) => Asked::Answered(answer),
        Err(_) => Asked::Failed(PANICKED),
    }
}

/// Asks for `answer` on a thread of its own.
pub(super) fn start<T: Send + 'static, P: ?Sized>(
    named: &Named<P>,
    answer: impl FnOnce() -> T + Send + 'static,
) -> Asked<T> {
    let Some(slot) = Slot::take(&named.running) else {
        return Asked::Failed("too many of its evaluations are still running");
    };
    let (sender, receiver) = oneshot::channel();
    let spawned = thread::Builder::new()
        .name(format!("gate:{}", named.name))
        .spawn(move || {
            let _slot = slot;
            let answer = catch_unwind(AssertUnwindSafe(answer)).ok();
            // Nobody listens any more when the answer is late.
            let _ = sender.send(answer);
        });
    match spawned {
        Ok(_) => Asked::Running(Running { answer: receiver }),
        Err(_) => Asked::Failed("there is no thread to evaluate it on"),
    }
}

impl<T> Running<T> {
    async fn until(self, clock: &dyn Clock, until: Duration) -> Result<T, &'static str> {
        tokio::select! {
            biased;
            answer = self.answer => match answer {
                Ok(Some(answer)) => Ok(answer),
                Ok(None) | Err(_) => Err(PANICKED),
            },
            () = clock.sleep_until(until) => Err("it did not answer in time"),
        }
    }
}

/// One of the evaluations of a gate that may run at once.
struct Slot(Arc<AtomicU64>);

impl Slot {
    fn take(running: &Arc<AtomicU64>) -> Option<Self> {
        let taken = running.fetch_add(1, Ordering::Relaxed);
        let slot = Self(Arc::clone(running));
        (taken < MAX_RUNNING).then_some(slot)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
