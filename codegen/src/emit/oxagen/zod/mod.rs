//! JSON Schema as zod 3, in the constructs that Oxagen's converters know.
//!
//! What zod has a method for is that method, so that Oxagen's published schemas and its models see
//! it. What it has none for is a refinement. What neither can say is left to the contract's own
//! validator, with a note. Nothing is ever refused that the contract accepts, but for what a note
//! says; and parsing changes no value, so digests cover what was sent.

mod condition;
mod definition;
mod expr;
mod module;
mod node;
mod object;
mod read;
mod rules;
mod scalar;

pub(super) use expr::Expr;
pub(super) use module::{Module, Shared};

use toolcontract_schema::strip::stripped;

use crate::model::SchemaDoc;
use read::Reader;

/// A schema of a module, and the plain object that it refines, where it refines one.
#[derive(Debug)]
pub(super) struct Root {
    /// The schema. Where `object` is given, an expression on that name.
    pub(super) expr: Expr,
    /// The plain `z.object` under the name that was asked for.
    pub(super) object: Option<Expr>,
}

/// `doc` as the root of an input or output. A refined object is split: the plain one gets the name
/// `object_name`, since Oxagen's MCP tools read `.shape`.
pub(super) fn root(
    module: &mut Module<'_>,
    doc: &SchemaDoc,
    place: &str,
    object_name: &str,
) -> Root {
    let expr = schema(module, doc, place, true);
    let (plain, rules) = expr.split_refinements();
    if rules.is_empty() || !plain.is_plain_object() {
        return Root {
            expr: plain.with(rules),
            object: None,
        };
    }
    Root {
        expr: Expr::name(object_name).with(rules),
        object: Some(plain),
    }
}

/// `doc` as the schema of a shared type.
pub(super) fn shared(module: &mut Module<'_>, doc: &SchemaDoc, place: &str) -> Expr {
    schema(module, doc, place, false)
}

fn schema(module: &mut Module<'_>, doc: &SchemaDoc, place: &str, is_root: bool) -> Expr {
    let schema = stripped(&doc.normal.schema);
    let mut reader = Reader::new(module, &schema, &doc.normal.shared);
    reader.root(place, is_root)
}
