//! The sign of life of a call. The tool says how far it is; the runtime stamps whose it is.

use serde_json::{Map, Value};

/// How far a call is. Lengths: `stage` 1 to 64 characters, `message` up to 500, `unit` 1 to 32.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Progress {
    /// Which part of the work is under way, such as `compiling`.
    pub stage: String,
    /// One line for people.
    pub message: Option<String>,
    /// How much is finished.
    pub done: Option<u64>,
    /// How much there is; goes with `done`.
    pub total: Option<u64>,
    /// What `done` and `total` count, such as `bytes`.
    pub unit: Option<String>,
}

impl Progress {
    /// Only which part of the work is under way.
    #[must_use]
    pub fn stage(stage: impl Into<String>) -> Self {
        Self {
            stage: stage.into(),
            ..Self::default()
        }
    }

    /// The payload, without what the runtime stamps.
    pub(super) fn payload(self) -> Map<String, Value> {
        let mut payload = Map::new();
        payload.insert("stage".to_owned(), Value::from(self.stage));
        let rest = [
            ("message", self.message.map(Value::from)),
            ("done", self.done.map(Value::from)),
            ("total", self.total.map(Value::from)),
            ("unit", self.unit.map(Value::from)),
        ];
        for (key, value) in rest {
            if let Some(value) = value {
                payload.insert(key.to_owned(), value);
            }
        }
        payload
    }
}
