//! Workflow commands: `::error file=...,line=...::message`. GitHub reads columns only where a
//! place lies in one line.

use std::io::{self, Write};

use crate::{diagnostic::Diagnostic, text::escape};

pub(super) fn print(findings: &[&Diagnostic], out: &mut dyn Write) -> io::Result<()> {
    for finding in findings {
        let path = property(&finding.path);
        write!(out, "::{} file={path}", finding.level.as_str())?;
        if let Some((start, end)) = finding.place() {
            write!(out, ",line={},endLine={}", start.line, end.line)?;
            if start.line == end.line {
                write!(out, ",col={},endColumn={}", start.column, end.column)?;
            }
        }
        write!(
            out,
            ",title={}::{}",
            property(finding.rule),
            data(&finding.message)
        )?;
        if let Some(help) = &finding.help {
            write!(out, "%0Ahelp: {}", data(help))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Text behind the second `::`.
fn data(text: &str) -> String {
    escape(text)
        .replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Text of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_cannot_start_another_command() {
        assert_eq!(data("50%\n::error::x"), "50%25%0A::error::x");
        assert_eq!(property("a,line=1::b\r\n"), "a%2Cline=1%3A%3Ab\\u{d}%0A");
    }
}
