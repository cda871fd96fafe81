//! What makes the modules an npm package: `package.json`, compiler settings, README, runtime.

use serde_json::json;

use crate::{
    emit::{
        FileSet,
        text::{banner, fill, pretty},
        wire::wire_d_ts,
    },
    lint::CheckedModel,
};

macro_rules! template {
    ($path:literal) => {
        include_str!(concat!("../../../../templates/typescript/", $path))
    };
}

/// The refinements that generated schemas use, and the types of definitions.
const SOURCES: [(&str, &str); 13] = [
    ("src/definition.ts", template!("src/definition.ts")),
    ("src/runtime/arrays.ts", template!("src/runtime/arrays.ts")),
    ("src/runtime/check.ts", template!("src/runtime/check.ts")),
    ("src/runtime/equal.ts", template!("src/runtime/equal.ts")),
    (
        "src/runtime/formats.ts",
        template!("src/runtime/formats.ts"),
    ),
    ("src/runtime/index.ts", template!("src/runtime/index.ts")),
    ("src/runtime/logic.ts", template!("src/runtime/logic.ts")),
    (
        "src/runtime/numbers.ts",
        template!("src/runtime/numbers.ts"),
    ),
    (
        "src/runtime/objects.ts",
        template!("src/runtime/objects.ts"),
    ),
    (
        "src/runtime/patterns.ts",
        template!("src/runtime/patterns.ts"),
    ),
    (
        "src/runtime/strings.ts",
        template!("src/runtime/strings.ts"),
    ),
    ("src/runtime/types.ts", template!("src/runtime/types.ts")),
    (
        "src/runtime/unevaluated.ts",
        template!("src/runtime/unevaluated.ts"),
    ),
];

/// Adds everything that does not come from one manifest.
pub(super) fn add(model: &CheckedModel, name: &str, out: &mut FileSet) {
    out.add("package.json", manifest(model, name));
    out.add("tsconfig.json", template!("tsconfig.json"));
    out.add("README.md", readme(model, name));
    out.add("src/wire.ts", wire_d_ts());
    for (path, text) in SOURCES {
        let banner = banner("the generator's templates");
        out.add(path, format!("// {banner}\n\n{text}"));
    }
}

fn manifest(model: &CheckedModel, name: &str) -> String {
    let module = |path: &str| {
        json!({
            "types": format!("./dist/{path}.d.ts"),
            "default": format!("./dist/{path}.js"),
        })
    };
    pretty(&json!({
        "name": name,
        "version": model.project.package_version,
        "description": model.project.description,
        "license": model.project.license,
        "type": "module",
        "sideEffects": false,
        "engines": { "node": ">=20" },
        "exports": {
            ".": module("index"),
            "./contracts": module("contracts"),
            "./events": module("events"),
            "./events/*": module("events/*"),
            "./governance": module("governance"),
            "./host": module("host/index"),
            "./tools": module("tools"),
            "./tools/*": module("tools/*"),
            "./types/*": module("types/*"),
            "./wire": module("wire"),
            "./package.json": "./package.json",
        },
        "files": ["dist", "src"],
        "scripts": {
            "build": "tsc",
            "prepack": "tsc",
            "test": "tsc && node --test tests/",
        },
        "peerDependencies": {
            "eventsource-parser": "^3.0.0",
            "zod": "^3.25.50 || ^4.0.0",
        },
        // Only who imports `./host` needs it.
        "peerDependenciesMeta": { "eventsource-parser": { "optional": true } },
        "devDependencies": {
            "eventsource-parser": "^3.1.1",
            "typescript": "^7.0.2",
            "zod": "^4.6.7",
        },
    }))
}

/// The README shows the first tool of the catalog.
fn readme(model: &CheckedModel, package: &str) -> String {
    let banner = banner("manifests/");
    let example = model.tools.first();
    let module = example.map_or("", |tool| tool.names.module.as_str());
    let pascal = example.map_or("", |tool| tool.names.pascal.as_str());
    let camel = example.map_or("", |tool| tool.names.camel.as_str());
    let count = match model.tools.len() {
        1 => "one tool".to_owned(),
        count => format!("{count} tools"),
    };
    fill(
        template!("README.md"),
        &[
            ("banner", &banner),
            ("package", package),
            ("project", &model.project.name),
            ("description", &model.project.description),
            ("count", &count),
            ("module", module),
            ("pascal", pascal),
            ("camel", camel),
        ],
    )
}
