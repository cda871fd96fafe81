//! A small pretty-printer: what fits stands on one line, what does not is broken at its lists.
//!
//! Knows layout and no TypeScript beyond the delimiters of its lists.

pub(super) use super::style::Style;

/// Columns that a line should keep to. Long words and comments may pass it.
const COLUMNS: usize = 100;

/// A piece of text that can be laid out.
#[derive(Debug, Clone)]
pub(super) enum Doc {
    /// Text without line breaks.
    Text(String),
    /// Lines that stand alone, such as a comment.
    Lines(Vec<String>),
    /// One after the other.
    Seq(Vec<Doc>),
    /// Items between delimiters.
    List(Box<List>),
}

/// Items between delimiters, on one line or one line each.
#[derive(Debug, Clone)]
pub(super) struct List {
    style: Style,
    items: Vec<Doc>,
    width: Option<usize>,
}

impl Doc {
    /// Text without line breaks.
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// One after the other.
    pub(super) fn seq(parts: impl IntoIterator<Item = Doc>) -> Self {
        Self::Seq(parts.into_iter().collect())
    }

    /// A list that is broken only where it does not fit.
    pub(super) fn list(style: Style, items: Vec<Doc>) -> Self {
        let marks = style.marks();
        let around = marks.open.len() + marks.close.len() + 2 * marks.pad.len();
        let between = marks.between.len() * items.len().saturating_sub(1);
        let width = items
            .iter()
            .map(Doc::width)
            .sum::<Option<usize>>()
            .map(|w| w + around + between);
        Self::List(Box::new(List {
            style,
            items,
            width,
        }))
    }

    /// A list with each item on its own line.
    pub(super) fn broken(style: Style, items: Vec<Doc>) -> Self {
        let width = items.is_empty().then_some(2);
        Self::List(Box::new(List {
            style,
            items,
            width,
        }))
    }

    /// The items of a list, which only break inside.
    pub(super) fn joined(style: Style, items: Vec<Doc>) -> Self {
        let between = style.marks().between;
        let mut parts = Vec::new();
        for item in items {
            if !parts.is_empty() {
                parts.push(Self::text(between));
            }
            parts.push(item);
        }
        Self::Seq(parts)
    }

    /// The body of a function.
    pub(super) fn block(statement: Doc) -> Self {
        Self::broken(Style::Block, vec![statement])
    }

    /// `name(arguments)`; a single list, or one behind plain words, keeps its brackets next to the
    /// call's.
    pub(super) fn call(name: impl Into<String>, mut arguments: Vec<Doc>) -> Self {
        let name = name.into();
        match (arguments.pop(), arguments.is_empty()) {
            (None, _) => Self::Text(format!("{name}()")),
            (Some(only), true) => Self::seq([
                Self::Text(format!("{name}(")),
                only,
                Self::Text(")".to_owned()),
            ]),
            (Some(Self::List(last)), false) if arguments.iter().all(Self::is_text) => {
                let mut parts = vec![Self::Text(format!("{name}("))];
                for argument in arguments {
                    parts.extend([argument, Self::text(", ")]);
                }
                parts.extend([Self::List(last), Self::text(")")]);
                Self::Seq(parts)
            }
            (Some(last), false) => {
                arguments.push(last);
                Self::seq([Self::Text(name), Self::list(Style::Parens, arguments)])
            }
        }
    }

    /// The items of a list of this style; the doc itself when it is none.
    pub(super) fn into_items(self, style: Style) -> Vec<Doc> {
        match self {
            Self::List(list) if list.style == style => list.items,
            other => vec![other],
        }
    }

    fn is_text(&self) -> bool {
        matches!(self, Self::Text(_))
    }

    /// Followed by `text`.
    pub(super) fn then(self, text: impl Into<String>) -> Self {
        Self::seq([self, Self::text(text)])
    }

    /// The text, where it stands on one line of at most `columns`.
    pub(super) fn flat(&self, columns: usize) -> Option<String> {
        let fits = self.width().is_some_and(|width| width <= columns);
        fits.then(|| Printer::text_of(self))
    }

    /// Columns on one line; none when it cannot stand on one.
    fn width(&self) -> Option<usize> {
        match self {
            Self::Text(text) => Some(text.chars().count()),
            Self::Lines(lines) => lines.is_empty().then_some(0),
            Self::Seq(parts) => parts.iter().map(Self::width).sum(),
            Self::List(list) => list.width,
        }
    }

    /// Columns up to the first place where a line may break.
    fn lead(&self) -> (usize, bool) {
        match self {
            Self::Text(text) => (text.chars().count(), false),
            Self::Lines(_) => (0, true),
            Self::List(list) => (list.style.marks().open.len(), true),
            Self::Seq(parts) => {
                let mut total = 0;
                for part in parts {
                    let (width, breaks) = part.lead();
                    total += width;
                    if breaks {
                        return (total, true);
                    }
                }
                (total, false)
            }
        }
    }

    /// The text, its first line starting at `column` and later ones at `indent` at least.
    pub(super) fn print(&self, out: &mut Printer) {
        self.print_before(0, out);
    }

    fn print_before(&self, trailing: usize, out: &mut Printer) {
        match self {
            Self::Text(text) => out.push(text),
            Self::Lines(lines) => lines.iter().for_each(|line| {
                out.push(line);
                out.line();
            }),
            Self::Seq(parts) => {
                for (index, part) in parts.iter().enumerate() {
                    let rest = parts.get(index + 1..).unwrap_or_default();
                    let (mut after, mut breaks) = (0, false);
                    for later in rest {
                        let (width, stops) = later.lead();
                        after += width;
                        breaks = stops;
                        if stops {
                            break;
                        }
                    }
                    part.print_before(if breaks { after } else { after + trailing }, out);
                }
            }
            Self::List(list) => list.print(trailing, out),
        }
    }
}

impl List {
    fn print(&self, trailing: usize, out: &mut Printer) {
        let marks = self.style.marks();
        let joined = marks.open.is_empty();
        let fits = self
            .width
            .is_some_and(|width| out.column + width + trailing <= COLUMNS);
        if self.items.is_empty() || fits || (joined && self.items.len() == 1) {
            out.push(marks.open);
            let pad = if self.items.is_empty() { "" } else { marks.pad };
            out.push(pad);
            for (index, item) in self.items.iter().enumerate() {
                if index > 0 {
                    out.push(marks.between);
                }
                item.print(out);
            }
            out.push(pad);
            out.push(marks.close);
            return;
        }
        out.push(marks.open);
        out.indent += 1;
        for (index, item) in self.items.iter().enumerate() {
            let is_last = index + 1 == self.items.len();
            let after = if is_last { marks.last } else { marks.after };
            out.line();
            out.push(marks.before);
            item.print_before(after.len(), out);
            out.push(after);
        }
        out.indent -= 1;
        if !joined {
            out.line();
            out.push(marks.close);
        }
    }
}

/// Text under construction.
#[derive(Debug, Default)]
pub(super) struct Printer {
    text: String,
    indent: usize,
    column: usize,
    fresh: bool,
}

impl Printer {
    /// The text of `doc` from the first column on.
    pub(super) fn text_of(doc: &Doc) -> String {
        let mut out = Self::default();
        doc.print(&mut out);
        out.text
    }

    fn push(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if std::mem::take(&mut self.fresh) {
            let indent = self.indent * 2;
            self.text.extend(std::iter::repeat_n(' ', indent));
            self.column = indent;
        }
        self.text.push_str(text);
        self.column += text.chars().count();
    }

    fn line(&mut self) {
        let kept = self.text.trim_end_matches(' ').len();
        self.text.truncate(kept);
        self.text.push('\n');
        self.fresh = true;
        self.column = self.indent * 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(count: usize) -> Vec<Doc> {
        (0..count)
            .map(|i| Doc::text(format!("word{i:06}")))
            .collect()
    }

    #[test]
    fn what_fits_stays_on_a_line() {
        let doc = Doc::call("f", vec![Doc::list(Style::Braces, words(3))]);
        assert_eq!(
            Printer::text_of(&doc),
            "f({ word000000, word000001, word000002 })"
        );
        assert_eq!(
            Printer::text_of(&Doc::list(Style::Braces, Vec::new())),
            "{}"
        );
    }

    #[test]
    fn what_does_not_is_broken_at_the_outermost_list() {
        let doc = Doc::call("f", vec![Doc::list(Style::Brackets, words(9))]).then(".g()");
        let text = Printer::text_of(&doc);
        assert!(
            text.starts_with("f([\n  word000000,\n  word000001,\n"),
            "{text}"
        );
        assert!(text.ends_with("  word000008,\n]).g()"), "{text}");
        let union = Printer::text_of(&Doc::list(Style::Union, words(9)));
        assert!(
            union.starts_with("\n  | word000000\n  | word000001\n"),
            "{union}"
        );
    }

    #[test]
    fn comments_break_the_list_they_stand_in() {
        let item = Doc::seq([
            Doc::Lines(vec!["/** Why. */".to_owned()]),
            Doc::text("a: b"),
        ]);
        assert_eq!(
            Printer::text_of(&Doc::list(Style::Members, vec![item])),
            "{\n  /** Why. */\n  a: b;\n}"
        );
    }
}
