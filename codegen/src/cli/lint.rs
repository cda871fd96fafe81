//! `lint`: the rules, without generating anything.

use super::{
    CliError, Exit, Format, Io, Screen, Tone, args::LintArgs, findings, root::Root, screen::counted,
};
use crate::{
    derive::{Request, revise},
    lint,
};

/// Runs it.
pub(super) fn run(root: &Root, args: &LintArgs, io: &mut Io<'_>) -> Result<Exit, CliError> {
    // What the lock says of versions is for `gen`; here it only knows which names were retired.
    let request = Request {
        init_lock: true,
        program: root.program.as_str(),
        ..Request::default()
    };
    let mut loaded = revise(&root.path, request)?;
    let tools = loaded.revised.map(|revised| {
        let tools = revised.model.tools.len();
        loaded.findings.extend(lint::check(revised.model).1);
        tools
    });
    let found = loaded.findings;
    findings::print(&found, args.findings.format, io)?;
    if tools.is_none() || findings::stops(&found, &args.findings) {
        let explain = format!("`{} explain RULE` says more", root.program.as_str());
        findings::say_stopped(&found, args.findings.format, &explain, io)?;
        return Ok(Exit::Findings);
    }
    if args.findings.format == Format::Human {
        let screen = &mut Screen::new(io.out, io.colour);
        let tools = counted(tools.unwrap_or_default(), "tool");
        let found = counted(found.len(), "finding");
        screen.line(Tone::Good, "Finished", format_args!("{tools}: {found}"))?;
    }
    Ok(Exit::Clean)
}
