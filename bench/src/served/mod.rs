//! A served engine in a process of its own, so that its memory is its own, and hosts that use it.

pub mod bed;
pub mod host;
