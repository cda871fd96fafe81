//! An authored schema that opts in to integers beyond 2^53 - 1: the module embeds the opt-in, and
//! the type keeps the integer.

use serde_json::json;

use super::{
    judge::{Question, Verdict, judge},
    krate::{Entry, Manifests, compile, emit},
};

#[test]
fn wide_integers_where_the_author_says_so() {
    let page = json!({
        "type": "object",
        "description": "A page.",
        "additionalProperties": false,
        "required": ["cursor"],
        "properties": {
            "cursor": { "type": "integer", "x-ts": "bigint", "description": "Where it begins." },
        },
    });
    let input = json!({
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "id": { "type": "integer", "minimum": 0, "maximum": u64::MAX, "x-ts": "string", "description": "An id." },
            "count": { "type": "integer", "minimum": 0, "description": "A count." },
            "page": { "$ref": "types/page.json", "description": "A page." },
        },
    });
    let mut manifests = Manifests::new("wide");
    manifests.add("types/page", &page);
    manifests.add(
        "tools/wide",
        &json!({
            "name": "wide",
            "description": "Takes integers that a double cannot hold.",
            "group": "test",
            "risk": "low",
            "input_schema": input,
        }),
    );
    let model = manifests
        .check()
        .unwrap_or_else(|errors| panic!("{errors}"));
    let entry = |name: &str, module: &str, gives: &str| Entry {
        name: name.to_owned(),
        module: module.to_owned(),
        function: "parse",
        gives: gives.to_owned(),
        schema: json!({}),
    };
    let entries = [
        entry("input", "wide", "Input"),
        entry("page", "types::page", "Page"),
    ];
    let program = compile("wide", &emit(&model), &entries);
    let question = |entry: &str, value, valid| Question {
        entry: entry.to_owned(),
        formats: false,
        value,
        valid,
    };
    let verdicts = judge(
        &program,
        &[
            question("input", json!({ "id": 9_007_199_254_740_993_u64 }), true),
            question("input", json!({ "id": u64::MAX, "count": 1.0 }), true),
            question(
                "input",
                json!({ "count": 9_007_199_254_740_993_u64 }),
                false,
            ),
            question("input", json!({ "page": { "cursor": i64::MIN } }), true),
            question("page", json!({ "cursor": u64::MAX }), true),
            question("page", json!({ "cursor": "1" }), false),
        ],
    );
    assert!(
        verdicts.iter().all(|v| *v == Verdict::Exact),
        "{verdicts:#?}"
    );
}
