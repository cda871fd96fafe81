//! The Model Context Protocol, in both of its eras: a server that serves a registry outward, and
//! the client that lets the tools of other servers in.
//!
//! The protocol is `rmcp`'s; what its types would hide is looked at before they see it: members
//! that are there twice, messages without measure, definitions that are not what they seem.

pub mod client;
mod frame;
mod line;
pub mod proxy;
pub mod scan;
pub mod server;
pub mod starter;

/// The `_meta` key under which the facts of a contract, and the class and code of a failure, are
/// served.
pub const META_KEY: &str = "dev.toolcontract/contract";
