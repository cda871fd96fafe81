//! Doc comments made from hostile text: rustdoc finds nothing to warn about and no code to run.
#![expect(
    clippy::disallowed_methods,
    reason = "the file is made for rustdoc, not for a person"
)]

use std::{fmt::Write as _, fs, path::Path, process::Command};

use serde_json::json;
use syn::visit::Visit;

use super::krate::{Manifests, declared, emit};

/// Collects the doc comments of a file as the docs of items that need nothing else.
#[derive(Default)]
struct Docs {
    source: String,
    items: usize,
}

impl<'ast> Visit<'ast> for Docs {
    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        if let syn::Meta::NameValue(pair) = &attribute.meta
            && pair.path.is_ident("doc")
            && let syn::Expr::Lit(literal) = &pair.value
            && let syn::Lit::Str(text) = &literal.lit
        {
            let _ = writeln!(self.source, "///{}", text.value());
        }
    }

    fn visit_item(&mut self, item: &'ast syn::Item) {
        syn::visit::visit_item(self, item);
        self.end();
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        self.end();
        syn::visit::visit_field(self, field);
        self.end();
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        self.end();
        syn::visit::visit_variant(self, variant);
        self.end();
    }
}

impl Docs {
    /// Gives what was collected an item to stand on.
    fn end(&mut self) {
        if self
            .source
            .lines()
            .last()
            .is_some_and(|line| line.starts_with("///"))
        {
            let _ = writeln!(self.source, "pub struct D{};", self.items);
            self.items += 1;
        }
    }
}

fn hostile() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/rust/hostile/descriptions.json");
    let case: serde_json::Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    case["schema"]["description"].as_str().unwrap().to_owned()
}

#[test]
fn nothing_in_a_description_reaches_rustdoc() {
    let text = hostile();
    let mut manifests = Manifests::new("docs");
    let schema = json!({
        "type": "object",
        "description": text,
        "properties": { "a": { "type": "string", "description": text } },
        "additionalProperties": false,
    });
    let mut tool = declared("hostile", &schema, None);
    tool["title"] = json!(text);
    tool["description"] = json!(text);
    tool["examples"] = json!([{ "summary": text, "input": { "a": "```\n/// ``` \u{202e}" } }]);
    manifests.add("tools/hostile", &tool);
    let model = manifests
        .check()
        .unwrap_or_else(|errors| panic!("{errors}"));
    let files = emit(&model);
    let text = std::str::from_utf8(files.get("src/hostile.rs").unwrap()).unwrap();

    let mut docs = Docs::default();
    for line in text.lines().filter_map(|line| line.strip_prefix("//!")) {
        let _ = writeln!(docs.source, "///{line}");
    }
    docs.end();
    docs.visit_file(&syn::parse_file(text).unwrap());
    assert!(docs.items > 5);

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("docs.rs");
    fs::write(&path, &docs.source).unwrap();
    let rustdoc = |arguments: &[&str]| {
        let output = Command::new("rustdoc")
            .args(["--edition=2024", "-Dwarnings", "docs.rs"])
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}\n{}", docs.source);
        said
    };
    rustdoc(&[]);
    let tests = rustdoc(&["--test"]);
    assert!(
        tests.contains("running 0 tests"),
        "{tests}\n{}",
        docs.source
    );
}
