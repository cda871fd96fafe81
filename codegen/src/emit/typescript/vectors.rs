//! `tests/`: each zod schema of the package, held to the vectors of its contract. Not published.

use crate::{
    emit::{FileSet, text::banner, vectors},
    lint::CheckedModel,
};

const TEST: &str = include_str!("../../../../templates/typescript/tests/vectors.test.mjs");

/// Adds the files; none without a tool.
pub(super) fn add(model: &CheckedModel, out: &mut FileSet) {
    if model.tools.is_empty() {
        return;
    }
    let banner = banner("the generator's templates");
    out.add("tests/vectors.test.mjs", format!("// {banner}\n\n{TEST}"));
    vectors::add(&model.tools, out);
}
