//! A gate that decides by [Cedar](https://www.cedarpolicy.com) policies.
//!
//! The Cedar schema is derived from the contracts: an action a tool, the tool's facts on the
//! resource, its arguments in the context. Policies are validated strictly against it, so that one
//! that names an unknown tool or argument, or can never hold, is refused. Cedar skips a policy
//! that fails on a call; here a call on which any policy failed is an error, and so denied.
#![warn(missing_docs)]

mod convert;
mod gate;
mod load;
mod schema;
mod shape;

pub use gate::CedarGate;
pub use load::CedarError;
pub use schema::schema;
