//! Texts of a definition that a model reads otherwise than a person sees them.

use serde_json::{Map, Value};
use toolcontract_schema::pointer::join;

use super::Oddity;
use crate::text::{hidden, hidden_in};

/// The first hidden character of each text and each key in the definition.
pub(super) fn hidden_texts(map: &Map<String, Value>) -> Vec<Oddity> {
    let keys = map.keys();
    let keys = keys.filter_map(|key| Some((join("", key), hidden(key)?.1)));
    let members = map.iter();
    let members = members.flat_map(|(key, member)| hidden_in(member, &join("", key)));
    keys.chain(members)
        .map(|(pointer, character)| Oddity::HiddenCharacter { pointer, character })
        .collect()
}
