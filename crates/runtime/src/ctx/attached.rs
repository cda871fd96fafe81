//! What a call gives back beside its text. Kept apart from the output: policies, journals and models
//! do not read it.

use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

/// What the attachments of one call may weigh.
pub(crate) struct Attached {
    max_bytes: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    bytes: usize,
    blocks: Vec<Value>,
}

impl Attached {
    pub(crate) fn new(max_bytes: usize) -> Self {
        Self {
            max_bytes,
            state: Mutex::default(),
        }
    }

    /// Keeps `block`, or a text in its place when there is no room for it.
    pub(super) fn add(&self, block: Value) {
        let bytes = block.to_string().len();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.bytes.saturating_add(bytes) <= self.max_bytes {
            state.bytes += bytes;
            state.blocks.push(block);
            return;
        }
        let text = format!("[{bytes} bytes are not shown]");
        let place = json!({ "type": "text", "text": text });
        // Ten thousand of them would be too large as well.
        if state.blocks.last() != Some(&place) {
            state.blocks.push(place);
        }
    }

    pub(crate) fn take(&self) -> Vec<Value> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut state.blocks)
    }
}
