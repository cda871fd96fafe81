//! The scratch store: entries by session and key, in memory. One session never sees another's.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use toolcontract_protocol::ErrorClass;
use toolcontract_runtime::tool::ToolError;

/// Bytes of one entry, as the contract says.
const MAX_ENTRY: usize = 1 << 20;
/// Bytes of one session.
const MAX_SESSION: usize = 64 << 20;
/// Bytes of all sessions of the program.
const MAX_ALL: usize = 512 << 20;
/// What an entry costs beside its text.
const PER_ENTRY: usize = 256;

type Entries = BTreeMap<String, Arc<str>>;

/// The scratch entries of every session of a program.
#[derive(Debug, Default)]
pub struct Store {
    sessions: Mutex<HashMap<String, Entries>>,
}

impl Store {
    /// Stores `text`; true when the key held something before.
    pub(super) fn put(&self, session: &str, key: &str, text: &str) -> Result<bool, ToolError> {
        let refuse = |class, what: &str| Err(ToolError::new(class, what));
        if text.len() > MAX_ENTRY {
            return refuse(
                ErrorClass::InvalidInput,
                "`content` is larger than 1 MiB as UTF-8",
            );
        }
        let mut sessions = self.sessions();
        let others = sessions
            .iter()
            .filter(|(id, _)| *id != session)
            .map(|(_, entries)| weight(entries, None))
            .fold(0, usize::saturating_add);
        let own = sessions
            .get(session)
            .map_or(0, |entries| weight(entries, Some(key)));
        let own = own.saturating_add(text.len() + key.len() + PER_ENTRY);
        if own > MAX_SESSION {
            let what =
                "the scratch store of this session is full; replace an entry, or use `write_file`";
            return refuse(ErrorClass::Environment, what);
        }
        if others.saturating_add(own) > MAX_ALL {
            return refuse(
                ErrorClass::Environment,
                "the scratch store is full; use `write_file`",
            );
        }
        let entries = sessions.entry(session.to_owned()).or_default();
        Ok(entries.insert(key.to_owned(), text.into()).is_some())
    }

    /// The text of an entry.
    pub(super) fn get(&self, session: &str, key: &str) -> Option<Arc<str>> {
        self.sessions().get(session)?.get(key).cloned()
    }

    /// Each key with the size of its text in bytes, in order.
    pub(super) fn list(&self, session: &str) -> Vec<(String, usize)> {
        let sessions = self.sessions();
        let entries = sessions.get(session).into_iter().flatten();
        entries
            .map(|(key, text)| (key.clone(), text.len()))
            .collect()
    }

    fn sessions(&self) -> MutexGuard<'_, HashMap<String, Entries>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What entries weigh, without the one that is replaced.
fn weight(entries: &Entries, replaced: Option<&str>) -> usize {
    entries
        .iter()
        .filter(|(key, _)| replaced != Some(key))
        .map(|(key, text)| key.len() + text.len() + PER_ENTRY)
        .fold(0, usize::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_are_kept_apart_and_are_bounded() {
        let store = Store::default();
        assert!(!store.put("a", "k", "1").unwrap());
        assert!(store.put("a", "k", "2").unwrap());
        assert_eq!(store.get("a", "k").as_deref(), Some("2"));
        assert_eq!(store.get("b", "k"), None);
        let entry = "x".repeat(MAX_ENTRY);
        assert!(store.put("a", "k", &format!("{entry}x")).is_err());
        let stored = (0..100).take_while(|n| store.put("a", &n.to_string(), &entry).is_ok());
        assert_eq!(stored.count(), 63);
        // What replaces an entry takes its room.
        assert!(store.put("a", "0", &entry).is_ok());
        assert!(store.put("b", "0", &entry).is_ok());
    }
}
