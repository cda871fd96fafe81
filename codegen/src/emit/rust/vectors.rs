//! `tests/vectors.rs` and the vectors that it reads: each `parse` of the crate, held to its schema.

use std::fmt::Write as _;

use super::{ident::token, package::PROJECT};
use crate::{
    emit::{
        FileSet,
        text::{banner, fill},
        vectors,
    },
    lint::CheckedModel,
};

const TEMPLATE: &str = include_str!("../../../../templates/rust/vectors.rs");

/// Adds the files; none without a tool.
pub(super) fn add(model: &CheckedModel, krate: &str, out: &mut FileSet) {
    if model.tools.is_empty() {
        return;
    }
    let krate = krate.replace('-', "_");
    vectors::add(&model.tools, out);
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
    let text = fill(TEMPLATE, &[("tools", &tests)]);
    out.add(
        "tests/vectors.rs",
        format!("// {}\n\n{text}", banner(PROJECT)),
    );
}
