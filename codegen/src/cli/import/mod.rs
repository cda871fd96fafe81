//! `import`: definitions of others become manifests of the project. Everything is read and
//! compared first; one conflict, and nothing is written.

mod args;
mod input;
mod place;
mod report;

use std::{fs::read_to_string, io::Read, path::Path};

use toolcontract_manifest::{
    Project,
    import::{self, ImportError, Imported, Origin},
};

pub use args::{ImportArgs, ImportCommand, ImportMcpArgs};

use self::{
    place::{Fate, Placed, Places, Target},
    report::Report,
};
use super::{
    CliError, Exit, Global, Io, ListFormat, Program, Screen, Tone,
    args::Deny,
    root::{PROJECT, Root},
    screen::{counted, plain},
};
use crate::write::{Hold, LocalDisk, Loose, Wanted, make_root, plan};

/// A file and what it holds.
struct Text {
    file: String,
    imported: Imported,
}

/// Runs it.
pub(super) fn run(
    program: Program,
    global: &Global,
    command: &ImportCommand,
    io: &mut Io<'_>,
) -> Result<Exit, CliError> {
    let args = match command {
        ImportCommand::Mcp(args) => &args.import,
        ImportCommand::Schema(args) => args,
    };
    let mut texts = texts(command, args, &mut std::io::stdin(), io)?;
    let target = target(program, global, args)?;
    if args.out.is_none() {
        let schema = editor_schema(&target.root)?;
        for tool in texts.iter_mut().flat_map(|text| &mut text.imported.tools) {
            tool.manifest.schema.clone_from(&schema);
        }
    }
    let _hold = match args.dry_run {
        true => None,
        false => Some(Hold::alone(&target.root, &LocalDisk, &mut || io.waiting())?),
    };
    let (mut report, placed) = place_all(&target, &texts, args, io)?;
    let end = match args.deny {
        _ if report.is_empty() => End::Nothing,
        Some(Deny::Warnings) if report.has_warnings() => End::Denied,
        _ if args.dry_run => End::DryRun,
        _ => End::Written,
    };
    if end == End::Written {
        write(&target, placed)?;
        report.written = true;
    }
    tell(&report, end, program, args, io)?;
    Ok(match end {
        End::Written | End::DryRun => Exit::Clean,
        End::Denied | End::Nothing => Exit::Findings,
    })
}

/// Prints the report and how it ended.
fn tell(
    report: &Report,
    end: End,
    program: Program,
    args: &ImportArgs,
    io: &mut Io<'_>,
) -> std::io::Result<()> {
    if args.format == ListFormat::Json {
        return report.json(io);
    }
    let screen = &mut Screen::new(io.out, io.colour);
    report.human(screen)?;
    let (tone, verb) = match end {
        End::Written | End::DryRun => (Tone::Good, "Finished"),
        End::Denied | End::Nothing => (Tone::Bad, "Failed"),
    };
    let next = match end {
        End::Written if args.out.is_none() => {
            format!("; `{} lint` says what to look at", program.as_str())
        }
        End::Written => String::new(),
        End::DryRun => "; nothing was written".to_owned(),
        End::Denied => "; nothing was written, as warnings are denied".to_owned(),
        End::Nothing => "; nothing could be imported".to_owned(),
    };
    screen.line(tone, verb, format_args!("{}{next}", report.sum()))
}

/// How a command ends that could run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// The files are there.
    Written,
    /// They would be.
    DryRun,
    /// Something was quarantined or found, and that was not allowed.
    Denied,
    /// Not one definition could be imported.
    Nothing,
}

/// Reads every file. All that cannot be read are told before the command fails.
fn texts(
    command: &ImportCommand,
    args: &ImportArgs,
    stdin: &mut dyn Read,
    io: &mut Io<'_>,
) -> Result<Vec<Text>, CliError> {
    let mut texts = Vec::with_capacity(args.files.len());
    for path in &args.files {
        let input = input::read(path, stdin);
        let imported = match &input.bytes {
            Ok(bytes) => read(command, &input.file, bytes).map_err(|error| error.to_string()),
            Err(error) => Err(format!("cannot read it: {error}")),
        };
        match imported {
            Ok(imported) => texts.push(Text {
                file: input.file,
                imported,
            }),
            Err(why) => io.note(&format!("{}: {}", plain(&input.file), plain(&why))),
        }
    }
    let unreadable = args.files.len() - texts.len();
    if unreadable > 0 {
        let of = counted(args.files.len(), "file");
        return Err(CliError::Request(format!(
            "nothing was imported: {unreadable} of {of} cannot be read"
        )));
    }
    Ok(texts)
}

fn read(command: &ImportCommand, file: &str, bytes: &[u8]) -> Result<Imported, ImportError> {
    match command {
        ImportCommand::Mcp(args) => {
            let server = args.server.as_deref();
            import::mcp(bytes, &Origin { file, server })
        }
        ImportCommand::Schema(_) => import::schema(bytes, &Origin { file, server: None }),
    }
}

fn target(program: Program, global: &Global, args: &ImportArgs) -> Result<Target, CliError> {
    match &args.out {
        None => Ok(Target {
            root: Root::find(global.root.as_deref(), program)?.path,
            folder: "manifests/",
        }),
        Some(folder) => {
            let refuse = |e: std::io::Error| {
                CliError::Request(format!("cannot make `{}`: {e}", folder.display()))
            };
            let root = if args.dry_run {
                folder.clone()
            } else {
                make_root(folder).map_err(refuse)?
            };
            Ok(Target { root, folder: "" })
        }
    }
}

/// What `$schema` of a manifest says to editors, where the project makes that schema. Only the
/// project file counts: a fault in some manifest is no reason to stop.
fn editor_schema(root: &Path) -> Result<Option<String>, CliError> {
    let refuse = |why: String| CliError::Request(format!("cannot use `{PROJECT}`: {why}"));
    let text = read_to_string(root.join(PROJECT)).map_err(|e| refuse(e.to_string()))?;
    let project: Project =
        toml_edit::de::from_str(&text).map_err(|e| refuse(e.message().to_owned()))?;
    Ok(project.surfaces.wire.map(|wire| {
        let out = wire.out.unwrap_or_else(|| format!("{}/wire", project.out));
        format!("../../{}/manifest.schema.json", out.trim_end_matches('/'))
    }))
}

/// Finds the place of everything. Every conflict is told before the command fails.
fn place_all(
    target: &Target,
    texts: &[Text],
    args: &ImportArgs,
    io: &mut Io<'_>,
) -> Result<(Report, Vec<Placed>), CliError> {
    let mut report = Report::new();
    let mut places = Places::new(target, args.force);
    let (mut placed, mut conflicts) = (Vec::new(), Vec::new());
    for Text { file, imported } in texts {
        for tool in &imported.tools {
            match places.tool(&tool.manifest, file) {
                Ok(place) => {
                    report.tool(file, tool, &place.path, place.fate);
                    placed.push(place);
                }
                Err(conflict) => conflicts.push(conflict),
            }
        }
        for shared in &imported.types {
            match places.shared(&shared.name, &shared.schema, file) {
                Ok(place) => {
                    report.shared(file, &shared.name, &place.path, place.fate);
                    placed.push(place);
                }
                Err(conflict) => conflicts.push(conflict),
            }
        }
        report.told(file, imported);
    }
    if conflicts.is_empty() {
        return Ok((report, placed));
    }
    for conflict in &conflicts {
        io.note(&plain(conflict));
    }
    Err(CliError::Request(format!(
        "nothing was imported: {}",
        counted(conflicts.len(), "conflict")
    )))
}

fn write(target: &Target, placed: Vec<Placed>) -> Result<(), CliError> {
    let loose = placed
        .into_iter()
        .filter(|place| place.fate != Fate::Keep)
        .map(|place| Loose {
            path: place.path,
            bytes: place.text.into_bytes(),
        });
    let wanted = Wanted {
        loose: loose.collect(),
        ..Wanted::default()
    };
    plan(&target.root, &wanted, &LocalDisk)?.apply(&LocalDisk)?;
    Ok(())
}
