//! What one lowering knows: the schema it came from, the references it met, the notes it took.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::{Map, Value};

use super::{
    Effect, Lowered, Note, limits, names,
    restore::Restore,
    rules::{References, Rules},
};
use crate::{
    pointer::{from_fragment, join as below},
    walk::each,
};

pub(super) type Node = Map<String, Value>;

/// Levels of nesting that are followed.
const MAX_DEPTH: usize = 100;

/// Nodes that one lowering makes, at least. Inlining may multiply nodes, so there is an end to it.
const MIN_NODES: usize = 2_000;

/// One lowering.
pub(super) struct Lowering<'a> {
    pub(super) rules: &'static Rules,
    pub(super) notes: Vec<Note>,
    /// Property names that the provider refuses, with what they are called instead.
    pub(super) renamed: BTreeMap<String, String>,
    /// What is being inlined, outermost first.
    pub(super) trail: Vec<String>,
    root: &'a Value,
    /// Pointer of what a reference names to its key in `$defs`.
    keys: BTreeMap<String, String>,
    queue: VecDeque<String>,
    nodes_left: usize,
    refused: Option<Note>,
}

impl<'a> Lowering<'a> {
    pub(super) fn new(root: &'a Value, rules: &'static Rules) -> Self {
        let (size, properties) = survey(root);
        let renamed = rules
            .property_names
            .map(|rules| names::aliases(properties.iter().map(String::as_str), &rules))
            .unwrap_or_default()
            .into_iter()
            .filter(|(name, alias)| name != alias)
            .collect();
        Self {
            rules,
            notes: Vec::new(),
            renamed,
            trail: vec![String::new()],
            root,
            keys: BTreeMap::new(),
            queue: VecDeque::new(),
            nodes_left: MIN_NODES.max(size.saturating_mul(4)),
            refused: None,
        }
    }

    /// The lowered root with everything that it refers to.
    pub(super) fn run(&mut self) -> Node {
        let root = self.root_node(self.root);
        let mut shown = self.lowered(&Value::Object(root), "", 0);
        if self.rules.references == References::Inlined {
            return shown;
        }
        let mut definitions = Node::new();
        while let Some(pointer) = self.queue.pop_front() {
            let (Some(key), Some(target)) = (self.keys.get(&pointer), self.root.pointer(&pointer))
            else {
                continue;
            };
            let key = key.clone();
            let lowered = self.lowered(target, &pointer, 1);
            definitions.insert(key, Value::Object(lowered));
        }
        if !definitions.is_empty() {
            shown.insert("$defs".to_owned(), Value::Object(definitions));
        }
        shown
    }

    /// One node, by the way that the provider needs.
    fn lowered(&mut self, schema: &Value, at: &str, depth: usize) -> Node {
        if self.rules.keywords.is_some() {
            self.narrow(schema, at, depth)
        } else {
            self.open(schema, at, depth)
        }
    }

    /// Why strict mode cannot carry `shown`.
    pub(super) fn refusal(&mut self, shown: &Node) -> Option<Note> {
        self.refused.take().or_else(|| {
            let text = limits::exceeded(shown)?;
            Some(Note {
                pointer: String::new(),
                keyword: String::new(),
                effect: Effect::Unenforced,
                text: format!("strict mode is off: {text}"),
            })
        })
    }

    pub(super) fn finish(self, shown: Node, strict: bool) -> Lowered {
        let mut schema = Value::Object(shown);
        let restore = Restore::take(&mut schema);
        let mut seen = BTreeSet::new();
        let notes = self
            .notes
            .into_iter()
            .filter(|note| seen.insert(note.clone()))
            .collect();
        Lowered {
            schema,
            strict,
            notes,
            restore,
        }
    }

    /// Whether one more node may be made at `depth`; a note where not.
    pub(super) fn may_enter(&mut self, at: &str, depth: usize) -> bool {
        if depth < MAX_DEPTH && self.nodes_left > 0 {
            self.nodes_left -= 1;
            return true;
        }
        self.note(
            at,
            "",
            Effect::Cut,
            "too deep or too large to be shown; any value is",
        );
        false
    }

    /// Whether there is room to inline more.
    pub(super) fn may_inline(&self, pointer: &str) -> bool {
        self.nodes_left > 0
            && self.trail.len() < MAX_DEPTH
            && !self.trail.iter().any(|inlined| inlined == pointer)
    }

    /// What `reference` names, with its pointer.
    pub(super) fn target(&self, reference: &str) -> Option<(&'a Value, String)> {
        let pointer = from_fragment(reference.strip_prefix('#')?)?;
        Some((self.root.pointer(&pointer)?, pointer))
    }

    /// The reference to write for what stands at `pointer`; it gets lowered later.
    pub(super) fn refer(&mut self, pointer: &str) -> String {
        if pointer.is_empty() {
            return "#".to_owned();
        }
        let key = match self.keys.get(pointer) {
            Some(key) => key.clone(),
            None => {
                let key = self.new_key(pointer);
                self.keys.insert(pointer.to_owned(), key.clone());
                self.queue.push_back(pointer.to_owned());
                key
            }
        };
        below("#/$defs", &key)
    }

    /// A key of `$defs` that is not taken, after the last token of the pointer.
    fn new_key(&self, pointer: &str) -> String {
        let last = pointer.rsplit('/').next().unwrap_or_default();
        let mut stem: String = last
            .chars()
            .map(|c| {
                if c.is_ascii_alphanumeric() || c == '_' {
                    c
                } else {
                    '_'
                }
            })
            .take(48)
            .collect();
        if stem.is_empty() {
            stem.push('_');
        }
        let mut key = stem.clone();
        let mut number = 2;
        while self.keys.values().any(|taken| *taken == key) {
            key = format!("{stem}_{number}");
            number += 1;
        }
        key
    }

    /// The name that the provider is given for a property.
    pub(super) fn property(&self, name: &str) -> String {
        self.renamed
            .get(name)
            .cloned()
            .unwrap_or_else(|| name.to_owned())
    }

    pub(super) fn note(
        &mut self,
        at: &str,
        keyword: &str,
        effect: Effect,
        text: impl Into<String>,
    ) {
        self.notes.push(Note {
            pointer: at.to_owned(),
            keyword: keyword.to_owned(),
            effect,
            text: text.into(),
        });
    }

    /// Remembers the first thing that strict mode has no words for.
    pub(super) fn refuse(&mut self, at: &str, keyword: &str, what: &str) {
        if self.refused.is_none() {
            self.refused = Some(Note {
                pointer: at.to_owned(),
                keyword: keyword.to_owned(),
                effect: Effect::Unenforced,
                text: format!("strict mode is off: it has no way to say {what}"),
            });
        }
    }
}

/// How many schemas there are in `root`, and every property name in it.
fn survey(root: &Value) -> (usize, BTreeSet<String>) {
    let mut size = 0;
    let mut names = BTreeSet::new();
    each(root, &mut |node| {
        size += 1;
        let properties = node.get("properties").and_then(Value::as_object);
        names.extend(properties.into_iter().flat_map(Map::keys).cloned());
    });
    (size, names)
}
