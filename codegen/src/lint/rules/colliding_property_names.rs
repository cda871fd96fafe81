//! Property names that are one word in code.

use std::collections::BTreeMap;

use serde_json::Value;
use toolcontract_manifest::Level;
use toolcontract_schema::pointer::join;

use crate::{
    lint::{Page, Rule},
    model::names,
};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "colliding-property-names",
        about: "Two properties of an object become one word in code.",
        what: "Two names under one `properties` that differ only in case and punctuation.",
        why: "Each property becomes a field named after it. Of two that share a name the second \
              is numbered (`user_id_2`), which nobody can read. Models confuse such names too.",
        example: r#"
[input_schema.properties.userId]
type = "string"

[input_schema.properties.user_id]
type = "string"
"#,
        instead: r#"
[input_schema.properties.author_id]
type = "string"

[input_schema.properties.reader_id]
type = "string"
"#,
    },
    authored: Some(Level::Warning),
    declared: None,
    allowable: true,
    check: |catalog, findings| {
        for site in catalog.sites() {
            for part in &site.parts {
                let properties = part.get("properties").and_then(Value::as_object);
                let mut first: BTreeMap<String, &str> = BTreeMap::new();
                for name in properties.into_iter().flat_map(|all| all.keys()) {
                    let other = *first.entry(names::snake(name)).or_insert(name);
                    if other != name {
                        let pointer = join(&format!("{}/properties", part.pointer), name);
                        findings.report(
                            site.key_at_schema(&pointer),
                            format!(
                                "the property `{}` is the same word in code as `{}`",
                                name.escape_debug(),
                                other.escape_debug()
                            ),
                            "rename one of the two",
                        );
                    }
                }
            }
        }
    },
};
