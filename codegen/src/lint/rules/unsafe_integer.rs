//! Integers beyond 2^53 need a choice for TypeScript.

use serde_json::{Number, Value};
use toolcontract_manifest::Level;
use toolcontract_schema::{integral::is_wide, vocabulary::TS};

use crate::lint::{Page, Rule, site::Part};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "unsafe-integer",
        about: "An integer may pass 2^53 - 1, and nothing says how TypeScript carries it.",
        what: "An integer whose bounds, `const`, `enum` or `default` lie beyond 9007199254740991 \
               in either direction, without `x-ts`.",
        why: "JavaScript rounds such a number without a word, and so does canonical JSON: two \
              different calls would have one digest. Values beyond are refused unless the schema \
              opts in.",
        example: r#"
[input_schema.properties.id]
type = "integer"
maximum = 9223372036854775807
"#,
        instead: r#"
[input_schema.properties.id]
type = "integer"
maximum = 9223372036854775807
x-ts = "bigint"  # or "string"
"#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Warning),
    allowable: false,
    check: |catalog, findings| {
        for site in catalog.sites() {
            for part in &site.parts {
                if !part.has_type("integer") || part.get(TS).is_some() {
                    continue;
                }
                if let Some((keyword, number)) = unsafe_number(part) {
                    findings.report(
                        site.at_schema(&format!("{}/{keyword}", part.pointer)),
                        format!("the integer may be {number}, beyond what JavaScript keeps exact"),
                        "add `x-ts = \"bigint\"` or `x-ts = \"string\"`, or narrow the bounds",
                    );
                }
            }
        }
    },
};

fn unsafe_number<'a>(part: &Part<'a>) -> Option<(String, &'a Number)> {
    let single = [
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "const",
        "default",
    ];
    let single = single
        .into_iter()
        .filter_map(|keyword| Some((keyword.to_owned(), part.schema.get(keyword)?)));
    let listed = part.schema.get("enum").and_then(Value::as_array);
    let listed = listed.into_iter().flatten().enumerate();
    single
        .chain(listed.map(|(index, value)| (format!("enum/{index}"), value)))
        .filter_map(|(place, value)| match value {
            Value::Number(number) => Some((place, number)),
            _ => None,
        })
        .find(|(_, number)| is_wide(number))
}
