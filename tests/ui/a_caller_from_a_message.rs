//~ E0277
//! No message is a caller.
use toolcontract_runtime::{caller::Caller, protocol::Principal};

fn from_text<T: std::str::FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

pub fn read(text: &str) -> (Option<Principal>, Option<Caller>) {
    (from_text(text), from_text(text))
}
