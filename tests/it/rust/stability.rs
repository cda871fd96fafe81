//! What is appended changes no other identifier: neither a property nor a listed value, at any
//! depth, in any schema of the catalog or of the hostile cases.

use std::{fs, path::Path};

use serde_json::{Value, json};
use toolcontract_codegen::{
    lint,
    model::{self, Lock},
};
use toolcontract_manifest::{Folder, Level, load};

use super::krate::{Manifests, declared, emit};

/// Every identifier that a user of the module may write, in order.
fn identifiers(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let fields = |found: &mut Vec<String>, of: &str, fields: &syn::Fields| {
        for field in fields {
            if let Some(ident) = &field.ident {
                found.push(format!("{of}.{ident}"));
            }
        }
    };
    for item in syn::parse_file(text).unwrap().items {
        match item {
            syn::Item::Struct(item) => {
                found.push(item.ident.to_string());
                fields(&mut found, &item.ident.to_string(), &item.fields);
            }
            syn::Item::Enum(item) => {
                found.push(item.ident.to_string());
                for variant in &item.variants {
                    let name = format!("{}::{}", item.ident, variant.ident);
                    fields(&mut found, &name, &variant.fields);
                    found.push(name);
                }
            }
            syn::Item::Type(item) => found.push(item.ident.to_string()),
            syn::Item::Impl(item) => {
                let of = &item.self_ty;
                for item in &item.items {
                    if let syn::ImplItem::Fn(method) = item {
                        found.push(format!("{}::{}()", quote(of), method.sig.ident));
                    }
                }
            }
            _ => {}
        }
    }
    found
}

fn quote(ty: &syn::Type) -> String {
    match ty {
        syn::Type::Path(path) => path.path.segments.last().unwrap().ident.to_string(),
        _ => String::new(),
    }
}

/// Appends a property to every object and a value to every list of strings.
fn append(schema: &mut Value) {
    match schema {
        Value::Object(keywords) => {
            keywords.values_mut().for_each(append);
            if let Some(Value::Array(values)) = keywords.get_mut("enum")
                && values.iter().any(Value::is_string)
            {
                values.push(json!("zz appended"));
            }
            if keywords.get("type") == Some(&json!("object"))
                && let Some(Value::Object(properties)) = keywords.get_mut("properties")
            {
                properties.insert(
                    "zz_appended".to_owned(),
                    json!({
                        "type": "object",
                        "description": "New.",
                        "additionalProperties": false,
                        "properties": { "mode": { "type": "string", "enum": ["a", "b"], "description": "New too." } },
                    }),
                );
            }
        }
        Value::Array(values) => values.iter_mut().for_each(append),
        _ => {}
    }
}

#[track_caller]
fn check(name: &str, before: &str, after: &str) {
    let after = identifiers(after);
    let mut rest = after.iter();
    let mut kept = 0;
    for identifier in identifiers(before) {
        assert!(
            rest.any(|other| *other == identifier),
            "{name}: `{identifier}` is gone or moved; now there are {after:#?}"
        );
        kept += 1;
    }
    assert!(kept > 0 && after.len() >= kept, "{name}");
}

fn text(folder: Folder, path: &str) -> impl Fn(&str) -> String {
    let (model, findings) = model::build(folder, Lock::default());
    assert!(findings.is_empty(), "{path}");
    let (checked, findings) = lint::check(model);
    let files = emit(&checked.unwrap_or_else(|| {
        let errors = findings.iter().filter(|f| f.level == Level::Error);
        let lines: Vec<String> = errors
            .map(|f| format!("{}: {}", f.path, f.message))
            .collect();
        panic!("{path}: {}", lines.join("\n"))
    }));
    move |path: &str| String::from_utf8(files.get(path).unwrap().to_vec()).unwrap()
}

#[test]
fn appending_to_the_catalog_renames_nothing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = || load(&root).unwrap().0.expect("the catalog loads");
    let before = text(folder(), "before");
    let mut appended = folder();
    for tool in &mut appended.tools {
        let manifest = &mut tool.value;
        manifest.input_schema.iter_mut().for_each(append);
        manifest.output_schema.iter_mut().for_each(append);
    }
    let names: Vec<String> = appended
        .tools
        .iter()
        .map(|t| t.value.name.clone())
        .collect();
    let after = text(appended, "after");
    assert!(names.len() > 70);
    for name in names {
        let path = format!("src/{name}.rs");
        check(&name, &before(&path), &after(&path));
    }
}

#[test]
fn appending_to_hostile_schemas_renames_nothing() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/rust/hostile");
    for name in [
        "defaults",
        "listed-strings",
        "member-names",
        "names-of-ours",
        "present-and-null",
        "recursive-shapes",
        "tagged-references",
    ] {
        let case = fs::read_to_string(folder.join(name).with_extension("json")).unwrap();
        let case: Value = serde_json::from_str(&case).unwrap();
        let module = |schema: &Value| {
            let mut manifests = Manifests::new("stability");
            manifests.add("tools/hostile", &declared("hostile", schema, Some(schema)));
            let model = manifests
                .check()
                .unwrap_or_else(|errors| panic!("{errors}"));
            let files = emit(&model);
            String::from_utf8(files.get("src/hostile.rs").unwrap().to_vec()).unwrap()
        };
        let mut appended = case["schema"].clone();
        append(&mut appended);
        check(name, &module(&case["schema"]), &module(&appended));
    }
}
