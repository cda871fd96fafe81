//! A JSON Schema in words: a table of its properties, and what the table cannot say as sentences.

use std::{cell::Cell, collections::BTreeMap};

use serde_json::Value;
use toolcontract_schema::{
    dialect::words::sentence,
    keyword::{names, types},
    normal::Target,
};

use super::{
    bounds::{number_bounds, range, string_bounds},
    markdown::{Page, code, inline},
};
use crate::model::{Model, SchemaDoc, SharedType, names::capital};

/// How deep inline objects are followed into the table.
const DEPTH: usize = 6;
/// How many rows a table has: schemas of others may lead from each definition to all.
const MAX_ROWS: usize = 300;
/// How many kinds a page tells, for the same reason.
const MAX_KINDS: usize = 5_000;

/// Keywords of an object that the table shows, or that say nothing about which values are valid.
const SHOWN: &[&str] = &[
    "type",
    "properties",
    "required",
    "additionalProperties",
    "description",
    "title",
    "$defs",
    "default",
    "examples",
    "$comment",
];

/// Keywords that the words for a kind say.
const IN_KIND: &[&str] = &[
    "enum",
    "const",
    "format",
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "items",
    "minItems",
    "maxItems",
];

/// Adds the table of an object schema, its further rules, and the schema itself.
/// `up` leads from the page to the docs folder: `../` or nothing.
pub(super) fn describe(page: &mut Page, model: &Model, doc: &SchemaDoc, up: &str) {
    let words = Words {
        root: &doc.normal.schema,
        shared: &doc.normal.shared,
        types: &model.types,
        up,
        kinds_left: Cell::new(MAX_KINDS),
    };
    let mut rows = Vec::new();
    words.rows("", words.root, &mut Vec::new(), &mut rows);
    if rows.is_empty() {
        page.paragraph(&format!("{}.", capital(&words.kind(words.root, DEPTH))));
    } else {
        page.table(&["Property", "Type", "Required", "Description"], &rows);
    }
    if rows.len() >= MAX_ROWS || words.kinds_left.get() == 0 {
        page.paragraph("The table does not hold everything; the schema below does.");
    }
    match words.root.get("additionalProperties") {
        Some(Value::Bool(false)) => page.paragraph("No other members."),
        _ if words.root.get("type") == Some(&Value::from("object")) => {
            page.paragraph("Other members are kept.")
        }
        _ => {}
    }
    let (said, heading) = if rows.is_empty() {
        (IN_KIND, "Further rules:")
    } else {
        (&[][..], "Rules between properties:")
    };
    let rules = rules(words.root, said);
    if !rules.is_empty() {
        page.paragraph(heading);
        page.list(rules.iter().map(String::as_str));
    }
    page.paragraph("As JSON Schema:");
    page.code(
        "json",
        &serde_json::to_string_pretty(&doc.wire).unwrap_or_default(),
    );
}

/// What the table cannot say and what was not `said` above, as sentences.
fn rules(schema: &Value, said: &[&str]) -> Vec<String> {
    let Some(keywords) = schema.as_object() else {
        return Vec::new();
    };
    let beyond = keywords
        .keys()
        .filter(|key| !SHOWN.contains(&key.as_str()) && !said.contains(&key.as_str()))
        .filter(|key| !key.starts_with("x-"));
    beyond
        .filter_map(|key| sentence(key, keywords))
        .map(|sentence| inline(&sentence))
        .collect()
}

struct Words<'a> {
    root: &'a Value,
    shared: &'a BTreeMap<String, String>,
    types: &'a [SharedType],
    up: &'a str,
    kinds_left: Cell<usize>,
}

impl<'a> Words<'a> {
    /// The rows of the object `schema` at `path` and of what lies in it. `above` holds the objects
    /// around it, each with its path.
    fn rows(
        &self,
        path: &str,
        schema: &'a Value,
        above: &mut Vec<(String, &'a Value)>,
        rows: &mut Vec<Vec<String>>,
    ) {
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
            return;
        };
        let required: Vec<&str> = names(schema.get("required")).collect();
        let depth = DEPTH.saturating_sub(above.len());
        above.push((path.to_owned(), schema));
        for (name, property) in properties {
            if rows.len() >= MAX_ROWS {
                break;
            }
            let path = match path {
                "" => name.clone(),
                path => format!("{path}.{name}"),
            };
            let target = self.resolve(property);
            let described = property
                .get("description")
                .or_else(|| target.get("description"));
            let mut text = described
                .and_then(Value::as_str)
                .map(inline)
                .unwrap_or_default();
            if let Some(default) = property.get("default").or_else(|| target.get("default")) {
                text = format!("{text} Default {}.", code(&default.to_string()));
            }
            let (suffix, inner) = self.inner(target);
            // What holds itself is shown once.
            let shown = above.iter().find(|(_, outer)| std::ptr::eq(*outer, inner));
            if let Some((outer, _)) = shown {
                let outer = match outer.as_str() {
                    "" => "the whole".to_owned(),
                    outer => code(outer),
                };
                text = format!("{text} Has the members of {outer} again.");
            }
            let is_new = shown.is_none();
            rows.push(vec![
                code(&path),
                self.kind(property, depth),
                if required.contains(&name.as_str()) {
                    "yes"
                } else {
                    "no"
                }
                .to_owned(),
                text.trim().to_owned(),
            ]);
            if depth > 0 && is_new && self.shared_name(property).is_none() {
                self.rows(&format!("{path}{suffix}"), inner, above, rows);
            }
        }
        above.pop();
    }

    /// The object that a property holds: itself, or the items of its array.
    fn inner(&self, schema: &'a Value) -> (&'static str, &'a Value) {
        match schema.get("items") {
            Some(items) if self.shared_name(items).is_none() => ("[]", self.resolve(items)),
            _ => ("", schema),
        }
    }

    /// A schema's type and bounds, in words.
    fn kind(&self, schema: &Value, depth: usize) -> String {
        if let Some(link) = self.shared_name(schema) {
            return link;
        }
        let Some(left) = self.kinds_left.get().checked_sub(1) else {
            return "a value".to_owned();
        };
        self.kinds_left.set(left);
        if let Some(value) = schema.get("const") {
            return code(&value.to_string());
        }
        if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            let mut words: Vec<String> = values
                .iter()
                .take(12)
                .map(|v| code(&v.to_string()))
                .collect();
            if values.len() > words.len() {
                words.push(format!("{} more", values.len() - words.len()));
            }
            if schema.get("x-open") == Some(&Value::Bool(true)) {
                words.push("another string".to_owned());
            }
            return either(&words);
        }
        for keyword in ["anyOf", "oneOf"] {
            if let (Some(branches), None, true) = (
                schema.get(keyword).and_then(Value::as_array),
                schema.get("type"),
                depth > 0,
            ) {
                let words: Vec<String> = branches
                    .iter()
                    .map(|b| self.kind(self.resolve(b), depth - 1))
                    .collect();
                return either(&words);
            }
        }
        let resolved = self.resolve(schema);
        if !std::ptr::eq(resolved, schema) && depth > 0 {
            return self.kind(resolved, depth - 1);
        }
        let words: Vec<String> = types(schema.get("type"))
            .map(|kind| self.one_kind(kind, schema, depth))
            .collect();
        either(&words)
    }

    fn one_kind(&self, kind: &str, schema: &Value, depth: usize) -> String {
        let bounds = match kind {
            "string" => string_bounds(schema),
            "integer" | "number" => number_bounds(schema),
            "array" => {
                let items = match schema.get("items") {
                    Some(items) if depth > 0 => self.kind(items, depth - 1),
                    _ => "any value".to_owned(),
                };
                let mut words = format!("array of {items}");
                if let Some(count) = range(schema, "minItems", "maxItems", "items") {
                    words = format!("{words}, {count}");
                }
                return words;
            }
            _ => Vec::new(),
        };
        std::iter::once(kind.to_owned())
            .chain(bounds)
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// A link to the shared type that a `$ref` names.
    fn shared_name(&self, schema: &Value) -> Option<String> {
        let target = Target::of(schema.get("$ref")?.as_str()?)?;
        let reference = self.shared.get(target.name()?)?;
        let shared = self.types.iter().find(|t| &t.reference == reference)?;
        Some(format!(
            "[{}]({}types/{}.md)",
            code(&shared.module),
            self.up,
            shared.module
        ))
    }

    /// The schema that a chain of references leads to; the last that can be followed.
    fn resolve<'b>(&self, schema: &'b Value) -> &'b Value
    where
        'a: 'b,
    {
        let target = |schema: &Value| Target::of(schema.get("$ref")?.as_str()?)?.within(self.root);
        let mut at = schema;
        for _ in 0..DEPTH {
            match target(at) {
                Some(found) => at = found,
                None => break,
            }
        }
        at
    }
}

fn either(words: &[String]) -> String {
    match words.split_last() {
        None => "any value".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn table(root: &Value) -> (Vec<String>, usize) {
        let words = Words {
            root,
            shared: &BTreeMap::new(),
            types: &[],
            up: "",
            kinds_left: Cell::new(MAX_KINDS),
        };
        let mut rows = Vec::new();
        words.rows("", root, &mut Vec::new(), &mut rows);
        let names = rows.into_iter().map(|row| row.concat()).collect();
        (names, words.kinds_left.get())
    }

    #[test]
    fn what_holds_itself_is_shown_once() {
        let tree = json!({ "type": "object", "properties": {
            "name": { "type": "string" },
            "children": { "type": "array", "items": { "$ref": "#" } },
        }});
        let (rows, _) = table(&tree);
        assert_eq!(rows.len(), 2, "{rows:?}");
        assert!(
            rows[1].ends_with("Has the members of the whole again."),
            "{rows:?}"
        );
    }

    #[test]
    fn a_page_has_an_end() {
        let to_all: serde_json::Map<String, Value> = (0..120)
            .map(|n| (format!("p{n}"), json!({ "$ref": format!("#/$defs/d{n}") })))
            .collect();
        let defs: serde_json::Map<String, Value> = (0..120)
            .map(|n| {
                (
                    format!("d{n}"),
                    json!({ "type": "object", "properties": to_all }),
                )
            })
            .collect();
        let (rows, _) = table(&json!({ "type": "object", "properties": to_all, "$defs": defs }));
        assert_eq!(rows.len(), MAX_ROWS);

        let any: Vec<Value> = (0..120)
            .map(|n| json!({ "$ref": format!("#/$defs/d{n}") }))
            .collect();
        let defs: serde_json::Map<String, Value> = (0..120)
            .map(|n| (format!("d{n}"), json!({ "anyOf": any })))
            .collect();
        let (rows, left) =
            table(&json!({ "properties": { "a": { "anyOf": any } }, "$defs": defs }));
        assert_eq!((rows.len(), left), (1, 0));
    }
}
