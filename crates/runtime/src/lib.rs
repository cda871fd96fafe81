//! Governs every call of a tool.
//!
//! One way in, `Registry::call`: bounds, input against schema, rewriters, one authorization fold
//! that fails closed, approval bound to the exact call, the tool, output against schema, journal.
//! Every surface goes through it and through nothing else.
#![warn(missing_docs)]

pub mod authz;
pub mod caller;
pub mod clock;
pub mod ctx;
pub mod limits;
mod text;
pub mod tool;
