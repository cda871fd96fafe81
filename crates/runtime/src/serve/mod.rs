//! The serve wire: sessions over HTTP, whose host runs the tools.
//!
//! A host opens a session with the contracts of its tools, reads frames from an event stream, runs
//! what it is asked to run and posts what came of it. Every call is decided before its frame
//! leaves, by the same [`Registry::call`](crate::registry::Registry::call) as in process. What the
//! host says about itself decides nothing: its contracts are declared, its principal is an id.
//! There is no engine here; [`Driver`] is where one sits.

mod address;
mod ask;
mod auth;
mod body;
mod counts;
mod driver;
mod exchange;
mod history;
mod limits;
mod line;
mod open;
mod refusal;
mod remote;
mod routes;
mod scripted;
mod server;
mod sessions;
mod stream;
mod turn;
mod turns;

pub use auth::{Token, TokenError};
pub use counts::Counts;
pub use driver::{Driver, InProcess, aborted, completed};
pub use limits::ServeLimits;
pub use remote::RemoteToolExecutor;
pub use scripted::Scripted;
pub use server::{Listening, Observer, Server};
pub use turn::Turn;
