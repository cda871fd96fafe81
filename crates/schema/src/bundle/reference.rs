//! A reference to a schema in another file, as written: `types/page.toml#/$defs/cursor`.
//!
//! Refuses what could name anything but a file of the manifests.

use fluent_uri::UriRef;
use percent_encoding::percent_decode_str;

use crate::pointer;

/// A file and a place in it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FileRef {
    /// Relative to the manifests, forward slashes.
    pub(super) path: String,
    /// JSON pointer in the file; empty for the whole.
    pub(super) pointer: String,
}

impl FileRef {
    /// Reads `reference`.
    pub(super) fn parse(reference: &str) -> Result<Self, &'static str> {
        let uri = UriRef::parse(reference)
            .map_err(|_| "not a URI reference; write a relative path with forward slashes")?;
        if uri.has_scheme() || uri.has_authority() {
            return Err(
                "a network reference is never followed; name a file of the manifests, such as `types/page.toml`",
            );
        }
        if uri.has_query() {
            return Err("a file reference has no `?`");
        }
        let path = percent_decode_str(uri.path().as_str())
            .decode_utf8()
            .map_err(|_| "the path is not UTF-8")?;
        let outside = path.starts_with('/') || path.contains(['\\', '\0']);
        let segments: Vec<&str> = path.split('/').filter(|s| *s != ".").collect();
        if outside || segments.iter().any(|s| *s == ".." || s.is_empty()) {
            return Err(
                "the path leaves the manifests; write it from `manifests/`, such as `types/page.toml`",
            );
        }
        let path = segments.join("/");
        let fragment = uri.fragment().map_or("", |f| f.as_str());
        let pointer = pointer::from_fragment(fragment)
            .ok_or("after `#` stands a JSON pointer into the file, such as `#/$defs/cursor`")?;
        Ok(Self { path, pointer })
    }

    /// The one spelling of this reference: path, then `#` and the pointer where there is one.
    pub(super) fn canonical(&self) -> String {
        if self.pointer.is_empty() {
            self.path.clone()
        } else {
            format!("{}#{}", self.path, self.pointer)
        }
    }

    /// The name to ask for in `$defs`: the file stem, then the last token of the pointer.
    pub(super) fn preferred_name(&self) -> String {
        let file = self.path.rsplit('/').next().unwrap_or_default();
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        match pointer::tokens(&self.pointer).as_deref() {
            Some([.., last]) => format!("{stem}_{last}"),
            _ => stem.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_paths_and_pointers() {
        let read = |text: &str| FileRef::parse(text).map(|r| (r.canonical(), r.preferred_name()));
        let ok = |path: &str, name: &str| Ok((path.to_owned(), name.to_owned()));
        assert_eq!(read("types/page.toml"), ok("types/page.toml", "page"));
        assert_eq!(read("./types/page.json#"), ok("types/page.json", "page"));
        assert_eq!(
            read("types/a%20b.toml#/$defs/x~1y"),
            ok("types/a b.toml#/$defs/x~1y", "a b_x/y")
        );
    }

    #[test]
    fn refuses_what_leaves_the_manifests() {
        for text in [
            "https://example.com/a.json",
            "file:///etc/passwd",
            "//host/a.json",
            "/etc/passwd",
            "../secret.toml",
            "types/../../secret.toml",
            "types/%2e%2e/secret.toml",
            "types\\page.toml",
            "types//page.toml",
            "types/page.toml?x",
            "types/page.toml#cursor",
            "c:/x.toml",
        ] {
            assert!(FileRef::parse(text).is_err(), "{text}");
        }
    }
}
