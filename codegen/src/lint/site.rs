//! A schema as its author wrote it: every subschema with its place in the file and what it is for.

use std::{borrow::Cow, sync::Arc};

use serde_json::{Map, Value};
use toolcontract_manifest::Document;
use toolcontract_protocol::manifest::Posture;
use toolcontract_schema::{
    Validator,
    keyword::has_type,
    pointer::tokens,
    validator::CompileError,
    walk::walk,
    weight::{self, TooHeavy},
};

use super::{
    compile::formats,
    findings::{Located, Place},
};
use crate::model::SchemaDoc;

/// What a schema is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// The input of a tool.
    Input,
    /// The output of a tool.
    Output,
    /// The payload of an event.
    Payload,
    /// A shared type.
    Shared,
}

impl Use {
    /// Where such a schema stands in its file.
    #[must_use]
    pub(super) const fn base(self) -> &'static str {
        match self {
            Self::Input => "/input_schema",
            Self::Output => "/output_schema",
            Self::Payload => "/payload_schema",
            Self::Shared => "",
        }
    }
}

/// One schema.
#[derive(Debug)]
pub(super) struct Site<'a> {
    /// What it is for.
    pub(super) purpose: Use,
    /// The schema as it is written: references to files stand in it.
    pub(super) root: &'a Value,
    /// The schema as it leaves the manifests, and in normal form.
    pub(super) doc: &'a SchemaDoc,
    /// Its subschemas, the root first, parents before children.
    pub(super) parts: Vec<Part<'a>>,
    /// Why nobody should hold a value against it.
    pub(super) heavy: Option<TooHeavy>,
    /// Whether the schema that leaves the manifests compiles, or why not. One that is too heavy is
    /// not compiled, so that no rule waits for it.
    pub(super) compiles: Result<(), CompileError>,
    document: &'a Arc<Document>,
    posture: Posture,
}

/// One subschema.
#[derive(Debug)]
pub(super) struct Part<'a> {
    /// Its JSON pointer in the schema.
    pub(super) pointer: String,
    /// The subschema.
    pub(super) schema: &'a Value,
    /// The subschema around it, by index.
    pub(super) parent: Option<usize>,
    /// What it is for there.
    pub(super) stance: Stance,
    keyword: (usize, usize),
}

/// What a subschema is for in the schema around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stance {
    /// Says what a value is.
    Declares,
    /// Says so in one branch of `allOf`, `anyOf` or `oneOf`.
    Branch,
    /// Asks or restricts what is declared elsewhere: below `if`, `then`, `else`, `not`, `contains`,
    /// `propertyNames` or a dependency.
    Condition,
}

impl Part<'_> {
    /// The keyword of the parent that it stands under; empty for the root.
    #[must_use]
    pub(super) fn keyword(&self) -> &str {
        self.pointer
            .get(self.keyword.0..self.keyword.1)
            .unwrap_or_default()
    }

    /// The last token of its pointer, unescaped: the name of a property.
    #[must_use]
    pub(super) fn name(&self) -> Cow<'_, str> {
        let last = self.pointer.rfind('/').unwrap_or_default();
        let last = self.pointer.get(last..).unwrap_or_default();
        tokens(last)
            .and_then(|mut tokens| tokens.pop())
            .unwrap_or_default()
    }

    /// Whether it speaks of the very value that its parent speaks of.
    #[must_use]
    pub(super) fn is_in_place(&self) -> bool {
        matches!(
            self.keyword(),
            "allOf"
                | "anyOf"
                | "oneOf"
                | "not"
                | "if"
                | "then"
                | "else"
                | "dependentSchemas"
                | "dependencies"
        )
    }

    /// The keywords; none for `true` and `false`.
    #[must_use]
    pub(super) fn keywords(&self) -> Option<&Map<String, Value>> {
        self.schema.as_object()
    }

    /// The value of a keyword.
    #[must_use]
    pub(super) fn get(&self, keyword: &str) -> Option<&Value> {
        self.schema.get(keyword)
    }

    /// Whether `type` names `name`, alone or among others.
    #[must_use]
    pub(super) fn has_type(&self, name: &str) -> bool {
        has_type(self.get("type"), name)
    }
}

impl<'a> Site<'a> {
    /// Walks and compiles a schema that `owner` states.
    pub(super) fn new(
        owner: &'a (impl Located + ?Sized),
        purpose: Use,
        root: &'a Value,
        doc: &'a SchemaDoc,
    ) -> Self {
        let heavy = weight::check_normal(&doc.normal.schema).err();
        // Compiled schemas are large, and few rules hold a value against one: each is dropped again.
        let compiled = || Validator::compile(&doc.wire, formats(owner.posture())).map(|_| ());
        let refused = |heavy: TooHeavy| {
            Err(CompileError {
                pointer: String::new(),
                message: heavy.reason().to_owned(),
            })
        };
        Self {
            purpose,
            root,
            doc,
            parts: parts(root),
            heavy,
            compiles: heavy.map_or_else(compiled, refused),
            document: owner.document(),
            posture: owner.posture(),
        }
    }

    /// The schema that leaves the manifests, compiled; none where it does not compile.
    #[must_use]
    pub(super) fn validator(&self) -> Option<Validator> {
        self.compiles.as_ref().ok()?;
        Validator::compile(&self.doc.wire, formats(self.posture)).ok()
    }

    /// The value at a pointer into the schema.
    #[must_use]
    pub(super) fn at_schema(&self, pointer: &str) -> Place {
        self.at(&format!("{}{pointer}", self.purpose.base()))
    }

    /// The key at a pointer into the schema.
    #[must_use]
    pub(super) fn key_at_schema(&self, pointer: &str) -> Place {
        self.key(&format!("{}{pointer}", self.purpose.base()))
    }

    /// The subschemas around `part` that speak of the same value, the nearest first.
    pub(super) fn in_place_ancestors(&self, part: &Part<'a>) -> impl Iterator<Item = &Part<'a>> {
        let above = |part: &Part<'a>| {
            let parent = part.parent.filter(|_| part.is_in_place())?;
            self.parts.get(parent)
        };
        std::iter::successors(above(part), move |part| above(part))
    }
}

impl Located for Site<'_> {
    fn document(&self) -> &Arc<Document> {
        self.document
    }

    fn posture(&self) -> Posture {
        self.posture
    }
}

/// Every subschema of `root` with the one around it.
fn parts(root: &Value) -> Vec<Part<'_>> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    // The subschemas around the one that is visited, outermost first.
    let mut open: Vec<usize> = Vec::new();
    walk(root, &mut |pointer, schema| {
        let below = |index: &usize| {
            parts.get(*index).is_some_and(|above: &Part<'_>| {
                pointer
                    .strip_prefix(above.pointer.as_str())
                    .is_some_and(|rest| rest.starts_with('/'))
            })
        };
        while open.last().is_some_and(|last| !below(last)) {
            open.pop();
        }
        let parent = open.last().copied();
        let around = parent.and_then(|index| parts.get(index));
        let start = around.map_or(0, |above| above.pointer.len() + 1);
        let rest = pointer.get(start..).unwrap_or_default();
        let end = start + rest.find('/').unwrap_or(rest.len());
        let own = stance(pointer.get(start..end).unwrap_or_default());
        let stance = around.map_or(own, |above| above.stance.max(own));
        open.push(parts.len());
        parts.push(Part {
            pointer: pointer.to_owned(),
            schema,
            parent,
            stance,
            keyword: (start, end),
        });
    });
    parts
}

fn stance(keyword: &str) -> Stance {
    match keyword {
        "not" | "if" | "then" | "else" | "contains" | "propertyNames" | "dependentSchemas"
        | "dependencies" => Stance::Condition,
        "allOf" | "anyOf" | "oneOf" => Stance::Branch,
        _ => Stance::Declares,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Stance, parts};

    #[test]
    fn a_part_knows_what_is_around_it() {
        let schema = json!({
            "type": "object",
            "properties": { "a/b": { "items": { "enum": [1] } }, "a": true },
            "allOf": [{ "not": { "required": ["a"] } }],
            "if": { "properties": { "a": { "const": 1 } } }
        });
        let parts = parts(&schema);
        let seen: Vec<_> = parts
            .iter()
            .map(|p| (p.pointer.as_str(), p.keyword(), p.parent, p.stance))
            .collect();
        assert_eq!(
            seen,
            [
                ("", "", None, Stance::Declares),
                ("/properties/a~1b", "properties", Some(0), Stance::Declares),
                ("/properties/a~1b/items", "items", Some(1), Stance::Declares),
                ("/properties/a", "properties", Some(0), Stance::Declares),
                ("/allOf/0", "allOf", Some(0), Stance::Branch),
                ("/allOf/0/not", "not", Some(4), Stance::Condition),
                ("/if", "if", Some(0), Stance::Condition),
                ("/if/properties/a", "properties", Some(6), Stance::Condition),
            ]
        );
    }
}
