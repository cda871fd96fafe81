//! What generated modules are made of: the link between a marker type and its contract, the
//! contract carried as text, and the two serde helpers that keep a value as it came.

mod embedded;
mod exact;

use serde::{Deserialize, Deserializer, Serialize, de::DeserializeOwned};

use crate::contract::ToolContract;

pub use embedded::Embedded;
pub use exact::exact;

/// A tool's contract at the type level. Generated marker types implement it; nobody else needs to.
pub trait Contract: Send + Sync + 'static {
    /// What a call takes.
    type Input: DeserializeOwned + Serialize + Send;
    /// What a success gives: `String` when the contract promises text only.
    type Output: DeserializeOwned + Serialize + Send;
    /// The events that a call may emit; [`NoEvent`] when there is none. One event serializes as
    /// `{"name": "file.created", "payload": {..}}`.
    type Event: Serialize + Send;

    /// The canonical name.
    const NAME: &'static str;

    /// The contract as data.
    fn contract() -> &'static ToolContract;
}

/// The event of a tool that emits none: it has no value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoEvent {}

/// For `#[serde(default, deserialize_with)]` on an optional member that may be `null`: absent is
/// `None`, `null` is `Some` of what `T` makes of it.
///
/// # Errors
/// Those of `T`.
pub fn present<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    T::deserialize(deserializer).map(Some)
}
