//! The words that tools, hosts, gates and wires share: contracts, decisions, frames.
//!
//! Data and serde only. This crate does no I/O, knows no JSON Schema validator and decides
//! nothing but what follows from one value alone.
#![warn(missing_docs)]

pub mod contract;
pub mod contradiction;
pub mod dialect;
pub mod manifest;
pub mod oxagen;
pub mod provenance;
pub mod risk;
pub mod typed;

pub use contract::ToolContract;
pub use dialect::Dialect;
pub use manifest::{EventManifest, Manifest};
pub use provenance::Provenance;
pub use risk::RiskLevel;
pub use typed::Contract;
