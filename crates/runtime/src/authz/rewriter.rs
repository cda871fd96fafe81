//! The port for what may change an input before it is decided about.

use serde_json::Value;
use toolcontract_protocol::{AuthzEvalError, Principal, ToolContract};

/// Rewrites the input of a call before anything decides about it. What comes out is validated and
/// decided about as if the caller had sent it; a rewriter approves nothing.
///
/// Every rewriter sees the input as the caller sent it. A rewrite that is equal in canonical JSON
/// is none; two different ones refuse the call, since no order of rewriters could be right.
pub trait Rewriter: Send + Sync {
    /// A short stable name; traces and journals show it.
    fn name(&self) -> &str;

    /// The input as it should be; `None` leaves it as it is.
    ///
    /// # Errors
    /// When it cannot tell, which denies the call.
    fn rewrite(
        &self,
        contract: &ToolContract,
        principal: &Principal,
        input: &Value,
    ) -> Result<Option<Value>, AuthzEvalError>;

    /// Whether an answer takes microseconds and cannot block. See
    /// [`AuthzGate::is_pure`](super::AuthzGate::is_pure).
    fn is_pure(&self) -> bool {
        false
    }
}
