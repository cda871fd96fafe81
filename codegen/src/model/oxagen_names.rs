//! Oxagen's rules about the names of capabilities. Pure; lint judges by them and the emitter
//! names modules by them.

use toolcontract_protocol::Manifest;

/// The first words that Oxagen's check accepts.
#[rustfmt::skip]
pub const VERBS: &[&str] = &[
    // Looking.
    "get", "list", "read", "query", "search", "preview", "browse", "fetch", "summarize",
    "recommend", "recall", "trace", "debug",
    // Making.
    "create", "update", "write", "upsert", "add", "put", "record", "author", "compose",
    "generate", "render", "remember", "cite", "attach", "import", "ingest", "commit", "publish",
    "snapshot", "fork", "bisect", "rename", "edit", "export", "save", "post", "draft", "revise",
    // Taking away.
    "delete", "remove", "purge", "erase", "archive", "cancel",
    // Running.
    "stop", "start", "run", "execute", "exec", "deploy", "resume", "suspend", "retire", "seal",
    "pause", "trigger", "dispatch", "aggregate", "promote", "demote", "dismiss", "acquire",
    "release", "push",
    // Setting.
    "set", "unset", "enable", "disable", "toggle", "configure", "setup", "activate", "install",
    "uninstall", "register", "enroll", "advance", "reauth", "rotate", "revoke", "assign", "grant",
    "request", "reveal", "pin", "purchase", "load",
    // Asking and deciding.
    "ask", "map", "diff", "patch", "sync", "reconcile", "approve", "authorize", "decline",
    "accept", "resolve", "answer", "suggest", "infer", "check", "verify", "validate", "analyze",
    "chat", "change", "mark",
    // Handling.
    "send", "resend", "open", "format", "parse", "upload", "refresh", "screenshot", "submit",
    "fill", "click", "navigate", "bind", "unbind", "link", "unlink", "append", "propose", "merge",
];

/// Above so many words Oxagen's check warns.
pub const MOST_WORDS: usize = 3;

/// The name that a tool has at Oxagen: `[oxagen] name`, or its own.
#[must_use]
pub fn name(manifest: &Manifest) -> &str {
    manifest
        .oxagen
        .as_ref()
        .and_then(|oxagen| oxagen.name.as_deref())
        .unwrap_or(&manifest.name)
}

/// Whether `name` is two or more words of `[a-z0-9]` with single underscores between.
#[must_use]
pub fn is_well_formed(name: &str) -> bool {
    let word = |word: &str| {
        !word.is_empty()
            && word
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
    };
    name.contains('_') && name.split('_').all(word)
}

/// Whether the first word of `name` is one of [`VERBS`] or of the project's `extra_verbs`.
#[must_use]
pub fn has_listed_verb(name: &str, extra_verbs: &[String]) -> bool {
    let verb = name.split('_').next().unwrap_or_default();
    VERBS.contains(&verb) || extra_verbs.iter().any(|extra| extra == verb)
}

/// How many words `name` has.
#[must_use]
pub fn count_words(name: &str) -> usize {
    name.split('_').count()
}

/// The name that a model sees there: every character outside `[a-zA-Z0-9_-]` becomes `_`, and
/// what is longer than 128 is cut.
#[must_use]
pub fn alias(name: &str) -> String {
    name.chars()
        .map(|c| match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' => c,
            _ => '_',
        })
        .take(128)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn form() {
        assert!(is_well_formed("read_file") && is_well_formed("a_1"));
        for bad in [
            "grep",
            "Read_file",
            "read__file",
            "_read",
            "read_",
            "read-file",
            "",
        ] {
            assert!(!is_well_formed(bad), "{bad}");
        }
    }

    #[test]
    fn verbs() {
        assert!(has_listed_verb("search_file_contents", &[]));
        assert!(!has_listed_verb("grep_files", &[]));
        assert!(has_listed_verb("grep_files", &["grep".to_owned()]));
        let mut sorted: Vec<_> = VERBS.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), VERBS.len(), "a verb is listed twice");
    }

    #[test]
    fn aliases() {
        assert_eq!(alias("mcp.files.read"), "mcp_files_read");
        assert_eq!(alias(&"a".repeat(200)).len(), 128);
        assert_eq!(count_words("search_file_contents"), 3);
    }
}
