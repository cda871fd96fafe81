//! Tests that compare a path as it is spelled. `./notes.md` and `a/../notes.md` lead to `notes.md`
//! and are other texts, so a rule that stops one is passed by the other. `glob` reads a path as
//! what it leads to.
//!
//! Told where another spelling lets a call through: a denial or a question that misses it, a grant
//! that negates the test, and every grant of what begins with a text, since `src/../x` begins with
//! `src/`. A grant for one exact spelling only grants less.

use std::sync::Arc;

use serde_json::Value;
use toolcontract_manifest::fault::quote;

use super::{
    super::{
        condition::{Condition, Leaf},
        fault::{self, Faults},
        pointer::Part,
        rule::{Effect, Rule},
        test::Test,
    },
    field,
    tools::{Tool, Tools},
};

/// Words that, last in the name of an argument, say that it is a path.
const WORDS: [&str; 13] = [
    "path",
    "paths",
    "file",
    "files",
    "filename",
    "filepath",
    "dir",
    "dirs",
    "directory",
    "folder",
    "folders",
    "cwd",
    "workdir",
];
/// Formats of strings that are paths.
const FORMATS: [&str; 3] = ["path", "file-path", "directory-path"];

pub(super) fn check(rule: &Rule, about: &[usize], tools: &mut Tools<'_>, faults: &mut Faults<'_>) {
    let Some(when) = &rule.when else { return };
    let mut passed = Vec::new();
    collect(when, rule.effect != Effect::Allow, &mut passed);
    if passed.is_empty() {
        return;
    }
    let tools = tools.at(about);
    for leaf in passed {
        if !is_path(leaf, &tools) {
            continue;
        }
        let pointer = quote(&leaf.pointer.text);
        faults.at(
            &leaf.place,
            fault::PATH_AS_TEXT,
            format!("{pointer} is a path, and another spelling of it passes this test"),
            instead(&leaf.test),
        );
    }
}

/// The tests that another spelling gets past. `stops`: the rule, or the part of it, lets a call
/// through where the test does not hold. Nests no deeper than a file may.
fn collect<'p>(when: &'p Condition, stops: bool, passed: &mut Vec<&'p Leaf>) {
    match when {
        Condition::All(parts) | Condition::Any(parts) => {
            parts.iter().for_each(|part| collect(part, stops, passed));
        }
        Condition::Not(inner) => collect(inner, !stops, passed),
        Condition::Leaf(leaf) => match &leaf.test {
            Test::Prefix(_) => passed.push(leaf),
            Test::OneOf(values) if stops && values.iter().any(Value::is_string) => {
                passed.push(leaf);
            }
            Test::OneOf(_) | Test::Glob(_) | Test::Less(_) | Test::Greater(_) | Test::Exists(_) => {
            }
        },
    }
}

/// Whether the name of the argument, or the schema of a tool, says that it is a path. What none of
/// the tools has is another finding.
fn is_path(leaf: &Leaf, tools: &[Arc<Tool<'_>>]) -> bool {
    let places = |tool: &Arc<Tool<'_>>| {
        let places = field::places(&tool.schema, &leaf.pointer).into_iter();
        places
            .map(|place| {
                place
                    .get("format")
                    .and_then(Value::as_str)
                    .map(str::to_owned)
            })
            .collect::<Vec<_>>()
    };
    let formats: Vec<Option<String>> = tools.iter().flat_map(places).collect();
    if formats.is_empty() && !tools.is_empty() {
        return false;
    }
    let names = leaf.pointer.parts.iter().rev();
    let name = names.into_iter().find_map(|part| match part {
        Part::Key(key) => Some(key.as_str()),
        Part::Items => None,
    });
    let is_format = |format: &String| FORMATS.contains(&format.as_str());
    name.is_some_and(names_a_path) || formats.iter().flatten().any(is_format)
}

/// `filePath`, `target_dir` and `path` are names of paths.
fn names_a_path(name: &str) -> bool {
    let start = name.char_indices().rev().find_map(|(at, c)| match c {
        '_' | '-' | '.' => Some(at + c.len_utf8()),
        c if c.is_ascii_uppercase() => Some(at),
        _ => None,
    });
    let last = name.get(start.unwrap_or_default()..).unwrap_or_default();
    let whole = name.to_ascii_lowercase();
    let last = last.to_ascii_lowercase();
    WORDS.iter().any(|word| *word == last || *word == whole)
}

/// The test that reads a path as what it leads to.
fn instead(test: &Test) -> String {
    const READS: &str = "`glob` reads a path as what it leads to";
    match test {
        Test::Prefix(prefix) if prefix.ends_with('/') => {
            format!("{READS}: write glob = {:?}", format!("{prefix}**"))
        }
        Test::Prefix(prefix) => {
            format!(
                "{READS}: write glob = {:?}, or {:?} for a folder",
                format!("{prefix}*"),
                format!("{prefix}/**")
            )
        }
        Test::OneOf(values) => match values.as_slice() {
            [Value::String(only)] => format!("{READS}: write glob = {only:?}"),
            _ => {
                format!("{READS}: write one `glob` for each value and put them together with `any`")
            }
        },
        Test::Glob(_) | Test::Less(_) | Test::Greater(_) | Test::Exists(_) => READS.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::names_a_path;

    #[test]
    fn names_say_what_is_a_path() {
        for name in [
            "path",
            "paths",
            "file_path",
            "filePath",
            "target-dir",
            "cwd",
            "FILE",
        ] {
            assert!(names_a_path(name), "{name}");
        }
        for name in [
            "pathology",
            "profile",
            "url",
            "name",
            "path_kind",
            "",
            "é_x",
        ] {
            assert!(!names_a_path(name), "{name}");
        }
    }
}
