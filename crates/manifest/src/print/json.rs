//! One JSON object a line. Lines and columns count from 1, columns count characters, the end is
//! the place behind the last character; without them the finding is about the file as a whole.

use std::io::{self, Write};

use serde::Serialize;

use super::plain_json;
use crate::diagnostic::Diagnostic;

#[derive(Serialize)]
struct Line<'a> {
    path: &'a str,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    place: Option<Place>,
    rule: &'a str,
    level: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
}

#[derive(Serialize)]
struct Place {
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

pub(super) fn print(findings: &[&Diagnostic], out: &mut dyn Write) -> io::Result<()> {
    for finding in findings {
        let line = Line {
            path: &finding.path,
            place: finding.place().map(|(start, end)| Place {
                line: start.line,
                column: start.column,
                end_line: end.line,
                end_column: end.column,
            }),
            rule: finding.rule,
            level: finding.level.as_str(),
            message: &finding.message,
            help: finding.help.as_deref(),
        };
        plain_json::line(&line, out)?;
    }
    Ok(())
}
