//! The words that tools, hosts, gates and wires share: contracts, decisions, frames.
//!
//! Data and serde only. This crate does no I/O, knows no JSON Schema validator and decides
//! nothing but what follows from one value alone.
//!
//! ```
//! use serde_json::json;
//! use toolcontract_protocol::{RiskLevel, ToolContract};
//!
//! // What a server says of its own tool is a claim, and a claim buys nothing.
//! let contract: ToolContract = serde_json::from_value(json!({
//!     "name": "search",
//!     "description": "Search the catalog. Returns titles.",
//!     "input_schema": { "type": "object" },
//!     "read_only": true,
//!     "risk": "low",
//! }))?;
//! assert!(contract.read_only && !contract.trusted_read_only());
//! assert_eq!(contract.effective_risk(), RiskLevel::High);
//! # Ok::<(), serde_json::Error>(())
//! ```
#![warn(missing_docs)]

mod absent;
pub mod approval;
pub mod contract;
pub mod contradiction;
pub mod decision;
pub mod dialect;
pub mod error_code;
pub mod event;
pub mod frame;
pub mod journal;
pub mod manifest;
pub mod mcp;
pub mod output;
pub mod oxagen;
pub mod principal;
pub mod provenance;
pub mod risk;
pub mod session;
pub mod tool_request;
pub mod trace;
pub mod typed;
pub mod violation;
#[cfg(feature = "schema")]
pub mod wire;

pub use contract::ToolContract;
pub use decision::{AuthzEvalError, Decision};
pub use dialect::Dialect;
pub use error_code::{ErrorClass, ErrorCode};
pub use manifest::{EventManifest, Manifest};
pub use output::ToolOutput;
pub use principal::Principal;
pub use provenance::Provenance;
pub use risk::RiskLevel;
pub use session::SessionSpec;
pub use tool_request::ToolRequest;
pub use trace::{Trace, TraceStep};
pub use typed::{Contract, Embedded, NoEvent};
pub use violation::{Violation, Violations};
