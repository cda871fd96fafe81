//! Compares contracts with what the lock says they were: a contract that changes gets a higher
//! version, and a name that disappears is retired in the open.

use super::lock::{Lock, LockedTool};

/// A tool whose version does not say what happened to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    /// The tool.
    pub tool: String,
    /// What happened.
    pub change: Change,
}

/// What happened to a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// It differs from the lock, but has the same version.
    Unversioned {
        /// The version of both.
        version: u32,
        /// Digests of the advertised bytes, before and now, when they differ.
        advertised: Option<(String, String)>,
        /// Digests of the contract, before and now, when they differ.
        contract: Option<(String, String)>,
    },
    /// Its version is lower than in the lock.
    Lowered {
        /// In the lock.
        from: u32,
        /// Now.
        to: u32,
    },
    /// It is gone, and nobody said so.
    Removed {
        /// In the lock.
        version: u32,
    },
}

/// What of `now` the locks in `before` do not allow, by tool name. Two locks are the two sides of
/// a merge: a contract must be newer than both or equal to one.
#[must_use]
pub fn compare(now: &Lock, before: &[Lock]) -> Vec<Revision> {
    let mut found: Vec<Revision> = Vec::new();
    for base in before {
        for (name, locked) in &base.tools {
            let change = match now.tools.get(name) {
                Some(tool) => change(tool, locked),
                None if now.is_retired(name) => None,
                None => Some(Change::Removed {
                    version: locked.version,
                }),
            };
            if let Some(change) = change
                && !found.iter().any(|f| f.tool == *name)
            {
                found.push(Revision {
                    tool: name.clone(),
                    change,
                });
            }
        }
    }
    found.sort_by(|a, b| a.tool.cmp(&b.tool));
    found
}

fn change(now: &LockedTool, before: &LockedTool) -> Option<Change> {
    if now.version < before.version {
        return Some(Change::Lowered {
            from: before.version,
            to: now.version,
        });
    }
    let differ = |a: &String, b: &String| (a != b).then(|| (a.clone(), b.clone()));
    let advertised = differ(&before.advertised, &now.advertised);
    let contract = differ(&before.contract, &now.contract);
    let is_unversioned =
        now.version == before.version && (advertised.is_some() || contract.is_some());
    is_unversioned.then_some(Change::Unversioned {
        version: now.version,
        advertised,
        contract,
    })
}

/// The lowest version that all of `before` allow for the tool `name` as it is `now`; none when
/// the one it has will do.
#[must_use]
pub fn needed_version(name: &str, now: &LockedTool, before: &[Lock]) -> Option<u32> {
    before
        .iter()
        .filter_map(|lock| lock.tools.get(name))
        .filter(|locked| change(now, locked).is_some())
        .map(|locked| locked.version.saturating_add(1))
        .max()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock(tools: &[(&str, u32, &str, &str)], retired: &[&str]) -> Lock {
        let tool = |version, advertised: &str, contract: &str| LockedTool {
            version,
            advertised: advertised.to_owned(),
            contract: contract.to_owned(),
            tokens: 1,
        };
        Lock {
            tools: tools
                .iter()
                .map(|(name, version, a, c)| ((*name).to_owned(), tool(*version, a, c)))
                .collect(),
            retired: retired.iter().map(|name| (*name).to_owned()).collect(),
        }
    }

    fn changes(now: &Lock, before: &[Lock]) -> Vec<(String, Change)> {
        compare(now, before)
            .into_iter()
            .map(|r| (r.tool, r.change))
            .collect()
    }

    #[test]
    fn a_change_needs_a_higher_version() {
        let before = [lock(&[("a", 2, "x", "y")], &[])];
        let now = |version, a, c| changes(&lock(&[("a", version, a, c)], &[]), &before);
        let pair = |a: &str, b: &str| Some((a.to_owned(), b.to_owned()));
        assert_eq!(now(2, "x", "y"), []);
        assert_eq!(now(3, "x2", "y2"), []);
        assert_eq!(now(3, "x", "y"), []);
        let unversioned = |advertised, contract| {
            let change = Change::Unversioned {
                version: 2,
                advertised,
                contract,
            };
            vec![("a".to_owned(), change)]
        };
        assert_eq!(now(2, "x", "y2"), unversioned(None, pair("y", "y2")));
        assert_eq!(
            now(2, "x2", "y2"),
            unversioned(pair("x", "x2"), pair("y", "y2"))
        );
        let lowered = Change::Lowered { from: 2, to: 1 };
        assert_eq!(now(1, "x", "y"), [("a".to_owned(), lowered)]);
    }

    #[test]
    fn a_tool_is_retired_in_the_open() {
        let before = [lock(&[("a", 2, "x", "y")], &[])];
        let removed = Change::Removed { version: 2 };
        assert_eq!(
            changes(&lock(&[], &[]), &before),
            [("a".to_owned(), removed)]
        );
        assert_eq!(changes(&lock(&[], &["a"]), &before), []);
        assert_eq!(changes(&lock(&[("b", 1, "n", "m")], &["a"]), &before), []);
    }

    #[test]
    fn after_a_merge_a_contract_is_newer_than_both_sides() {
        let sides = [
            lock(&[("a", 2, "ours", "c")], &[]),
            lock(&[("a", 2, "theirs", "c")], &[]),
        ];
        let now = |version, advertised| {
            let now = lock(&[("a", version, advertised, "c")], &[]);
            (
                compare(&now, &sides).len(),
                needed_version("a", &now.tools["a"], &sides),
            )
        };
        assert_eq!(now(2, "both"), (1, Some(3)));
        assert_eq!(now(2, "ours"), (1, Some(3)));
        assert_eq!(now(3, "both"), (0, None));
    }

    #[test]
    fn a_lowered_version_is_raised_above_the_lock() {
        let before = [lock(&[("a", 4, "x", "y")], &[])];
        let now = lock(&[("a", 1, "x", "y")], &[]);
        assert_eq!(needed_version("a", &now.tools["a"], &before), Some(5));
    }
}
