//! Bytes to a value, with the limits kept while reading: nothing beyond them is ever allocated.
//!
//! A number with a fraction or an exponent is the nearest double (IEEE 754, ties to even). One that
//! is too small for any is 0, with its sign: that is what every schema, rule and tool sees, and
//! what a digest covers, in which -0 is 0. One beyond the largest double is refused.

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::{BoundsError, Count, Limits, Numbers, Path, Step};
use crate::integral::is_wide;
use crate::violation::bounded;

/// Reads one JSON text.
///
/// # Errors
/// The first fault in the order of the text.
pub fn read(bytes: &[u8], limits: &Limits) -> Result<Value, BoundsError> {
    if bytes.len() > limits.bytes {
        return Err(BoundsError::TooManyBytes {
            limit: limits.bytes,
            got: bytes.len(),
        });
    }
    let mut state = State {
        count: Count::new(limits),
        fault: None,
        numbers: 0,
        doubtful: Vec::new(),
    };
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let seed = Seed {
        state: &mut state,
        path: Path::ROOT,
    };
    let read = seed
        .deserialize(&mut deserializer)
        .and_then(|value| deserializer.end().map(|()| value));
    let State {
        fault, doubtful, ..
    } = state;
    let value = read.map_err(|error| {
        fault.unwrap_or_else(|| BoundsError::NotJson {
            line: error.line(),
            column: error.column(),
            reason: reason(&error),
        })
    })?;
    match first_integer(bytes, doubtful) {
        Some(pointer) => Err(BoundsError::WideInteger { pointer }),
        None => Ok(value),
    }
}

/// Of numbers that were read as doubles, the first that is written as an integer: one beyond 64
/// bits, which the parser rounds without a word. `bytes` is known to be JSON.
fn first_integer(bytes: &[u8], doubtful: Vec<(usize, String)>) -> Option<String> {
    let mut doubtful = doubtful.into_iter().peekable();
    let (mut numbers, mut rest) = (0, bytes);
    while let (Some((wanted, _)), Some((&first, tail))) = (doubtful.peek(), rest.split_first()) {
        rest = match first {
            b'"' => after_text(tail),
            b'-' | b'0'..=b'9' => {
                numbers += 1;
                let length = rest.iter().take_while(|b| is_of_number(**b)).count();
                let (number, tail) = rest.split_at_checked(length)?;
                if numbers == *wanted {
                    let (_, pointer) = doubtful.next()?;
                    if !number.iter().any(|b| matches!(b, b'.' | b'e' | b'E')) {
                        return Some(pointer);
                    }
                }
                tail
            }
            _ => tail,
        };
    }
    None
}

fn is_of_number(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E')
}

/// What follows the text whose quotation mark was read.
fn after_text(mut rest: &[u8]) -> &[u8] {
    while let Some((&first, tail)) = rest.split_first() {
        rest = match first {
            b'"' => return tail,
            b'\\' => tail.get(1..).unwrap_or_default(),
            _ => tail,
        };
    }
    rest
}

/// What the parser says, without the place, which is told apart.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let end = text.rfind(" at line ").unwrap_or(text.len());
    bounded(text.get(..end).unwrap_or_default())
}

struct State<'l> {
    count: Count<'l>,
    /// The fault behind an error of serde, which cannot carry it.
    fault: Option<BoundsError>,
    /// How many numbers were read.
    numbers: usize,
    /// Doubles without a fraction that may be integers too long for 64 bits: which number of the
    /// text, and its place.
    doubtful: Vec<(usize, String)>,
}

impl State<'_> {
    fn keep<T, E: serde::de::Error>(&mut self, result: Result<T, BoundsError>) -> Result<T, E> {
        result.map_err(|fault| {
            self.fault = Some(fault);
            E::custom("out of bounds")
        })
    }
}

struct Seed<'a, 'l> {
    state: &'a mut State<'l>,
    path: Path<'a>,
}

impl<'de> DeserializeSeed<'de> for Seed<'_, '_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        let node = self.state.count.node();
        self.state.keep(node)?;
        deserializer.deserialize_any(self)
    }
}

impl Seed<'_, '_> {
    fn number<E: serde::de::Error>(self, number: Number) -> Result<Value, E> {
        self.state.numbers += 1;
        let kept = self.state.count.number(&number, self.path);
        self.state.keep(kept)?;
        if self.state.count.limits.numbers == Numbers::Safe && is_wide(&number) {
            let place = (self.state.numbers, self.path.pointer());
            self.state.doubtful.push(place);
        }
        Ok(Value::Number(number))
    }
}

impl<'de> Visitor<'de> for Seed<'_, '_> {
    type Value = Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Value, E> {
        self.number(Number::from(value))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Value, E> {
        self.number(Number::from(value))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        match Number::from_f64(value) {
            Some(number) => self.number(number),
            None => Err(E::custom("the number is not finite")),
        }
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let Self { state, path } = self;
        let entered = state.count.enter(path);
        state.keep(entered)?;
        let mut items = Vec::new();
        while let Some(item) = access.next_element_seed(Seed {
            state: &mut *state,
            path: path.child(Step::Index(items.len()), &path),
        })? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let Self { state, path } = self;
        let entered = state.count.enter(path);
        state.keep(entered)?;
        let mut members = Map::new();
        while let Some(name) = access.next_key::<String>()? {
            let path = path.child(Step::Name(&name), &path);
            if members.contains_key(&name) {
                state.fault = Some(BoundsError::DuplicateKey {
                    pointer: path.pointer(),
                });
                return Err(A::Error::custom("out of bounds"));
            }
            let member = access.next_value_seed(Seed {
                state: &mut *state,
                path,
            })?;
            members.insert(name, member);
        }
        Ok(Value::Object(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Result<f64, BoundsError> {
        let value = read(text.as_bytes(), &Limits::default())?;
        Ok(value.as_f64().expect("a number"))
    }

    #[test]
    fn a_number_is_the_nearest_double() {
        let bits = |text| number(text).map(f64::to_bits);
        assert_eq!(bits("1e-400"), Ok(0.0_f64.to_bits()));
        assert_eq!(bits("-1e-400"), Ok((-0.0_f64).to_bits()));
        // Half of the smallest double is a tie, and 0 is the even side of it.
        assert_eq!(bits("2.4703282292062327e-324"), Ok(0));
        assert_eq!(bits("2.4703282292062329e-324"), Ok(1));
        assert_eq!(bits("4.9406564584124654e-324"), Ok(1));
        assert_eq!(bits("0.1"), Ok(0.1_f64.to_bits()));
        assert!(bits("1.7976931348623157e308").is_ok());
        assert!(bits("1e400").is_err() && bits("-1e400").is_err());
        let digest = |text| crate::digest::digest(&number(text).expect("a number")).ok();
        assert_eq!(digest("-1e-400"), digest("0"));
    }
}
