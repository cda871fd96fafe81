//! The serve wire, over HTTP on a loopback port: what is governed, what a host sees, what an
//! attacker gets. No test waits for time to pass: the clock is injected.

mod approvals;
mod attacks;
mod bounds;
mod calls;
mod command;
mod fuzz;
mod gaps;
pub(crate) mod host;
mod late;
mod requests;
mod resume;
mod sessions;
