//! `bump`: raises versions in manifests, and retires names in the lock.

mod edit;

use std::sync::Arc;

use toolcontract_manifest::{Diagnostic, Document, Level};

use super::{
    CliError, Exit, Format, Io, Screen, Tone, args::BumpArgs, findings, root::Root, screen::plain,
};
use crate::{
    derive::{Baseline, Request, Revised, revise},
    lint,
    model::{lock, revision::needed_version},
    write::{Hold, LocalDisk, Loose, Wanted, plan},
};

/// Runs it.
pub(super) fn run(root: &Root, args: &BumpArgs, io: &mut Io<'_>) -> Result<Exit, CliError> {
    let _hold = Hold::alone(&root.path, &LocalDisk, &mut || io.waiting())?;
    let request = Request {
        base: args.base.as_deref(),
        program: root.program.as_str(),
        ..Request::default()
    };
    let loaded = revise(&root.path, request)?;
    let Some(revised) = loaded.revised else {
        findings::print(&loaded.findings, Format::Human, io)?;
        let nothing = "no version was raised";
        findings::say_stopped(&loaded.findings, Format::Human, nothing, io)?;
        return Ok(Exit::Findings);
    };
    if args.retire.is_empty() {
        raise(root, args, revised, io)
    } else {
        retire(root, args, &revised, io)
    }
}

/// A version that a manifest gets.
struct Raise {
    name: String,
    from: u32,
    to: u32,
    document: Arc<Document>,
}

fn raise(
    root: &Root,
    args: &BumpArgs,
    revised: Revised,
    io: &mut Io<'_>,
) -> Result<Exit, CliError> {
    let raises = raises(args, &revised)?;
    let broken = broken(revised, &raises);
    if !broken.is_empty() {
        findings::print(&broken, Format::Human, io)?;
        let nothing = "no version was raised; repair this first";
        findings::say_stopped(&broken, Format::Human, nothing, io)?;
        return Ok(Exit::Findings);
    }
    let mut wanted = Wanted::default();
    for raise in &raises {
        let text = edit::set_version(&raise.document, raise.to).map_err(|why| {
            CliError::Request(format!("cannot edit `{}`: {why}", raise.document.path))
        })?;
        wanted.loose.push(Loose {
            path: raise.document.path.clone(),
            bytes: text.into_bytes(),
        });
    }
    plan(&root.path, &wanted, &LocalDisk)?.apply(&LocalDisk)?;
    let screen = &mut Screen::new(io.out, io.colour);
    tell(args, &raises, screen)?;
    if !raises.is_empty() {
        say_next(root, screen)?;
    }
    Ok(Exit::Clean)
}

/// The versions to raise, of those that were asked for.
fn raises(args: &BumpArgs, revised: &Revised) -> Result<Vec<Raise>, CliError> {
    for name in &args.names {
        if !revised.model.lock.tools.contains_key(name) {
            let known = revised.model.lock.tools.keys().map(String::as_str);
            let near = toolcontract_manifest::nearest(name, known);
            let hint = near.map_or_else(String::new, |n| format!("; did you mean `{n}`?"));
            let name = plain(name);
            return Err(CliError::Request(format!(
                "there is no tool `{name}`{hint}"
            )));
        }
    }
    let is_asked = |name: &String| args.all || args.names.contains(name);
    let tools = revised.model.tools.iter();
    Ok(tools
        .filter(|tool| is_asked(&tool.manifest.name))
        .filter_map(|tool| {
            let name = &tool.manifest.name;
            let now = revised.model.lock.tools.get(name)?;
            Some(Raise {
                name: name.clone(),
                from: tool.manifest.version,
                to: needed_version(name, now, &revised.baseline.compared)?,
                document: Arc::clone(&tool.document),
            })
        })
        .collect())
}

fn tell(args: &BumpArgs, raises: &[Raise], screen: &mut Screen<'_>) -> std::io::Result<()> {
    for Raise { name, from, to, .. } in raises {
        let what = format_args!("{name} from version {from} to {to}");
        screen.line(Tone::Good, "Raised", what)?;
    }
    let unchanged = |name: &&String| !raises.iter().any(|r| r.name == **name);
    for name in args.names.iter().filter(unchanged) {
        let what = format_args!("{name}: its version says what it is");
        screen.line(Tone::Note, "Unchanged", what)?;
    }
    if args.all && raises.is_empty() {
        let what = "every version says what its contract is";
        screen.line(Tone::Good, "Unchanged", what)?;
    }
    Ok(())
}

/// The errors in manifests that are to be raised: what a version would stand for is not settled yet.
fn broken(revised: Revised, raises: &[Raise]) -> Vec<Diagnostic> {
    if raises.is_empty() {
        return Vec::new();
    }
    let (_, mut found) = lint::check(revised.model);
    found.retain(|finding| {
        let is_in = |raise: &Raise| raise.document.path == finding.path;
        finding.level == Level::Error && raises.iter().any(is_in)
    });
    found
}

fn retire(
    root: &Root,
    args: &BumpArgs,
    revised: &Revised,
    io: &mut Io<'_>,
) -> Result<Exit, CliError> {
    let Baseline { here, .. } = &revised.baseline;
    let [lock] = here.as_slice() else {
        return Err(CliError::Request(format!(
            "`{}` holds merge conflicts; run `gen` first",
            lock::PATH
        )));
    };
    let mut lock = lock.clone();
    for name in &args.retire {
        let shown = plain(name);
        if let Some(tool) = revised
            .model
            .tools
            .iter()
            .find(|t| t.manifest.name == *name)
        {
            let path = &tool.document.path;
            return Err(CliError::Request(format!(
                "`{shown}` has a manifest; delete `{path}` first"
            )));
        }
        if !lock.retire(name) && !lock.is_retired(name) {
            return Err(CliError::Request(format!(
                "the lock knows no tool `{shown}`"
            )));
        }
    }
    let wanted = Wanted {
        loose: vec![Loose {
            path: lock::PATH.to_owned(),
            bytes: lock.print().into_bytes(),
        }],
        ..Wanted::default()
    };
    plan(&root.path, &wanted, &LocalDisk)?.apply(&LocalDisk)?;
    let screen = &mut Screen::new(io.out, io.colour);
    for name in &args.retire {
        screen.line(Tone::Good, "Retired", plain(name))?;
    }
    say_next(root, screen)?;
    Ok(Exit::Clean)
}

/// The surfaces and the lock still say what was true before.
fn say_next(root: &Root, screen: &mut Screen<'_>) -> std::io::Result<()> {
    screen.next(format_args!(
        "run `{} gen` to generate what changed",
        root.program.as_str()
    ))
}
