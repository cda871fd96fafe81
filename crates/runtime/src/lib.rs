//! Governs every call of a tool.
//!
//! One way in, `Registry::call`: bounds, input against schema, rewriters, one authorization fold
//! that fails closed, approval bound to the exact call, the tool, output against schema, journal.
//! Every surface goes through it and through nothing else.
//!
//! ```
//! use serde_json::{Value, json};
//! use toolcontract_runtime::{
//!     authz::RiskCeiling,
//!     caller::{Caller, Session},
//!     ctx::{AnyEvent, ToolCtx},
//!     protocol::{Principal, Provenance, RiskLevel, ToolContract, ToolOutput},
//!     registry::Registry,
//!     tool::{BoxFuture, DynTool},
//! };
//!
//! struct Echo;
//!
//! impl DynTool for Echo {
//!     fn call<'a>(&'a self, input: Value, _: &'a ToolCtx<AnyEvent>) -> BoxFuture<'a, ToolOutput> {
//!         Box::pin(async move { ToolOutput::text(input.to_string()) })
//!     }
//! }
//!
//! # let tokio = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
//! # tokio.block_on(async {
//! let schema = json!({ "type": "object", "required": ["text"] });
//! let contract = ToolContract {
//!     risk: RiskLevel::Low,
//!     ..ToolContract::declared("echo", "Gives back its input.", schema)
//! };
//! // The program vouches for this tool; what a server or a script says is `Declared`.
//! let registry = Registry::builder(RiskCeiling(RiskLevel::Medium))
//!     .dyn_tool(Provenance::Builtin, contract, Echo)
//!     .build()?;
//! let caller = Caller::in_process(Principal::User, &Session::new("s1"), "c1");
//!
//! let report = registry.call("echo", json!({ "text": "hello" }), &caller).await;
//! assert!(report.ran && report.output.is_ok());
//! let report = registry.call("echo", json!({}), &caller).await;
//! assert!(!report.ran && !report.output.is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
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
pub mod hosts;
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
