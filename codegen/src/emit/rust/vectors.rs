//! `tests/vectors.rs` and the vectors that it reads: each `parse` of the crate, held to its schema.

use std::fmt::Write as _;

use super::{File, ident::token, package::PROJECT};
use crate::{
    emit::{
        text::{banner, fill},
        vectors,
    },
    lint::CheckedModel,
};

const TEMPLATE: &str = include_str!("../../../../templates/rust/vectors.rs");

/// The files; none without a tool.
pub(super) fn files(model: &CheckedModel, krate: &str) -> Vec<File> {
    let krate = krate.replace('-', "_");
    let mut files = vectors::files(&model.tools);
    let mut tests = String::new();
    for tool in &model.tools {
        let file = &tool.names.module;
        let name = token(file);
        let gap = if tests.is_empty() { "" } else { "\n" };
        let _ = write!(
            tests,
            "{gap}    #[test]\n    fn {name}() {{\n        \
             let vectors = super::read(include_str!(\"vectors/{file}.json\"));\n        \
             super::check(&vectors[\"input\"], {krate}::{name}::parse);\n"
        );
        if tool.output.is_some() {
            let _ = writeln!(
                tests,
                "        super::check(&vectors[\"output\"], {krate}::{name}::parse_output);"
            );
        }
        tests.push_str("    }\n");
    }
    if !files.is_empty() {
        let text = fill(TEMPLATE, &[("tools", &tests)]);
        files.push((
            "tests/vectors.rs".to_owned(),
            format!("// {}\n\n{text}", banner(PROJECT)),
        ));
    }
    files
}
