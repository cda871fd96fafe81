//! Whether a person is there: somebody who reads a screen and types what it says, or who holds the
//! operator's token. Nothing else counts, least of all standard input.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufRead as _, BufReader, IsTerminal as _, Read as _, Write as _},
    path::{Path, PathBuf},
};

use clap::Args;
use subtle::ConstantTimeEq as _;

use super::Failure;

/// The longest token or line, in bytes.
const MAX_LINE: u64 = 4096;
/// The shortest token, in bytes.
const MIN_TOKEN: usize = 16;

/// Arguments of commands that need a person.
#[derive(Debug, Args)]
pub(super) struct PersonArgs {
    /// In place of a person on a terminal: a file that holds the operator's token. The same token
    /// must be in the file `operator-token` beside the ledger
    #[arg(long, value_name = "FILE")]
    operator_token: Option<PathBuf>,
}

impl PersonArgs {
    /// Who agrees to `what`, after `shown` was shown to them. None when nobody does.
    pub(super) fn agrees(
        &self,
        shown: &str,
        what: &str,
        ledger: &Path,
    ) -> Result<Option<String>, Failure> {
        match &self.operator_token {
            Some(file) => {
                let kept = ledger.with_file_name("operator-token");
                let same = token(file)?.ct_eq(&token(&kept)?);
                Ok(bool::from(same).then(|| "operator token".to_owned()))
            }
            None => Ok(on_terminal(shown, what)?.then(|| "terminal".to_owned())),
        }
    }
}

/// The token in `file`, without white space around it.
fn token(file: &Path) -> Result<Vec<u8>, Failure> {
    let unreadable = |error| format!("the token in `{}` cannot be read: {error}", file.display());
    let mut bytes = Vec::new();
    File::open(file)
        .and_then(|file| file.take(MAX_LINE).read_to_end(&mut bytes))
        .map_err(unreadable)?;
    let token = bytes.trim_ascii().to_vec();
    match token.len() < MIN_TOKEN {
        true => Err(format!(
            "the token in `{}` is too short: {MIN_TOKEN} bytes at least",
            file.display()
        )
        .into()),
        false => Ok(token),
    }
}

/// Shows `shown` on the terminal of this process and asks to type a word that only its reader
/// knows. False without a terminal.
fn on_terminal(shown: &str, what: &str) -> Result<bool, Failure> {
    let open = || OpenOptions::new().read(true).write(true).open("/dev/tty");
    let Ok(mut terminal) = open() else {
        return Ok(false);
    };
    if !terminal.is_terminal() {
        return Ok(false);
    }
    let mut bytes = [0; 3];
    getrandom::fill(&mut bytes)
        .map_err(|error| format!("the system gives no random bytes: {error}"))?;
    let word: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let question = format!("{shown}\nTo {what}, type {word}. Anything else is a no.\n> ");
    terminal.write_all(question.as_bytes())?;
    let mut line = String::new();
    let read: io::Result<usize> = BufReader::new(terminal.take(MAX_LINE)).read_line(&mut line);
    read?;
    Ok(line.trim() == word)
}
