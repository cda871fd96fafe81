//! The normal form of a schema: what emitters read instead of the hundred ways to write one.
//!
//! In normal form: dialect 2020-12; `$ref` is only `#` or `#/$defs/NAME` (NAME escaped as a JSON
//! pointer token) and always resolves; `$id`, `$anchor`, `$schema`, `definitions` are gone; what
//! a reference named elsewhere (`#/properties/x`) stands in `$defs`; draft-07 spellings are
//! 2020-12 ones; `x-` keywords of ours are kept. It accepts exactly what the schema accepts.
//!
//! Further: `$defs` stands at the root only, last, and holds only what is reachable, own names
//! first; `$dynamicRef` is a `$ref`; keywords that the dialect does not know are gone.
//!
//! Refuses an unknown dialect, a reference that leaves the document or leads nowhere, references
//! that go round without stepping into a value, and what two dialects read differently. One
//! difference stays: draft-04 does not count `1.0` as an integer, and contracts do.

mod cycle;
mod dynamic;
mod node;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::{
    bounds::nesting,
    bundle::Bundle,
    names::Names,
    pointer,
    resource::{Index, Unresolved},
    vocabulary::Dialect,
    walk::walk,
};
use dynamic::{Dynamic, Scope};

/// A schema in normal form.
#[derive(Debug, Clone, PartialEq)]
pub struct Normal {
    /// The schema.
    pub schema: Value,
    /// Which keys of `$defs` are shared types: key to reference (`types/page.toml`).
    pub shared: BTreeMap<String, String>,
}

/// A keyword or reference that has no normal form, with its place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct NormalError {
    /// JSON pointer into the bundled schema.
    pub pointer: String,
    /// What is wrong.
    pub reason: String,
}

/// How deep schemas may nest; a deeper one has no normal form.
pub const MAX_NESTING: usize = 128;

/// How many `$defs` one schema may have: dynamic references can multiply them.
const MAX_DEFS: usize = 20_000;

const ENDLESS: &str = "the references go round without ever stepping into a part of the value";

/// The name of the definition that a reference in normal form leads to; empty for `#`.
///
/// None for a reference that is not in normal form.
#[must_use]
pub fn definition_name(reference: &str) -> Option<String> {
    if reference == "#" {
        return Some(String::new());
    }
    let token = reference.strip_prefix("#/$defs/")?;
    let token = jsonptr::Token::from_encoded(token).ok()?;
    Some(token.decoded().into_owned())
}

/// The reference in normal form to the definition `name`.
#[must_use]
pub fn definition_reference(name: &str) -> String {
    format!("#/$defs/{}", jsonptr::Token::new(name).encoded())
}

/// Brings a bundled schema into normal form. A schema in normal form comes back as it is.
///
/// # Errors
/// Every place that has none.
pub fn normalize(bundle: &Bundle) -> Result<Normal, Vec<NormalError>> {
    let root = &bundle.schema;
    if nesting(root) > MAX_NESTING {
        return Err(vec![NormalError {
            pointer: String::new(),
            reason: format!("the schema nests deeper than {MAX_NESTING} levels"),
        }]);
    }
    let dialect = dialect(root)?;
    let index = Index::new(root, dialect);
    let mut work = Work {
        root,
        dialect,
        dynamic: Dynamic::new(&index),
        index,
        own: own_names(root),
        names: Names::default(),
        hoisted: BTreeSet::new(),
        known: BTreeMap::new(),
        taken: BTreeSet::new(),
        definitions: Vec::new(),
        errors: Vec::new(),
    };
    work.own
        .values()
        .for_each(|(_, name)| work.names.reserve(name));
    work.check_everywhere();
    let (mut schema, defs) = work.run();
    for name in cycle::endless(&schema, &defs) {
        let place = work.place_of(&name);
        work.error(&place, ENDLESS.to_owned());
    }
    if !work.errors.is_empty() {
        return Err(work.errors);
    }
    let shared = bundle
        .shared
        .iter()
        .filter(|(name, _)| defs.contains_key(*name))
        .map(|(name, reference)| (name.clone(), reference.clone()))
        .collect();
    if let Value::Object(map) = &mut schema
        && !defs.is_empty()
    {
        map.insert("$defs".to_owned(), Value::Object(defs));
    }
    Ok(Normal { schema, shared })
}

/// The dialect of the whole document.
fn dialect(root: &Value) -> Result<Dialect, Vec<NormalError>> {
    let read = |node: &Value| match node.get("$schema") {
        None => Ok(None),
        Some(Value::String(uri)) => Dialect::from_uri(uri)
            .map(Some)
            .ok_or_else(|| format!("`{uri}` is not a dialect that is known here; write 2020-12")),
        Some(_) => Err("`$schema` is a URI".to_owned()),
    };
    let at = |place: &str, reason: String| NormalError {
        pointer: pointer::join(place, "$schema"),
        reason,
    };
    let whole = read(root)
        .map_err(|reason| vec![at("", reason)])?
        .unwrap_or(Dialect::Draft202012);
    let mut errors = Vec::new();
    walk(root, &mut |place, node| match read(node) {
        Ok(Some(part)) if part != whole => {
            errors.push(at(place, "one document has one dialect".to_owned()));
        }
        Ok(_) => {}
        Err(reason) => errors.push(at(place, reason)),
    });
    if errors.is_empty() {
        Ok(whole)
    } else {
        Err(errors)
    }
}

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

struct Work<'a> {
    root: &'a Value,
    dialect: Dialect,
    index: Index<'a>,
    dynamic: Dynamic,
    own: BTreeMap<String, (usize, String)>,
    names: Names,
    /// Places that references name, where what stands there moves to `$defs`.
    hoisted: BTreeSet<String>,
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

impl Work<'_> {
    /// The root and the definitions, own ones first.
    fn run(&mut self) -> (Value, Map<String, Value>) {
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
    fn reference(&mut self, place: &str, scope: &Scope) -> String {
        let scope = self.dynamic.enter(self.index.resource_of(place), scope);
        if place.is_empty() && scope == self.dynamic.root_scope() {
            return "#".to_owned();
        }
        let key = (place.to_owned(), scope.clone());
        if let Some(known) = self.known.get(&key) {
            return definition_reference(known);
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
        let reference = definition_reference(&name);
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
            for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
                let Some(Value::String(reference)) = node.get(keyword) else {
                    continue;
                };
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

    fn error(&mut self, place: &str, reason: String) {
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

fn unresolved(reference: &str, fault: Unresolved) -> String {
    format!("`{reference}`: {}", fault.reason())
}

/// A name for a schema that had none: the names on its way, with keywords where nothing else tells.
fn hoisted_name(place: &str) -> String {
    let tokens = pointer::tokens(place).unwrap_or_default();
    let mut words: Vec<&str> = Vec::new();
    let mut tokens = tokens.iter();
    while let Some(token) = tokens.next() {
        use crate::vocabulary::{Holds, schemas_under};
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
