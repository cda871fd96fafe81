//! The port for engines. A driver decides what a turn does; that every call of it is governed, it
//! cannot decide: all it is given is [`Turn::call`].

use serde_json::{Map, Value};
use toolcontract_protocol::{
    SessionSpec,
    frame::{TurnOutcome, TurnStatus},
};

use super::turn::Turn;
use crate::tool::BoxFuture;

/// Runs turns: what sits where a model would.
pub trait Driver: Send + Sync + 'static {
    /// Looks at the part of a body that only the engine reads, before a turn is opened.
    ///
    /// # Errors
    /// What is wrong with it, for the host.
    fn check(&self, spec: &SessionSpec) -> Result<(), String> {
        let _ = spec;
        Ok(())
    }

    /// Runs one turn to its end. A panic ends the turn as aborted. Stop soon after
    /// [`Turn::cancellation`] ends; the future is dropped otherwise.
    fn run<'a>(&'a self, turn: &'a Turn) -> BoxFuture<'a, TurnOutcome>;
}

/// An engine in the same program, as a function.
#[derive(Debug, Clone, Copy)]
pub struct InProcess<F>(pub F);

impl<F> Driver for InProcess<F>
where
    F: for<'a> Fn(&'a Turn) -> BoxFuture<'a, TurnOutcome> + Send + Sync + 'static,
{
    fn run<'a>(&'a self, turn: &'a Turn) -> BoxFuture<'a, TurnOutcome> {
        (self.0)(turn)
    }
}

/// A turn that came to its end, with what else there is to say.
#[must_use]
pub fn completed(fields: Map<String, Value>) -> TurnOutcome {
    TurnOutcome {
        status: TurnStatus::Completed,
        fields,
    }
}

/// A turn that did not, and why.
#[must_use]
pub fn aborted(reason: &str) -> TurnOutcome {
    let mut fields = Map::new();
    fields.insert("reason".to_owned(), Value::from(reason));
    TurnOutcome {
        status: TurnStatus::Aborted,
        fields,
    }
}
