//! `gen` and `check`.

use super::{CheckArgs, CliError, Exit, Format, GenArgs, Io, Screen, findings, report, root::Root};
use crate::{
    derive::{Derived, Request, derive},
    write::{Hold, LocalDisk, Plan, WriteError, plan, write},
};

/// `gen`.
pub(super) fn run(root: &Root, args: &GenArgs, io: &mut Io<'_>) -> Result<Exit, CliError> {
    if args.check {
        return compare(root, &args.compare, args.init_lock, io);
    }
    let _hold = Hold::alone(&root.path, &LocalDisk, &mut || io.waiting())?;
    let derived = derived(root, &args.compare, args.init_lock, io)?;
    let of_findings = &args.compare.findings;
    findings::print(&derived.findings, of_findings.format, io)?;
    let made = match derived.made {
        Some(made) if !findings::stops(&derived.findings, of_findings) => made,
        _ => {
            let nothing = "nothing was written";
            findings::say_stopped(&derived.findings, of_findings.format, nothing, io)?;
            return Ok(Exit::Findings);
        }
    };
    if let Some(name) = made.unestimated.first() {
        return Err(CliError::Request(format!(
            "the lock has no token estimate for `{name}` as it is now, and this build makes none; use one with the feature `tokens`"
        )));
    }
    io.progress("Generating");
    let plan = write(&root.path, &made.wanted, &LocalDisk)?;
    io.done();
    if of_findings.format == Format::Human {
        let screen = &mut Screen::new(io.out, io.colour);
        report::of_write(&plan, args.compare.diff, screen)?;
    }
    Ok(Exit::Clean)
}

/// `check`, the same as `gen --check`.
pub(super) fn check(root: &Root, args: &CheckArgs, io: &mut Io<'_>) -> Result<Exit, CliError> {
    compare(root, args, false, io)
}

fn compare(
    root: &Root,
    args: &CheckArgs,
    init_lock: bool,
    io: &mut Io<'_>,
) -> Result<Exit, CliError> {
    let _hold = Hold::beside_readers(&root.path, &mut || io.waiting())?;
    let mut derived = derived(root, args, init_lock, io)?;
    let plan = match &derived.made {
        Some(made) => {
            io.progress("Comparing");
            let plan = plan(&root.path, &made.wanted, &LocalDisk)?;
            if plan.wanted == made.wanted.loose.len() {
                return Err(WriteError::Nothing.into());
            }
            Some(plan)
        }
        None => None,
    };
    io.done();
    let format = args.findings.format;
    // `gen` would stop at the same findings.
    let first = if findings::stops(&derived.findings, &args.findings) {
        "repair the findings first, then "
    } else {
        ""
    };
    let heal = format!("{first}run `{} gen`", root.program.as_str());
    if let Some(plan) = &plan
        && format != Format::Human
    {
        let files = plan.entries.iter();
        derived
            .findings
            .extend(files.map(|e| findings::of_entry(e, &heal)));
    }
    findings::print(&derived.findings, format, io)?;
    match &plan {
        Some(plan) if format == Format::Human => {
            let screen = &mut Screen::new(io.out, io.colour);
            report::of_check(plan, args.diff, &heal, screen)?;
        }
        Some(_) => {}
        None => findings::say_stopped(&derived.findings, format, &heal, io)?,
    }
    Ok(exit(plan.as_ref(), &derived, args))
}

/// Stale output is the first thing to say: it is there also when there are findings.
fn exit(plan: Option<&Plan>, derived: &Derived, args: &CheckArgs) -> Exit {
    let foreign_is_denied = |plan: &Plan| !plan.entries.is_empty() && args.findings.deny.is_some();
    match plan {
        Some(plan) if !plan.is_clean() => Exit::Stale,
        _ if findings::stops(&derived.findings, &args.findings) => Exit::Findings,
        Some(plan) if foreign_is_denied(plan) => Exit::Findings,
        Some(_) => Exit::Clean,
        None => Exit::Findings,
    }
}

fn derived(
    root: &Root,
    args: &CheckArgs,
    init_lock: bool,
    io: &mut Io<'_>,
) -> Result<Derived, CliError> {
    io.progress("Reading");
    let request = Request {
        base: args.base.as_deref(),
        init_lock,
        only: args.only.as_deref(),
        program: root.program.as_str(),
    };
    Ok(derive(&root.path, request)?)
}
