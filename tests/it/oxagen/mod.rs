//! Oxagen's modules as its own scripts read them, and what each key of a manifest becomes there.

mod layout;
mod scanner;
mod slots;
mod worst;
