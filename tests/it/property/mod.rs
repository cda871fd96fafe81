//! Schemas that nobody wrote: whatever a bounded generator draws, generation does not panic, both
//! languages compile, and `jsonschema`, Rust and both versions of zod agree on the vectors.

mod agreement;
mod bytes;
mod schema;
