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
        .map(|document| Excerpt::of(&document.text, &finding.span));
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

/// The line of a place, escaped.
struct Excerpt {
    line: String,
    /// The place within it.
    span: Range<usize>,
    /// Where the place starts in the file.
    position: Position,
}

impl Excerpt {
    fn of(text: &str, span: &Range<usize>) -> Self {
        let bounds = line_around(text, span.start);
        let start = span.start.clamp(bounds.start, bounds.end);
        let end = span.end.clamp(start, bounds.end);
        let part = |range: Range<usize>| escape(text.get(range).unwrap_or_default());
        let (before, marked) = (part(bounds.start..start), part(start..end));
        let line = format!("{before}{marked}{}", part(end..bounds.end));
        Self {
            span: before.len()..before.len() + marked.len(),
            line,
            position: Position::of(text, span.start),
        }
    }

    /// The renderer counts the columns of what it shows, where an escape is longer than the
    /// character that it stands for. The place in the file is what must be said.
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
