//! Names that a provider accepts, one for each name of ours, and back.
//!
//! A name that is accepted as it stands keeps it. Another is spelled as nearly as the provider
//! allows and ends in digits of its own digest, so that it depends on no other name and no order.

use std::collections::{BTreeMap, BTreeSet};

use super::{Dialect, rules::Names, rules::Rules};
use crate::digest::hex;

/// Digits of the digest that an alias starts with; more follow only where two names would meet.
const DIGITS: usize = 8;

/// What each of `names` is called where `dialect` names a tool: name to alias, injective.
#[must_use]
pub fn tool_aliases<'a>(
    names: impl IntoIterator<Item = &'a str>,
    dialect: Dialect,
) -> BTreeMap<String, String> {
    aliases(names, &Rules::of(dialect).tool_names)
}

/// What each of `names` is called under `rules`: name to alias, injective.
#[must_use]
pub(super) fn aliases<'a>(
    names: impl IntoIterator<Item = &'a str>,
    rules: &Names,
) -> BTreeMap<String, String> {
    let names: BTreeSet<&str> = names.into_iter().collect();
    let mut taken: BTreeSet<String> = names
        .iter()
        .filter(|name| rules.accept(name))
        .map(|&name| name.to_owned())
        .collect();
    let mut aliases = BTreeMap::new();
    for name in names {
        let alias = if rules.accept(name) {
            name.to_owned()
        } else {
            let alias = free(name, rules, &taken);
            taken.insert(alias.clone());
            alias
        };
        aliases.insert(name.to_owned(), alias);
    }
    aliases
}

/// The first spelling of `name` that is not taken.
fn free(name: &str, rules: &Names, taken: &BTreeSet<String>) -> String {
    let mut digest = hex(name.as_bytes());
    let mut digits = DIGITS;
    loop {
        let alias = spell(name, rules, digest.get(..digits).unwrap_or(&digest));
        if !taken.contains(&alias) {
            return alias;
        }
        if digits < digest.len() && digits + 2 < rules.max {
            digits += 1;
        } else {
            digest = hex(digest.as_bytes());
        }
    }
}

/// `name` with refused characters as `_`, cut so that `_` and `tail` fit.
fn spell(name: &str, rules: &Names, tail: &str) -> String {
    let mut out = String::new();
    let needs_start = |c: char| rules.starts_with_letter && !(c.is_ascii_alphabetic() || c == '_');
    let room = rules.max.saturating_sub(tail.len() + 1);
    for c in name.chars() {
        let c = if rules.allows(c) { c } else { '_' };
        if out.is_empty() && needs_start(c) {
            out.push('_');
        }
        if out.len() >= room {
            break;
        }
        out.push(c);
    }
    if out.is_empty() {
        out.push('_');
    }
    out.truncate(room);
    format!("{out}_{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepted_names_stay() {
        for dialect in Dialect::ALL {
            let map = tool_aliases(["read_file", "a-b"], dialect);
            assert!(map.iter().all(|(name, alias)| name == alias), "{dialect}");
        }
    }

    #[test]
    fn a_dot_is_spelled_otherwise_where_it_is_refused() {
        let map = tool_aliases(["calendar.respond"], Dialect::Openai);
        let alias = map.get("calendar.respond").cloned().unwrap_or_default();
        assert!(
            alias.starts_with("calendar_respond_") && alias.len() == 25,
            "{alias}"
        );
        let kept = tool_aliases(["calendar.respond"], Dialect::Gemini);
        assert_eq!(
            kept.get("calendar.respond").map(String::as_str),
            Some("calendar.respond")
        );
    }

    #[test]
    fn an_alias_does_not_depend_on_other_names() {
        let alone = tool_aliases(["a b"], Dialect::Openai);
        let among = tool_aliases(["a_b", "a b", "a.b"], Dialect::Openai);
        assert_eq!(alone.get("a b"), among.get("a b"));
    }
}
