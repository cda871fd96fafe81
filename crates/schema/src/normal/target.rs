//! What a reference in normal form leads to.

use serde_json::Value;

/// The schema itself, or one of its definitions, which may be named by nothing at all.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// `#`.
    Root,
    /// `#/$defs/NAME`.
    Definition(String),
}

impl Target {
    /// What `reference` leads to. None for one that is not in normal form.
    #[must_use]
    pub fn of(reference: &str) -> Option<Self> {
        if reference == "#" {
            return Some(Self::Root);
        }
        let token = reference.strip_prefix("#/$defs/")?;
        let token = jsonptr::Token::from_encoded(token).ok()?;
        Some(Self::Definition(token.decoded().into_owned()))
    }

    /// The reference that leads here.
    #[must_use]
    pub fn reference(&self) -> String {
        match self {
            Self::Root => "#".to_owned(),
            Self::Definition(name) => format!("#/$defs/{}", jsonptr::Token::new(name).encoded()),
        }
    }

    /// The name of the definition; none of the schema itself.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Root => None,
            Self::Definition(name) => Some(name),
        }
    }

    /// The schema of the target in `root`. None when `root` has no such definition.
    #[must_use]
    pub fn within<'a>(&self, root: &'a Value) -> Option<&'a Value> {
        match self {
            Self::Root => Some(root),
            Self::Definition(name) => root.get("$defs")?.get(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_name_comes_back() {
        for name in ["", "a/b~c", "%20", "a b"] {
            let target = Target::Definition(name.to_owned());
            assert_eq!(
                Target::of(&target.reference()),
                Some(target.clone()),
                "{name}"
            );
            let root = json!({ "$defs": { name: { "title": "found" } } });
            assert_eq!(
                target.within(&root),
                Some(&json!({ "title": "found" })),
                "{name}"
            );
        }
        assert_eq!(Target::of("#"), Some(Target::Root));
        assert_eq!(Target::of("#/properties/a"), None);
        assert_eq!(Target::of("#/$defs/a/b"), None);
    }
}
