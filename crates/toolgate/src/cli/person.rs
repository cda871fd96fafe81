//! Whether a person is there: somebody who reads a screen and types what it says, or who holds the
//! operator's token. Nothing else counts, least of all standard input.

use std::{
    fs::OpenOptions,
    io::{self, BufRead as _, BufReader, IsTerminal as _, Read as _, Write as _},
    path::{Path, PathBuf},
};

use clap::Args;
use subtle::ConstantTimeEq as _;
use toolcontract_runtime::regular;

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

/// What a person said.
pub(super) enum Consent {
    /// Yes, and who it was.
    Given(&'static str),
    /// No, and how that was seen.
    Refused(&'static str),
    /// Nobody is there.
    Nobody,
}

impl PersonArgs {
    /// Whether somebody agrees to `what`, after `shown` was shown to them.
    pub(super) fn agrees(
        &self,
        shown: &str,
        what: &str,
        ledger: &Path,
    ) -> Result<Consent, Failure> {
        let Some(file) = &self.operator_token else {
            return on_terminal(shown, what);
        };
        let kept = ledger.with_file_name("operator-token");
        let same = token(file)?.ct_eq(&token(&kept)?);
        Ok(match bool::from(same) {
            true => Consent::Given("operator token"),
            false => Consent::Refused("that is not the operator's token"),
        })
    }
}

/// The token in `file`, without white space around it. One that others can read is everybody's.
fn token(file: &Path) -> Result<Vec<u8>, Failure> {
    let unreadable =
        |error: io::Error| format!("the token in `{}` cannot be read: {error}", file.display());
    let opened = regular::open(file).map_err(unreadable)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = opened.metadata().map_err(unreadable)?.permissions().mode();
        if mode & 0o077 != 0 {
            let file = file.display();
            return Err(format!(
                "others than its owner can use the token in `{file}` (mode {:03o}): `chmod 600 {file}`",
                mode & 0o777
            )
            .into());
        }
    }
    let mut bytes = Vec::new();
    opened
        .take(MAX_LINE)
        .read_to_end(&mut bytes)
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
/// knows.
fn on_terminal(shown: &str, what: &str) -> Result<Consent, Failure> {
    let open = || OpenOptions::new().read(true).write(true).open("/dev/tty");
    let Ok(mut terminal) = open() else {
        return Ok(Consent::Nobody);
    };
    if !terminal.is_terminal() {
        return Ok(Consent::Nobody);
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
    Ok(read_word(line.trim(), &word))
}

fn read_word(line: &str, word: &str) -> Consent {
    let said = line.strip_prefix("yes ").map_or(line, str::trim_start);
    match line {
        _ if said == word => Consent::Given("terminal"),
        "" | "no" | "n" => Consent::Refused("the person said no"),
        _ => Consent::Refused("what was typed is not the word that was asked for"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Consent, read_word};

    #[test]
    fn a_wrong_word_is_told_from_a_no() {
        for line in ["a1b2c3", "yes a1b2c3", "yes  a1b2c3"] {
            assert!(matches!(read_word(line, "a1b2c3"), Consent::Given(_)));
        }
        for (line, told) in [
            ("yes", "not the word"),
            ("yes a1b2c4", "not the word"),
            ("no a1b2c3", "not the word"),
            ("a1b2c4", "not the word"),
            ("no", "said no"),
            ("", "said no"),
        ] {
            let Consent::Refused(why) = read_word(line, "a1b2c3") else {
                panic!("{line:?} is no refusal");
            };
            assert!(why.contains(told), "{line:?}: {why}");
        }
    }
}
