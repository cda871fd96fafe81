//! `wire.d.ts` passes strict `tsc`, takes every sample of every type, and refuses what is wrong.

use std::{fmt::Write as _, path::Path, process::Command};

use toolcontract_codegen::emit::wire::wire_d_ts;

use super::root;
use crate::protocol::samples;

/// Every sample as a value of its type: JSON is TypeScript.
fn sample_module() -> String {
    let mut text = String::from("import type * as wire from \"./wire.js\";\n");
    for (index, (kind, _, sample)) in samples("written").into_iter().enumerate() {
        if toolcontract_protocol::wire::WIRE_TYPES
            .iter()
            .any(|wire| wire.name == kind)
        {
            let value = sample.trim_end();
            let _ = writeln!(text, "export const s{index}: wire.{kind} = {value};");
        }
    }
    text
}

#[expect(
    clippy::disallowed_methods,
    reason = "a test writes into its own folder"
)]
fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("the folder is ours");
}

/// What strict `tsc` says of the declarations, the samples and `consumer`; empty when nothing.
fn tsc(consumer: &str) -> Option<String> {
    let tsc = root().join("tests/js/node_modules/.bin/tsc");
    if !tsc.exists() {
        assert!(
            std::env::var_os("CI").is_none(),
            "`npm ci --prefix tests/js` has not run"
        );
        println!("not run: tests/js/node_modules is missing");
        return None;
    }
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "wire.d.ts", &wire_d_ts());
    write(folder.path(), "samples.ts", &sample_module());
    write(folder.path(), "consumer.ts", consumer);
    write(folder.path(), "package.json", "{ \"type\": \"module\" }\n");
    let options = "--strict --noEmit --exactOptionalPropertyTypes --noUncheckedIndexedAccess \
                   --noImplicitOverride --noPropertyAccessFromIndexSignature --target es2022 \
                   --module nodenext --pretty false";
    let output = Command::new(tsc.canonicalize().expect("tsc is there"))
        .args(options.split_whitespace())
        .args(["samples.ts", "consumer.ts"])
        .current_dir(folder.path())
        .output()
        .expect("tsc runs");
    Some(
        String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr),
    )
}

const CONSUMER: &str = include_str!("../../data/wire/consumer.ts");

#[test]
fn strict_tsc_takes_every_sample_and_refuses_what_is_wrong() {
    if let Some(said) = tsc(CONSUMER) {
        assert_eq!(said, "");
    }
}

#[test]
fn a_wrong_value_is_seen() {
    let broken =
        "import type { RiskLevel } from \"./wire.js\";\nexport const x: RiskLevel = \"LOW\";\n";
    if let Some(said) = tsc(broken) {
        assert!(said.contains("consumer.ts(2,"), "{said}");
    }
}

#[test]
fn the_file_opens_with_a_banner_and_documents_every_type() {
    let text = wire_d_ts();
    assert!(
        text.starts_with("// @generated"),
        "{}",
        text.lines().next().unwrap_or_default()
    );
    assert!(text.ends_with(";\n") || text.ends_with("}\n"));
    assert!(!text.contains("\n\n\n"), "one blank line is enough");
    let lines: Vec<&str> = text.lines().collect();
    for pair in lines.windows(2) {
        if pair[1].starts_with("export ") {
            assert!(pair[0].ends_with("*/"), "no comment above: {}", pair[1]);
        }
        assert!(!pair[0].ends_with(' '), "trailing space: {}", pair[0]);
    }
}
