//! Tools that nobody here wrote, in one Rust crate, compiled with warnings denied, and one TypeScript
//! project, under strict `tsc`: the packages' own tests hold every `parse` and every zod schema to the
//! vectors, with both versions of zod, and Ajv agrees but for what is listed.
//!
//! All of them take a minute, so that CI alone does; otherwise those with rare keywords and some of
//! the others stand for all.

use std::{fmt::Write as _, path::Path};

use serde_json::Value;
use toolcontract_codegen::{lint::CheckedModel, model::vectors::Vectors};

use crate::{
    expect::Expect,
    import::corpus::import_all,
    rust::krate::{Manifests, emit, emit_typescript, try_test_crate, try_test_package},
    schema::shared,
};

/// Keywords that few tools have and that are hard to get right.
const RARE: &[&str] = &[
    "$ref",
    "allOf",
    "const",
    "contains",
    "dependentRequired",
    "dependentSchemas",
    "if",
    "not",
    "oneOf",
    "patternProperties",
    "prefixItems",
    "propertyNames",
    "unevaluatedProperties",
    "uniqueItems",
];

/// Of the tools without such a keyword, one in this many is sampled.
const EVERY: usize = 29;

#[test]
fn a_sample_of_tools_answers_its_vectors() {
    let mut plain = 0;
    let mut takes = |manifest: &Value| {
        let is_rare = has_rare(&manifest["input_schema"]) || has_rare(&manifest["output_schema"]);
        plain += usize::from(!is_rare);
        is_rare || plain % EVERY == 1
    };
    let Some(model) = corpus("sample", &mut takes) else {
        return;
    };
    let mut expect = Expect::default();
    answers("sample", &model, None, &mut expect);
    expect.finish();
}

#[test]
#[ignore = "takes a minute; `cargo xtask test --all` and CI run it"]
fn every_tool_has_vectors_and_answers_them() {
    let Some(model) = corpus("corpus", &mut |_| true) else {
        return;
    };
    let mut expect = Expect::default();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/vectors/corpus.txt");
    expect.file(&path, &report(&model));
    answers("corpus", &model, Some("corpus"), &mut expect);
    expect.finish();
}

fn has_rare(schema: &Value) -> bool {
    match schema {
        Value::Object(members) => members
            .iter()
            .any(|(name, value)| RARE.contains(&name.as_str()) || has_rare(value)),
        Value::Array(items) => items.iter().any(has_rare),
        _ => false,
    }
}

/// The checked model of the tools that are taken, as the crate `generated-<name>`.
fn corpus(name: &str, takes: &mut dyn FnMut(&Value) -> bool) -> Option<CheckedModel> {
    let (imported, _) = import_all(&shared("corpus")?);
    let mut manifests = Manifests::new(name);
    for tool in imported.into_iter().flat_map(|list| list.tools) {
        let manifest = serde_json::to_value(&tool.manifest).unwrap();
        if takes(&manifest) {
            manifests.add(&format!("tools/{}", tool.manifest.name), &manifest);
        }
    }
    Some(manifests.check().unwrap_or_else(|e| panic!("{e}")))
}

/// Compiles both packages and runs their tests.
fn answers(name: &str, model: &CheckedModel, deviations: Option<&str>, expect: &mut Expect) {
    println!("{} tools", model.tools.len());
    let rust = try_test_crate(name, &emit(model));
    let typescript = try_test_package(name, &emit_typescript(model), deviations);
    for said in [rust, typescript].into_iter().filter_map(Result::err) {
        expect.fail(format_args!("{said}"));
    }
}

/// How many vectors there are, and the schemas of which no valid value was found.
fn report(model: &CheckedModel) -> String {
    let (mut schemas, mut valid, mut invalid) = (0, 0, 0);
    let mut without = String::new();
    for tool in &model.tools {
        let vectors = tool.vectors();
        let output = vectors.output.as_ref().map(|output| ("output", output));
        for (side, Vectors { list }) in [("input", &vectors.input)].into_iter().chain(output) {
            schemas += 1;
            let accepted = list.iter().filter(|vector| vector.valid).count();
            valid += accepted;
            invalid += list.len() - accepted;
            if accepted == 0 {
                let _ = writeln!(without, "{} {side}", tool.manifest.name);
            }
        }
    }
    format!(
        "{} tools, {schemas} schemas, {valid} valid and {invalid} invalid vectors\n\nno valid value found:\n{without}",
        model.tools.len(),
    )
}
