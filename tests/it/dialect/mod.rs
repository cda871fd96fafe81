//! Schemas as model providers are shown them: each obeys its provider, says what it leaves out,
//! and finds back.

mod aliases;
mod cases;
mod corpus;
mod hostile;
mod provider;
mod restore;
mod tools;
