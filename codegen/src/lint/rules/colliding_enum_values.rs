//! Enum values that are one word in code.

use std::collections::BTreeMap;

use serde_json::Value;
use toolcontract_manifest::Level;

use crate::{
    lint::{Page, Rule, site::Stance},
    model::names,
};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "colliding-enum-values",
        about: "Two values of an enum become one word in code.",
        what: "Two values of a string enum that are equal, or differ only in case and punctuation.",
        why: "Each value becomes a variant named after it. Of two that share a name the second \
              is numbered (`Get2`), which nobody can read. Models confuse such values too.",
        example: r#"
type = "string"
enum = ["read-only", "read_only"]
"#,
        instead: r#"
type = "string"
enum = ["read-only", "append-only"]
"#,
    },
    authored: Some(Level::Warning),
    declared: None,
    allowable: true,
    check: |catalog, findings| {
        for site in catalog.sites() {
            for part in site.parts.iter().filter(|p| p.stance != Stance::Condition) {
                let values = part.get("enum").and_then(Value::as_array);
                let mut first = BTreeMap::new();
                for (index, value) in values.into_iter().flatten().enumerate() {
                    let Some(text) = value.as_str() else { continue };
                    let word = names::pascal(text).to_lowercase();
                    let other = *first.entry(word).or_insert((index, text));
                    if other.0 != index {
                        findings.report(
                            site.at_schema(&format!("{}/enum/{index}", part.pointer)),
                            format!(
                                "the value `{}` is the same word in code as `{}`",
                                text.escape_debug(),
                                other.1.escape_debug()
                            ),
                            "rename one of the two, or remove it",
                        );
                    }
                }
            }
        }
    },
};
