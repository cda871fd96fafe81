//! Gathers what references name and writes root and `$defs`, one definition at a time.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::{
    NormalError, Target, cycle,
    dynamic::{Dynamic, Scope},
};
use crate::{
    names::Names,
    pointer,
    resource::{Index, Unresolved},
    vocabulary::{Dialect, Holds, schemas_under},
    walk::{references, walk},
};

const ENDLESS: &str = "the references go round without ever stepping into a part of the value";

/// How many `$defs` one schema may have: dynamic references can multiply them.
const MAX_DEFS: usize = 20_000;

/// Places of own definitions, with their ranks and the names that they keep.
fn own_names(root: &Value) -> BTreeMap<String, (usize, String)> {
    let mut names = Names::default();
    let mut own = BTreeMap::new();
    for keyword in ["$defs", "definitions"] {
        let Some(Value::Object(map)) = root.get(keyword) else {
            continue;
        };
        for name in map.keys() {
            let place = pointer::join(&pointer::join("", keyword), name);
            // A percent sign would be read as an escape of the reference.
            let kept = names.allocate(&name.replace('%', "_"));
            own.insert(place, (own.len(), kept));
        }
    }
    own
}

pub(super) struct Work<'a> {
    root: &'a Value,
    pub(super) dialect: Dialect,
    pub(super) index: Index<'a>,
    pub(super) dynamic: Dynamic,
    own: BTreeMap<String, (usize, String)>,
    names: Names,
    /// Places that references name, where what stands there moves to `$defs`.
    pub(super) hoisted: BTreeSet<String>,
    known: BTreeMap<(String, Scope), String>,
    /// Places whose own name is in use.
    taken: BTreeSet<String>,
    /// In the order of first use.
    definitions: Vec<Definition>,
    errors: Vec<NormalError>,
}

/// A place of the document that a reference names, as seen from one dynamic scope.
#[derive(Debug, Clone)]
struct Definition {
    place: String,
    scope: Scope,
    name: String,
}

impl<'a> Work<'a> {
    pub(super) fn new(root: &'a Value, dialect: Dialect) -> Self {
        let index = Index::new(root, dialect);
        let own = own_names(root);
        let mut names = Names::default();
        own.values().for_each(|(_, name)| names.reserve(name));
        Self {
            root,
            dialect,
            dynamic: Dynamic::new(&index),
            index,
            own,
            names,
            hoisted: BTreeSet::new(),
            known: BTreeMap::new(),
            taken: BTreeSet::new(),
            definitions: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// The root and the definitions, own ones first.
    pub(super) fn run(mut self) -> Result<(Value, Map<String, Value>), Vec<NormalError>> {
        self.check_everywhere();
        let (root, defs) = self.write();
        for target in cycle::endless(&root, &defs) {
            let place = target
                .name()
                .map_or_else(String::new, |name| self.place_of(name));
            self.error(&place, ENDLESS.to_owned());
        }
        if self.errors.is_empty() {
            Ok((root, defs))
        } else {
            Err(self.errors)
        }
    }

    fn write(&mut self) -> (Value, Map<String, Value>) {
        let scope = self.dynamic.root_scope();
        let root = self.content("", self.root, &scope);
        let mut done: Vec<(usize, String, Value)> = Vec::new();
        while let Some(definition) = self.definitions.get(done.len()).cloned() {
            let content = self.root.pointer(&definition.place);
            let content = content.map_or(Value::Bool(true), |content| {
                self.content(&definition.place, content, &definition.scope)
            });
            let rank = self.rank(&definition);
            done.push((rank, definition.name, content));
        }
        done.sort_by_key(|(rank, ..)| *rank);
        let defs = done.into_iter().map(|(_, n, content)| (n, content));
        (root, defs.collect())
    }

    /// Own definitions in the author's order, then the others in the order of first use.
    fn rank(&self, definition: &Definition) -> usize {
        match self.own.get(&definition.place) {
            Some((rank, name)) if *name == definition.name => *rank,
            _ => usize::MAX,
        }
    }

    /// The reference in normal form to `place`, seen from `scope`.
    pub(super) fn reference(&mut self, place: &str, scope: &Scope) -> String {
        let scope = self.dynamic.enter(self.index.resource_of(place), scope);
        if place.is_empty() && scope == self.dynamic.root_scope() {
            return "#".to_owned();
        }
        let key = (place.to_owned(), scope.clone());
        if let Some(known) = self.known.get(&key) {
            return Target::Definition(known.clone()).reference();
        }
        if self.definitions.len() >= MAX_DEFS {
            self.error(
                place,
                format!("the schema needs more than {MAX_DEFS} definitions"),
            );
            return "#".to_owned();
        }
        // Only the first of several scopes keeps an own name.
        let name = match self.own.get(place) {
            Some((_, own)) if self.taken.insert(place.to_owned()) => own.clone(),
            _ => self.names.allocate(&hoisted_name(place)),
        };
        self.known.insert(key, name.clone());
        let reference = Target::Definition(name.clone()).reference();
        self.definitions.push(Definition {
            place: place.to_owned(),
            scope,
            name,
        });
        reference
    }

    /// Resolves every reference of the document, also where nothing leads: finds the faults, and
    /// the schemas that have to move to `$defs`.
    fn check_everywhere(&mut self) {
        for (pointer, reason) in std::mem::take(&mut self.index.faults) {
            self.errors.push(NormalError { pointer, reason });
        }
        let mut faults = Vec::new();
        walk(self.root, &mut |place, node| {
            for (keyword, reference) in references(node) {
                match self.index.resolve(place, reference) {
                    Ok(target) => {
                        self.hoisted.extend(self.dynamic.candidates(&target));
                        self.hoisted.insert(target.pointer);
                    }
                    Err(fault) => {
                        faults.push((pointer::join(place, keyword), unresolved(reference, fault)));
                    }
                }
            }
        });
        self.hoisted.remove("");
        // Before 2019-09 what stands beside a `$ref` is ignored, faults and all.
        if !self.dialect.ignores_siblings_of_ref() {
            for (place, reason) in faults {
                self.error(&place, reason);
            }
        }
    }

    pub(super) fn error(&mut self, place: &str, reason: String) {
        if !self.errors.iter().any(|e| e.pointer == place) {
            self.errors.push(NormalError {
                pointer: place.to_owned(),
                reason,
            });
        }
    }

    /// Where the definition `name` of the result stood; the root for the empty name.
    fn place_of(&self, name: &str) -> String {
        self.definitions
            .iter()
            .find(|d| d.name == name)
            .map(|d| d.place.clone())
            .unwrap_or_default()
    }
}

pub(super) fn unresolved(reference: &str, fault: Unresolved) -> String {
    format!("`{reference}`: {}", fault.reason())
}

/// A name for a schema that had none: the names on its way, with keywords where nothing else tells.
fn hoisted_name(place: &str) -> String {
    let tokens = pointer::tokens(place).unwrap_or_default();
    let mut words: Vec<&str> = Vec::new();
    let mut tokens = tokens.iter();
    while let Some(token) = tokens.next() {
        match schemas_under(token) {
            Some(Holds::SchemaMap | Holds::SchemaOrNamesMap) => {
                words.push(tokens.next().unwrap_or(token));
            }
            _ => words.push(token),
        }
    }
    words.retain(|word| !word.is_empty());
    match words.as_slice() {
        [] => "schema".to_owned(),
        words => words.join("_").replace('%', "_"),
    }
}
