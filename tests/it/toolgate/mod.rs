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
mod lab;
mod scripts;
mod yard;
