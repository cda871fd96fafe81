//! `new`: the manifest of a new tool, with every choice visible.

use toolcontract_manifest::{Project, names};

use super::{
    CliError, Exit, Io, Screen, Tone,
    args::NewArgs,
    root::{PROJECT, Root},
    screen::plain,
};
use crate::{
    emit::text::fill,
    lint::PLACEHOLDERS,
    model::names::words,
    write::{Disk as _, Hold, LocalDisk, Loose, Wanted, plan},
};

const TEMPLATE: &str = include_str!("../../../templates/init/new.toml");
const OXAGEN: &str = include_str!("../../../templates/init/new-oxagen.toml");

/// Runs it.
pub(super) fn run(root: &Root, args: &NewArgs, io: &mut Io<'_>) -> Result<Exit, CliError> {
    let name = args.name.as_str();
    names::tool(name).map_err(|e| {
        let form = "a name is 2 to 64 lower-case letters, digits and single `_`, a letter first";
        CliError::Request(format!("the name `{}` {e}; {form}", plain(name)))
    })?;
    if let Some(owner) = names::reserved(name) {
        return Err(CliError::Request(format!(
            "the name `{name}` is a reserved word of {owner}"
        )));
    }
    let _hold = Hold::alone(&root.path, &LocalDisk, &mut || io.waiting())?;
    for extension in ["toml", "json"] {
        let path = format!("manifests/tools/{name}.{extension}");
        if LocalDisk.kind(&root.path.join(&path))?.is_some() {
            return Err(CliError::Request(format!("`{path}` is there already")));
        }
    }
    let path = format!("manifests/tools/{name}.toml");
    let text = manifest(root, args)?;
    let wanted = Wanted {
        loose: vec![Loose {
            path: path.clone(),
            bytes: text.into_bytes(),
        }],
        ..Wanted::default()
    };
    plan(&root.path, &wanted, &LocalDisk)?.apply(&LocalDisk)?;
    let screen = &mut Screen::new(io.out, io.colour);
    screen.line(Tone::Good, "Created", &path)?;
    screen.next(format_args!(
        "say in it what the tool does, then run `{} gen`",
        root.program.as_str()
    ))?;
    Ok(Exit::Clean)
}

/// Only the project file counts here: a fault in some other manifest is no reason to stop.
fn manifest(root: &Root, args: &NewArgs) -> Result<String, CliError> {
    let refuse = |why: String| CliError::Request(format!("cannot use `{PROJECT}`: {why}"));
    let text =
        std::fs::read_to_string(root.path.join(PROJECT)).map_err(|e| refuse(e.to_string()))?;
    let project: Project =
        toml_edit::de::from_str(&text).map_err(|e| refuse(e.message().to_owned()))?;
    let group = match &args.group {
        Some(group) if project.groups.contains_key(group) => group.as_str(),
        Some(group) => {
            let known: Vec<&str> = project.groups.keys().map(String::as_str).collect();
            return Err(CliError::Request(format!(
                "the project has no group `{}`; there are `{}`",
                plain(group),
                known.join("`, `")
            )));
        }
        None => project
            .groups
            .keys()
            .next()
            .map_or("general", String::as_str),
    };
    let oxagen = match project.surfaces.oxagen {
        Some(_) => OXAGEN,
        None => "",
    };
    let [about, about_subject] = PLACEHOLDERS;
    let filled = fill(
        TEMPLATE,
        &[
            ("name", &args.name),
            ("title", &title(&args.name)),
            ("group", group),
            ("oxagen", oxagen),
            ("about", about),
            ("about_subject", about_subject),
        ],
    );
    Ok(format!("{}\n", filled.trim_end()))
}

/// `read_page` as `Read page`.
fn title(name: &str) -> String {
    let spaced = words(name).join(" ");
    let mut letters = spaced.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}
