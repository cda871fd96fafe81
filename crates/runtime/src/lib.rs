//! Governs every call of a tool.
//!
//! One way in, `Registry::call`: bounds, input against schema, rewriters, one authorization fold
//! that fails closed, approval bound to the exact call, the tool, output against schema, journal.
//! Every surface goes through it and through nothing else.
#![warn(missing_docs)]

#[cfg(unix)]
pub mod adoption;
pub mod approval;
pub mod authz;
pub mod call;
pub mod caller;
pub mod clock;
#[cfg(any(feature = "serve", feature = "mcp"))]
mod connection;
pub mod ctx;
pub mod hook;
#[cfg(any(feature = "serve", feature = "mcp"))]
mod hosts;
pub mod journal;
pub mod limits;
#[cfg(feature = "mcp")]
pub mod mcp;
mod nonce;
pub mod policy;
#[cfg(unix)]
pub mod process;
pub mod registry;
pub mod regular;
#[cfg(unix)]
pub mod script;
#[cfg(feature = "serve")]
pub mod serve;
mod text;
pub mod tool;
mod visible;

/// The words that the runtime shares with tools, hosts and gates.
pub use toolcontract_protocol as protocol;
