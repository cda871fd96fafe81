//! The members of a JSON object with their values left as text: what a value holds cannot spoil
//! the others, and its nesting costs no stack. A key that is there twice is not lost.

use std::fmt;

use serde::{
    Deserialize,
    de::{Deserializer, MapAccess, Visitor},
};
use serde_json::value::RawValue;

/// The members of an object, their values unread, the same key as often as it is there.
#[derive(Debug)]
pub struct Members<'t>(Vec<(String, &'t str)>);

impl<'t> Members<'t> {
    /// The text of the first value under `key`.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&'t str> {
        self.0.iter().find(|(k, _)| k == key).map(|(_, v)| *v)
    }

    /// Every key with the text of its value, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &'t str)> {
        self.0.iter().map(|(key, text)| (key.as_str(), *text))
    }

    /// A key that is there more than once.
    #[must_use]
    pub fn repeated(&self) -> Option<String> {
        let mut keys: Vec<&str> = self.0.iter().map(|(key, _)| key.as_str()).collect();
        keys.sort_unstable();
        let pairs = keys.iter().zip(keys.iter().skip(1));
        pairs
            .into_iter()
            .find(|(a, b)| a == b)
            .map(|(key, _)| (*key).to_owned())
    }
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((key, value)) = map.next_entry::<String, &'de RawValue>()? {
                    members.push((key, value.get()));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Object)
    }
}
