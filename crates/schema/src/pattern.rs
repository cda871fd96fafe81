//! The patterns that an authored contract may use: those that Rust and JavaScript (with the `u`
//! flag) read alike, and that Rust matches in linear time.
//!
//! An allow-list over the parsed pattern, since each engine alone takes what the other refuses or
//! reads differently. In it: literals, `.`, `^`, `$`, groups `(...)` and `(?:...)`, `|`, classes
//! of literals and ranges, `? * + {n} {n,} {n,m}` and their lazy forms, the escapes that both
//! know. `.` is any character but a line end (`\n`, `\r`, U+2028, U+2029), as JavaScript reads it;
//! the validator of this crate does too.

use regex_syntax::ast::{
    self, Assertion, AssertionKind, Ast, ClassBracketed, ClassSet, ClassSetItem, ErrorKind, Group,
    GroupKind, HexLiteralKind, Literal, LiteralKind, Repetition, RepetitionKind, RepetitionRange,
    Span, SpecialLiteralKind, Visitor, parse::ParserBuilder,
};
use serde_json::json;

use crate::validator::{Formats, Validator};

/// How often a part may be repeated by counts, also by counts inside counts.
pub const MAX_COUNT: u32 = 1000;

/// A pattern outside the portable subset.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("at byte {offset}: {reason}")]
pub struct PatternError {
    /// Where in the pattern, in bytes.
    pub offset: usize,
    /// What is wrong there, and what to write instead.
    pub reason: &'static str,
}

/// Checks that `pattern` lies in the portable, linear subset.
///
/// # Errors
/// The first place that does not.
pub fn check(pattern: &str) -> Result<(), PatternError> {
    let ast = ParserBuilder::new()
        .build()
        .parse(pattern)
        .map_err(|error| PatternError {
            offset: error.span().start.offset,
            reason: unparsed(error.kind()),
        })?;
    let subset = Subset {
        pattern,
        counts: Vec::new(),
    };
    ast::visit(&ast, subset)?;
    // What remains is how large the compiled pattern gets.
    let schema = json!({ "pattern": pattern });
    Validator::compile(&schema, Formats::Annotate).map_err(|_| PatternError {
        offset: 0,
        reason: "the pattern is too large; use smaller counts",
    })?;
    Ok(())
}

/// Why the parser refuses.
fn unparsed(kind: &ErrorKind) -> &'static str {
    match kind {
        ErrorKind::UnsupportedLookAround => {
            "look-around does not run in linear time; split the condition into several patterns (`allOf`)"
        }
        ErrorKind::UnsupportedBackreference => "back-references do not run in linear time",
        ErrorKind::EscapeUnrecognized => {
            "no escape that is read alike everywhere; write the character, or `\\u0041`"
        }
        ErrorKind::RepetitionMissing => "there is nothing to repeat; escape the sign with `\\`",
        ErrorKind::ClassUnclosed => "the class is not closed; escape a literal `[` with `\\`",
        ErrorKind::ClassRangeInvalid => "the range ends before it begins",
        ErrorKind::GroupUnclosed | ErrorKind::GroupUnopened => {
            "the parentheses do not match; escape a literal one with `\\`"
        }
        ErrorKind::RepetitionCountDecimalEmpty | ErrorKind::RepetitionCountUnclosed => COUNT,
        ErrorKind::RepetitionCountInvalid => "the count ends before it begins",
        ErrorKind::NestLimitExceeded(_) => "the pattern nests too deep",
        _ => "this is not a regular expression",
    }
}

struct Subset<'p> {
    pattern: &'p str,
    /// The counts of the repetitions that are open.
    counts: Vec<u32>,
}

impl Visitor for Subset<'_> {
    type Output = ();
    type Err = PatternError;

    fn finish(self) -> Result<(), PatternError> {
        Ok(())
    }

    fn visit_pre(&mut self, ast: &Ast) -> Result<(), PatternError> {
        match ast {
            Ast::Empty(_) | Ast::Dot(_) | Ast::Alternation(_) | Ast::Concat(_) => Ok(()),
            Ast::Flags(flags) => refuse(&flags.span, FLAGS),
            Ast::Literal(literal) => outside_class(literal),
            Ast::Assertion(assertion) => anchor(assertion),
            Ast::ClassUnicode(class) => refuse(&class.span, UNICODE),
            Ast::ClassPerl(class) => refuse(&class.span, PERL),
            Ast::ClassBracketed(class) => bracketed(class),
            Ast::Repetition(repetition) => self.repetition(repetition),
            Ast::Group(group) => grouped(group),
        }
    }

    fn visit_post(&mut self, ast: &Ast) -> Result<(), PatternError> {
        if matches!(ast, Ast::Repetition(_)) {
            self.counts.pop();
        }
        Ok(())
    }
}

const FLAGS: &str = "flags in the pattern are not read everywhere; write both cases, `[Aa]`";
const UNICODE: &str = "`\\p` has no portable meaning; list the ranges";
const PERL: &str =
    "`\\d`, `\\w` and `\\s` differ between engines; write `[0-9]`, `[A-Za-z0-9_]`, `[ \\t\\r\\n]`";
const NAMED: &str = "named groups are not read alike everywhere; write `(?:...)`";
const ESCAPE: &str = "this escape is not read alike everywhere; write the character, or `\\u0041`";
const BARE: &str = "JavaScript wants this sign escaped with `\\`";
const SET: &str = "classes inside classes and `&&`, `--`, `~~` are not read everywhere";
const COUNT: &str = "a count is written `{2}`, `{2,}` or `{2,5}`; escape a literal `{` with `\\`";
const DASH: &str = "a literal `-` stands first or last in a class, or is escaped with `\\`";

fn refuse(span: &Span, reason: &'static str) -> Result<(), PatternError> {
    Err(PatternError {
        offset: span.start.offset,
        reason,
    })
}

fn anchor(assertion: &Assertion) -> Result<(), PatternError> {
    match assertion.kind {
        AssertionKind::StartLine | AssertionKind::EndLine => Ok(()),
        AssertionKind::StartText | AssertionKind::EndText => refuse(
            &assertion.span,
            "write `^` and `$` for the ends of the text",
        ),
        _ => refuse(&assertion.span, "word boundaries differ between engines"),
    }
}

fn grouped(group: &Group) -> Result<(), PatternError> {
    match &group.kind {
        GroupKind::CaptureIndex(_) => Ok(()),
        GroupKind::NonCapturing(flags) if flags.items.is_empty() => Ok(()),
        GroupKind::NonCapturing(_) => refuse(&group.span, FLAGS),
        GroupKind::CaptureName { .. } => refuse(&group.span, NAMED),
    }
}

fn outside_class(literal: &Literal) -> Result<(), PatternError> {
    match literal.kind {
        LiteralKind::Verbatim if matches!(literal.c, ']' | '}' | '{') => {
            refuse(&literal.span, BARE)
        }
        LiteralKind::Verbatim => Ok(()),
        LiteralKind::Meta if literal.c == '-' => refuse(&literal.span, ESCAPE),
        _ => escape(literal),
    }
}

/// An escape that both engines know.
fn escape(literal: &Literal) -> Result<(), PatternError> {
    let legal = match &literal.kind {
        LiteralKind::Verbatim => true,
        LiteralKind::Meta | LiteralKind::Superfluous => r"^$\.*+?()[]{}|/-".contains(literal.c),
        LiteralKind::HexFixed(kind) => !matches!(kind, HexLiteralKind::UnicodeLong),
        LiteralKind::HexBrace(kind) => matches!(kind, HexLiteralKind::UnicodeShort),
        LiteralKind::Special(kind) => {
            !matches!(kind, SpecialLiteralKind::Bell | SpecialLiteralKind::Space)
        }
        LiteralKind::Octal => false,
    };
    if legal {
        Ok(())
    } else {
        refuse(&literal.span, ESCAPE)
    }
}

fn bracketed(class: &ClassBracketed) -> Result<(), PatternError> {
    let items = match &class.kind {
        ClassSet::BinaryOp(operation) => return refuse(&operation.span, SET),
        ClassSet::Item(ClassSetItem::Union(union)) => union.items.as_slice(),
        ClassSet::Item(item) => std::slice::from_ref(item),
    };
    let last = items.len().saturating_sub(1);
    for (index, item) in items.iter().enumerate() {
        match item {
            ClassSetItem::Empty(_) => {}
            ClassSetItem::Literal(literal) => in_class(literal, index == 0 || index == last)?,
            ClassSetItem::Range(range) => {
                in_class(&range.start, false)?;
                in_class(&range.end, false)?;
            }
            ClassSetItem::Unicode(class) => refuse(&class.span, UNICODE)?,
            ClassSetItem::Perl(class) => refuse(&class.span, PERL)?,
            ClassSetItem::Ascii(class) => refuse(&class.span, SET)?,
            ClassSetItem::Bracketed(class) => refuse(&class.span, SET)?,
            ClassSetItem::Union(union) => refuse(&union.span, SET)?,
        }
    }
    Ok(())
}

fn in_class(literal: &Literal, at_an_end: bool) -> Result<(), PatternError> {
    match (&literal.kind, literal.c) {
        (LiteralKind::Verbatim, '[' | ']') => refuse(&literal.span, BARE),
        (LiteralKind::Verbatim, '-') if !at_an_end => refuse(&literal.span, DASH),
        _ => escape(literal),
    }
}

impl Subset<'_> {
    fn repetition(&mut self, repetition: &Repetition) -> Result<(), PatternError> {
        match repetition.ast.as_ref() {
            Ast::Repetition(_) | Ast::Assertion(_) | Ast::Empty(_) | Ast::Flags(_) => {
                return refuse(
                    &repetition.op.span,
                    "JavaScript repeats no anchor and no repetition; put it into `(?:...)`",
                );
            }
            _ => {}
        }
        let count = match &repetition.op.kind {
            RepetitionKind::ZeroOrOne | RepetitionKind::ZeroOrMore | RepetitionKind::OneOrMore => 1,
            RepetitionKind::Range(range) => {
                self.spelled_plainly(&repetition.op.span)?;
                match *range {
                    RepetitionRange::Exactly(n)
                    | RepetitionRange::AtLeast(n)
                    | RepetitionRange::Bounded(_, n) => n.max(1),
                }
            }
        };
        self.counts.push(count);
        let total = self
            .counts
            .iter()
            .try_fold(1_u32, |total, count| total.checked_mul(*count));
        if total.is_none_or(|total| total > MAX_COUNT) {
            return refuse(
                &repetition.op.span,
                "counts go up to 1000, also when they multiply; use `minLength` and `maxLength`",
            );
        }
        Ok(())
    }

    /// `{n}`, `{n,}` or `{n,m}` without spaces or missing numbers, which only Rust reads.
    fn spelled_plainly(&self, span: &Span) -> Result<(), PatternError> {
        let text = self
            .pattern
            .get(span.start.offset..span.end.offset)
            .unwrap_or_default();
        let inner = text.trim_end_matches('?').strip_prefix('{');
        let inner = inner.and_then(|t| t.strip_suffix('}')).unwrap_or_default();
        let (first, rest) = inner.split_once(',').unwrap_or((inner, ""));
        let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        if !first.is_empty() && digits(first) && digits(rest) {
            Ok(())
        } else {
            refuse(span, COUNT)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_what_both_engines_read_alike() {
        for pattern in [
            "",
            "a",
            "^[a-z0-9]+(?:-[a-z0-9]+)*$",
            "^(a|b|)$",
            r"^\/api\/v[0-9]+\.\w?$".replace(r"\w?", "x?").as_str(),
            "^.{1,2}$",
            "^[^\\]\\[-]$",
            "[-a]",
            "[a-]",
            "[\\-a]",
            "[a\\-z]",
            "[.(){}+*?|$^/]",
            "\\u0041\\x41\\u{1F600}\\t\\n\\r\\f\\v",
            "é😀[α-ω😀-😂]",
            "a{2}b{2,}c{2,5}d*?e+?f??",
            "(?:a{10}){100}",
            "x{1000}",
            "\\^\\$\\\\\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\/",
        ] {
            assert_eq!(check(pattern), Ok(()), "{pattern}");
        }
    }

    #[test]
    fn refuses_what_one_engine_reads_otherwise() {
        for (pattern, offset) in [
            ("^(?!a)b", 1),
            ("a(?<=b)", 1),
            (r"(a)\1", 3),
            (r"\d", 0),
            (r"[\d]", 1),
            (r"a\w", 1),
            (r"\s", 0),
            (r"\bx", 0),
            (r"\Bx", 0),
            (r"\p{L}", 0),
            (r"[\p{L}]", 1),
            (r"\A", 0),
            (r"x\z", 1),
            ("(?i)a", 0),
            ("(?i:a)", 0),
            ("(?<n>a)", 0),
            ("(?P<n>a)", 0),
            ("]", 0),
            ("a}", 1),
            ("a]b", 1),
            ("[[a]]", 1),
            ("[[:alpha:]]", 1),
            ("[a&&b]", 1),
            ("[a--b]", 1),
            ("[a~~b]", 1),
            ("[]a]", 1),
            ("[a-c-e]", 4),
            (r"\-", 0),
            (r"\#", 0),
            (r"\&", 0),
            (r"\_", 0),
            (r#"\""#, 0),
            (r"\a", 0),
            (r"\0", 0),
            (r"\x{41}", 0),
            (r"\U0001F600", 0),
            (r"\cA", 0),
            (r"\uD83D", 2),
            ("^*", 1),
            ("$+", 1),
            ("a**", 2),
            ("a++", 2),
            ("a{2}{3}", 4),
            ("a{,5}", 2),
            ("a{ 2 }", 1),
            ("a{2", 1),
            ("a{3,2}", 1),
            ("*", 0),
            ("(", 0),
            (")", 0),
            ("[a", 0),
            ("[z-a]", 1),
            ("x{1001}", 1),
            ("(?:x{40}){40}", 4),
        ] {
            let offset_of = check(pattern).map_err(|error| error.offset);
            assert_eq!(offset_of, Err(offset), "{pattern}");
        }
        assert!(check(&"x{1000}[^a]{1000}".repeat(20)).is_err());
    }
}
