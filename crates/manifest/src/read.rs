//! One file to one value: parse, check the shape, decode. Knows no other file.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use toolcontract_protocol::Manifest;
use toolcontract_schema::pointer::join;

use crate::{
    diagnostic::{Diagnostic, has_error, sort},
    document::Document,
    fault, kind,
    parse::{Syntax, parse},
    reference::Reference,
    shape::{self, Shape},
    source::{Source, stem},
};

/// A value and the file that it was read from.
#[derive(Debug, Clone)]
pub struct Loaded<T> {
    /// The value.
    pub value: T,
    /// The file.
    pub document: Arc<Document>,
}

/// What became of one file.
#[derive(Debug)]
pub(crate) struct Read<T> {
    pub(crate) document: Arc<Document>,
    /// The references that its schemas hold.
    pub(crate) references: Vec<Reference>,
    /// The value, when nothing is wrong with the file.
    pub(crate) value: Option<T>,
    pub(crate) findings: Vec<Diagnostic>,
}

impl<T> Read<T> {
    pub(crate) fn loaded(self) -> Option<Loaded<T>> {
        let document = self.document;
        self.value.map(|value| Loaded { value, document })
    }
}

/// Reads the manifest of one tool that lies outside a project, such as a user-written script
/// tool. Its file may have any name; the end of the path says TOML or JSON.
///
/// Gives the manifest when nothing is wrong with it, and all findings in any case.
#[must_use]
pub fn read_tool(source: &Source) -> (Option<Loaded<Manifest>>, Vec<Diagnostic>) {
    let nothing = &|_: &Value| Vec::new();
    let mut read = read::<Manifest>(source, &shape::TOOL, &mut kind::check, nothing);
    let mut findings = std::mem::take(&mut read.findings);
    sort(&mut findings);
    (read.loaded(), findings)
}

/// Reads a file of another kind than manifests, whose shape is the JSON Schema that `T` derives.
/// Its findings are those that a manifest would have. The end of the path says TOML or JSON.
///
/// Gives the value when nothing is wrong with the file, and all findings in any case.
#[must_use]
pub fn read_as<T: DeserializeOwned + JsonSchema>(
    source: &Source,
) -> (Option<Loaded<T>>, Vec<Diagnostic>) {
    let nothing = &|_: &Value| Vec::new();
    let mut read = read::<T>(source, &Shape::of::<T>(), &mut |_, _| {}, nothing);
    let mut findings = std::mem::take(&mut read.findings);
    sort(&mut findings);
    (read.loaded(), findings)
}

/// Reads a file of `T`s, with `more` faults beside those of its shape, and the `references` that its
/// value holds.
pub(crate) fn read<T: DeserializeOwned>(
    source: &Source,
    shape: &Shape,
    more: &mut dyn FnMut(&Arc<Document>, &mut Vec<Diagnostic>),
    references: &dyn Fn(&Value) -> Vec<Reference>,
) -> Read<T> {
    let syntax = Syntax::of_path(&source.path).unwrap_or(Syntax::Toml);
    let parsed = parse(&source.path, syntax, &source.bytes);
    let (document, mut findings) = (parsed.document, parsed.findings);
    if !parsed.readable {
        return Read {
            document,
            references: Vec::new(),
            value: None,
            findings,
        };
    }
    let json = document.root.to_json();
    let unreadable: Vec<_> = findings.iter().map(|f| f.span.clone()).collect();
    let shape_faults = shape.check(&document, &json).into_iter();
    // A value that is no JSON is reported once, not for its type as well.
    findings.extend(shape_faults.filter(|f| !unreadable.contains(&f.span)));
    if document.root.is_object() {
        more(&document, &mut findings);
    }
    let references = references(&json);
    let value = if has_error(&findings) {
        None
    } else {
        decode(json, &document, &mut findings)
    };
    Read {
        document,
        references,
        value,
        findings,
    }
}

/// Serde has the last word: what the shape let through and the struct refuses is a finding too.
fn decode<T: DeserializeOwned>(
    json: Value,
    document: &Arc<Document>,
    findings: &mut Vec<Diagnostic>,
) -> Option<T> {
    if let Ok(value) = T::deserialize(json) {
        return Some(value);
    }
    // Once more, slowly: to know where it stopped.
    match serde_path_to_error::deserialize(document.root.to_json()) {
        Ok(value) => Some(value),
        Err(error) => {
            let pointer = pointer_of(error.path());
            let message = error.inner().to_string();
            let what = shape::name(&pointer);
            let span = document.span(&pointer);
            findings.push(fault::invalid_value(document, span, &what, &message));
            None
        }
    }
}

fn pointer_of(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;
    path.iter()
        .fold(String::new(), |pointer, segment| match segment {
            Segment::Seq { index } => join(&pointer, &index.to_string()),
            Segment::Map { key } => join(&pointer, key),
            Segment::Enum { variant } => join(&pointer, variant),
            Segment::Unknown => pointer,
        })
}

/// Reports a name that is not the name of its file.
pub(crate) fn check_name(document: &Arc<Document>, findings: &mut Vec<Diagnostic>) {
    let stem = stem(&document.path);
    let name = document.root.member("name").and_then(|m| m.node.as_str());
    if let Some(name) = name.filter(|name| *name != stem) {
        findings.push(fault::name_differs_from_file(document, name, stem));
    }
}
