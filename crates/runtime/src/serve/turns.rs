//! The turns of a server: how they begin, what ends them, how long they are kept.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio_util::sync::CancellationToken;
use toolcontract_protocol::frame::{KnownFrame, TurnOutcome};

use super::{
    driver::{Driver, aborted},
    history::Presence,
    limits::ServeLimits,
    line::Line,
    refusal::Refusal,
    server::Shared,
    turn::Turn,
};
use crate::text::one_line;

/// A turn as the routes see it.
pub(super) struct Live {
    pub(super) line: Arc<Line>,
    cancel: CancellationToken,
    reason: Mutex<Option<String>>,
    connection: Mutex<CancellationToken>,
}

impl Live {
    /// Ends the turn.
    pub(super) fn cancel(&self, reason: Option<&str>) {
        let reason = one_line(reason.unwrap_or("cancelled"), 500);
        lock(&self.reason).get_or_insert(reason);
        self.cancel.cancel();
    }

    /// The connection that reads the turn now.
    pub(super) fn read_by(&self, connection: CancellationToken) {
        *lock(&self.connection) = connection;
    }
}

/// The turns of a server.
#[derive(Default)]
pub(super) struct Turns {
    all: Mutex<All>,
}

#[derive(Default)]
struct All {
    turns: HashMap<String, Arc<Live>>,
    running: usize,
    ended: VecDeque<String>,
}

impl Turns {
    pub(super) fn get(&self, id: &str) -> Result<Arc<Live>, Refusal> {
        let found = lock(&self.all).turns.get(id).cloned();
        found.ok_or_else(|| Refusal::not_found("unknown_turn", "there is no such turn"))
    }

    /// Ends every turn.
    pub(super) fn cancel_all(&self, reason: &str) {
        for turn in lock(&self.all).turns.values() {
            turn.cancel(Some(reason));
        }
    }

    /// How many frames are kept over all turns, and how many bytes they have.
    pub(super) fn kept(&self) -> (usize, usize) {
        let turns: Vec<_> = lock(&self.all).turns.values().cloned().collect();
        turns
            .iter()
            .map(|turn| turn.line.history.kept())
            .fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1))
    }

    /// How many turns run.
    pub(super) fn running(&self) -> usize {
        lock(&self.all).running
    }

    fn begin(&self, id: &str, live: &Arc<Live>, limits: &ServeLimits) -> Result<(), Refusal> {
        let mut all = lock(&self.all);
        if all.running >= limits.turns {
            let text = format!("{} turns run, and no more may", limits.turns);
            return Err(Refusal::too_many("too_many_turns", text));
        }
        all.running += 1;
        all.turns.insert(id.to_owned(), Arc::clone(live));
        Ok(())
    }

    /// The turn is over; it is kept for a while.
    fn end(&self, id: &str, limits: &ServeLimits) {
        let mut all = lock(&self.all);
        all.running = all.running.saturating_sub(1);
        all.ended.push_back(id.to_owned());
        while all.ended.len() > limits.ended_turns
            && let Some(oldest) = all.ended.pop_front()
        {
            all.turns.remove(&oldest);
        }
    }

    fn forget(&self, id: &str) {
        let mut all = lock(&self.all);
        all.turns.remove(id);
        all.ended.retain(|ended| ended != id);
    }
}

/// Begins a turn. `then` is told when it is over.
pub(super) fn begin(
    shared: &Arc<Shared>,
    turn: Turn,
    then: impl FnOnce() + Send + 'static,
) -> Result<String, Refusal> {
    let id = turn.id().to_owned();
    let live = Arc::new(Live {
        line: Arc::clone(&turn.line),
        cancel: turn.cancel.clone(),
        reason: Mutex::new(None),
        connection: Mutex::new(CancellationToken::new()),
    });
    shared.turns.begin(&id, &live, &shared.limits)?;
    shared.counters.turns_opened.add();
    let shared = Arc::clone(shared);
    let name = id.clone();
    tokio::spawn(async move {
        let outcome = supervise(&shared, turn, &live).await;
        live.line.hang_up();
        live.line.history.end(KnownFrame::TurnComplete { outcome });
        shared.turns.end(&name, &shared.limits);
        then();
        let until = shared.clock.monotonic() + shared.limits.parked;
        let kept = async {
            shared.clock.sleep_until(until).await;
            shared.turns.forget(&name);
        };
        tokio::join!(kept, watch(&shared, &live));
    });
    Ok(id)
}

/// Runs the engine until it ends, its host is gone, or somebody cancels.
async fn supervise(shared: &Arc<Shared>, turn: Turn, live: &Arc<Live>) -> TurnOutcome {
    let (line, stop) = (Arc::clone(&turn.line), turn.stop.clone());
    let driver: Arc<dyn Driver> = Arc::clone(&shared.driver);
    // On a task of its own, so that a panic ends the turn and nothing else.
    let mut engine = tokio::spawn(async move { driver.run(&turn).await });
    let cut_off = tokio::select! {
        biased;
        // First, since an engine whose calls are cancelled ends as well.
        () = live.cancel.cancelled() => {
            lock(&live.reason).clone().unwrap_or_default()
        }
        ended = &mut engine => {
            return ended.unwrap_or_else(|_| aborted("the engine failed"));
        }
        () = watch(shared, live) => {
            shared.counters.turns_abandoned.add();
            "the host went away".to_owned()
        }
    };
    // First, so that an engine whose calls end begins no other.
    stop.cancel();
    line.hang_up();
    let patience = shared.clock.monotonic() + shared.limits.grace;
    tokio::select! {
        biased;
        _ = &mut engine => {}
        () = shared.clock.sleep_until(patience) => engine.abort(),
    }
    aborted(&cut_off)
}

/// Waits until the host has been away for too long. Closes a connection that reads nothing.
async fn watch(shared: &Shared, live: &Live) {
    let clock = &shared.clock;
    let mut presence = live.line.history.presence();
    loop {
        let now = clock.monotonic();
        let state = *presence.borrow_and_update();
        let until = match state {
            Presence::Detached(since) => {
                let until = since + shared.limits.parked;
                if now >= until {
                    return;
                }
                until
            }
            Presence::Attached => stalled(shared, live, now),
        };
        tokio::select! {
            biased;
            changed = presence.changed() => if changed.is_err() { return },
            () = clock.sleep_until(until) => {}
        }
    }
}

/// Closes the connection if it has read nothing for too long; otherwise when to look again.
fn stalled(shared: &Shared, live: &Live, now: Duration) -> Duration {
    let since = live.line.history.stuck_since().unwrap_or(now);
    let until = since + shared.limits.stalled;
    if now < until {
        return until;
    }
    shared.counters.readers_stalled.add();
    lock(&live.connection).cancel();
    now + shared.limits.stalled
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
