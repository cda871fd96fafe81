//! One table of spellings: a wire name and what it is called in Rust, TypeScript and files.
//!
//! Names are allocated over a whole scope in the author's order, so appending changes no other
//! name. A name that is taken, also when only case differs, gets the next free number.

use std::collections::{BTreeMap, BTreeSet};

use unicode_normalization::UnicodeNormalization as _;

/// The spellings of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolNames {
    /// Rust module and file stems: `read_file`.
    pub module: String,
    /// Prefix of type names: `ReadFile`.
    pub pascal: String,
    /// TypeScript values: `readFile`.
    pub camel: String,
}

/// The spellings of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventNames {
    /// Rust module and file stem: `file_created`.
    pub module: String,
    /// Type name: `FileCreated`.
    pub pascal: String,
}

/// The words of a name, in lower case: split where case changes and at everything that cannot stand
/// in an identifier. A name of symbols alone is spelled out (`>=` is `greater`, `equal`), so that
/// only the empty name has no words.
///
/// Letters of every script stay as they are, in normalization form C, in which compilers compare
/// identifiers.
#[must_use]
pub fn words(name: &str) -> Vec<String> {
    let composed: String = name.nfc().collect();
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut chars = composed.chars().peekable();
    let mut before = None;
    while let Some(c) = chars.next() {
        if !unicode_ident::is_xid_continue(c) || c == '_' {
            words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
            before = None;
            continue;
        }
        let starts = c.is_uppercase()
            && before.is_some_and(|b: char| {
                b.is_lowercase()
                    || b.is_numeric()
                    || (b.is_uppercase() && chars.peek().is_some_and(|after| after.is_lowercase()))
            });
        if starts && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        word.extend(c.to_lowercase());
        before = Some(c);
    }
    words.extend((!word.is_empty()).then_some(word));
    if words.is_empty() {
        words.extend(composed.chars().map(spelled_out));
    }
    words
}

/// What to call a character that cannot stand in an identifier.
fn spelled_out(c: char) -> String {
    let word = match c {
        '<' => "less",
        '>' => "greater",
        '=' => "equal",
        '!' => "not",
        '+' => "plus",
        '-' => "minus",
        '*' => "star",
        '/' => "slash",
        '\\' => "backslash",
        '%' => "percent",
        '&' => "and",
        '|' => "or",
        '^' => "caret",
        '~' => "tilde",
        '.' => "dot",
        ',' => "comma",
        ':' => "colon",
        ';' => "semicolon",
        '?' => "question",
        '@' => "at",
        '#' => "hash",
        '$' => "dollar",
        '_' => "underscore",
        ' ' => "space",
        _ => return format!("u{:x}", u32::from(c)),
    };
    word.to_owned()
}

/// `word` with its first letter as a capital.
pub(crate) fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars
        .next()
        .map(|first| first.to_uppercase().chain(chars).collect())
        .unwrap_or_default()
}

/// Joins words without a gap, but keeps digits apart: `v1.0` is not `v10`.
fn joined(words: impl Iterator<Item = String>) -> String {
    let mut name = String::new();
    for word in words {
        if name.ends_with(|c: char| c.is_ascii_digit())
            && word.starts_with(|c: char| c.is_ascii_digit())
        {
            name.push('_');
        }
        name.push_str(&word);
    }
    name
}

/// `read_file` as `ReadFile`. Empty only for the empty name; may start with a digit.
#[must_use]
pub fn pascal(name: &str) -> String {
    joined(words(name).iter().map(|word| capital(word)))
}

/// `readFile` as `read_file`. Empty only for the empty name; may start with a digit.
#[must_use]
pub fn snake(name: &str) -> String {
    words(name).join("_")
}

/// `read_file` as `readFile`. Empty only for the empty name; may start with a digit.
#[must_use]
pub fn camel(name: &str) -> String {
    let words = words(name).into_iter().enumerate();
    joined(words.map(|(at, word)| if at == 0 { word } else { capital(&word) }))
}

/// What one of several is called: `entries` as `entry`, `matches` as `match`. None when the name
/// is no English plural.
#[must_use]
pub fn singular(name: &str) -> Option<String> {
    let stem = |ending: &str, put: &str| {
        let stem = name.strip_suffix(ending)?;
        (!stem.is_empty()).then(|| format!("{stem}{put}"))
    };
    let singular = ["ss", "us", "is", "as", "series", "species", "news"];
    if singular.iter().any(|ending| name.ends_with(ending)) {
        return None;
    }
    stem("ies", "y")
        .or_else(|| stem("aches", "ache"))
        .or_else(|| stem("ches", "ch"))
        .or_else(|| stem("shes", "sh"))
        .or_else(|| stem("sses", "ss"))
        .or_else(|| stem("xes", "x"))
        .or_else(|| stem("tuses", "tus"))
        .or_else(|| stem("s", ""))
}

/// The names of one scope.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    taken: BTreeSet<String>,
    /// The number to try next, by name.
    next: BTreeMap<String, usize>,
}

impl Scope {
    /// A scope in which `reserved` may not be used.
    #[must_use]
    pub fn with_reserved<'a>(reserved: impl IntoIterator<Item = &'a str>) -> Self {
        Self {
            taken: reserved.into_iter().map(str::to_lowercase).collect(),
            next: BTreeMap::new(),
        }
    }

    /// `preferred`, or with the first free number from 2 behind it. `separator` stands before the
    /// number, and so does `_` where the number would run into a digit; a `_` at the end makes
    /// room for it.
    pub fn allocate(&mut self, preferred: &str, separator: &str) -> String {
        let stem = preferred.trim_end_matches('_');
        let separator = if stem.ends_with(|c: char| c.is_ascii_digit()) {
            "_"
        } else {
            separator
        };
        let mut name = preferred.to_owned();
        let number = self.next.entry(preferred.to_lowercase()).or_insert(2);
        while !self.taken.insert(name.to_lowercase()) {
            name = format!("{stem}{separator}{number}");
            *number += 1;
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_into_words() {
        for (name, expected) in [
            ("read_file", "read_file"),
            ("readFile", "read_file"),
            ("HTTPServer2Go", "http_server2_go"),
            ("v1.0", "v1_0"),
            ("e\u{301}t\u{e9}", "\u{e9}t\u{e9}"),
            ("\u{540d}\u{524d}", "\u{540d}\u{524d}"),
            ("x\u{b2}", "x"),
            (">=", "greater_equal"),
            ("_", "underscore"),
            ("\u{1f600}", "u1f600"),
            ("", ""),
        ] {
            assert_eq!(snake(name), expected, "{name}");
        }
        assert_eq!(pascal("v1.0"), "V1_0");
        assert_eq!(pascal("v10"), "V10");
        assert_eq!(camel("ReadFile"), "readFile");
    }

    #[test]
    fn one_of_many_has_a_name() {
        for (many, one) in [
            ("entries", "entry"),
            ("matches", "match"),
            ("caches", "cache"),
            ("files", "file"),
            ("databases", "database"),
            ("addresses", "address"),
            ("statuses", "status"),
            ("boxes", "box"),
            ("sizes", "size"),
        ] {
            assert_eq!(singular(many).as_deref(), Some(one));
        }
        for one in ["status", "series", "data", "s", ""] {
            assert_eq!(singular(one), None);
        }
    }

    #[test]
    fn a_scope_gives_each_name_once() {
        let mut scope = Scope::with_reserved(["Input"]);
        assert_eq!(scope.allocate("input", ""), "input2");
        assert_eq!(scope.allocate("port", "_"), "port");
        assert_eq!(scope.allocate("Port", "_"), "Port_2");
        assert_eq!(scope.allocate("V10", ""), "V10");
        assert_eq!(scope.allocate("V10", ""), "V10_2");
    }
}
