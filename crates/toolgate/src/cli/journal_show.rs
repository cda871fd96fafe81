//! `toolgate journal show`: the entries of a journal that is whole, one a line. Shows nothing of
//! one that is broken.

use std::{
    io::{self, Seek as _, Write},
    path::PathBuf,
};

use clap::Args;
use serde::Serialize as _;
use serde_json::{Serializer, ser::Formatter};
use toolcontract_manifest::text::escape;
use toolcontract_protocol::{
    decision::Verdict,
    journal::{CallResult, Intent, JournalEntry, Outcome, Record},
};
use toolcontract_runtime::journal::{verify, verify_each};

use super::{
    Exit, Failure, Io,
    journal::{open, tell},
};

/// Arguments of `journal show`.
#[derive(Debug, Args)]
pub struct Show {
    /// The journal
    file: PathBuf,
    /// Print JSON, one entry a line, with all rules and digests
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(super) fn run(&self, io: &mut Io<'_>) -> Result<Exit, Failure> {
        let mut file = open(&self.file)?;
        if let Err(error) = verify(&mut file, None) {
            return tell(error, io);
        }
        file.rewind()?;
        let mut written = Ok(());
        let shown = verify_each(file, None, |entry| {
            if written.is_ok() {
                written = match self.json {
                    true => json(entry, io.out),
                    false => writeln!(io.out, "{}", line(entry)),
                };
            }
        });
        written?;
        match shown {
            Ok(_) => Ok(Exit::Clean),
            // Somebody changed it while it was shown.
            Err(error) => tell(error, io),
        }
    }
}

/// An entry on one line. Whatever it holds, it stays on that line.
fn line(entry: &JournalEntry) -> String {
    let what = match &entry.record {
        Record::Intent(intent) => of_intent(intent),
        Record::Outcome(outcome) => of_outcome(outcome),
    };
    let JournalEntry {
        sequence,
        timestamp,
        session_id,
        call_id,
        ..
    } = entry;
    let text = format!("{sequence} {timestamp} {session_id}/{call_id} {what}");
    escape(&text).replace('\n', "\\n").replace('\t', "\\t")
}

fn of_intent(intent: &Intent) -> String {
    let (verdict, why) = match &intent.decision {
        Verdict::Allow => ("allow", ""),
        Verdict::Deny { reason } => ("deny", reason.as_str()),
        Verdict::RequireApproval { reason } => ("ask", reason.as_str()),
        Verdict::Error(error) => ("error", error.detail.as_str()),
    };
    let mut text = format!(
        "{} of {} by {}: {verdict}, decided by {}",
        intent.tool, intent.risk, intent.principal, intent.trace.decided_by.rule
    );
    if !why.is_empty() {
        text.push_str(&format!(" ({why})"));
    }
    if let Some(softened) = &intent.softened {
        text.push_str(&format!(", softened: {softened}"));
    }
    if let Some(approval) = &intent.approval {
        let by = approval.answered_by.as_deref().unwrap_or("nobody");
        text.push_str(&format!(", approval {:?} by {by}", approval.resolution).to_lowercase());
    }
    text
}

fn of_outcome(outcome: &Outcome) -> String {
    let result = match &outcome.result {
        CallResult::Ok => "ok".to_owned(),
        CallResult::Error { class, code: None } => class.to_string(),
        CallResult::Error {
            class,
            code: Some(code),
        } => format!("{class} ({code})"),
        CallResult::Unknown => "unknown".to_owned(),
    };
    let ran = if outcome.ran { "ran" } else { "did not run" };
    let time = outcome.duration_ms.map(|time| format!(", {time} ms"));
    format!(
        "{ran}: {result}{}, {} events, {} dropped",
        time.unwrap_or_default(),
        outcome.events_emitted,
        outcome.events_dropped
    )
}

/// The entry as JSON in ASCII, so that no terminal obeys what is in it.
fn json(entry: &JournalEntry, out: &mut dyn Write) -> io::Result<()> {
    entry.serialize(&mut Serializer::with_formatter(&mut *out, Ascii))?;
    writeln!(out)
}

struct Ascii;

impl Formatter for Ascii {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        for c in fragment.chars() {
            // DEL is the one ASCII control character that JSON leaves as it is.
            if c.is_ascii() && c != '\u{7f}' {
                write!(out, "{c}")?;
            } else {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(out, "\\u{unit:04x}")?;
                }
            }
        }
        Ok(())
    }
}
