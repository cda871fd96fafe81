//! The line between one turn and its host: frames go out, answers come back. What waits for the
//! host is bounded in number and bytes; a call that finds no place waits for one.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use tokio::sync::{Semaphore, SemaphorePermit};
use toolcontract_protocol::{
    ToolOutput,
    approval::ApprovalAnswer,
    frame::{FrameEvent, KnownFrame},
};

use super::{
    counts::Counters,
    exchange::{Exchange, NotTaken},
    history::History,
    limits::ServeLimits,
    refusal::Refusal,
};
use crate::{
    clock::Clock,
    ctx::{Event, EventSink},
};

/// A permit stands for so many bytes.
const UNIT: usize = 1 << 10;

/// What a person said, and who that is.
pub(super) type Said = (ApprovalAnswer, Option<String>);

/// The line between one turn and its host.
pub(super) struct Line {
    pub(super) turn_id: String,
    pub(super) history: Arc<History>,
    pub(super) clock: Arc<dyn Clock>,
    counters: Arc<Counters>,
    results: Arc<Exchange<ToolOutput>>,
    answers: Arc<Exchange<Said>>,
    places: Semaphore,
    room: Semaphore,
    all_room: usize,
}

impl Line {
    pub(super) fn new(
        turn_id: String,
        limits: ServeLimits,
        clock: &Arc<dyn Clock>,
        counters: &Arc<Counters>,
    ) -> Arc<Self> {
        let all_room = (limits.outstanding_bytes / UNIT).clamp(1, Semaphore::MAX_PERMITS);
        let places = limits.outstanding.clamp(1, Semaphore::MAX_PERMITS);
        Arc::new(Self {
            turn_id,
            history: History::new(limits, clock),
            clock: Arc::clone(clock),
            counters: Arc::clone(counters),
            results: Exchange::new(),
            answers: Exchange::new(),
            places: Semaphore::new(places),
            room: Semaphore::new(all_room),
            all_room,
        })
    }

    /// Asks the host to run a tool, and waits for what it gave. None when it never will. `sent` is
    /// set when the question is on its way.
    pub(super) async fn request(
        &self,
        id: String,
        frame: KnownFrame,
        bytes: usize,
        sent: &AtomicBool,
    ) -> Option<ToolOutput> {
        self.ask(&self.results, id, frame, bytes, sent).await
    }

    /// Asks a person through the host. None when nobody will answer.
    pub(super) async fn question(
        &self,
        id: String,
        frame: KnownFrame,
        bytes: usize,
    ) -> Option<Said> {
        let sent = AtomicBool::new(false);
        self.ask(&self.answers, id, frame, bytes, &sent).await
    }

    async fn ask<T>(
        &self,
        exchange: &Arc<Exchange<T>>,
        id: String,
        frame: KnownFrame,
        bytes: usize,
        sent: &AtomicBool,
    ) -> Option<T> {
        let _place = self.place(bytes).await?;
        let mut waiting = exchange.open(id.clone())?;
        let _open = Open {
            history: &self.history,
            id: &id,
        };
        if !self.history.request(&id, frame) {
            return None;
        }
        sent.store(true, Ordering::Relaxed);
        self.counters.requests_sent.add();
        waiting.answer().await
    }

    async fn place(&self, bytes: usize) -> Option<[SemaphorePermit<'_>; 2]> {
        let units = bytes.div_ceil(UNIT).clamp(1, self.all_room);
        let place = self.places.acquire().await.ok()?;
        let room = self
            .room
            .acquire_many(u32::try_from(units).ok()?)
            .await
            .ok()?;
        Some([place, room])
    }

    /// Takes what a tool gave.
    pub(super) fn result(&self, id: &str, output: ToolOutput) -> Result<(), Refusal> {
        self.taken(self.results.answer(id, output))
    }

    /// Takes what a person said.
    pub(super) fn answer(&self, id: &str, said: Said) -> Result<(), Refusal> {
        self.taken(self.answers.answer(id, said))
    }

    fn taken(&self, outcome: Result<(), NotTaken>) -> Result<(), Refusal> {
        let (counter, code, text) = match outcome {
            Ok(()) => {
                self.counters.answers_taken.add();
                return Ok(());
            }
            Err(NotTaken::Duplicate) => (
                &self.counters.answers_duplicate,
                "answered_already",
                "this was answered already; the first answer counts",
            ),
            Err(NotTaken::Late) => (
                &self.counters.answers_late,
                "answered_too_late",
                "nobody waits for this answer any more",
            ),
            Err(NotTaken::Foreign) => (
                &self.counters.answers_foreign,
                "never_asked",
                "this turn never asked for that",
            ),
        };
        counter.add();
        Err(Refusal::conflict(code, text))
    }

    /// Tells the host something that it may miss.
    pub(super) fn tell(&self, event: FrameEvent) -> bool {
        let told = self.history.event(KnownFrame::Event { event });
        if !told {
            self.counters.events_dropped.add();
        }
        told
    }

    /// The host will not answer any more. Who waits for it learns that, and who asks later too.
    pub(super) fn hang_up(&self) {
        self.results.close();
        self.answers.close();
        self.places.close();
        self.room.close();
    }
}

/// A request that is open until this is dropped.
struct Open<'a> {
    history: &'a History,
    id: &'a str,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.history.settle(self.id);
    }
}

/// The events of tools, as frames.
pub(super) struct Events(pub(super) Arc<Line>);

impl EventSink for Events {
    fn accept(&self, event: Event) -> bool {
        let mut envelope = event.envelope;
        envelope.turn_id = Some(self.0.turn_id.clone());
        self.0.tell(FrameEvent::Bus(envelope))
    }
}
