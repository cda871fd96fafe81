//! The wire forms of the protocol, byte for byte, and what follows from one value alone.

mod claims;
mod contradictions;
mod names;
mod read;
mod types;
mod values;
mod written;

pub(crate) use types::{TYPES, samples};
