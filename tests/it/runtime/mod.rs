//! The governance runtime, seen from outside.

mod advertise;
mod approvals;
mod calls;
mod catalog;
mod compile_fail;
mod events;
pub(crate) mod fakes;
mod fold;
mod gaps;
mod journal;
mod registry;
mod terminal;
mod tools;
