//! One table of spellings: a wire name and what it is called in Rust, TypeScript and files.
//!
//! Names are allocated over a whole scope in the author's order, so appending changes no other
//! name. A name that is taken, also when only case differs, gets the next free number.

use std::collections::BTreeSet;

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

/// The words of a name: split where case changes and at everything that is no letter or digit.
#[must_use]
pub fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let chars: Vec<char> = name.chars().collect();
    for (i, &c) in chars.iter().enumerate() {
        if !c.is_alphanumeric() {
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            continue;
        }
        let before = i.checked_sub(1).and_then(|p| chars.get(p));
        let after = chars.get(i + 1);
        let starts = c.is_uppercase()
            && (before.is_some_and(|b| b.is_lowercase() || b.is_numeric())
                || (before.is_some_and(|b| b.is_uppercase())
                    && after.is_some_and(|a| a.is_lowercase())));
        if starts && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        word.extend(c.to_lowercase());
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars
        .next()
        .map(|first| first.to_uppercase().chain(chars).collect())
        .unwrap_or_default()
}

/// `read_file` as `ReadFile`. Empty when the name has no letter or digit.
#[must_use]
pub fn pascal(name: &str) -> String {
    words(name).iter().map(|w| capital(w)).collect()
}

/// `readFile` as `read_file`. Empty when the name has no letter or digit.
#[must_use]
pub fn snake(name: &str) -> String {
    words(name).join("_")
}

/// `read_file` as `readFile`. Empty when the name has no letter or digit.
#[must_use]
pub fn camel(name: &str) -> String {
    words(name)
        .iter()
        .enumerate()
        .map(|(i, w)| if i == 0 { w.clone() } else { capital(w) })
        .collect()
}

/// The names of one scope.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    taken: BTreeSet<String>,
}

impl Scope {
    /// A scope in which `reserved` may not be used.
    #[must_use]
    pub fn with_reserved<'a>(reserved: impl IntoIterator<Item = &'a str>) -> Self {
        Self {
            taken: reserved.into_iter().map(str::to_lowercase).collect(),
        }
    }

    /// `preferred`, or with the first free number from 2 behind it. `separator` stands before the number.
    pub fn allocate(&mut self, preferred: &str, separator: &str) -> String {
        let mut name = preferred.to_owned();
        let mut number = 2;
        while !self.taken.insert(name.to_lowercase()) {
            name = format!("{preferred}{separator}{number}");
            number += 1;
        }
        name
    }
}
