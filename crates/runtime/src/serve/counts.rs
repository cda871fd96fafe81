//! What happened since the server started, in numbers. Holds no name and no value of anybody.

use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;

/// What happened since the server started.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Turns that were opened.
    pub turns_opened: u64,
    /// Turns that ended because their host did not come back.
    pub turns_abandoned: u64,
    /// Requests that were sent to hosts.
    pub requests_sent: u64,
    /// Answers that were taken, to requests and to questions.
    pub answers_taken: u64,
    /// Answers to what was answered already.
    pub answers_duplicate: u64,
    /// Answers that came when nobody waited for them any more.
    pub answers_late: u64,
    /// Answers to what this turn never asked.
    pub answers_foreign: u64,
    /// Requests with a wrong token or none.
    pub unauthorized: u64,
    /// Requests for another host.
    pub wrong_host: u64,
    /// Bodies that were refused unread or unparsed.
    pub bodies_refused: u64,
    /// Events that were dropped because the host read too slowly.
    pub events_dropped: u64,
    /// Connections that were closed because their host read nothing.
    pub readers_stalled: u64,
}

/// The counters behind [`Counts`].
#[derive(Debug, Default)]
pub(super) struct Counters {
    pub(super) turns_opened: Counter,
    pub(super) turns_abandoned: Counter,
    pub(super) requests_sent: Counter,
    pub(super) answers_taken: Counter,
    pub(super) answers_duplicate: Counter,
    pub(super) answers_late: Counter,
    pub(super) answers_foreign: Counter,
    pub(super) unauthorized: Counter,
    pub(super) wrong_host: Counter,
    pub(super) bodies_refused: Counter,
    pub(super) events_dropped: Counter,
    pub(super) readers_stalled: Counter,
}

/// One number that only grows.
#[derive(Debug, Default)]
pub(super) struct Counter(AtomicU64);

impl Counter {
    pub(super) fn add(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Counters {
    pub(super) fn now(&self) -> Counts {
        Counts {
            turns_opened: self.turns_opened.get(),
            turns_abandoned: self.turns_abandoned.get(),
            requests_sent: self.requests_sent.get(),
            answers_taken: self.answers_taken.get(),
            answers_duplicate: self.answers_duplicate.get(),
            answers_late: self.answers_late.get(),
            answers_foreign: self.answers_foreign.get(),
            unauthorized: self.unauthorized.get(),
            wrong_host: self.wrong_host.get(),
            bodies_refused: self.bodies_refused.get(),
            events_dropped: self.events_dropped.get(),
            readers_stalled: self.readers_stalled.get(),
        }
    }
}
