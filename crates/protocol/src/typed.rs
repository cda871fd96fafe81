//! The link between a generated marker type and its contract.

use serde::{Serialize, de::DeserializeOwned};

use crate::contract::ToolContract;

/// A tool's contract at the type level. Generated marker types implement it; nobody else needs to.
pub trait Contract: Send + Sync + 'static {
    /// What a call takes.
    type Input: DeserializeOwned + Serialize + Send;
    /// What a success gives: `String` when the contract promises text only.
    type Output: DeserializeOwned + Serialize + Send;
    /// The events that a call may emit.
    type Event: Serialize + Send;

    /// The canonical name.
    const NAME: &'static str;

    /// The contract as data.
    fn contract() -> &'static ToolContract;
}
