//! Roles and rules in a file: who may call what, with which arguments, and who must be asked.
//!
//! A rule answers match, no match or error, never a guess. Every denial counts, whoever else
//! allows; what nothing allows is denied; while a rule that could stop a call is in error, nothing
//! is allowed. Files that are empty, broken or about things that do not exist are refused.

mod answer;
mod check;
mod compile;
mod condition;
mod facts;
mod fault;
mod file;
mod gate;
mod late;
mod live;
mod load;
mod partial;
mod pointer;
mod resolve;
mod rule;
mod select;
mod shape;
mod starter;
mod subject;
mod test;

pub use fault::IDS;
pub use file::schema;
pub use live::LivePolicy;
pub use load::{PolicyError, RolePolicy, Unbound};
pub use starter::starter;

pub(crate) use answer::Answer;
pub(crate) use condition::{Condition, Stuck};
pub(crate) use facts::used as facts_used;
pub(crate) use load::Policy;
pub(crate) use resolve::{Party, Resolution, Ruling};
pub(crate) use rule::{Effect, Role, Rule};
pub(crate) use subject::Subject;
