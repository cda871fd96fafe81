//! Everything that knows JSON Schema: validation, bounds, digests, the normal form that emitters
//! read, and lowering to provider dialects.
//!
//! Pure: no file is opened, no network reference is followed, no input makes it panic.
#![warn(missing_docs)]

pub mod bounds;
mod branch;
pub mod bundle;
pub mod dialect;
pub mod digest;
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
