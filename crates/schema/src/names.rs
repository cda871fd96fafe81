//! Names of `$defs` entries: unique in one schema, given out in the order of first use.

use std::collections::BTreeSet;

/// The names of one `$defs`.
#[derive(Debug, Default)]
pub(crate) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// Keeps `name` from being given out.
    pub(crate) fn reserve(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    /// `preferred`, or `preferred_2`, `preferred_3`, ... where it is taken.
    pub(crate) fn allocate(&mut self, preferred: &str) -> String {
        let mut name = preferred.to_owned();
        let mut number = 2;
        while !self.taken.insert(name.clone()) {
            name = format!("{preferred}_{number}");
            number += 1;
        }
        name
    }
}
