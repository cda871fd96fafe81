//! Texts that fit a pattern, a format, a length.

use regex_syntax::hir::{Class, Hir, HirKind, Repetition};
use serde_json::Value;

use super::{place::Place, schemas::Schemas};

/// The longest text that is made.
pub(super) const MAX_LENGTH: usize = 128;
/// How many characters a pattern may ask for.
const MAX_PATTERN: usize = 512;

/// A character that takes two units in UTF-16 and four bytes in UTF-8.
pub(super) const ASTRAL: char = '\u{1f600}';

/// Texts for a place, the likeliest first; the `nth` of each kind.
pub(super) fn fitting(place: &Place<'_>, schemas: &Schemas<'_>, nth: usize) -> Vec<String> {
    let least = place.at_least("minLength").unwrap_or(0);
    let most = place.at_most("maxLength").unwrap_or(usize::MAX);
    let patterns: Vec<&str> = place.each("pattern").filter_map(Value::as_str).collect();
    let mut texts: Vec<String> = Vec::new();
    for format in place.each("format").filter_map(Value::as_str) {
        texts.extend(of_format(format, nth));
    }
    for pattern in &patterns {
        for more in [nth, nth + 1, nth + least.min(MAX_LENGTH), nth + 3] {
            texts.extend(of_pattern(pattern, more));
        }
    }
    texts.extend(plain(least, most, nth));
    texts.extend(plain(least, most, nth.saturating_add(7)));
    texts.push(String::new());
    let (mut good, rest): (Vec<String>, Vec<String>) = texts.into_iter().partition(|text| {
        let length = text.chars().count();
        (least..=most).contains(&length) && patterns.iter().all(|p| schemas.fits(p, text))
    });
    good.extend(rest);
    let mut seen = std::collections::HashSet::new();
    good.retain(|text| seen.insert(text.clone()));
    good
}

/// A word of an allowed length.
fn plain(least: usize, most: usize, nth: usize) -> Option<String> {
    if least > 1 << 16 || least > most {
        return None;
    }
    let mut text = if nth == 0 {
        "text".to_owned()
    } else {
        format!("{nth}text")
    };
    while text.len() < least {
        text.push('x');
    }
    text.truncate(most);
    Some(text)
}

/// A text of exactly `length` characters.
pub(super) fn of_length(length: usize) -> String {
    "abcdefghij".chars().cycle().take(length).collect()
}

/// A text that `pattern` fits; each repetition `more` times beyond what it must be. None for a
/// pattern that has no linear reading.
pub(super) fn of_pattern(pattern: &str, more: usize) -> Option<String> {
    let hir = regex_syntax::ParserBuilder::new()
        .nest_limit(60)
        .build()
        .parse(pattern)
        .ok()?;
    let mut out = String::new();
    write(&hir, more, &mut out).then_some(out)
}

/// Recursion is bounded by the nest limit of the parser.
fn write(hir: &Hir, more: usize, out: &mut String) -> bool {
    if out.len() > MAX_PATTERN {
        return false;
    }
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => true,
        HirKind::Literal(literal) => match std::str::from_utf8(&literal.0) {
            Ok(text) => {
                out.push_str(text);
                true
            }
            Err(_) => false,
        },
        HirKind::Class(class) => match member(class, more) {
            Some(c) => {
                out.push(c);
                true
            }
            None => false,
        },
        HirKind::Repetition(Repetition { min, max, sub, .. }) => {
            let more = u32::try_from(more).unwrap_or(u32::MAX);
            let times = min.saturating_add(more).min(max.unwrap_or(u32::MAX));
            (0..times).all(|_| write(sub, 0, out))
        }
        HirKind::Capture(capture) => write(&capture.sub, more, out),
        HirKind::Concat(parts) => parts.iter().all(|part| write(part, more, out)),
        HirKind::Alternation(parts) => {
            let nth = more.checked_rem(parts.len()).unwrap_or(0);
            parts.get(nth).is_some_and(|part| write(part, 0, out))
        }
    }
}

/// A character of a class: a letter or digit where it has one.
fn member(class: &Class, nth: usize) -> Option<char> {
    let ranges: Vec<(u32, u32)> = match class {
        Class::Unicode(class) => class
            .iter()
            .map(|range| (range.start().into(), range.end().into()))
            .collect(),
        Class::Bytes(class) => class
            .iter()
            .map(|range| (range.start().into(), range.end().into()))
            .collect(),
    };
    let has = |c: char| {
        let code = u32::from(c);
        ranges
            .iter()
            .any(|(start, end)| (*start..=*end).contains(&code))
    };
    let readable: Vec<char> = ('a'..='z')
        .chain('A'..='Z')
        .chain('0'..='9')
        .chain('!'..='~')
        .filter(|c| has(*c))
        .collect();
    let nth = nth.checked_rem(readable.len()).unwrap_or(0);
    let first = || ranges.first().and_then(|(start, _)| char::from_u32(*start));
    readable.get(nth).copied().or_else(first)
}

/// A text of a standard format.
pub(super) fn of_format(format: &str, nth: usize) -> Option<String> {
    let day = nth % 28 + 1;
    Some(match format {
        "date-time" => format!("2024-05-{day:02}T07:08:09Z"),
        "date" => format!("2024-05-{day:02}"),
        "time" => format!("07:08:{day:02}Z"),
        "duration" => format!("P{day}D"),
        "email" | "idn-email" => format!("user{nth}@example.com"),
        "hostname" | "idn-hostname" => format!("host{nth}.example.com"),
        "ipv4" => format!("192.0.2.{day}"),
        "ipv6" => format!("2001:db8::{day}"),
        "uri" | "uri-reference" | "iri" | "iri-reference" | "url" => {
            format!("https://example.com/{nth}")
        }
        "uuid" => format!("00000000-0000-4000-8000-{nth:012}"),
        "uri-template" => format!("https://example.com/{{id}}/{nth}"),
        "json-pointer" => format!("/items/{nth}"),
        "relative-json-pointer" => format!("{nth}/items"),
        "regex" => format!("^a{{{day}}}$"),
        _ => return None,
    })
}

/// A text that is nearly of a standard format.
pub(super) fn not_of_format(format: &str) -> Option<&'static str> {
    Some(match format {
        "date-time" => "2024-05-06 07:08",
        "date" => "2024-02-30",
        "time" => "25:00:00Z",
        "duration" => "1 day",
        "email" | "idn-email" => "user at example.com",
        "hostname" | "idn-hostname" => "-host-.example.com",
        "ipv4" => "192.0.2.256",
        "ipv6" => "2001:db8:::1",
        "uri" | "iri" | "url" => "no uri",
        "uri-reference" | "iri-reference" => "\\\\host\\path",
        "uuid" => "00000000-0000-4000-8000-00000000000",
        "uri-template" => "https://example.com/{id",
        "json-pointer" => "items/0",
        "relative-json-pointer" => "/items",
        "regex" => "(a",
        _ => return None,
    })
}
