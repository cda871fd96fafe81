//! Globs over paths. A path is read as what it leads to: `a/../.env` is `.env`.
//!
//! Lexical only: no link is followed and no disk is read. A path that cannot be judged that way
//! is an error and no miss, so that a rule is never slipped past.

use std::borrow::Cow;

use globset::{GlobBuilder, GlobMatcher};

/// A glob over paths: `*` and `?` stay within a part, `**` crosses parts.
#[derive(Debug, Clone)]
pub(crate) struct PathGlob {
    text: String,
    matcher: GlobMatcher,
    /// Whether it says something about paths that start anywhere.
    anywhere: bool,
    absolute: bool,
}

/// Why nobody can say whether a path fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unjudged {
    /// The path is absolute, and the glob is relative to a folder that is not known here.
    Absolute,
    /// The path is relative to a folder that is not known here, and the glob is absolute.
    Relative,
    /// The path leaves the folder that the glob is relative to.
    LeavesFolder,
    /// The path holds a character that systems read differently.
    Ambiguous,
}

impl Unjudged {
    /// What is wrong, in words.
    pub(crate) fn about(self) -> &'static str {
        match self {
            Self::Absolute => {
                "an absolute path, which a relative glob cannot judge (one that begins with `**/` can)"
            }
            Self::Relative => {
                "a relative path, which an absolute glob cannot judge (a relative one can, or one that begins with `**/`)"
            }
            Self::LeavesFolder => {
                "a path that leaves its folder, which a relative glob cannot judge (one that begins with `**/` can)"
            }
            Self::Ambiguous => "a path with a backslash or a control character",
        }
    }
}

impl PathGlob {
    /// Reads a glob.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let ambiguous = |c: char| c == '\\' || c.is_control();
        if text.is_empty() || text.contains(ambiguous) {
            return Err("it is empty or holds a backslash or a control character".to_owned());
        }
        if normalize(text).as_ref() != text {
            return Err("it holds `//`, or a part `.` or `..`, which no path has left".to_owned());
        }
        let glob = GlobBuilder::new(text)
            .literal_separator(true)
            .build()
            .map_err(|error| error.kind().to_string())?;
        Ok(Self {
            text: text.to_owned(),
            matcher: glob.compile_matcher(),
            anywhere: text.starts_with("**"),
            absolute: text.starts_with('/'),
        })
    }

    /// The glob that a text is which is none only for its parts `.` and `..`.
    pub(crate) fn meant(text: &str) -> Option<String> {
        let meant = normalize(text).into_owned();
        (!text.is_empty() && Self::parse(&meant).is_ok()).then_some(meant)
    }

    /// Whether `path` fits.
    pub(crate) fn matches(&self, path: &str) -> Result<bool, Unjudged> {
        if path.contains(|c: char| c == '\\' || c.is_control()) {
            return Err(Unjudged::Ambiguous);
        }
        let path = normalize(path);
        if self.matcher.is_match(path.as_ref()) {
            return Ok(true);
        }
        if !self.anywhere && !self.absolute {
            if path.starts_with('/') {
                return Err(Unjudged::Absolute);
            }
            if path.as_ref() == ".." || path.starts_with("../") {
                return Err(Unjudged::LeavesFolder);
            }
        }
        if self.absolute && !path.starts_with('/') {
            return Err(Unjudged::Relative);
        }
        Ok(false)
    }

    /// The text that was read.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

/// `path` without `.`, empty parts and `..` behind a part. What leads above the start keeps its
/// `..`; above the root there is nothing.
fn normalize(path: &str) -> Cow<'_, str> {
    let relative = path.strip_prefix('/').unwrap_or(path);
    let plain = |part: &str| !matches!(part, "" | "." | "..");
    if relative.is_empty() || relative.split('/').all(plain) {
        return match relative.is_empty() && !path.starts_with('/') {
            true => Cow::Borrowed("."),
            false => Cow::Borrowed(path),
        };
    }
    let absolute = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if absolute => {}
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    Cow::Owned(match (absolute, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".to_owned(),
        (false, false) => joined,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_what_it_leads_to() {
        for (path, expected) in [
            ("a/b", "a/b"),
            ("a/../.env", ".env"),
            ("./a//b/", "a/b"),
            ("a/../../b", "../b"),
            ("/a/../../b", "/b"),
            ("", "."),
            (".", "."),
            ("a/..", "."),
            ("../..", "../.."),
            ("/", "/"),
        ] {
            assert_eq!(normalize(path), expected, "{path}");
        }
    }

    #[track_caller]
    fn check(glob: &str, path: &str, expected: Result<bool, Unjudged>) {
        let glob = PathGlob::parse(glob).expect("a glob");
        assert_eq!(glob.matches(path), expected, "{} {path}", glob.text());
    }

    #[test]
    fn secrets_are_found_however_they_are_spelled() {
        for path in [
            ".env",
            "a/.env.local",
            "a/../.env",
            "./.env",
            "a//.env",
            "../.env",
            "/x/.env",
        ] {
            check("**/.env*", path, Ok(true));
        }
        check("**/.env*", "a/env.md", Ok(false));
        check("src/*.rs", "src/a.rs", Ok(true));
        check("src/*.rs", "src/a/b.rs", Ok(false));
        check("src/**", "src/a/b.rs", Ok(true));
        check("src/**", "src/../b.rs", Ok(false));
    }

    #[test]
    fn what_cannot_be_judged_is_no_miss() {
        check("src/**", "/home/me/src/a", Err(Unjudged::Absolute));
        check("src/**", "../here/src/a", Err(Unjudged::LeavesFolder));
        check(
            "src/**",
            "src/../../here/src/a",
            Err(Unjudged::LeavesFolder),
        );
        check("**/.env", "a\\.env", Err(Unjudged::Ambiguous));
        check("**/.env", "a/.env\0", Err(Unjudged::Ambiguous));
        check("/etc/**", "../../etc/passwd", Err(Unjudged::Relative));
        check("/etc/**", "README.md", Err(Unjudged::Relative));
        check("/etc/**", "/tmp/../etc/passwd", Ok(true));
    }

    #[test]
    fn a_glob_that_no_path_fits_is_refused() {
        for text in ["", "a/../b", "./a", "a//b", "[a", "a\\*"] {
            assert!(PathGlob::parse(text).is_err(), "{text}");
        }
        assert_eq!(PathGlob::meant("./.env").as_deref(), Some(".env"));
        assert_eq!(PathGlob::meant("[a"), None);
    }
}
