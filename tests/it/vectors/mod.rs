//! Vectors: every schema of the corpus gives some, and the crate that is generated from it answers
//! each of them as it says. The catalog is asked in TypeScript by `tests/js/vectors`.

mod corpus;
mod projects;
