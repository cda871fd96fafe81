//! The `$ref`s of a folder: each must name a file of `types/`, and following them must come to
//! an end before a property or an item is entered, or no validator could.
//!
//! Whether a JSON pointer or an anchor leads somewhere is judged where schemas are bundled.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use petgraph::{
    algo::kosaraju_scc,
    graph::{DiGraph, NodeIndex},
    visit::EdgeRef as _,
};
use serde_json::Value;
use toolcontract_schema::{
    pointer::{from_fragment, join, tokens},
    walk::walk,
};

use crate::{diagnostic::Diagnostic, document::Document, fault};

/// Every reference of a folder.
#[derive(Debug, Default)]
pub(crate) struct References {
    /// What may be named, by path relative to `manifests/`: `types/page.toml`.
    files: BTreeSet<String>,
    /// Sorted before use.
    references: Vec<Placed>,
}

/// A reference and the file that holds it.
type Placed = (Arc<Document>, Reference);

/// One `$ref`.
#[derive(Debug)]
pub(crate) struct Reference {
    /// Pointer of the `$ref` into the document.
    at: String,
    /// As it is written.
    text: String,
    /// The schema that holds it.
    from: Place,
    /// The schema that it names; none where that is no JSON pointer.
    to: Option<Place>,
}

/// A schema: the resource that it stands in, and where. The resource of a shared schema is its
/// path, that of another one the path of its manifest and its key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    resource: String,
    pointer: String,
}

impl Reference {
    /// The file that it names; empty for its own.
    fn file(&self) -> &str {
        self.text
            .split_once('#')
            .map_or(&self.text, |(file, _)| file)
    }
}

/// The references of a shared schema, which others may name as `path`.
pub(crate) fn of_file(path: &str, json: &Value) -> Vec<Reference> {
    held(json, "", path)
}

/// The references of the schema that the manifest at `path` holds at `at`, if it is there.
pub(crate) fn of_schema(path: &str, json: &Value, at: &str) -> Vec<Reference> {
    json.pointer(at)
        .map_or_else(Vec::new, |schema| held(schema, at, &format!("{path}{at}")))
}

fn held(schema: &Value, at: &str, resource: &str) -> Vec<Reference> {
    let mut found = Vec::new();
    walk(schema, &mut |pointer, subschema| {
        let Some(text) = subschema.get("$ref").and_then(Value::as_str) else {
            return;
        };
        let (file, fragment) = text.split_once('#').unwrap_or((text, ""));
        let named = if file.is_empty() { resource } else { file };
        let place = |resource: &str, pointer: &str| Place {
            resource: resource.to_owned(),
            pointer: pointer.to_owned(),
        };
        found.push(Reference {
            at: join(&format!("{at}{pointer}"), "$ref"),
            text: text.to_owned(),
            from: place(resource, pointer),
            to: from_fragment(fragment).map(|pointer| place(named, &pointer)),
        });
    });
    found
}

impl References {
    /// Adds a shared schema, which others may name as `path`.
    pub(crate) fn add_file(&mut self, path: &str) {
        self.files.insert(path.to_owned());
    }

    /// Adds what a file holds.
    pub(crate) fn add(&mut self, document: &Arc<Document>, references: Vec<Reference>) {
        let of_document = references.into_iter();
        self.references
            .extend(of_document.map(|reference| (Arc::clone(document), reference)));
    }

    /// Reports every reference that names no file of the folder, and every one that never ends.
    pub(crate) fn check(mut self, findings: &mut Vec<Diagnostic>) {
        let files: Vec<&str> = self.files.iter().map(String::as_str).collect();
        for (document, reference) in &self.references {
            let span = document.span(&reference.at);
            let file = reference.file();
            if leaves(file) {
                let text = &reference.text;
                findings.push(fault::reference_leaves_manifests(document, span, text));
            } else if !file.is_empty() && !self.files.contains(file) {
                findings.push(fault::reference_to_missing_file(
                    document, span, file, &files,
                ));
            }
        }
        self.references
            .sort_by(|(_, a), (_, b)| a.from.cmp(&b.from));
        for (document, reference) in endless(&self.references) {
            findings.push(fault::reference_cycle(
                document,
                document.span(&reference.at),
                &reference.text,
            ));
        }
    }
}

/// Whether a file reference names the network, an absolute path or a folder above.
fn leaves(file: &str) -> bool {
    let scheme = file.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    });
    let above = file.split(['/', '\\']).any(|part| part == "..");
    scheme || above || file.starts_with(['/', '\\'])
}

/// The references on a circle of schemas that are all applied to one and the same value.
/// `references` are sorted by the schema that holds them.
fn endless(references: &[Placed]) -> Vec<&Placed> {
    let mut graph = DiGraph::<&Place, &Placed>::new();
    let nodes: BTreeMap<&Place, NodeIndex> = references
        .iter()
        .filter_map(|(_, r)| r.to.as_ref())
        .collect::<BTreeSet<_>>()
        .into_iter()
        .map(|place| (place, graph.add_node(place)))
        .collect();
    for (place, node) in &nodes {
        for reference in held_in_place(references, place) {
            if let Some(to) = reference.1.to.as_ref().and_then(|to| nodes.get(to)) {
                graph.add_edge(*node, *to, reference);
            }
        }
    }
    // Iterative, unlike Tarjan's: a chain of references may be long.
    let mut circle_of = vec![0; graph.node_count()];
    for (number, circle) in kosaraju_scc(&graph).iter().enumerate() {
        for node in circle {
            if let Some(slot) = circle_of.get_mut(node.index()) {
                *slot = number;
            }
        }
    }
    let circle = |node: NodeIndex| circle_of.get(node.index());
    graph
        .edge_references()
        .filter(|edge| circle(edge.source()) == circle(edge.target()))
        .map(|edge| *edge.weight())
        .collect()
}

/// The references that are applied to a value when the schema at `place` is.
fn held_in_place<'r>(references: &'r [Placed], place: &Place) -> impl Iterator<Item = &'r Placed> {
    let first = references.partition_point(|(_, r)| r.from < *place);
    references
        .get(first..)
        .unwrap_or_default()
        .iter()
        .take_while(|(_, r)| {
            r.from.resource == place.resource && r.from.pointer.starts_with(&place.pointer)
        })
        .filter(|(_, r)| {
            r.from
                .pointer
                .strip_prefix(&place.pointer)
                .is_some_and(is_in_place)
        })
}

/// Whether the subschema at this pointer is applied to the same value as the schema itself.
fn is_in_place(pointer: &str) -> bool {
    let Some(tokens) = tokens(pointer) else {
        return false;
    };
    let mut tokens = tokens.iter();
    while let Some(keyword) = tokens.next() {
        match keyword.as_ref() {
            "not" | "if" | "then" | "else" => {}
            "allOf" | "anyOf" | "oneOf" | "dependentSchemas" | "dependencies" => {
                tokens.next();
            }
            _ => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leaves_the_manifests() {
        for file in [
            "https://x.example/a",
            "file:a.toml",
            "../a.toml",
            "types/../../a",
            "/etc/a",
            "C:/a",
            "\\\\a",
        ] {
            assert!(leaves(file), "{file}");
        }
        for file in ["types/page.toml", "page.toml", "", "types/a..b.toml"] {
            assert!(!leaves(file), "{file}");
        }
    }

    #[test]
    fn what_is_applied_in_place() {
        for pointer in ["", "/allOf/0", "/if", "/dependentSchemas/a/oneOf/1/not"] {
            assert!(is_in_place(pointer), "{pointer}");
        }
        for pointer in ["/properties/a", "/items", "/allOf/0/items", "/$defs/a", "x"] {
            assert!(!is_in_place(pointer), "{pointer}");
        }
    }
}
