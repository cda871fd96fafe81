//! `list`: the tools and the surfaces.

use serde::Serialize;

use super::{CliError, Exit, Io, args::ListArgs, findings, root::Root};
use super::{
    Format, ListFormat,
    screen::{counted, plain},
};
use crate::{
    derive::{Request, revise, surfaces},
    lint,
};

#[derive(Serialize)]
struct Listed {
    tools: Vec<ListedTool>,
    surfaces: Vec<ListedSurface>,
}

#[derive(Serialize)]
struct ListedTool {
    name: String,
    group: String,
    risk: &'static str,
    version: u32,
    /// Of the advertised bytes.
    tokens: u32,
    title: Option<String>,
}

#[derive(Serialize)]
struct ListedSurface {
    id: &'static str,
    out: String,
    about: &'static str,
}

/// Runs it.
pub(super) fn run(root: &Root, args: ListArgs, io: &mut Io<'_>) -> Result<Exit, CliError> {
    let request = Request {
        init_lock: true,
        program: root.program.as_str(),
        ..Request::default()
    };
    let mut loaded = revise(&root.path, request)?;
    let checked = loaded.revised.and_then(|mut revised| {
        // What this build cannot estimate is listed as 0.
        let _ = revised.estimate();
        let (checked, of_lint) = lint::check(revised.model);
        loaded.findings.extend(of_lint);
        checked
    });
    let Some(model) = checked else {
        findings::print(&loaded.findings, Format::Human, io)?;
        let nothing = "there is nothing to list";
        findings::say_stopped(&loaded.findings, Format::Human, nothing, io)?;
        return Ok(Exit::Findings);
    };
    let tools = model.tools.iter().map(|tool| ListedTool {
        name: tool.manifest.name.clone(),
        group: tool.manifest.group.clone().unwrap_or_default(),
        risk: tool.contract.risk.as_str(),
        version: tool.manifest.version,
        tokens: model
            .lock
            .tools
            .get(&tool.manifest.name)
            .map_or(0, |locked| locked.tokens),
        title: tool.manifest.title.clone(),
    });
    let surfaces = surfaces(&model)
        .into_iter()
        .map(|(emitter, out)| ListedSurface {
            id: emitter.id(),
            out,
            about: emitter.about(),
        });
    let listed = Listed {
        tools: tools.collect(),
        surfaces: surfaces.collect(),
    };
    match args.format {
        ListFormat::Human => human(&listed, io)?,
        ListFormat::Json => io
            .out
            .write_all(crate::emit::text::pretty(&listed).as_bytes())?,
    }
    Ok(Exit::Clean)
}

fn human(listed: &Listed, io: &mut Io<'_>) -> std::io::Result<()> {
    let heads = ["tool", "group", "risk", "version", "tokens"].map(str::to_owned);
    let rows = listed.tools.iter().map(|t| {
        let version = t.version.to_string();
        [
            plain(&t.name),
            plain(&t.group),
            t.risk.to_owned(),
            version,
            t.tokens.to_string(),
        ]
    });
    table(std::iter::once(heads).chain(rows).collect(), &[3, 4], io)?;
    writeln!(io.out)?;
    let heads = ["surface", "folder", "what"].map(str::to_owned);
    let rows = listed
        .surfaces
        .iter()
        .map(|s| [s.id.to_owned(), plain(&s.out), s.about.to_owned()]);
    table(std::iter::once(heads).chain(rows).collect(), &[], io)?;
    let tokens: u64 = listed.tools.iter().map(|t| u64::from(t.tokens)).sum();
    let tokens = counted(usize::try_from(tokens).unwrap_or(usize::MAX), "token");
    let all = match listed.tools.len() {
        1 => format!("1 tool, {tokens} when it is shown to a model"),
        many => format!("{many} tools, {tokens} when all are shown to a model"),
    };
    writeln!(io.out, "\n{all}")
}

/// Columns as wide as their widest cell; those in `right` end at one place.
fn table<const N: usize>(
    rows: Vec<[String; N]>,
    right: &[usize],
    io: &mut Io<'_>,
) -> std::io::Result<()> {
    let mut widths = [0; N];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    for row in rows {
        let mut line = String::new();
        for (at, (cell, width)) in row.iter().zip(widths).enumerate() {
            let cell = if right.contains(&at) {
                format!("{cell:>width$}  ")
            } else {
                format!("{cell:width$}  ")
            };
            line.push_str(&cell);
        }
        writeln!(io.out, "{}", line.trim_end())?;
    }
    Ok(())
}
