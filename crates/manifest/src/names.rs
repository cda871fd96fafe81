//! What a name may be: ours, and those of the places where a tool's name travels. Pure; used
//! where manifests are checked and where a tool is imported or registered.

use toolcontract_protocol::event::{Emitter, TOOL_CALL_PROGRESS, emitter};
use toolcontract_schema::dialect::{Dialect, Rules};

/// Longest name of a tool, in characters.
pub const LONGEST: usize = 64;

/// Why a text is no name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Fewer than two characters.
    #[error("is shorter than 2 characters")]
    TooShort,
    /// More than [`LONGEST`] characters.
    #[error("is longer than {LONGEST} characters")]
    TooLong,
    /// Something else than a lower-case letter in front.
    #[error("does not start with a lower-case letter")]
    Start,
    /// A character that no name has.
    #[error("contains `{}`", .0.escape_default())]
    Character(char),
    /// Two underscores in a row, which separate the parts of a served tool's name.
    #[error("contains `__`, which is kept for served tools")]
    DoubleUnderscore,
}

/// Whether `name` may name a tool: `^[a-z][a-z0-9_]{1,63}$`, without `__`.
///
/// # Errors
/// The first thing that is wrong.
pub fn tool(name: &str) -> Result<(), NameError> {
    let odd = |c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    if let Some(c) = name.chars().find(|&c| odd(c)) {
        return Err(NameError::Character(c));
    }
    if name.len() < 2 {
        return Err(NameError::TooShort);
    }
    if name.len() > LONGEST {
        return Err(NameError::TooLong);
    }
    if !name.starts_with(|c: char| c.is_ascii_lowercase()) {
        return Err(NameError::Start);
    }
    if name.contains("__") {
        return Err(NameError::DoubleUnderscore);
    }
    Ok(())
}

/// Words that would have to be escaped in one of the languages, that name a device, or that
/// name a file beside those of the tools.
#[rustfmt::skip]
const RESERVED: [(&str, &[&str]); 4] = [
    ("Rust", &[
        "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
        "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
        "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub",
        "ref", "return", "self", "static", "struct", "super", "trait", "true", "try", "type",
        "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
    ]),
    ("TypeScript", &[
        "any", "arguments", "boolean", "case", "catch", "class", "constructor", "debugger",
        "default", "delete", "eval", "export", "extends", "finally", "function", "implements",
        "import", "instanceof", "interface", "never", "new", "null", "number", "object",
        "package", "private", "protected", "prototype", "public", "string", "switch", "symbol",
        "this", "throw", "undefined", "unknown", "var", "void", "with",
    ]),
    ("Windows", &[
        "aux", "com0", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9",
        "con", "lpt0", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
        "nul", "prn",
    ]),
    ("the generated files", &["catalog", "events", "index", "lib", "main", "types"]),
];

/// Where `name` is a reserved word: Rust, TypeScript, Windows (as a file name), or the generated
/// files, which have modules of that name.
#[must_use]
pub fn reserved(name: &str) -> Option<&'static str> {
    RESERVED
        .iter()
        .find(|(_, words)| words.iter().any(|word| word.eq_ignore_ascii_case(name)))
        .map(|(owner, _)| *owner)
}

/// Whether `name` may name an event: two or more words of `[a-z][a-z0-9_]*` with dots between,
/// at most 128 bytes, or `plugin.<id>.<local>`.
#[must_use]
pub fn is_event(name: &str) -> bool {
    emitter(name).is_some()
}

/// The one name below a host's word that tools emit.
pub const PROGRESS: &str = TOOL_CALL_PROGRESS;

/// Whether a tool may not emit `event`: it says what happened in a session, a turn, a gate, so a
/// tool that could say it too could forge it; or it belongs to a plugin.
#[must_use]
pub fn is_host_event(event: &str) -> bool {
    matches!(emitter(event), Some(Emitter::Host | Emitter::Plugin(_)))
}

/// What a model provider accepts as the name of a tool, when it does not accept `name`.
#[must_use]
pub fn refused_by_provider(dialect: Dialect, name: &str) -> Option<&'static str> {
    let fits = Rules::of(dialect).tool_names.accept(name);
    (!fits).then_some(match dialect {
        Dialect::Openai | Dialect::OpenaiStrict => "OpenAI takes 1 to 64 of `A-Z a-z 0-9 _ -`",
        Dialect::Anthropic => "Anthropic takes 1 to 128 of `A-Z a-z 0-9 _ -`",
        Dialect::Gemini => {
            "Gemini takes 1 to 64 of `A-Z a-z 0-9 _ - . :`, starting with a letter or `_`"
        }
    })
}

/// What a model provider accepts as the name of a property, when it does not accept `name`.
#[must_use]
pub fn property_refused_by_provider(dialect: Dialect, name: &str) -> Option<&'static str> {
    let fits = Rules::of(dialect)
        .property_names
        .is_none_or(|names| names.accept(name));
    (!fits).then_some(match dialect {
        Dialect::Openai | Dialect::OpenaiStrict => "OpenAI takes any name",
        Dialect::Anthropic => "Anthropic takes 1 to 64 of `A-Z a-z 0-9 _ . -`",
        Dialect::Gemini => "Gemini takes 1 to 64 of `A-Z a-z 0-9 _`, not starting with a digit",
    })
}

/// Whether MCP accepts `name` for a tool: 1 to 128 of `A-Z a-z 0-9 _ - .`.
#[must_use]
pub fn is_mcp(name: &str) -> bool {
    (1..=128).contains(&name.len())
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

/// Whether `key` may name our entry of `_meta`: a reverse-DNS prefix, a slash and a name; the
/// prefixes that MCP keeps for itself are refused.
#[must_use]
pub fn is_meta_key(key: &str) -> bool {
    let inner = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let edges = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_alphanumeric())
            && text.ends_with(|c: char| c.is_ascii_alphanumeric())
    };
    let label = |label: &str| {
        label.starts_with(|c: char| c.is_ascii_alphabetic())
            && edges(label)
            && label.chars().all(inner)
    };
    let Some((prefix, name)) = key.split_once('/') else {
        return false;
    };
    let second = prefix.split('.').nth(1);
    prefix.split('.').all(label)
        && second.is_some_and(|s| !matches!(s, "mcp" | "modelcontextprotocol"))
        && edges(name)
        && name.chars().all(|c| inner(c) || matches!(c, '_' | '.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tool_names() {
        assert_eq!(tool("read_file"), Ok(()));
        assert_eq!(tool(&"a".repeat(64)), Ok(()));
        assert_eq!(tool(&"a".repeat(65)), Err(NameError::TooLong));
        assert_eq!(tool("a"), Err(NameError::TooShort));
        assert_eq!(tool(""), Err(NameError::TooShort));
        assert_eq!(tool("_a"), Err(NameError::Start));
        assert_eq!(tool("1st"), Err(NameError::Start));
        assert_eq!(tool("readFile"), Err(NameError::Character('F')));
        assert_eq!(
            tool("lire_fichier_\u{e9}"),
            Err(NameError::Character('\u{e9}'))
        );
        assert_eq!(tool("mcp__server"), Err(NameError::DoubleUnderscore));
    }

    #[test]
    fn reserved_words() {
        assert_eq!(reserved("match"), Some("Rust"));
        assert_eq!(reserved("delete"), Some("TypeScript"));
        assert_eq!(reserved("CON"), Some("Windows"));
        assert_eq!(reserved("index"), Some("the generated files"));
        assert_eq!(reserved("task"), None);
    }

    #[test]
    fn event_names() {
        assert!(is_event("file.created") && is_event("tool.call.progress"));
        for bad in [
            "file",
            "File.created",
            "file..created",
            ".created",
            "file.1st",
            "",
        ] {
            assert!(!is_event(bad), "{bad}");
        }
        assert!(is_host_event("tool.call.completed") && is_host_event("policy.evaluated"));
        assert!(!is_host_event(PROGRESS) && !is_host_event("toolbox.opened"));
    }

    #[test]
    fn provider_names() {
        assert_eq!(refused_by_provider(Dialect::Openai, "read-file"), None);
        assert!(refused_by_provider(Dialect::Openai, "a.b").is_some());
        assert_eq!(refused_by_provider(Dialect::Gemini, "a.b"), None);
        assert!(refused_by_provider(Dialect::Gemini, "1st").is_some());
        assert!(refused_by_provider(Dialect::Anthropic, "read file").is_some());
        assert_eq!(property_refused_by_provider(Dialect::Openai, "@id"), None);
        assert!(property_refused_by_provider(Dialect::Anthropic, "@id").is_some());
        assert!(property_refused_by_provider(Dialect::Gemini, "If-Match").is_some());
    }

    #[test]
    fn mcp_names() {
        assert!(is_mcp("calendar.respond") && is_mcp("read_file"));
        assert!(!is_mcp("") && !is_mcp("read file") && !is_mcp(&"a".repeat(129)));
        assert!(is_meta_key("dev.toolcontract/contract"));
        assert!(is_meta_key("com.example.mcp/facts"));
        for bad in [
            "contract",
            "toolcontract/contract",
            "com.mcp.tools/x",
            "io.modelcontextprotocol/x",
            "dev.x/",
            "dev..x/y",
            "1dev.x/y",
        ] {
            assert!(!is_meta_key(bad), "{bad}");
        }
    }
}
