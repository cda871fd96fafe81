//! Prints findings, and files that are not as wanted, in the format that was asked for.

use toolcontract_manifest::{
    Diagnostic, Level,
    print::{self, Settings},
};

use super::{
    CliError, Format, Io, Screen, Tone,
    args::{Deny, FindingArgs},
    screen::counted,
};
use crate::{
    lint::page,
    write::{Entry, State},
};

/// Whether findings of these levels stop a run.
pub(super) fn stops(findings: &[Diagnostic], args: &FindingArgs) -> bool {
    findings.iter().any(|f| match f.level {
        Level::Error => true,
        Level::Warning => args.deny == Some(Deny::Warnings),
    })
}

/// Prints `findings`.
pub(super) fn print(
    findings: &[Diagnostic],
    format: Format,
    io: &mut Io<'_>,
) -> Result<(), CliError> {
    let settings = Settings {
        format: match format {
            Format::Human => print::Format::Human,
            Format::Json => print::Format::Json,
            Format::Github => print::Format::Github,
            Format::Sarif => print::Format::Sarif,
        },
        colors: io.colour,
        about: |id| page(id).map(|page| page.about),
    };
    io.done();
    print::print(findings, settings, io.out)?;
    if format == Format::Human && !findings.is_empty() {
        writeln!(io.out)?;
    }
    Ok(())
}

/// The last line when findings stop a run. `consequence` is what did not happen, or what to do.
pub(super) fn say_stopped(
    findings: &[Diagnostic],
    format: Format,
    consequence: &str,
    io: &mut Io<'_>,
) -> Result<(), CliError> {
    if format != Format::Human {
        return Ok(());
    }
    let count = |level| findings.iter().filter(|f| f.level == level).count();
    let errors = counted(count(Level::Error), "error");
    let warnings = match count(Level::Warning) {
        0 => String::new(),
        some => format!(", {}", counted(some, "warning")),
    };
    let screen = &mut Screen::new(io.out, io.colour);
    screen.line(
        Tone::Bad,
        "Failed",
        format_args!("{errors}{warnings}; {consequence}"),
    )?;
    Ok(())
}

/// A file that is not as wanted, as a finding: for programs that read findings only.
pub(super) fn of_entry(entry: &Entry, regenerate: &str) -> Diagnostic {
    let (rule, level, message, help) = match entry.state {
        State::Missing => (
            "missing-output",
            Level::Error,
            "this generated file is missing",
            regenerate,
        ),
        State::Stale(_) => (
            "stale-output",
            Level::Error,
            "this generated file is not what the manifests give",
            regenerate,
        ),
        State::Orphan => (
            "orphan-output",
            Level::Error,
            "this file was generated once and is no longer made from any manifest",
            regenerate,
        ),
        State::Foreign => (
            "foreign-output",
            Level::Warning,
            "this file was not generated, but its folder belongs to the generator",
            "move it elsewhere or delete it",
        ),
    };
    Diagnostic {
        rule,
        level,
        document: None,
        path: entry.path.clone(),
        span: 0..0,
        message: message.to_owned(),
        help: Some(help.to_owned()),
    }
}
