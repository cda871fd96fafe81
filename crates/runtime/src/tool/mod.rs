//! What a tool is to the runtime: a typed one that a Rust author writes against a generated
//! contract, or a dynamic one whose contract is data. Both are dispatched the same way.

mod dynamic;
mod error;
mod runner;
mod typed;

use std::{future::Future, pin::Pin};

pub use dynamic::DynTool;
pub(crate) use dynamic::Dynamic;
pub use error::ToolError;
pub(crate) use runner::{Ran, Runner};
pub(crate) use typed::Typed;
pub use typed::{Answer, EventOf, InputOf, OutputOf, Tool};

/// A future on the heap, as traits that are used as objects need it.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
