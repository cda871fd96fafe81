//! Every test that crosses a crate. One binary, a module for each area; `README.md` beside this
//! folder says where a case goes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test fails by panicking and tells by printing"
)]

mod advertised;
mod attacks;
mod catalog;
mod cli;
mod dialect;
mod docs;
mod drift;
mod expect;
mod expect_folder;
mod golden;
mod import;
mod lint;
mod load;
mod lock;
mod mcp;
mod mcp_client;
mod mcp_server;
mod oxagen;
mod packages;
mod parity;
mod policy;
mod project;
mod property;
mod protocol;
mod readme;
mod runtime;
mod rust;
mod schema;
mod serve;
mod toolgate;
mod typescript;
mod vectors;
mod wire;
mod write;
