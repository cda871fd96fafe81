//! Lowers a schema to what a model provider accepts as the parameters of a tool.
//!
//! What a provider cannot express moves into a description, where a model still reads it, and
//! leaves a note; nothing disappears in silence. The result is what a model is shown, never what a
//! call is judged by: arguments that come back are put into the contract's form by [`Restore`] and
//! validated with the contract's own schema.

mod context;
mod definition;
mod disjoint;
mod limits;
mod merge;
mod names;
mod narrow;
mod narrow_object;
mod narrow_reference;
mod narrow_say;
mod narrow_union;
mod open;
mod restore;
mod root;
mod rules;
pub mod words;

pub use definition::definition;
pub use disjoint::disjoint;
pub use names::tool_aliases;
pub use restore::Restore;
pub use rules::{Names, Null, References, Rules};
pub use toolcontract_protocol::Dialect;

use serde_json::Value;

use crate::strip::stripped;
use context::Lowering;

/// A schema as one provider is shown it.
#[derive(Debug, Clone, PartialEq)]
pub struct Lowered {
    /// The schema; its root is `type: object`.
    pub schema: Value,
    /// Whether the provider may be told to enforce it. True only for [`Dialect::OpenaiStrict`], and
    /// there only when strict mode can say everything that a call may need; otherwise the schema is
    /// the one of [`Dialect::Openai`].
    pub strict: bool,
    /// What the provider does not see as a keyword, in the order of the schema.
    pub notes: Vec<Note>,
    /// How arguments find back into the contract's form.
    pub restore: Restore,
}

/// Something that the provider is told otherwise, or not told.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Note {
    /// JSON pointer into the schema that was given.
    pub pointer: String,
    /// The keyword concerned; empty where it is the whole node.
    pub keyword: String,
    /// What became of it.
    pub effect: Effect,
    /// The same in words, for people.
    pub text: String,
}

/// What became of a part of a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Said in a description; the provider does not enforce it, the contract does.
    Described,
    /// A model can send less than the contract accepts.
    Narrowed,
    /// Goes by another name.
    Renamed,
    /// Left out; it asserts nothing.
    Dropped,
    /// Left out with all that is below it; the contract still checks it.
    Cut,
    /// The whole schema is shown without being enforced.
    Unenforced,
}

/// Lowers `schema` to `dialect`.
///
/// Wants the normal form ([`crate::normal`]) but takes any JSON: what is no schema, does not resolve or is too large becomes a value of any
/// shape, with a note. Pure, and bounded in time and size by the size of `schema`.
#[must_use]
pub fn lower(schema: &Value, dialect: Dialect) -> Lowered {
    let schema = &*stripped(schema);
    let mut lowering = Lowering::new(schema, Rules::of(dialect));
    let shown = lowering.run();
    if dialect != Dialect::OpenaiStrict {
        return lowering.finish(shown, false);
    }
    match lowering.refusal(&shown) {
        None => lowering.finish(shown, true),
        Some(reason) => {
            let mut lenient = Lowering::new(schema, Rules::of(Dialect::Openai));
            lenient.notes.push(reason);
            let shown = lenient.run();
            lenient.finish(shown, false)
        }
    }
}
