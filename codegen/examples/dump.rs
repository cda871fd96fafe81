//! Writes the files of some surfaces of a project into a folder: a look at what would be generated.
//!
//! `cargo run -p toolcontract-codegen --example dump -- PROJECT OUT [SURFACE...]`
#![expect(clippy::print_stderr, reason = "an example talks to a person")]

use std::{env, error::Error, fs, path::Path};

use toolcontract_codegen::{
    emit::{EMITTERS, FileSet},
    lint,
    model::{self, Lock},
};
use toolcontract_manifest::{Diagnostic, load};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [project, out, surfaces @ ..] = arguments.as_slice() else {
        return Err("usage: dump PROJECT OUT [SURFACE...]".into());
    };
    let (folder, findings) = load(Path::new(project))?;
    report(&findings);
    let folder = folder.ok_or("the manifests do not load")?;
    let (model, findings) = model::build(folder, Lock::default());
    report(&findings);
    let (checked, findings) = lint::check(model);
    report(&findings);
    let checked = checked.ok_or("the manifests have errors")?;
    for emitter in EMITTERS {
        if !surfaces.is_empty() && surfaces.iter().all(|id| id != emitter.id()) {
            continue;
        }
        let mut files = FileSet::default();
        emitter.emit(&checked, &mut files);
        for (path, bytes) in files.iter() {
            write(&Path::new(out).join(emitter.id()).join(path), bytes)?;
        }
    }
    Ok(())
}

fn report(findings: &[Diagnostic]) {
    for finding in findings {
        eprintln!("{}: {}: {}", finding.path, finding.rule, finding.message);
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "an example writes into a folder that the caller names"
)]
fn write(path: &Path, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(path.parent().ok_or("no folder")?)?;
    fs::write(path, bytes)?;
    Ok(())
}
