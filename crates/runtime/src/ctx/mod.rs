//! What a running tool is given: where it works, how long it may take, when to stop, and a way to
//! tell what happens. It holds no way to call another tool, ask a person or write the journal.

mod attached;
mod counts;
mod outlet;
mod progress;
mod sink;

use std::{marker::PhantomData, path::Path, sync::Arc, time::Duration};

use serde::Serialize;
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use toolcontract_protocol::NoEvent;

use crate::clock::Clock;
pub(crate) use attached::Attached;
pub use counts::EventCounts;
pub(crate) use outlet::{Allowed, Outlet, host_event};
pub use progress::Progress;
pub(crate) use sink::together;
pub use sink::{Channel, Event, EventSink, channel};

/// The event of a tool that is known only as data.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AnyEvent {
    /// The name; the contract must list it.
    pub name: String,
    /// What the event's manifest says; an object.
    pub payload: Value,
}

/// What a running call is given. `E` is the event type of its contract, so that an event which the
/// contract does not list does not compile; of a tool without events it may be left out.
///
/// A clone may outlive the call: from the moment the call returns it emits nothing any more.
#[derive(Debug)]
pub struct ToolCtx<E = NoEvent> {
    shared: Arc<Shared>,
    event: PhantomData<fn(E)>,
}

/// What all contexts of one call share.
pub(crate) struct Shared {
    pub(crate) root: Arc<Path>,
    pub(crate) deadline: Duration,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) cancellation: CancellationToken,
    pub(crate) outlet: Outlet,
    pub(crate) attached: Attached,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Call")
            .field("root", &self.root)
            .field("outlet", &self.outlet)
            .finish_non_exhaustive()
    }
}

impl<E> Clone for ToolCtx<E> {
    fn clone(&self) -> Self {
        self.retyped()
    }
}

impl ToolCtx<AnyEvent> {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self {
            shared,
            event: PhantomData,
        }
    }
}

impl<E> ToolCtx<E> {
    pub(crate) fn retyped<F>(&self) -> ToolCtx<F> {
        ToolCtx {
            shared: Arc::clone(&self.shared),
            event: PhantomData,
        }
    }

    /// The folder that the tool works in.
    #[must_use]
    pub fn workspace_root(&self) -> &Path {
        &self.shared.root
    }

    /// The canonical name of the tool.
    #[must_use]
    pub fn tool(&self) -> &str {
        self.shared.outlet.tool()
    }

    /// Names the call.
    #[must_use]
    pub fn call_id(&self) -> &str {
        self.shared.outlet.call_id()
    }

    /// Names the session that the call belongs to.
    #[must_use]
    pub fn session_id(&self) -> &str {
        self.shared.outlet.session_id()
    }

    /// How much time is left before the call is told to stop.
    #[must_use]
    pub fn remaining(&self) -> Duration {
        self.shared
            .deadline
            .saturating_sub(self.shared.clock.monotonic())
    }

    /// Ends when the tool should stop: the caller went away, or the time is up. A tool that does
    /// not stop soon after is dropped where it waits.
    #[must_use]
    pub fn cancellation(&self) -> &CancellationToken {
        &self.shared.cancellation
    }

    /// Tells that the tool is still running, and gives back whether that went out. The contract
    /// must list `tool.call.progress`; [`Self::events`] tells why something did not go out.
    pub fn progress(&self, progress: Progress) -> bool {
        self.shared.outlet.progress(progress)
    }

    /// How many events went out, and how many were dropped for which reason.
    #[must_use]
    pub fn events(&self) -> EventCounts {
        self.shared.outlet.counts()
    }
}

impl<E> ToolCtx<E> {
    /// Gives back something that is no text beside the output: an image, sound, a file, as a
    /// content block of MCP. It goes where the output goes, to surfaces that can show it, and is
    /// withheld with it. What is too large is left out, and its place says so.
    pub fn attach(&self, block: Value) {
        self.shared.attached.add(block);
    }
}

impl<E: Serialize> ToolCtx<E> {
    /// Emits `event`, and gives back whether it went out. Never waits: what cannot go out at once
    /// is dropped and counted ([`Self::events`]), and a tool need not care.
    pub fn emit(&self, event: &E) -> bool {
        self.shared.outlet.emit(event)
    }
}
