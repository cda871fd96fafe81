//! Everything that knows JSON Schema: validation, bounds, digests, the normal form that emitters
//! read, and lowering to provider dialects.
//!
//! Pure: no file is opened, no network reference is followed, no input makes it panic.
//!
//! ```
//! use serde_json::json;
//! use toolcontract_schema::{Formats, Validator, digest::digest};
//!
//! let limit = json!({ "type": "integer", "maximum": 20 });
//! let schema = json!({ "type": "object", "properties": { "limit": limit } });
//! let validator = Validator::compile(&schema, Formats::Assert)?;
//! assert!(validator.is_valid(&json!({ "limit": 20 })));
//! let refused = validator.validate(&json!({ "limit": 21 }), 8).unwrap_err();
//! assert_eq!(refused.violations[0].pointer, "/limit");
//!
//! // A digest does not depend on how a value is spelled.
//! assert_eq!(digest(&json!({ "a": 1, "b": 2 }))?, digest(&json!({ "b": 2.0, "a": 1 }))?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![warn(missing_docs)]

pub mod bounds;
mod branch;
pub mod bundle;
pub mod dialect;
pub mod digest;
mod effort;
mod explain;
mod host;
pub mod integral;
pub mod keyword;
pub mod mcp;
pub mod meta;
mod names;
pub mod normal;
pub mod parse;
pub mod pattern;
pub mod pointer;
mod resource;
pub mod strip;
pub mod validator;
pub mod violation;
pub mod vocabulary;
pub mod walk;
pub mod weight;
pub mod wide;

pub use bundle::{Bundle, Resolve};
pub use normal::Normal;
pub use parse::{ParseError, Schema};
pub use strip::strip;
pub use validator::{Formats, Validator};
pub use violation::{Violation, Violations};
