//! Rewrites file references and collects what they name, file by file.

use serde_json::{Map, Value};

use super::{Bundle, BundleError, Resolve, reference::FileRef};
use crate::{
    names::Names,
    pointer,
    resource::{Index, Unresolved},
    vocabulary::Dialect,
    walk::{each, references, walk, walk_mut},
};

pub(super) struct Work<'a> {
    files: &'a dyn Resolve,
    /// The path of the root, where the root is a file.
    path: Option<&'a str>,
    names: Names,
    /// One for each target, in the order of first use.
    entries: Vec<Entry>,
    errors: Vec<BundleError>,
}

#[derive(Clone)]
struct Entry {
    target: FileRef,
    name: String,
    /// Pointer of the `$ref` in the root that led here first.
    origin: String,
    /// The reference that led here first, as written.
    written: String,
}

impl<'a> Work<'a> {
    pub(super) fn new(files: &'a dyn Resolve, path: Option<&'a str>) -> Self {
        Self {
            files,
            path,
            names: Names::default(),
            entries: Vec::new(),
            errors: Vec::new(),
        }
    }

    pub(super) fn run(mut self, schema: &Value) -> Result<Bundle, Vec<BundleError>> {
        for keyword in ["$defs", "definitions"] {
            if let Some(Value::Object(own)) = schema.get(keyword) {
                own.keys().for_each(|name| self.names.reserve(name));
            }
        }
        let mut root = schema.clone();
        self.rewrite_root(&mut root);
        let mut defs = Map::new();
        // Entries grow while they are rewritten: each may name further files.
        while let Some(entry) = self.entries.get(defs.len()).cloned() {
            let content = self.content(&entry);
            defs.insert(entry.name, content);
        }
        self.refuse_empty_cycles(&defs);
        self.attach(&mut root, defs);
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        let shared = self
            .entries
            .into_iter()
            .map(|entry| (entry.name, entry.target.canonical()))
            .collect();
        Ok(Bundle {
            schema: root,
            shared,
        })
    }

    /// Points the file references of the root at `$defs`.
    fn rewrite_root(&mut self, root: &mut Value) {
        let dialect = dialect_of(root);
        let index = Index::new(root, dialect);
        let mut changes = Vec::new();
        walk(root, &mut |place, node| {
            for (keyword, reference) in references(node) {
                let leaves = matches!(
                    index.resolve(place, reference),
                    Err(Unresolved::Outside | Unresolved::Malformed)
                );
                if reference.starts_with('#') || !leaves {
                    continue;
                }
                let at = pointer::join(place, keyword);
                let legal = if index.is_named(place) {
                    Err(
                        "inside a schema with a `$id` the reference is a URI, and no other document is ever read",
                    )
                } else if dialect != Dialect::Draft202012 {
                    Err("a shared schema is written in 2020-12, which this schema is not")
                } else if keyword != "$ref" {
                    Err("only `$ref` may name a file")
                } else {
                    FileRef::parse(reference)
                };
                match legal {
                    Ok(target) => changes.push((at, reference.to_owned(), target)),
                    Err(reason) => self.errors.push(BundleError {
                        pointer: at,
                        reference: reference.to_owned(),
                        file: None,
                        reason,
                    }),
                }
            }
        });
        for (at, written, target) in changes {
            if let Some(local) = self.local(target, &at, &written, None)
                && let Some(place) = root.pointer_mut(&at)
            {
                *place = Value::String(local);
            }
        }
    }

    /// The content of an entry, its references pointed at `$defs` too.
    fn content(&mut self, entry: &Entry) -> Value {
        let mut content = self
            .files
            .resolve(&entry.target.path)
            .and_then(|file| file.pointer(&entry.target.pointer))
            .cloned()
            .unwrap_or(Value::Bool(true));
        // What its own references name becomes an entry; the rest of its `$defs` is not used.
        walk_mut(&mut content, &mut |node| {
            if let Value::Object(map) = node {
                map.shift_remove("$defs");
                map.shift_remove("definitions");
                map.shift_remove("$schema");
            }
        });
        let mut found = Vec::new();
        walk(&content, &mut |place, node| {
            for (keyword, reference) in references(node) {
                found.push((pointer::join(place, keyword), keyword, reference.to_owned()));
            }
        });
        for (at, keyword, reference) in found {
            let target = if keyword == "$ref" {
                Self::target_in(&entry.target.path, &reference)
            } else {
                Err("only `$ref` is understood in a shared schema")
            };
            let local = match target {
                Ok(target) => {
                    self.local(target, &entry.origin, &reference, Some(&entry.target.path))
                }
                Err(reason) => {
                    self.error(entry, &reference, reason);
                    None
                }
            };
            if let (Some(local), Some(place)) = (local, content.pointer_mut(&at)) {
                *place = Value::String(local);
            }
        }
        content
    }

    fn target_in(path: &str, reference: &str) -> Result<FileRef, &'static str> {
        match reference.strip_prefix('#') {
            None => FileRef::parse(reference),
            Some(fragment) => Ok(FileRef {
                path: path.to_owned(),
                pointer: pointer::from_fragment(fragment)
                    .ok_or("after `#` stands a JSON pointer, such as `#/$defs/cursor`")?,
            }),
        }
    }

    /// `#/$defs/NAME` of `target`, which becomes an entry when it is none yet.
    fn local(
        &mut self,
        target: FileRef,
        origin: &str,
        written: &str,
        file: Option<&str>,
    ) -> Option<String> {
        if let Some(entry) = self.entries.iter().find(|e| e.target == target) {
            return Some(defs_reference(&entry.name));
        }
        let reason = match self.files.resolve(&target.path) {
            None => Some("no shared schema has this path"),
            Some(whole) => match whole.pointer(&target.pointer) {
                None => Some("the shared schema has nothing at this place"),
                Some(Value::Object(_) | Value::Bool(_)) => declares_names(whole),
                Some(_) => Some("what stands there is no schema"),
            },
        };
        if let Some(reason) = reason {
            self.errors.push(BundleError {
                pointer: origin.to_owned(),
                reference: written.to_owned(),
                file: file.map(str::to_owned),
                reason,
            });
            return None;
        }
        if self.path == Some(target.path.as_str()) {
            return Some(pointer::to_reference(&target.pointer));
        }
        let name = self.names.allocate(&target.preferred_name());
        let local = defs_reference(&name);
        self.entries.push(Entry {
            target,
            name,
            origin: origin.to_owned(),
            written: written.to_owned(),
        });
        Some(local)
    }

    /// Refuses entries that are only references to each other.
    fn refuse_empty_cycles(&mut self, defs: &Map<String, Value>) {
        let next = |name: &str| {
            let reference = defs.get(name)?.get("$ref")?.as_str()?;
            self.entries
                .iter()
                .find(|e| defs_reference(&e.name) == reference)
        };
        let mut faults = Vec::new();
        for entry in &self.entries {
            let mut at = next(&entry.name);
            for _ in 0..self.entries.len() {
                match at {
                    Some(reached) if reached.name == entry.name => {
                        faults.push(entry.clone());
                        break;
                    }
                    Some(reached) => at = next(&reached.name),
                    None => break,
                }
            }
        }
        for entry in faults {
            let file = entry.target.path.clone();
            self.errors.push(BundleError {
                pointer: entry.origin,
                reference: entry.written,
                file: Some(file),
                reason: "the reference only leads back to itself",
            });
        }
    }

    fn attach(&mut self, root: &mut Value, defs: Map<String, Value>) {
        let Value::Object(map) = root else { return };
        if defs.is_empty() {
            return;
        }
        let own = map
            .entry("$defs")
            .or_insert_with(|| Value::Object(Map::new()));
        match own {
            Value::Object(own) => own.extend(defs),
            _ => self.errors.push(BundleError {
                pointer: "/$defs".to_owned(),
                reference: "$defs".to_owned(),
                file: None,
                reason: "definitions are an object",
            }),
        }
    }

    fn error(&mut self, entry: &Entry, reference: &str, reason: &'static str) {
        self.errors.push(BundleError {
            pointer: entry.origin.clone(),
            reference: reference.to_owned(),
            file: Some(entry.target.path.clone()),
            reason,
        });
    }
}

/// The dialect of a whole document; 2020-12 where it says none that is known.
fn dialect_of(root: &Value) -> Dialect {
    root.get("$schema")
        .and_then(Value::as_str)
        .and_then(Dialect::from_uri)
        .unwrap_or(Dialect::Draft202012)
}

/// Why a shared schema cannot be copied: it gives itself names that would be there twice.
fn declares_names(file: &Value) -> Option<&'static str> {
    let mut reason = None;
    each(file, &mut |node| {
        if ["$id", "$anchor", "$dynamicAnchor", "$recursiveAnchor"]
            .iter()
            .any(|keyword| node.get(keyword).is_some())
        {
            reason = Some("a shared schema is named by its path; remove its `$id` and anchors");
        }
        if let Some(dialect) = node.get("$schema")
            && dialect.as_str().and_then(Dialect::from_uri) != Some(Dialect::Draft202012)
        {
            reason = Some("a shared schema is written in 2020-12; remove its `$schema`");
        }
    });
    reason
}

fn defs_reference(name: &str) -> String {
    pointer::to_reference(&pointer::join("/$defs", name))
}
