//! The text around a list of tools, cut into the texts of single tools without reading those:
//! a result of `tools/list`, JSON-RPC messages (a stream of them holds the pages of one list), an
//! object with `tools`, the bare list, or one tool alone.
//!
//! Refuses text that is no JSON and text without any list. What stands inside a tool is not
//! looked at, so nothing in it can spoil the others; its nesting costs no stack.

use serde_json::value::RawValue;

use super::{Finding, ImportError, MAX_TOOLS, Oddity};
use crate::{members::Members, position::Position};

/// The text of one tool.
#[derive(Debug, Clone, Copy)]
pub(super) struct Raw<'t> {
    /// Its text.
    pub(super) text: &'t str,
    /// The line where it starts, from 1.
    pub(super) line: usize,
    /// What stands before it, from which its column can be told where it matters.
    pub(super) before: &'t str,
}

/// What a text holds.
#[derive(Debug, Default)]
pub(super) struct Listed<'t> {
    /// Every tool, page after page.
    pub(super) tools: Vec<Raw<'t>>,
    /// What is odd about the messages.
    pub(super) findings: Vec<Finding>,
}

/// Finds the tools in `text`.
pub(super) fn open(text: &str) -> Result<Listed<'_>, ImportError> {
    let mut reader = Reader {
        text,
        lines: Lines::default(),
        listed: Listed::default(),
        lists: 0,
        goes_on: false,
        other: None,
    };
    for value in serde_json::Deserializer::from_str(text).into_iter::<&RawValue>() {
        let value = value.map_err(|error| unreadable(&error))?;
        reader.message(value.get())?;
    }
    reader.finish()
}

fn unreadable(error: &serde_json::Error) -> ImportError {
    let whole = error.to_string();
    let reason = whole
        .rsplit_once(" at line ")
        .map_or(whole.as_str(), |(reason, _)| reason);
    ImportError::Unreadable {
        line: error.line().max(1),
        column: error.column().max(1),
        reason: format!("not JSON: {reason}"),
    }
}

/// The name in the text of a tool that cannot be read as a whole.
pub(super) fn name_in(tool: &str) -> Option<String> {
    let members: Members<'_> = serde_json::from_str(tool).ok()?;
    serde_json::from_str(members.get("name")?).ok()
}

struct Reader<'t> {
    text: &'t str,
    lines: Lines,
    listed: Listed<'t>,
    /// How many lists there were.
    lists: usize,
    /// Whether the last list has a next page.
    goes_on: bool,
    /// The first value that holds no list, and what it is.
    other: Option<(usize, String)>,
}

impl<'t> Reader<'t> {
    /// One value of the stream.
    fn message(&mut self, value: &'t str) -> Result<(), ImportError> {
        let line = self.line(value);
        match Kind::of(value) {
            Kind::Array => return self.list(value),
            Kind::Object => {}
            Kind::Other(got) => {
                self.note(line, || format!("there is {got}"));
                return Ok(());
            }
        }
        let members = self.members(value)?;
        if let Some(result) = members.get("result") {
            return match Kind::of(result) {
                Kind::Object => {
                    let inner = self.members(result)?;
                    match inner.get("tools") {
                        Some(tools) => self.page(tools, &inner),
                        None => {
                            self.note(line, || "the result lists no tools".to_owned());
                            Ok(())
                        }
                    }
                }
                Kind::Array | Kind::Other(_) => {
                    self.note(line, || "the result is no object".to_owned());
                    Ok(())
                }
            };
        }
        if let Some(tools) = members.get("tools") {
            return self.page(tools, &members);
        }
        if let Some(error) = members.get("error") {
            let message = self.error_message(error);
            self.note(line, || {
                format!("the server answered with an error: {message}")
            });
            self.listed.findings.push(Finding {
                subject: None,
                what: Oddity::ErrorResponse { line, message },
            });
        } else if members.get("inputSchema").is_some() && members.get("name").is_some() {
            self.lists += 1;
            return self.tool(value);
        } else if members.get("method").is_some() {
            self.note(line, || "there is a request or a notification".to_owned());
        } else {
            self.note(line, || "there is an object without `tools`".to_owned());
        }
        Ok(())
    }

    /// One page of a list, with the members around it. An empty `nextCursor` is a cursor too.
    fn page(&mut self, tools: &'t str, around: &Members<'t>) -> Result<(), ImportError> {
        self.goes_on = around
            .get("nextCursor")
            .is_some_and(|cursor| cursor != "null");
        self.list(tools)
    }

    fn list(&mut self, list: &'t str) -> Result<(), ImportError> {
        let line = self.line(list);
        let got = match Kind::of(list) {
            Kind::Array => None,
            Kind::Object => Some("an object"),
            Kind::Other(got) => Some(got),
        };
        if let Some(got) = got {
            return Err(ImportError::NotAList { line, got });
        }
        self.lists += 1;
        let items: Vec<&'t RawValue> =
            serde_json::from_str(list).map_err(|error| unreadable(&error))?;
        items.into_iter().try_for_each(|item| self.tool(item.get()))
    }

    fn tool(&mut self, text: &'t str) -> Result<(), ImportError> {
        if self.listed.tools.len() == MAX_TOOLS {
            return Err(ImportError::TooMany { limit: MAX_TOOLS });
        }
        let line = self.line(text);
        let before = self.text.get(..self.offset(text)).unwrap_or_default();
        self.listed.tools.push(Raw { text, line, before });
        Ok(())
    }

    fn finish(mut self) -> Result<Listed<'t>, ImportError> {
        if self.lists == 0 {
            return Err(match self.other {
                Some((line, found)) => ImportError::NoList { line, found },
                None => ImportError::Empty,
            });
        }
        if self.goes_on {
            self.listed.findings.push(Finding {
                subject: None,
                what: Oddity::ListGoesOn,
            });
        }
        Ok(self.listed)
    }

    fn members(&mut self, object: &'t str) -> Result<Members<'t>, ImportError> {
        let line = self.line(object);
        let members: Members<'t> =
            serde_json::from_str(object).map_err(|error| match unreadable(&error) {
                ImportError::Unreadable { column, reason, .. } => ImportError::Unreadable {
                    line: line + error.line().saturating_sub(1),
                    column,
                    reason,
                },
                other => other,
            })?;
        match members.repeated() {
            Some(key) => Err(ImportError::DuplicateKey { line, key }),
            None => Ok(members),
        }
    }

    /// Keeps what the first value without a list is.
    fn note(&mut self, line: usize, what: impl FnOnce() -> String) {
        if self.other.is_none() {
            self.other = Some((line, what()));
        }
    }

    fn error_message(&mut self, error: &'t str) -> String {
        let message = match Kind::of(error) {
            Kind::Object => self
                .members(error)
                .ok()
                .and_then(|members| members.get("message").map(str::to_owned)),
            Kind::Array | Kind::Other(_) => None,
        };
        let message = message.and_then(|text| serde_json::from_str::<String>(&text).ok());
        crate::fault::quote(message.as_deref().unwrap_or("no message"))
    }

    /// The line of a part of the text.
    fn line(&mut self, part: &str) -> usize {
        self.lines.at(self.text, self.offset(part))
    }

    fn offset(&self, part: &str) -> usize {
        let start = self.text.as_ptr().addr();
        part.as_ptr().addr().saturating_sub(start)
    }
}

/// Counts lines from the place that was asked for last, since places come in order.
#[derive(Debug)]
struct Lines {
    offset: usize,
    line: usize,
}

impl Default for Lines {
    fn default() -> Self {
        Self { offset: 0, line: 1 }
    }
}

impl Lines {
    fn at(&mut self, text: &str, offset: usize) -> usize {
        if offset < self.offset {
            *self = Self::default();
        }
        let between = text.get(self.offset..offset).unwrap_or_default();
        self.line += Position::of(between, between.len()).line - 1;
        self.offset = offset;
        self.line
    }
}

/// What a JSON text is, by its first character.
enum Kind {
    Object,
    Array,
    Other(&'static str),
}

impl Kind {
    fn of(text: &str) -> Self {
        match text.as_bytes().first() {
            Some(b'{') => Self::Object,
            Some(b'[') => Self::Array,
            Some(b'"') => Self::Other("a string"),
            Some(b'n') => Self::Other("null"),
            Some(b't' | b'f') => Self::Other("a boolean"),
            _ => Self::Other("a number"),
        }
    }
}
