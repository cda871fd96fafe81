//! Where a reference leads inside one document: `$id` bases, anchors, JSON pointers.
//!
//! Nothing outside the document is ever looked at. Schemas under unknown keywords can be pointed
//! at but declare nothing.

use std::collections::BTreeMap;

use fluent_uri::{Uri, UriRef};
use serde_json::Value;

use crate::{pointer, vocabulary::Dialect, walk::walk};

/// The base of a document that names none; never seen outside this module.
const BASE: &str = "json-schema:///";

/// Every resource and anchor of one document.
#[derive(Debug)]
pub(crate) struct Index<'a> {
    root: &'a Value,
    /// URI without fragment to the pointer of the resource's root.
    resources: BTreeMap<String, String>,
    /// Pointer of a resource's root to its URI.
    bases: BTreeMap<String, Uri<String>>,
    /// Pointer of the resource's root and name to the anchor.
    anchors: BTreeMap<(String, String), Anchor>,
    /// What could not be indexed: place and reason.
    pub(crate) faults: Vec<(String, String)>,
}

#[derive(Debug, Clone)]
struct Anchor {
    pointer: String,
    dynamic: bool,
}

/// Where a reference leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    /// Pointer of the schema in the document.
    pub(crate) pointer: String,
    /// The name of the `$dynamicAnchor` that the reference named, if it named one.
    pub(crate) dynamic: Option<String>,
}

/// Why a reference leads nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unresolved {
    /// It is no URI reference.
    Malformed,
    /// It names another document.
    Outside,
    /// It names a place of the document that does not exist.
    Missing,
    /// What stands there is no schema.
    NotASchema,
}

impl Unresolved {
    pub(crate) fn reason(self) -> &'static str {
        match self {
            Self::Malformed => "the reference is not a URI reference",
            Self::Outside => {
                "the reference leaves the document, and no other document is ever read"
            }
            Self::Missing => "the reference names a place that does not exist",
            Self::NotASchema => "the reference names a value that is no schema",
        }
    }
}

impl<'a> Index<'a> {
    /// Indexes `root`, all of which is written in `dialect`.
    pub(crate) fn new(root: &'a Value, dialect: Dialect) -> Self {
        let mut index = Self {
            root,
            resources: BTreeMap::new(),
            bases: BTreeMap::new(),
            anchors: BTreeMap::new(),
            faults: Vec::new(),
        };
        if let Ok(base) = Uri::parse(BASE.to_owned()) {
            index.resources.insert(BASE.to_owned(), String::new());
            index.bases.insert(String::new(), base);
        }
        walk(root, &mut |place, node| index.add(place, node, dialect));
        index
    }

    fn add(&mut self, place: &str, node: &Value, dialect: Dialect) {
        let Value::Object(map) = node else { return };
        if dialect.ignores_siblings_of_ref() && map.contains_key("$ref") {
            return;
        }
        if let Some(Value::String(id)) = map.get(dialect.id_keyword()) {
            self.add_id(place, id, dialect);
        }
        if dialect >= Dialect::Draft201909 {
            if let Some(Value::String(name)) = map.get("$anchor") {
                self.add_anchor(place, name, false);
            }
            if let Some(Value::String(name)) = map.get("$dynamicAnchor")
                && dialect == Dialect::Draft202012
            {
                self.add_anchor(place, name, true);
            }
        }
        if dialect == Dialect::Draft201909
            && map.get("$recursiveAnchor") == Some(&Value::Bool(true))
        {
            self.add_anchor(place, "", true);
        }
    }

    fn add_id(&mut self, place: &str, id: &str, dialect: Dialect) {
        let (uri, fragment) = id.split_once('#').unwrap_or((id, ""));
        if !uri.is_empty() {
            match self.absolute(place, uri) {
                Some(base) => {
                    let clash = self
                        .resources
                        .insert(base.as_str().to_owned(), place.to_owned());
                    if clash.is_some_and(|other| other != place) {
                        self.fault(place, format!("two schemas are named `{id}`"));
                    }
                    self.bases.insert(place.to_owned(), base);
                }
                None => self.fault(place, format!("`{id}` is not a URI reference")),
            }
        }
        if !fragment.is_empty() {
            if dialect.ignores_siblings_of_ref() {
                self.add_anchor(place, fragment, false);
            } else {
                self.fault(
                    place,
                    format!("`{id}` has a fragment; name it with `$anchor`"),
                );
            }
        }
    }

    fn add_anchor(&mut self, place: &str, name: &str, dynamic: bool) {
        let key = (self.resource_of(place).to_owned(), name.to_owned());
        let anchor = Anchor {
            pointer: place.to_owned(),
            dynamic,
        };
        if let Some(other) = self.anchors.insert(key, anchor)
            && other.pointer != place
        {
            self.fault(place, format!("two schemas have the anchor `{name}`"));
        }
    }

    fn fault(&mut self, place: &str, reason: String) {
        self.faults.push((place.to_owned(), reason));
    }

    /// The pointer of the root of the resource that `place` lies in.
    pub(crate) fn resource_of<'p>(&self, place: &'p str) -> &'p str {
        if self.bases.len() == 1 {
            return "";
        }
        let mut place = place;
        while !self.bases.contains_key(place) {
            place = place.rsplit_once('/').map_or("", |(parent, _)| parent);
        }
        place
    }

    /// Whether `place` lies in a resource that has a name of its own.
    pub(crate) fn is_named(&self, place: &str) -> bool {
        self.bases
            .get(self.resource_of(place))
            .is_some_and(|base| base.as_str() != BASE)
    }

    /// Every dynamic anchor: name, pointer of the resource, its own pointer.
    pub(crate) fn dynamic_anchors(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.anchors
            .iter()
            .filter(|(_, anchor)| anchor.dynamic)
            .map(|((resource, name), anchor)| {
                (name.as_str(), resource.as_str(), anchor.pointer.as_str())
            })
    }

    fn absolute(&self, place: &str, reference: &str) -> Option<Uri<String>> {
        let base = self.bases.get(self.resource_of(place))?;
        let reference = UriRef::parse(reference).ok()?;
        Some(reference.resolve_against(base).ok()?.normalize())
    }

    /// Where `reference`, written at `place`, leads.
    pub(crate) fn resolve(&self, place: &str, reference: &str) -> Result<Target, Unresolved> {
        let (uri, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let resource = if uri.is_empty() {
            self.resource_of(place)
        } else {
            let absolute = self.absolute(place, uri).ok_or(Unresolved::Malformed)?;
            self.resources
                .get(absolute.as_str())
                .ok_or(Unresolved::Outside)?
        };
        if fragment.is_empty() || fragment.starts_with('/') {
            let inner = pointer::from_fragment(fragment).ok_or(Unresolved::Malformed)?;
            let target = format!("{resource}{inner}");
            return match self.root.pointer(&target) {
                Some(Value::Object(_) | Value::Bool(_)) => Ok(Target {
                    pointer: target,
                    dynamic: None,
                }),
                Some(_) => Err(Unresolved::NotASchema),
                None => Err(Unresolved::Missing),
            };
        }
        self.anchors
            .get(&(resource.to_owned(), fragment.to_owned()))
            .map(|anchor| Target {
                pointer: anchor.pointer.clone(),
                dynamic: anchor.dynamic.then(|| fragment.to_owned()),
            })
            .ok_or(Unresolved::Missing)
    }

    /// Whether the resource at `place` declares `$recursiveAnchor`.
    pub(crate) fn is_recursive_anchor(&self, place: &str) -> bool {
        self.anchors
            .contains_key(&(place.to_owned(), String::new()))
    }
}
