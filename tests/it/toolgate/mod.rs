//! The program `toolgate`: its tools on real files and real processes, and its commands.

mod bash;
mod cases;
mod commands;
mod examples;
mod files;
mod lab;
