//! JSON pointers as text: built token by token, read back with escapes undone.
//!
//! A pointer here is never a URI fragment; [`from_fragment`] turns one into the other.

use std::borrow::Cow;

use jsonptr::{Pointer, Token};
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str};
use serde_json::Value;

/// `pointer` with one more token, escaped.
#[must_use]
pub fn join(pointer: &str, token: &str) -> String {
    let mut joined = String::with_capacity(pointer.len() + 1 + token.len());
    joined.push_str(pointer);
    push(&mut joined, token);
    joined
}

/// Puts one more token, escaped, behind `pointer`.
pub fn push(pointer: &mut String, token: &str) {
    pointer.push('/');
    if token.contains(['~', '/']) {
        pointer.push_str(Token::new(token).encoded());
    } else {
        pointer.push_str(token);
    }
}

/// The tokens of `pointer`, escapes undone. None when it is not a JSON pointer.
#[must_use]
pub fn tokens(pointer: &str) -> Option<Vec<Cow<'_, str>>> {
    let pointer = Pointer::parse(pointer).ok()?;
    Some(
        pointer
            .tokens()
            .map(|t| Cow::Owned(t.decoded().into_owned()))
            .collect(),
    )
}

/// The pointer that a URI fragment (without its `#`) spells. None when it spells none.
#[must_use]
pub fn from_fragment(fragment: &str) -> Option<String> {
    let decoded = percent_decode_str(fragment).decode_utf8().ok()?;
    Pointer::parse(decoded.as_ref()).ok()?;
    Some(decoded.into_owned())
}

/// The reference within a document to the value at `pointer`: `#/$defs/a~1b`.
///
/// Percent-encodes what a URI fragment may not hold.
#[must_use]
pub fn to_reference(pointer: &str) -> String {
    format!(
        "#{}",
        percent_encoding::utf8_percent_encode(pointer, FRAGMENT)
    )
}

/// `reference` with what a URI may not hold percent-encoded; escapes that are there stay.
///
/// Schemas in the wild write `#/$defs/Page of Items` as it stands.
#[must_use]
pub fn to_uri_reference(reference: &str) -> Cow<'_, str> {
    let (uri, fragment) = reference.split_once('#').unwrap_or((reference, ""));
    let encode = |part| Cow::from(percent_encoding::utf8_percent_encode(part, BUT_ESCAPES));
    match (encode(uri), encode(fragment)) {
        (Cow::Borrowed(_), Cow::Borrowed(_)) => Cow::Borrowed(reference),
        (uri, fragment) => Cow::Owned(format!("{uri}#{fragment}")),
    }
}

/// What RFC 3986 does not allow in a fragment, but for the sign of an escape.
const BUT_ESCAPES: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'<')
    .add(b'>')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

const FRAGMENT: &AsciiSet = &BUT_ESCAPES.add(b'%');

/// The value at `pointer`. None when there is none.
#[must_use]
pub fn resolve<'a>(root: &'a Value, pointer: &str) -> Option<&'a Value> {
    root.pointer(pointer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_go_both_ways() {
        let pointer = join(&join("", "$defs"), "a/b~c %é");
        assert_eq!(pointer, "/$defs/a~1b~0c %é");
        assert_eq!(tokens(&pointer).unwrap(), ["$defs", "a/b~c %é"]);
        let reference = to_reference(&pointer);
        assert_eq!(reference, "#/$defs/a~1b~0c%20%25%C3%A9");
        assert_eq!(from_fragment(&reference[1..]), Some(pointer));
        assert_eq!(tokens("a"), None);
        assert_eq!(from_fragment("/~2"), None);
    }

    #[test]
    fn raw_references_become_uris() {
        assert_eq!(to_uri_reference("#/$defs/e f"), "#/$defs/e%20f");
        assert_eq!(to_uri_reference("#/$defs/e%20f"), "#/$defs/e%20f");
        assert_eq!(to_uri_reference("a.json"), "a.json");
    }
}
