//! Where a command writes, and what may be shown there.

use std::{
    io::{self, IsTerminal as _, Write},
    process::ExitCode,
};

use super::run::Exit;

/// The streams of a command.
pub struct Io<'a> {
    /// Results.
    pub out: &'a mut dyn Write,
    /// Progress, waiting, and why something could not run.
    pub err: &'a mut dyn Write,
    /// Whether `out` shows colours.
    pub colour: bool,
    /// Whether `err` is a terminal, where a line may be written over.
    pub progress: bool,
}

impl std::fmt::Debug for Io<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Io")
            .field("colour", &self.colour)
            .field("progress", &self.progress)
            .finish_non_exhaustive()
    }
}

impl Io<'_> {
    /// Says what goes on, over what was said before. Nothing where nobody watches.
    pub fn progress(&mut self, what: &str) {
        if self.progress {
            let _ = write!(self.err, "\r\x1b[K{what:>12} ...\r");
            let _ = self.err.flush();
        }
    }

    /// Takes back what [`Io::progress`] said.
    pub fn done(&mut self) {
        if self.progress {
            let _ = write!(self.err, "\r\x1b[K");
            let _ = self.err.flush();
        }
    }

    /// Says that another run is in the way.
    pub(super) fn waiting(&mut self) {
        self.note("     Waiting for another run in this project to end");
    }

    /// A line on standard error.
    pub fn note(&mut self, text: &str) {
        self.done();
        let _ = writeln!(self.err, "{text}");
    }
}

/// Runs a command on the process's own streams. Colours are shown on a terminal unless
/// `NO_COLOR` is set and not empty.
#[must_use]
pub fn terminal(command: impl FnOnce(&mut Io<'_>) -> Exit) -> ExitCode {
    let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let mut out = io::BufWriter::new(io::stdout().lock());
    // Not locked: a thread that panics must be able to say so.
    let mut err = io::stderr();
    let mut streams = Io {
        colour: io::stdout().is_terminal() && !no_colour,
        progress: io::stderr().is_terminal(),
        out: &mut out,
        err: &mut err,
    };
    let exit = command(&mut streams);
    streams.done();
    let _ = out.flush();
    ExitCode::from(exit.code())
}
