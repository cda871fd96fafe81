//! Patterns over tool names: a name, or a name with `*` in it for any run of characters.

use globset::{Glob, GlobMatcher};

/// A name of a tool, or a pattern over names.
#[derive(Debug, Clone)]
pub(crate) enum NamePattern {
    /// Exactly this tool.
    Exact(String),
    /// Every tool whose name fits.
    Pattern(String, GlobMatcher),
}

/// A text that is neither.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a tool name has the characters A-Z a-z 0-9 _ - . and, as a pattern, `*`{}", say(*other))]
pub(crate) struct NamePatternError {
    /// The first character that it has not.
    other: Option<char>,
}

/// Letters of other scripts look like these, so the number is told.
fn say(other: Option<char>) -> String {
    other.map_or_else(String::new, |c| {
        format!("; U+{:04X} is none of them", u32::from(c))
    })
}

impl NamePattern {
    /// Reads a name or a pattern.
    pub(crate) fn parse(text: &str) -> Result<Self, NamePatternError> {
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '*');
        let other = text.chars().find(|c| !fits(*c));
        if text.is_empty() || other.is_some() {
            return Err(NamePatternError { other });
        }
        if !text.contains('*') {
            return Ok(Self::Exact(text.to_owned()));
        }
        match Glob::new(text) {
            Ok(glob) => Ok(Self::Pattern(text.to_owned(), glob.compile_matcher())),
            Err(_) => Err(NamePatternError { other: None }),
        }
    }

    /// Whether the pattern covers the tool `name`.
    pub(crate) fn matches(&self, name: &str) -> bool {
        match self {
            Self::Exact(exact) => exact == name,
            Self::Pattern(_, matcher) => matcher.is_match(name),
        }
    }

    /// The text that was read.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Exact(text) | Self::Pattern(text, _) => text,
        }
    }

    /// Whether every name that `other` covers is covered here too, as far as the texts say it.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        match other {
            Self::Exact(name) => self.matches(name),
            Self::Pattern(text, _) => self.text() == text || self.text() == "*",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, name: &str) -> bool {
        NamePattern::parse(pattern).is_ok_and(|pattern| pattern.matches(name))
    }

    #[test]
    fn a_star_stands_for_any_run() {
        assert!(matches("bash", "bash") && !matches("bash", "bash2"));
        assert!(matches("mcp__*", "mcp__github__delete") && !matches("mcp__*", "mcp_x"));
        assert!(matches("*", "anything") && matches("repo_*", "repo_"));
        assert!(!matches("Bash", "bash"));
    }

    #[test]
    fn nothing_else_is_special() {
        for text in [
            "",
            "a?",
            "[ab]",
            "{a,b}",
            "a/b",
            "r\u{435}ad_file",
            "a b",
            "!a",
        ] {
            assert!(NamePattern::parse(text).is_err(), "{text}");
        }
    }
}
