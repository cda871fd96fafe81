//! What became of the events of a call.

use std::collections::BTreeSet;

/// Why an event did not go out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dropped {
    Undeclared,
    Reserved,
    Invalid,
    TooLarge,
    TooMany,
    TooLate,
    Unheard,
}

/// How many different names of dropped events are kept.
const MAX_NAMES: usize = 16;

/// What became of the events of a call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventCounts {
    /// Went out.
    pub emitted: u64,
    /// The contract does not list it.
    pub undeclared: u64,
    /// The name belongs to hosts or to a plugin.
    pub reserved: u64,
    /// It is no event, or its payload is not what its manifest says.
    pub invalid: u64,
    /// The payload has too many bytes.
    pub too_large: u64,
    /// The call emitted too many, or too fast.
    pub too_many: u64,
    /// The call was over.
    pub too_late: u64,
    /// Whoever listens did not keep up.
    pub unheard: u64,
    /// Names that were refused as undeclared or reserved, the first 16, with what a reader does
    /// not see escaped.
    pub refused_names: BTreeSet<String>,
}

impl EventCounts {
    /// All that did not go out.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        [
            self.undeclared,
            self.reserved,
            self.invalid,
            self.too_large,
            self.too_many,
            self.too_late,
            self.unheard,
        ]
        .into_iter()
        .fold(0, u64::saturating_add)
    }

    pub(super) fn count(&mut self, outcome: Result<(), Dropped>, name: &str) {
        let counter = match outcome {
            Ok(()) => &mut self.emitted,
            Err(Dropped::Undeclared) => &mut self.undeclared,
            Err(Dropped::Reserved) => &mut self.reserved,
            Err(Dropped::Invalid) => &mut self.invalid,
            Err(Dropped::TooLarge) => &mut self.too_large,
            Err(Dropped::TooMany) => &mut self.too_many,
            Err(Dropped::TooLate) => &mut self.too_late,
            Err(Dropped::Unheard) => &mut self.unheard,
        };
        *counter = counter.saturating_add(1);
        let is_name = matches!(outcome, Err(Dropped::Undeclared | Dropped::Reserved));
        if is_name && self.refused_names.len() < MAX_NAMES {
            self.refused_names.insert(crate::text::one_line(name, 64));
        }
    }
}
