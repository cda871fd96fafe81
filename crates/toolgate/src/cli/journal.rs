//! `toolgate journal`: whether a journal is whole, and what it says. Refuses to show entries that
//! are not what was written.

use std::{
    fs::File,
    io::BufReader,
    path::{Path, PathBuf},
};

use clap::{Args, Subcommand};
use toolcontract_runtime::journal::{self, Head, JournalError};

use super::{Exit, Failure, Io, examples, journal_show::Show};

/// Commands on a journal file.
#[derive(Debug, Subcommand)]
pub enum JournalCommand {
    /// Say whether a journal is what was written
    #[command(after_help = examples::VERIFY)]
    Verify(Verify),
    /// Verify a journal, and show its entries
    #[command(after_help = examples::SHOW)]
    Show(Show),
}

/// Arguments of `journal verify`.
#[derive(Debug, Args)]
pub struct Verify {
    /// The journal
    file: PathBuf,
    /// The end as it was kept elsewhere, `SEQUENCE:HASH`; without it, entries that were cut off
    /// at the end are not missed
    #[arg(long, value_parser = head)]
    head: Option<Head>,
}

fn head(text: &str) -> Result<Head, String> {
    let parsed = text.split_once(':').and_then(|(sequence, hash)| {
        Some(Head {
            sequence: sequence.parse().ok()?,
            hash: hash.to_owned(),
        })
    });
    parsed.ok_or_else(|| "write it as `SEQUENCE:HASH`, as `journal verify` prints it".to_owned())
}

impl JournalCommand {
    pub(super) fn run(&self, io: &mut Io<'_>) -> Result<Exit, Failure> {
        match self {
            Self::Verify(arguments) => verify(arguments, io),
            Self::Show(arguments) => arguments.run(io),
        }
    }
}

fn verify(arguments: &Verify, io: &mut Io<'_>) -> Result<Exit, Failure> {
    match journal::verify(open(&arguments.file)?, arguments.head.as_ref()) {
        Ok(verified) => {
            let Head { sequence, hash } = verified.head;
            writeln!(io.out, "whole, {sequence} entries, end {sequence}:{hash}")?;
            for call in verified.unfinished {
                let (session, call) = (call.session_id, call.call_id);
                writeln!(io.out, "unfinished: call {call:?} of session {session:?}")?;
            }
            Ok(Exit::Clean)
        }
        Err(error) => tell(error, io),
    }
}

/// A journal that is not what was written is a finding; one that cannot be read is none.
pub(super) fn tell(error: JournalError, io: &mut Io<'_>) -> Result<Exit, Failure> {
    match error {
        JournalError::Broken(broken) => {
            writeln!(io.out, "broken at {broken}")?;
            Ok(Exit::Findings)
        }
        error => Err(error.into()),
    }
}

pub(super) fn open(path: &Path) -> Result<BufReader<File>, Failure> {
    journal::open(path).map_err(|error| match error {
        JournalError::Io { source, .. } => {
            format!("`{}` cannot be opened: {source}", path.display()).into()
        }
        error => error.into(),
    })
}
