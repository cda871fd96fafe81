//! Whether the crates that the generated one depends on are where the project says. A warning:
//! a build machine may put them there later. Looks only at a `path`.

use std::path::{Component, Path, PathBuf};

use toolcontract_manifest::{Diagnostic, project::DependencySource};

use crate::model::Model;

/// The rule.
const MISSING: &str = "missing-crates";

/// What is not there.
pub(super) fn finding(root: &Path, model: &Model) -> Option<Diagnostic> {
    let surface = model.project.surfaces.rust.as_ref()?;
    let DependencySource::Path(path) = &surface.toolcontract else {
        return None;
    };
    let out = match &surface.out {
        Some(out) => out.clone(),
        None => format!("{}/rust", model.project.out),
    };
    let crates = resolved(&root.join(out).join(path));
    let is_there = |name: &str| crates.join(name).join("Cargo.toml").is_file();
    let missing: Vec<&str> = ["protocol", "schema"]
        .into_iter()
        .filter(|name| !is_there(name))
        .collect();
    if missing.is_empty() {
        return None;
    }
    let document = &model.project_document;
    let span = document.span("/surfaces/rust/toolcontract");
    let message = format!(
        "`{}`, seen from the folder of the generated crate, does not hold `{}`",
        path.escape_debug(),
        missing.join("` and `")
    );
    let help = "name the folder `crates` of a clone of Toolcontract, relative to the folder of \
                the generated crate, or say `git`";
    Some(Diagnostic::warning(MISSING, document, span, message).help(help))
}

/// `path` with each `..` worked out, since the folder of a crate that is not generated yet is not
/// there to be asked.
fn resolved(path: &Path) -> PathBuf {
    let mut resolved = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                resolved.pop();
            }
            Component::CurDir => {}
            part => resolved.push(part),
        }
    }
    resolved
}
