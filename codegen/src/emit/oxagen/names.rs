//! Oxagen's rules about capability names, as pure functions that lint asks too.
//!
//! Its naming check refuses a name that is not two or more lower-case words or whose first word
//! is not on its list of verbs, and warns above three words. Its agent runtime shows models an
//! alias of the name; two names with one alias would get suffixes by load order, so a clash here
//! is a fault.

use std::{collections::BTreeMap, fmt};

/// How many words a name may have before Oxagen's check warns.
pub const MAX_WORDS: usize = 3;

/// How long an alias may be.
const MAX_ALIAS: usize = 128;

/// First words that Oxagen's check accepts. `extra_verbs` in `toolcontract.toml` adds to them.
pub const VERBS: &[&str] = &[
    "accept", "acquire", "activate", "add", "advance", "aggregate", "analyze", "answer", "append",
    "approve", "archive", "ask", "assign", "attach", "author", "authorize", "bind", "bisect",
    "browse", "cancel", "change", "chat", "check", "cite", "click", "commit", "compose",
    "configure", "create", "debug", "decline", "delete", "demote", "deploy", "diff", "disable",
    "dismiss", "dispatch", "draft", "edit", "enable", "enroll", "erase", "exec", "execute",
    "export", "fetch", "fill", "fork", "format", "generate", "get", "grant", "import", "infer",
    "ingest", "install", "link", "list", "load", "map", "mark", "merge", "navigate", "open",
    "parse", "patch", "pause", "pin", "post", "preview", "promote", "propose", "publish",
    "purchase", "purge", "push", "put", "query", "read", "reauth", "recall", "recommend",
    "reconcile", "record", "refresh", "register", "release", "remember", "remove", "rename",
    "render", "request", "resend", "resolve", "resume", "retire", "reveal", "revise", "revoke",
    "rotate", "run", "save", "screenshot", "seal", "search", "send", "set", "setup", "snapshot",
    "start", "stop", "submit", "suggest", "summarize", "suspend", "sync", "toggle", "trace",
    "trigger", "unbind", "uninstall", "unlink", "unset", "update", "upload", "upsert", "validate",
    "verify", "write",
];

/// Why Oxagen's naming check refuses a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NameFault {
    /// Not two or more words of lower-case letters and digits, joined by `_`.
    Shape,
    /// The first word is no verb that the check knows.
    Verb(String),
}

impl fmt::Display for NameFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape => f.write_str(
                "an Oxagen name has two or more words of `a-z` and `0-9`, joined by `_`",
            ),
            Self::Verb(word) => {
                write!(f, "`{word}` is not a verb that Oxagen's naming check accepts")
            }
        }
    }
}

/// What Oxagen's naming check has against `name`; `extra` are verbs of the project.
#[must_use]
pub fn fault(name: &str, extra: &[String]) -> Option<NameFault> {
    let is_word = |word: &str| {
        !word.is_empty()
            && word
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    };
    let verb = match name.split_once('_') {
        Some((verb, _)) if name.split('_').all(is_word) => verb,
        _ => return Some(NameFault::Shape),
    };
    let known = VERBS.contains(&verb) || extra.iter().any(|e| e == verb);
    (!known).then(|| NameFault::Verb(verb.to_owned()))
}

/// Whether Oxagen's naming check warns that `name` has too many words.
#[must_use]
pub fn is_long(name: &str) -> bool {
    name.split('_').count() > MAX_WORDS
}

/// The name as Oxagen's agent runtime shows it to a model: other characters than `a-zA-Z0-9_-`
/// become `_`, and what is beyond 128 characters is cut.
#[must_use]
pub fn model_alias(name: &str) -> String {
    name.chars()
        .map(|c| match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' => c,
            _ => '_',
        })
        .take(MAX_ALIAS)
        .collect()
}

/// The aliases that more than one of `names` would get, each with those names.
#[must_use]
pub fn alias_clashes<'a>(
    names: impl IntoIterator<Item = &'a str>,
) -> BTreeMap<String, Vec<&'a str>> {
    let mut by_alias: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for name in names {
        by_alias.entry(model_alias(name)).or_default().push(name);
    }
    by_alias.retain(|_, names| names.len() > 1);
    by_alias
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_held_to_the_shape() {
        for good in ["read_file", "get_a1", "list_2_things"] {
            assert_eq!(fault(good, &[]), None, "{good}");
        }
        for bad in ["grep", "read__file", "_read", "read_", "Read_file", "read-file", "", "read_fïle"] {
            assert_eq!(fault(bad, &[]), Some(NameFault::Shape), "{bad}");
        }
    }

    #[test]
    fn the_first_word_is_a_known_verb() {
        let foreign = Some(NameFault::Verb("grok".to_owned()));
        assert_eq!(fault("grok_file", &[]), foreign);
        assert_eq!(fault("grok_file", &["grok".to_owned()]), None);
    }

    #[test]
    fn the_verbs_are_sorted_and_unique() {
        assert!(VERBS.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn four_words_are_long() {
        assert!(!is_long("search_file_contents"));
        assert!(is_long("search_all_file_contents"));
    }

    #[test]
    fn clashing_aliases_are_found() {
        let names = ["a.b", "a_b", "c"];
        let clashes = alias_clashes(names);
        assert_eq!(clashes.len(), 1);
        assert_eq!(clashes.get("a_b"), Some(&vec!["a.b", "a_b"]));
        assert_eq!(model_alias(&"x".repeat(200)).len(), 128);
    }
}
