//! `init`: a project with every surface that needs no other system, one example contract and an empty lock, so
//! that `gen` runs at once.

use std::path::{Path, PathBuf};

use super::{
    CliError, Exit, Global, Io, Program, Screen, Tone,
    args::{InitArgs, SourceArgs},
    root::PROJECT,
    screen::plain,
};
use crate::{
    emit::text::fill,
    model::{Lock, lock, names::words},
    write::{Disk as _, IGNORED_FOLDERS, LocalDisk, Loose, Wanted, make_root, plan},
};

const CHOICES: &str = include_str!("../../../templates/init/toolcontract.toml");
const EXAMPLE: &str = include_str!("../../../templates/init/example.toml");

/// Where the crate is generated; a path to other crates starts there.
const RUST: &str = "generated/rust";

const IGNORE: &str = ".gitignore";

/// What builds of the generated packages leave in them. The packages themselves are committed.
fn ignored() -> String {
    let header =
        "# What builds leave in the generated packages; the packages themselves are committed.\n";
    let lines = IGNORED_FOLDERS.map(|folder| format!("/generated/**/{folder}/\n"));
    lines
        .iter()
        .fold(header.to_owned(), |text, line| text + line)
}

/// Runs it.
pub(super) fn run(
    program: Program,
    global: &Global,
    args: &InitArgs,
    io: &mut Io<'_>,
) -> Result<Exit, CliError> {
    let folder = args.folder.as_ref().or(global.root.as_ref());
    let folder = folder.map_or_else(|| PathBuf::from("."), Clone::clone);
    make_root(&folder)
        .map_err(|e| CliError::Request(format!("cannot make `{}`: {e}", folder.display())))
        .and_then(|root| make(program, &root, args, io))
}

fn make(program: Program, root: &Path, args: &InitArgs, io: &mut Io<'_>) -> Result<Exit, CliError> {
    let folder_name = root.file_name().unwrap_or_default().to_string_lossy();
    let name = args
        .name
        .clone()
        .unwrap_or_else(|| folder_name.into_owned());
    let package = match words(&name).join("-") {
        odd if !odd.starts_with(|c: char| c.is_ascii_lowercase()) || !odd.is_ascii() => {
            "my-tools".to_owned()
        }
        fine => fine,
    };
    let choices = fill(
        CHOICES,
        &[
            ("name", &plain(&name).replace(['"', '\\'], "")),
            ("package", &package),
            ("source", &source(root, &args.source)?),
        ],
    );
    let files = [
        (PROJECT, choices),
        ("manifests/tools/analyze_text.toml", EXAMPLE.to_owned()),
        (lock::PATH, Lock::default().print()),
    ];
    let mut wanted = Wanted::default();
    for (path, text) in files {
        if LocalDisk.kind(&root.join(path))?.is_some() {
            return Err(CliError::Request(format!(
                "`{path}` is there already; a project is made only where there is none"
            )));
        }
        wanted.loose.push(Loose {
            path: path.to_owned(),
            bytes: text.into_bytes(),
        });
    }
    // One that is there is somebody's own.
    if LocalDisk.kind(&root.join(IGNORE))?.is_none() {
        wanted.loose.push(Loose {
            path: IGNORE.to_owned(),
            bytes: ignored().into_bytes(),
        });
    }
    plan(root, &wanted, &LocalDisk)?.apply(&LocalDisk)?;
    let screen = &mut Screen::new(io.out, io.colour);
    for loose in &wanted.loose {
        screen.line(Tone::Good, "Created", &loose.path)?;
    }
    let there = match &args.folder {
        Some(folder) => format!(" --root {}", plain(&folder.to_string_lossy())),
        None => String::new(),
    };
    screen.next(format_args!(
        "run `{} gen{there}` to generate every surface",
        program.as_str()
    ))?;
    Ok(Exit::Clean)
}

/// The value of `toolcontract`: how the generated crate finds the crates that it needs.
fn source(root: &Path, args: &SourceArgs) -> Result<String, CliError> {
    let (key, value) = match args {
        SourceArgs {
            toolcontract_path: Some(path),
            ..
        } => ("path", relative(root, path)?),
        SourceArgs {
            toolcontract_git: Some(url),
            ..
        } => ("git", url.clone()),
        SourceArgs {
            toolcontract_version: Some(version),
            ..
        } => ("version", version.clone()),
        SourceArgs { .. } => ("version", env!("CARGO_PKG_VERSION").to_owned()),
    };
    Ok(format!("{{ {key} = {} }}", toml_edit::Value::from(value)))
}

/// `path` (relative to the current folder) as the generated crate has to name it.
fn relative(root: &Path, path: &Path) -> Result<String, CliError> {
    let refuse = |why: &str| CliError::Request(format!("cannot use `{}`: {why}", path.display()));
    let target = path.canonicalize().map_err(|e| refuse(&e.to_string()))?;
    if !target.join("protocol/Cargo.toml").is_file() {
        return Err(refuse("it does not hold the crate `protocol`"));
    }
    let found = pathdiff::diff_paths(&target, root.join(RUST))
        .ok_or_else(|| refuse("there is no relative path to it"))?;
    Ok(found.to_string_lossy().replace('\\', "/"))
}
