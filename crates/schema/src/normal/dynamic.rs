//! Dynamic references, resolved before any value is seen.
//!
//! A dynamic anchor that the root resource declares always means the root's; one that a single
//! resource declares always means that one. For the others a schema is emitted once for each
//! scope it is reached from, which is exact: a scope only ever remembers the first resource that
//! was entered with the anchor.

use std::collections::BTreeMap;

use crate::resource::{Index, Target};

/// Dynamic anchors whose meaning depends on the way taken, and what each means on this way.
pub(super) type Scope = BTreeMap<String, String>;

/// The dynamic anchors of one document.
#[derive(Debug)]
pub(super) struct Dynamic {
    /// Name to resource to place.
    anchors: BTreeMap<String, BTreeMap<String, String>>,
}

impl Dynamic {
    pub(super) fn new(index: &Index<'_>) -> Self {
        let mut anchors: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        for (name, resource, place) in index.dynamic_anchors() {
            anchors
                .entry(name.to_owned())
                .or_default()
                .insert(resource.to_owned(), place.to_owned());
        }
        Self { anchors }
    }

    /// The scope at the root.
    pub(super) fn root_scope(&self) -> Scope {
        self.enter("", &Scope::new())
    }

    /// The scope after entering `resource`.
    pub(super) fn enter(&self, resource: &str, scope: &Scope) -> Scope {
        let mut scope = scope.clone();
        for (name, places) in &self.anchors {
            if depends_on_way(places)
                && let Some(place) = places.get(resource)
                && !scope.contains_key(name)
            {
                scope.insert(name.clone(), place.clone());
            }
        }
        scope
    }

    /// Every place where a reference to `target` may lead.
    pub(super) fn candidates(&self, target: &Target) -> impl Iterator<Item = String> {
        let places = target.dynamic.as_ref().and_then(|n| self.anchors.get(n));
        places.into_iter().flat_map(|p| p.values().cloned())
    }

    /// Where a dynamic reference leads whose first look-up found `target`.
    pub(super) fn follow(&self, target: Target, scope: &Scope) -> String {
        let Some(name) = target.dynamic else {
            return target.pointer;
        };
        let root = self.anchors.get(&name).and_then(|places| places.get(""));
        root.or_else(|| scope.get(&name))
            .cloned()
            .unwrap_or(target.pointer)
    }
}

fn depends_on_way(places: &BTreeMap<String, String>) -> bool {
    places.len() > 1 && !places.contains_key("")
}
