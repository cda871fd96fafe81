//! The Rust surface: what it generates compiles, takes what its schemas accept, refuses what they
//! refuse, and gives back what it took.

mod cases;
mod doc_comments;
mod equal;
mod judge;
pub(crate) mod krate;
mod stability;
mod suite;
mod wide;
