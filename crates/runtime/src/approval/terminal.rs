//! Asks on a terminal, or on anything that has lines.
//!
//! An answer names the question that it answers. A line that was typed for an earlier question,
//! or pasted, or buffered before this one was shown, answers nothing.

use std::{
    fmt,
    io::{self, BufRead, Read, Write},
    sync::{Mutex, PoisonError},
};

use tokio::sync::mpsc;
use toolcontract_protocol::approval::ApprovalAnswer;

use super::{Answered, Approver, Ticket};
use crate::{text::one_line, tool::BoxFuture};

/// The longest line that is read, in bytes.
const MAX_LINE: u64 = 4096;
/// How many lines are read ahead.
const MAX_LINES: usize = 64;
/// How often a yes without its code is asked about again.
const MAX_SLIPS: usize = 3;

/// Asks on a pair of a reader and a writer. One question at a time.
pub struct Terminal {
    writer: Mutex<Box<dyn Write + Send>>,
    lines: tokio::sync::Mutex<Lines>,
}

enum Lines {
    /// Nobody was asked yet, so nothing was taken from the reader.
    Unread(Option<Box<dyn BufRead + Send>>),
    Read(mpsc::Receiver<String>),
}

impl fmt::Debug for Terminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terminal").finish_non_exhaustive()
    }
}

impl Terminal {
    /// Asks by writing to `writer` and reading lines from `reader`. From the first question on,
    /// a thread of its own reads `reader` to its end.
    #[must_use]
    pub fn new(reader: impl BufRead + Send + 'static, writer: impl Write + Send + 'static) -> Self {
        Self {
            writer: Mutex::new(Box::new(writer)),
            lines: tokio::sync::Mutex::new(Lines::Unread(Some(Box::new(reader)))),
        }
    }

    async fn put(&self, ticket: &Ticket) -> Option<ApprovalAnswer> {
        let mut lines = self.lines.lock().await;
        let lines = lines.open()?;
        // What was typed before the question was shown is no answer to it.
        while lines.try_recv().is_ok() {}
        self.say(&question(ticket)).ok()?;
        let code = code(ticket);
        let mut slips = 0;
        loop {
            let Some(line) = lines.recv().await else {
                // Somebody was asked, and is there no more.
                return Some(ApprovalAnswer::Deny {
                    reason: Some("the input ended without an answer".to_owned()),
                });
            };
            match read_answer(&line, code) {
                Line::Answer(answer) => return Some(answer),
                Line::OfAnother => self
                    .say("That is the code of another question. It was not taken.\n")
                    .ok()?,
                Line::WithoutCode if slips < MAX_SLIPS => {
                    slips += 1;
                    let text = format!(
                        "A yes needs the code of this question. Type `yes {code}` to let it run this once; \
                         any line that is no yes is a no: "
                    );
                    self.say(&text).ok()?;
                }
                Line::WithoutCode => {
                    return Some(ApprovalAnswer::Deny {
                        reason: Some("yes, without the code of the question".to_owned()),
                    });
                }
            }
        }
    }

    fn say(&self, text: &str) -> io::Result<()> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        writer.write_all(text.as_bytes())?;
        writer.flush()
    }
}

impl Approver for Terminal {
    fn ask<'a>(&'a self, ticket: &'a Ticket) -> BoxFuture<'a, Answered> {
        Box::pin(async move {
            match self.put(ticket).await {
                Some(answer) => Answered::Said {
                    answer,
                    by: Some("terminal".to_owned()),
                },
                None => Answered::Nobody,
            }
        })
    }
}

impl Lines {
    /// Starts to read at the first question. None when nothing can be read.
    fn open(&mut self) -> Option<&mut mpsc::Receiver<String>> {
        if let Self::Unread(reader) = self {
            let mut reader = reader.take()?;
            let (sender, receiver) = mpsc::channel(MAX_LINES);
            std::thread::Builder::new()
                .name("approval-terminal".to_owned())
                .spawn(move || {
                    while let Some(line) = next_line(&mut *reader) {
                        if sender.blocking_send(line).is_err() {
                            break;
                        }
                    }
                })
                .ok()?;
            *self = Self::Read(receiver);
        }
        match self {
            Self::Read(receiver) => Some(receiver),
            Self::Unread(_) => None,
        }
    }
}

/// The next line; what is too long for one is several.
fn next_line(reader: &mut dyn BufRead) -> Option<String> {
    let mut line = Vec::new();
    let read = reader.take(MAX_LINE).read_until(b'\n', &mut line).ok()?;
    (read > 0).then(|| String::from_utf8_lossy(&line).into_owned())
}

/// The part of the question's id that an answer repeats.
fn code(ticket: &Ticket) -> &str {
    ticket.id().get(..4).unwrap_or_default()
}

fn question(ticket: &Ticket) -> String {
    format!(
        "\n{asks}\nInput, {described}, SHA-256 {digest}:\n{text}\n\
         Type `yes {code}` to let it run this once; any line that is no yes is a no: ",
        asks = ticket.asks(),
        described = ticket.shown.described(),
        digest = one_line(&ticket.request.binding.input_digest, 64),
        text = ticket.shown.text,
        code = code(ticket),
    )
}

enum Line {
    Answer(ApprovalAnswer),
    /// A yes to another question.
    OfAnother,
    /// A yes that names no question.
    WithoutCode,
}

fn read_answer(line: &str, code: &str) -> Line {
    let line = line.trim();
    let mut words = line.split_whitespace();
    match (words.next(), words.next(), words.next()) {
        (Some("yes"), Some(given), None) | (Some(given), None, None) if given == code => {
            Line::Answer(ApprovalAnswer::Approve)
        }
        (Some("yes"), Some(given), None) | (Some(given), None, None) if is_code(given) => {
            Line::OfAnother
        }
        (Some(word), _, _) if is_yes(word) => Line::WithoutCode,
        (None | Some("no" | "n"), None, None) => {
            Line::Answer(ApprovalAnswer::Deny { reason: None })
        }
        _ => Line::Answer(ApprovalAnswer::Deny {
            reason: Some(line.to_owned()),
        }),
    }
}

fn is_yes(word: &str) -> bool {
    let word = word.trim_end_matches([',', '.', '!']);
    word.eq_ignore_ascii_case("yes") || word.eq_ignore_ascii_case("y")
}

fn is_code(word: &str) -> bool {
    word.len() == 4 && word.bytes().all(|b| b.is_ascii_hexdigit())
}
