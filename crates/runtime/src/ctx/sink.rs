//! Who listens to events.

use std::sync::Arc;

use tokio::sync::mpsc;
use toolcontract_protocol::event::EventEnvelope;

/// One event, with the call that it came from. Both are stamped by the runtime, never taken from
/// the payload.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The event.
    pub envelope: EventEnvelope,
    /// The tool whose call it is about.
    pub tool: String,
    /// The call.
    pub call_id: String,
    /// Whether the tool said it; otherwise the runtime did.
    pub by_tool: bool,
}

/// Whoever listens to events.
pub trait EventSink: Send + Sync {
    /// Takes the event, or says at once that it cannot. Must not block: the tool is waiting.
    fn accept(&self, event: Event) -> bool;
}

/// Two that listen to the same events. One of them is enough for an event to be heard.
struct Both(Arc<dyn EventSink>, Arc<dyn EventSink>);

impl EventSink for Both {
    fn accept(&self, event: Event) -> bool {
        let first = self.0.accept(event.clone());
        self.1.accept(event) || first
    }
}

/// Whoever listens to all events and whoever listens to those of one call, as one.
pub(crate) fn together(
    all: Option<Arc<dyn EventSink>>,
    own: Option<Arc<dyn EventSink>>,
) -> Option<Arc<dyn EventSink>> {
    match (all, own) {
        (Some(all), Some(own)) => Some(Arc::new(Both(all, own))),
        (all, own) => all.or(own),
    }
}

/// Puts events into a queue of fixed length; what does not fit is refused, and counted as unheard.
#[derive(Debug, Clone)]
pub struct Channel(mpsc::Sender<Event>);

/// A queue of at most `capacity` events (at least 1), and its other end.
#[must_use]
pub fn channel(capacity: usize) -> (Channel, mpsc::Receiver<Event>) {
    let (sender, receiver) = mpsc::channel(capacity.max(1));
    (Channel(sender), receiver)
}

impl EventSink for Channel {
    fn accept(&self, event: Event) -> bool {
        self.0.try_send(event).is_ok()
    }
}
