//! JSON pointers as text: built token by token, read back with escapes undone.
//!
//! A pointer here is never a URI fragment; [`from_fragment`] turns one into the other.

use std::borrow::Cow;

use jsonptr::{Pointer, Token};
use percent_encoding::percent_decode_str;
use serde_json::Value;

/// `pointer` with one more token, escaped.
#[must_use]
pub fn join(pointer: &str, token: &str) -> String {
    let encoded = Token::new(token);
    let encoded = encoded.encoded();
    let mut joined = String::with_capacity(pointer.len() + 1 + encoded.len());
    joined.push_str(pointer);
    joined.push('/');
    joined.push_str(encoded);
    joined
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

/// What RFC 3986 does not allow in a fragment.
const FRAGMENT: &percent_encoding::AsciiSet = &percent_encoding::CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
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

/// The value at `pointer`. None when there is none, or when an index is not in canonical form.
#[must_use]
pub fn resolve<'a>(root: &'a Value, pointer: &str) -> Option<&'a Value> {
    root.pointer(pointer)
}
