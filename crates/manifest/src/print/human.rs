//! For a person: what is wrong, where, the line with the place underlined, what to do.
//!
//! One line of a file is shown, however far the place reaches.

use std::{
    io::{self, Write},
    ops::Range,
};

use annotate_snippets::{AnnotationKind, Group, Level as Word, Origin, Renderer, Snippet};

use crate::{
    diagnostic::{Diagnostic, Level},
    document::Document,
    position::{Position, line_around},
    text::escape,
};

pub(super) fn print(findings: &[&Diagnostic], colors: bool, out: &mut dyn Write) -> io::Result<()> {
    let renderer = if colors {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    for (index, finding) in findings.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        for line in one(finding, &renderer).lines() {
            writeln!(out, "{}", line.trim_end())?;
        }
    }
    Ok(())
}

fn one(finding: &Diagnostic, renderer: &Renderer) -> String {
    let word = match finding.level {
        Level::Error => Word::ERROR,
        Level::Warning => Word::WARNING,
    };
    let path = escape(&finding.path);
    let title = word
        .primary_title(one_line(&finding.message))
        .id(finding.rule);
    let excerpt = finding
        .document
        .as_ref()
        .map(|document| Excerpt::of(document, &finding.span));
    let mut group = match &excerpt {
        Some(excerpt) => title.element(
            Snippet::source(excerpt.line.as_str())
                .path(path.as_ref())
                .line_start(excerpt.position.line)
                .annotation(AnnotationKind::Primary.span(excerpt.span.clone())),
        ),
        None => title.element(Origin::path(path.as_ref())),
    };
    if let Some(help) = &finding.help {
        group = group.element(Word::HELP.message(escape(help).into_owned()));
    }
    let screen = renderer.render(&[group] as &[Group<'_>]);
    match excerpt {
        Some(excerpt) => excerpt.correct_column(&path, screen),
        None => screen,
    }
}

/// How much of a line is shown before and behind the start of a place, in bytes. A renderer cuts
/// to the width of a screen; this bounds what it is given.
const BEFORE: usize = 1000;
const BEHIND: usize = 4000;

/// The line of a place, escaped, and cut where it is long.
struct Excerpt {
    line: String,
    /// The place within it.
    span: Range<usize>,
    /// Where the place starts in the file.
    position: Position,
}

impl Excerpt {
    fn of(document: &Document, span: &Range<usize>) -> Self {
        let text = document.text.as_str();
        let whole = line_around(text, span.start);
        let start = span.start.clamp(whole.start, whole.end);
        let first = text.ceil_char_boundary(start.saturating_sub(BEFORE));
        let last = text.floor_char_boundary(start.saturating_add(BEHIND));
        let shown = whole.start.max(first)..whole.end.min(last);
        let end = span.end.clamp(start, shown.end);
        let part = |range: Range<usize>| escape(text.get(range).unwrap_or_default());
        let (before, marked) = (part(shown.start..start), part(start..end));
        let line = format!("{before}{marked}{}", part(end..shown.end));
        Self {
            span: before.len()..before.len() + marked.len(),
            line,
            position: document.position(span.start),
        }
    }

    /// The renderer counts the columns of what it is given, where an escape is longer than the
    /// character that it stands for and the start of a long line is cut off. The place in the
    /// file is what must be said.
    fn correct_column(&self, path: &str, screen: String) -> String {
        let shown = Position::of(&self.line, self.span.start).column;
        if shown == self.position.column {
            return screen;
        }
        let place = |column: usize| format!("{path}:{}:{column}", self.position.line);
        match screen.split_once('\n') {
            Some((title, rest)) => {
                let rest = rest.replacen(&place(shown), &place(self.position.column), 1);
                format!("{title}\n{rest}")
            }
            None => screen,
        }
    }
}

/// A message is one line, whatever text it repeats.
fn one_line(message: &str) -> String {
    escape(message).replace('\n', "\\n").replace('\t', "\\t")
}
