//! Who listens to events.

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
