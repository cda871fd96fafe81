//! The command line: help, screens, formats, exit codes, and what commands make.

mod formats;
mod help;
mod init;
mod merge;
mod new;
mod show;
mod together;

use crate::project::Project;

/// A project with two tools; one of them has a finding of level warning.
fn project() -> Project {
    Project::with(&[
        (
            "manifests/toolcontract.toml",
            "name = \"Notes\"\ndescription = \"Tools for notes.\"\n\
             groups.note = \"Notes.\"\ngroups.archive = \"Old notes.\"\nsurfaces.docs = {}\n",
        ),
        (
            "manifests/tools/read_note.toml",
            &tool("read_note", "Read one note."),
        ),
        (
            "manifests/tools/find_note.toml",
            &tool("find_note", "Find notes by a word."),
        ),
    ])
}

fn tool(name: &str, description: &str) -> String {
    format!(
        "name = \"{name}\"\ndescription = \"{description}\"\ngroup = \"note\"\n\
         read_only = true\nrisk = \"low\"\n\n\
         [input_schema]\ntype = \"object\"\nadditionalProperties = false\n"
    )
}
