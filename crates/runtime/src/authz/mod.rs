//! Who may call what: the port for gates, the gates that ship with the runtime, and the one fold
//! that turns all answers into a verdict. An answer that could not be computed is never an allow.

mod answer;
mod fold;
mod gate;
mod named;
mod rewriter;

pub use answer::{Answer, Rank, Source};
pub use fold::{Enforcement, Folded, fold};
pub(crate) use gate::CHANGED;
pub use gate::{AuthzGate, Evaluation};
pub use named::{DenyAll, NoAuthz, RiskCeiling};
pub use rewriter::Rewriter;
