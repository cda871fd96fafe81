//! The writer, with made-up surfaces: what it writes, refuses, heals, and what a run that is cut
//! off leaves.

mod cut_off;
mod failing;
mod kept_apart;
mod refusals;
mod screens;

use toolcontract_codegen::{
    emit::FileSet,
    write::{LocalDisk, Loose, Plan, Surface, Wanted, WriteError, plan},
};

use crate::project::Project;

/// A surface in `generated/<id>`.
fn surface(id: &str, files: &[(&str, &str)]) -> Surface {
    at(id, &format!("generated/{id}"), files)
}

fn at(id: &str, out: &str, files: &[(&str, &str)]) -> Surface {
    let mut set = FileSet::default();
    for (path, text) in files {
        set.add(*path, *text);
    }
    Surface {
        id: id.to_owned(),
        out: out.to_owned(),
        files: set.into(),
    }
}

/// The surfaces, a lock, and a look for former surfaces.
fn wanted(surfaces: Vec<Surface>) -> Wanted {
    Wanted {
        surfaces,
        loose: vec![Loose {
            path: "manifests/contracts.lock".to_owned(),
            bytes: b"lock\n".to_vec(),
        }],
        former_in: Some("generated".to_owned()),
    }
}

fn look(project: &Project, wanted: &Wanted) -> Result<Plan, WriteError> {
    plan(project.root(), wanted, &LocalDisk)
}

/// Writes what is wanted.
#[track_caller]
fn write(project: &Project, wanted: &Wanted) -> Plan {
    let plan = look(project, wanted).unwrap();
    plan.apply(&LocalDisk).unwrap();
    plan
}

/// A project where two surfaces were generated once.
fn generated() -> Project {
    let project = Project::with(&[("manifests/toolcontract.toml", "")]);
    write(&project, &before());
    project
}

/// What was generated then.
fn before() -> Wanted {
    wanted(vec![
        surface(
            "docs",
            &[
                ("index.md", "# Tools\n"),
                ("tools/a.md", "a\n"),
                ("tools/b.md", "b\n"),
            ],
        ),
        surface(
            "rust",
            &[
                ("Cargo.toml", "# @generated\n"),
                ("src/lib.rs", "//! @generated\n"),
                ("src/a.rs", "// a\n"),
            ],
        ),
    ])
}
