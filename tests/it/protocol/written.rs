//! `written/<Type>/<case>.json` is what the type writes, byte for byte: field order, omissions, tokens.

use std::collections::BTreeSet;

use super::{TYPES, samples};
use crate::expect::Expect;

#[test]
fn every_sample_is_written_as_it_was_read() {
    let mut expect = Expect::default();
    for (kind, path, text) in samples("written") {
        let Some((_, rewrite)) = TYPES.iter().find(|(name, _)| *name == kind) else {
            expect.fail(format_args!("{}: no type `{kind}`", path.display()));
            continue;
        };
        match rewrite(&text) {
            // Other tests read the samples: what is right stays untouched.
            Ok(written) if written == text => {}
            Ok(written) => expect.file(&path, &written),
            Err(error) => expect.fail(format_args!("{}: {error}", path.display())),
        }
    }
    expect.finish();
}

#[test]
fn every_type_that_travels_has_samples() {
    let sampled: BTreeSet<String> = samples("written")
        .into_iter()
        .map(|(kind, ..)| kind)
        .collect();
    let listed: BTreeSet<String> = TYPES.iter().map(|(name, _)| (*name).to_owned()).collect();
    let travels: BTreeSet<String> = toolcontract_protocol::wire::WIRE_TYPES
        .iter()
        .map(|wire| wire.name.to_owned())
        .collect();
    assert_eq!(sampled, listed);
    assert!(
        travels.is_subset(&listed),
        "{:?}",
        travels.difference(&listed)
    );
}
