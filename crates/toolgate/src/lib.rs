//! The program `toolgate`: real tools behind the runtime, and the questions that an operator asks.
//!
//! Holds no rule of its own about a call: those are the runtime's.
#![warn(missing_docs)]

pub mod cli;
pub mod tools;
