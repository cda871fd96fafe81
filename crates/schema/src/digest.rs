//! Digests over canonical JSON (RFC 8785), so that key order and spelling of numbers do not matter.
//!
//! RFC 8785 writes every number as the nearest double, so integers beyond ±(2^53 - 1) would share
//! a digest with their neighbours. Where a value holds such integers (only where a schema opts in,
//! or a declared contract allows them), the canonical text has a second line: each is written as
//! `0` in the first, and the second is the canonical object from its JSON pointer to its exact
//! decimal digits as text. `{"id":9007199254740993}` is digested as
//!
//! ```text
//! {"id":0}
//! {"/id":"9007199254740993"}
//! ```
//!
//! Canonical JSON holds no line break, so no value has the text of another.

use serde::{Serialize, Serializer, ser::Error as _};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use crate::{bounds::nesting, integral::is_wide, normal::MAX_NESTING, pointer::join};

/// SHA-256 of the canonical text of `value`, lower-case hex.
///
/// # Errors
/// When `value` has no JSON form, or nests deeper than 128 levels.
pub fn digest<T: Serialize>(value: &T) -> Result<String, serde_json::Error> {
    Ok(hex(&canonical(value)?))
}

/// The same of what is a value already, without a copy of it.
///
/// # Errors
/// When `value` nests deeper than 128 levels.
pub fn digest_of(value: &Value) -> Result<String, serde_json::Error> {
    Ok(hex(&canonical_of(value)?))
}

/// The canonical text of `value`, as described above.
///
/// # Errors
/// When `value` has no JSON form, or nests deeper than 128 levels.
pub fn canonical<T: Serialize>(value: &T) -> Result<Vec<u8>, serde_json::Error> {
    canonical_of(&serde_json::to_value(value)?)
}

fn canonical_of(value: &Value) -> Result<Vec<u8>, serde_json::Error> {
    if nesting(value) > MAX_NESTING {
        return Err(serde_json::Error::custom(
            "the value nests deeper than 128 levels",
        ));
    }
    let seen = look(value);
    if seen.plain && !seen.wide {
        return serde_json::to_vec(&Sorted(value));
    }
    let mut value = value.clone();
    let wide = take_wide(&mut value);
    let mut text = serde_jcs::to_vec(&value)?;
    if !wide.is_empty() {
        text.push(b'\n');
        text.extend(serde_jcs::to_vec(&wide)?);
    }
    Ok(text)
}

/// A value whose objects are written in the order of their names.
struct Sorted<'v>(&'v Value);

/// As deep as the value, which [`nesting`] has bounded.
impl Serialize for Sorted<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Object(members) => {
                let mut members: Vec<_> = members.iter().collect();
                members.sort_unstable_by_key(|(name, _)| *name);
                let members = members.into_iter();
                serializer.collect_map(members.map(|(name, member)| (name, Self(member))))
            }
            Value::Array(items) => serializer.collect_seq(items.iter().map(Sorted)),
            plain => plain.serialize(serializer),
        }
    }
}

/// What a value holds.
struct Seen {
    /// Integers beyond ±(2^53 - 1).
    wide: bool,
    /// No fractions, and keys in ASCII only: with its keys sorted, `serde_json` writes the canonical
    /// text, in a fraction of the time.
    plain: bool,
}

fn look(value: &Value) -> Seen {
    let mut seen = Seen {
        wide: false,
        plain: true,
    };
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Number(number) => {
                seen.wide |= is_wide(number);
                seen.plain &= !number.is_f64();
            }
            Value::Array(items) => open.extend(items),
            Value::Object(members) => {
                seen.plain &= members.keys().all(|name| name.is_ascii());
                open.extend(members.values());
            }
            Value::Null | Value::Bool(_) | Value::String(_) => {}
        }
    }
    seen
}

/// Sets every integer beyond ±(2^53 - 1) to 0; gives pointers and exact digits.
fn take_wide(value: &mut Value) -> Map<String, Value> {
    let mut wide = Map::new();
    let mut open = vec![(String::new(), value)];
    while let Some((pointer, value)) = open.pop() {
        match value {
            Value::Number(number) if is_wide(number) => {
                let digits = match (number.is_f64(), number.as_f64()) {
                    // Exact: a double beyond 2^53 is an integer, and `{:.0}` writes all its digits.
                    (true, Some(float)) => format!("{float:.0}"),
                    _ => number.to_string(),
                };
                *value = Value::from(0);
                wide.insert(pointer, Value::String(digits));
            }
            Value::Array(items) => open.extend(
                items
                    .iter_mut()
                    .enumerate()
                    .map(|(index, item)| (join(&pointer, &index.to_string()), item)),
            ),
            Value::Object(members) => open.extend(
                members
                    .iter_mut()
                    .map(|(name, member)| (join(&pointer, name), member)),
            ),
            _ => {}
        }
    }
    wide
}

/// SHA-256 of `bytes`, lower-case hex.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let digest: [u8; 32] = Sha256::digest(bytes).into();
    let (halves, _) = digest.as_chunks();
    halves
        .iter()
        .fold(String::with_capacity(64), |mut out, half| {
            let _ = write!(out, "{:032x}", u128::from_be_bytes(*half));
            out
        })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text(value: &Value) -> String {
        String::from_utf8(canonical(value).unwrap()).unwrap()
    }

    #[test]
    fn order_and_spelling_do_not_matter() {
        assert_eq!(text(&json!({ "b": 1.0, "a": "é" })), r#"{"a":"é","b":1}"#);
        assert_eq!(
            digest(&json!({ "b": 1.0, "a": [1e2] })).unwrap(),
            digest(&json!({ "a": [100], "b": 1 })).unwrap()
        );
    }

    #[test]
    fn the_quick_way_writes_what_the_crate_for_it_writes() {
        let control: String = (0..0x20u8).map(char::from).collect();
        let quick = [
            json!({ "b": [], "a": {}, "B": { "z": 1, "y": [true, null, -7] }, "": 0, "\u{7f}\"\\": 1 }),
            json!([
                control,
                "\u{7f}\u{80}é\u{2028}\u{ffff}😀/<>&'\"\\",
                u64::from(u32::MAX),
                -1
            ]),
            json!({ "a_b": 1, "a-b": 2, "a b": 3, "aB": 4, "ab": 5, "a": 6, "10": 7, "9": 8 }),
            json!("text"),
            json!(9_007_199_254_740_991_u64),
        ];
        for value in quick {
            assert!(look(&value).plain, "{value}");
            assert_eq!(
                canonical(&value).unwrap(),
                serde_jcs::to_vec(&value).unwrap()
            );
        }
        let slow = [
            json!({ "a": 1.0, "b": 1e-7, "c": -0.0, "d": 0.1 }),
            json!({ "\u{e000}": 1, "😀": 2, "é": 3 }),
        ];
        for value in slow {
            assert!(!look(&value).plain, "{value}");
            assert_eq!(
                canonical(&value).unwrap(),
                serde_jcs::to_vec(&value).unwrap()
            );
        }
    }

    #[test]
    fn wide_integers_are_told_apart() {
        let of = |n: u64| text(&json!({ "id": n, "n": 1 }));
        assert_eq!(
            of(9_007_199_254_740_993),
            "{\"id\":0,\"n\":1}\n{\"/id\":\"9007199254740993\"}"
        );
        assert_ne!(of(u64::MAX), of(u64::MAX - 1));
        assert_eq!(
            of(9_007_199_254_740_991),
            r#"{"id":9007199254740991,"n":1}"#
        );
        // Equal numbers have one digest, also when one is spelled as a float.
        assert_eq!(
            text(&json!(9_007_199_254_740_992.0)),
            text(&json!(9_007_199_254_740_992_u64))
        );
        assert_ne!(
            text(&json!(9_223_372_036_854_775_808.0)),
            text(&json!(9_223_372_036_854_776_000_u64))
        );
        assert_ne!(
            text(&json!({ "id": "9007199254740993" })),
            of(9_007_199_254_740_993)
        );
    }
}
