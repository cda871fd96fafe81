//! The governance runtime, seen from outside.

mod approvals;
mod calls;
mod events;
mod fakes;
mod fold;
mod journal;
