//! The program `toolgate`: its tools on real files and real processes, and its commands.

mod adopt;
mod adoption;
mod bash;
mod cases;
mod claims;
mod commands;
mod discovery;
mod examples;
mod files;
mod guide;
mod journals;
mod known;
pub(crate) mod lab;
mod looked_at;
pub(crate) mod program;
mod scripts;
mod told;
pub(crate) mod yard;
