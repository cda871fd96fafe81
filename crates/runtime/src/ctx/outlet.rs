//! Where the events of a call go out, and what stops them: the contract's list, names that belong
//! to hosts, the event's schema, caps, the end of the call.

use std::{
    collections::HashMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde::Serialize;
use serde_json::{Map, Value};
use toolcontract_protocol::{
    Principal,
    event::{Emitter, EventEnvelope, TOOL_CALL_PROGRESS, emitter},
};
use toolcontract_schema::Validator;

use super::{
    counts::{Dropped, EventCounts},
    progress::Progress,
    sink::{Event, EventSink},
};
use crate::{
    caller::Caller,
    clock::{Clock, timestamp},
    limits::{Bucket, Limits},
};

/// The events that a contract lists, each with its payload's schema.
pub(crate) type Allowed = HashMap<String, Arc<Validator>>;

/// The way out for the events of one call.
pub(crate) struct Outlet {
    tool: String,
    caller: Caller,
    allowed: Arc<Allowed>,
    limits: Limits,
    clock: Arc<dyn Clock>,
    sink: Option<Arc<dyn EventSink>>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    closed: bool,
    counts: EventCounts,
    progress: Bucket,
    /// Place of the last sign of life, dropped ones included.
    seq: u64,
}

impl std::fmt::Debug for Outlet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Outlet")
            .field("tool", &self.tool)
            .field("call", &self.caller.call_id())
            .finish_non_exhaustive()
    }
}

impl Outlet {
    pub(crate) fn new(
        tool: &str,
        caller: &Caller,
        allowed: Arc<Allowed>,
        limits: Limits,
        clock: Arc<dyn Clock>,
        sink: Option<Arc<dyn EventSink>>,
    ) -> Self {
        Self {
            tool: tool.to_owned(),
            caller: caller.clone(),
            allowed,
            limits,
            clock,
            sink,
            state: Mutex::default(),
        }
    }

    pub(super) fn tool(&self) -> &str {
        &self.tool
    }

    pub(super) fn call_id(&self) -> &str {
        self.caller.call_id()
    }

    pub(super) fn session_id(&self) -> &str {
        self.caller.session().id()
    }

    pub(super) fn counts(&self) -> EventCounts {
        self.state().counts.clone()
    }

    /// Nothing goes out any more. What is on its way has gone out when this returns.
    pub(crate) fn close(&self) -> EventCounts {
        let mut state = self.state();
        state.closed = true;
        state.counts.clone()
    }

    pub(super) fn emit<E: Serialize>(&self, event: &E) -> bool {
        let event = serde_json::to_value(event).ok();
        let (name, payload) = match event.as_ref() {
            Some(Value::Object(members)) => (
                members.get("name").and_then(Value::as_str),
                members.get("payload").and_then(Value::as_object),
            ),
            _ => (None, None),
        };
        self.send(name.unwrap_or_default(), payload.cloned())
    }

    pub(super) fn progress(&self, progress: Progress) -> bool {
        self.send(TOOL_CALL_PROGRESS, Some(progress.payload()))
    }

    fn send(&self, name: &str, payload: Option<Map<String, Value>>) -> bool {
        // Held until the event is out, so that `close` is the last word.
        let mut state = self.state();
        let outcome = self.pass(&mut state, name, payload);
        state.counts.count(outcome, name);
        outcome.is_ok()
    }

    fn pass(
        &self,
        state: &mut State,
        name: &str,
        payload: Option<Map<String, Value>>,
    ) -> Result<(), Dropped> {
        if state.closed {
            return Err(Dropped::TooLate);
        }
        match emitter(name) {
            Some(Emitter::Tool) => {}
            Some(Emitter::Host | Emitter::Plugin(_)) => return Err(Dropped::Reserved),
            None => return Err(Dropped::Undeclared),
        }
        let schema = self.allowed.get(name).ok_or(Dropped::Undeclared)?;
        let mut payload = payload.ok_or(Dropped::Invalid)?;
        if name == TOOL_CALL_PROGRESS {
            self.stamp(state, &mut payload);
        }
        if !fits(&payload, self.limits.event_bytes) {
            return Err(Dropped::TooLarge);
        }
        let payload = Value::Object(payload);
        if !schema.is_valid(&payload) {
            return Err(Dropped::Invalid);
        }
        if state.counts.emitted >= self.limits.events {
            return Err(Dropped::TooMany);
        }
        let now = self.clock.monotonic();
        if name == TOOL_CALL_PROGRESS && !state.progress.take(self.limits.progress, now) {
            return Err(Dropped::TooMany);
        }
        let Value::Object(payload) = payload else {
            return Err(Dropped::Invalid);
        };
        let Some(sink) = self.sink.as_deref() else {
            return Ok(());
        };
        let event = Told {
            name,
            payload,
            tool: &self.tool,
            by_tool: true,
        };
        match deliver(sink, self.clock.as_ref(), &self.caller, event) {
            true => Ok(()),
            false => Err(Dropped::Unheard),
        }
    }

    /// Whose sign of life it is says the runtime, whatever the payload says.
    fn stamp(&self, state: &mut State, payload: &mut Map<String, Value>) {
        state.seq = state.seq.saturating_add(1);
        payload.insert("tool".to_owned(), Value::from(self.tool.as_str()));
        payload.insert("call_id".to_owned(), Value::from(self.caller.call_id()));
        payload.insert("seq".to_owned(), Value::from(state.seq));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether `payload` has at most `max` bytes. Writes nothing: a large one costs no memory.
fn fits(payload: &Map<String, Value>, max: usize) -> bool {
    struct Counter(usize);
    impl std::io::Write for Counter {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            match self.0.checked_sub(bytes.len()) {
                Some(left) => self.0 = left,
                None => return Err(std::io::ErrorKind::FileTooLarge.into()),
            }
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    serde_json::to_writer(Counter(max), payload).is_ok()
}

/// An event that the runtime itself tells about a call. False when nobody heard it.
pub(crate) fn host_event<T: Serialize>(
    sink: Option<&dyn EventSink>,
    clock: &dyn Clock,
    caller: &Caller,
    tool: &str,
    name: &str,
    payload: &T,
) -> bool {
    let Some(sink) = sink else { return false };
    let Ok(Value::Object(payload)) = serde_json::to_value(payload) else {
        return false;
    };
    let event = Told {
        name,
        payload,
        tool,
        by_tool: false,
    };
    deliver(sink, clock, caller, event)
}

struct Told<'a> {
    name: &'a str,
    payload: Map<String, Value>,
    tool: &'a str,
    by_tool: bool,
}

fn deliver(sink: &dyn EventSink, clock: &dyn Clock, caller: &Caller, told: Told<'_>) -> bool {
    let session = caller.session();
    let agent_id = match caller.principal() {
        Principal::SubAgent { id, .. } => Some(id.clone()),
        Principal::User | Principal::Role(_) | Principal::Host(_) | Principal::Plugin(_) => None,
    };
    session.deliver(|sequence| {
        let event = Event {
            envelope: EventEnvelope {
                id: format!("evt_{}_{sequence}", session.id()),
                name: told.name.to_owned(),
                timestamp: timestamp(clock.unix_millis()),
                session_id: session.id().to_owned(),
                turn_id: None,
                agent_id,
                sequence,
                payload: told.payload,
            },
            tool: told.tool.to_owned(),
            call_id: caller.call_id().to_owned(),
            by_tool: told.by_tool,
        };
        // A sink that panics has heard nothing; the call goes on.
        catch_unwind(AssertUnwindSafe(|| sink.accept(event))).unwrap_or(false)
    })
}
