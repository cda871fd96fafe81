//! Names the keys of a manifest that differ from what the lock stands for: the manifest as git has
//! it. Says nothing where git has no manifest that belongs to the lock's entry.

use std::{cell::OnceCell, path::Path};

use serde_json::Value;
use toolcontract_manifest::parse::{Syntax, parse};

use crate::{
    git,
    model::{
        Lock, Tool,
        lock::{LockedTool, OUTSIDE, PATH},
    },
};

/// How many keys are named.
const NAMED: usize = 4;
/// Of how many tools in one run: each asks git a few times.
const MAX_TOOLS: usize = 20;

/// What git has of a project at the revision that its contracts are compared with.
pub(super) struct Committed<'a> {
    root: &'a Path,
    revision: &'a str,
    /// Read when first asked for; none where git has no lock that can be read.
    lock: OnceCell<Option<Lock>>,
    asked: usize,
}

impl<'a> Committed<'a> {
    /// At `revision`, or at the last commit.
    pub(super) fn new(root: &'a Path, revision: Option<&'a str>) -> Self {
        Self {
            root,
            revision: revision.unwrap_or("HEAD"),
            lock: OnceCell::new(),
            asked: 0,
        }
    }

    /// The keys of `tool` that differ from the manifest that `locked` stands for, as a sentence
    /// names them.
    pub(super) fn changed(&mut self, tool: &Tool, locked: &LockedTool) -> Option<String> {
        self.asked += 1;
        if self.asked > MAX_TOOLS || self.entry(&tool.manifest.name)? != locked {
            return None;
        }
        let path = &tool.document.path;
        let bytes = git::show(self.root, self.revision, path).ok()??;
        let before = parse(path, Syntax::of_path(path)?, &bytes);
        let (before, now) = (before.document.root.to_json(), tool.document.root.to_json());
        let mut found = Vec::new();
        compare(&before, &now, &mut Vec::new(), &mut found);
        let mut schemas = std::iter::once(&tool.input).chain(&tool.output);
        match found.as_slice() {
            [] if schemas.any(|schema| !schema.normal.shared.is_empty()) => {
                Some("a type that it names".to_owned())
            }
            [] => None,
            found => Some(sentence(found)),
        }
    }

    fn entry(&self, tool: &str) -> Option<&LockedTool> {
        let read = || {
            let bytes = git::show(self.root, self.revision, PATH).ok()??;
            Lock::parse(&String::from_utf8_lossy(&bytes)).ok()
        };
        self.lock.get_or_init(read).as_ref()?.tools.get(tool)
    }
}

fn sentence(found: &[String]) -> String {
    let named: Vec<String> = found
        .iter()
        .take(NAMED)
        .map(|key| format!("`{}`", key.escape_debug()))
        .collect();
    match found.len().saturating_sub(named.len()) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

/// Collects where two values differ, as deep as only one member differs in kind. Bounded by the
/// nesting of a manifest.
fn compare<'v>(before: &'v Value, now: &'v Value, at: &mut Vec<&'v str>, found: &mut Vec<String>) {
    let (Value::Object(old), Value::Object(new)) = (before, now) else {
        if before != now {
            found.push(at.join("."));
        }
        return;
    };
    let counts = |name: &str, depth: usize| depth > 0 || !OUTSIDE.contains(&name);
    let depth = at.len();
    let gone = old.keys().filter(|name| !new.contains_key(*name));
    for name in new.keys().chain(gone).filter(|name| counts(name, depth)) {
        at.push(name);
        match (old.get(name), new.get(name)) {
            (Some(before), Some(now)) => compare(before, now, at, found),
            _ => found.push(at.join(".")),
        }
        at.pop();
    }
    // Models see the order of properties.
    if depth > 0 && old == new && !old.keys().eq(new.keys()) {
        found.push(format!("{} (order)", at.join(".")));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(before: Value, now: Value, expected: &[&str]) {
        let mut found = Vec::new();
        compare(&before, &now, &mut Vec::new(), &mut found);
        assert_eq!(found, expected);
    }

    #[test]
    fn keys_are_named_where_they_differ() {
        let schema = |most: u32| json!({ "properties": { "limit": { "type": "integer", "maximum": most } } });
        check(
            json!({ "name": "a", "input_schema": schema(5), "risk": "low" }),
            json!({ "name": "a", "input_schema": schema(6), "group": "file" }),
            &["input_schema.properties.limit.maximum", "group", "risk"],
        );
        check(
            json!({ "events": ["a"] }),
            json!({ "events": ["b"] }),
            &["events"],
        );
    }

    #[test]
    fn what_is_no_part_of_the_contract_is_not_named() {
        let manifest = |text: &str| json!({ "version": 1, "examples": [text], "allow": [text] });
        check(manifest("a"), manifest("b"), &[]);
        check(
            json!({ "oxagen": { "allow": 1 } }),
            json!({ "oxagen": { "allow": 2 } }),
            &["oxagen.allow"],
        );
    }

    #[test]
    fn the_order_of_properties_is_named() {
        check(
            json!({ "input_schema": { "properties": { "a": {}, "b": {} } } }),
            json!({ "input_schema": { "properties": { "b": {}, "a": {} } } }),
            &["input_schema.properties (order)"],
        );
        check(
            json!({ "name": "a", "risk": "low" }),
            json!({ "risk": "low", "name": "a" }),
            &[],
        );
    }

    #[test]
    fn only_the_first_few_are_named() {
        let keys: Vec<String> = ["a", "b", "c", "d", "e", "f"].map(str::to_owned).into();
        assert_eq!(sentence(&keys), "`a`, `b`, `c`, `d` and 2 more");
        assert_eq!(sentence(&keys[..1]), "`a`");
    }
}
