//! Where a command writes, and how it ends.

use std::{
    error::Error,
    io::{self, IsTerminal as _, Write},
    process::ExitCode,
};

use toolcontract_manifest::text::escape;

/// The streams of a command.
pub struct Io<'a> {
    /// Results.
    pub out: &'a mut dyn Write,
    /// Why something could not run.
    pub err: &'a mut dyn Write,
    /// Whether `out` shows colours.
    pub colour: bool,
}

impl std::fmt::Debug for Io<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Io")
            .field("colour", &self.colour)
            .finish_non_exhaustive()
    }
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Done, and nothing is wrong: 0.
    Clean,
    /// It could not run: 1.
    Failed,
    /// It ran and found something wrong: 100.
    Findings,
}

impl Exit {
    /// The exit code of the process.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Failed => 1,
            Self::Findings => 100,
        }
    }
}

/// Why a command could not run.
pub type Failure = Box<dyn Error + Send + Sync>;

impl Io<'_> {
    /// Says why a command could not run, cause after cause.
    pub fn error(&mut self, failure: &Failure) {
        // Messages may hold text of others; their own lines stay lines.
        let shown = |text: String| {
            let lines: Vec<_> = text.split('\n').map(escape).collect();
            lines.join("\n")
        };
        let _ = write!(self.err, "error: {}", shown(failure.to_string()));
        let mut cause = failure.source();
        while let Some(error) = cause {
            let _ = write!(self.err, ": {}", shown(error.to_string()));
            cause = error.source();
        }
        let _ = writeln!(self.err);
    }
}

/// Runs a command on the process's own streams. Colours are shown on a terminal unless
/// `NO_COLOR` is set and not empty.
#[must_use]
pub fn terminal(command: impl FnOnce(&mut Io<'_>) -> Exit) -> ExitCode {
    let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    // Not locked: a command that serves writes to them from threads of its own.
    let mut out = io::BufWriter::new(WhileRead::new(io::stdout()));
    let mut err = io::stderr();
    let mut streams = Io {
        colour: io::stdout().is_terminal() && !no_colour,
        out: &mut out,
        err: &mut err,
    };
    let exit = command(&mut streams);
    let exit = match out.flush() {
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: the output cannot be written: {error}");
            Exit::Failed
        }
        Ok(()) => exit,
    };
    ExitCode::from(exit.code())
}

/// Writes for as long as somebody reads. Whoever closed the other end, as `head` does, wants no
/// more, which is no fault; every other fault is.
struct WhileRead<W> {
    to: W,
    closed: bool,
}

impl<W: Write> WhileRead<W> {
    fn new(to: W) -> Self {
        Self { to, closed: false }
    }

    fn read_or<T>(&mut self, written: io::Result<T>, unread: T) -> io::Result<T> {
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(unread)
            }
            written => written,
        }
    }
}

impl<W: Write> Write for WhileRead<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.closed {
            return Ok(bytes.len());
        }
        let written = self.to.write(bytes);
        self.read_or(written, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        let flushed = self.to.flush();
        self.read_or(flushed, ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails when it has taken `room` bytes.
    struct Ends {
        room: usize,
        how: io::ErrorKind,
    }

    impl Write for Ends {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            match self.room.checked_sub(bytes.len()) {
                Some(room) => {
                    self.room = room;
                    Ok(bytes.len())
                }
                None => Err(self.how.into()),
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn who_reads_no_more_is_no_fault_and_a_full_disk_is_one() {
        let write = |how| {
            let mut out = WhileRead::new(Ends { room: 4, how });
            (0..3).try_for_each(|_| out.write_all(b"abc"))
        };
        assert!(write(io::ErrorKind::BrokenPipe).is_ok());
        let full = write(io::ErrorKind::StorageFull);
        assert_eq!(
            full.map_err(|error| error.kind()),
            Err(io::ErrorKind::StorageFull)
        );
    }
}
