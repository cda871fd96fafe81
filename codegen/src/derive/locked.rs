//! What the lock says of a model: a digest of what models read and of the whole contract, and the
//! token estimate that belongs to the bytes. An estimate is made only for bytes that changed.

use std::collections::BTreeSet;

use rayon::prelude::*;
use toolcontract_schema::digest::hex;

use super::Baseline;
use crate::{
    emit::advertised::advertised_bytes,
    model::{Lock, Model, lock},
    tokens,
};

/// The lock that belongs to `model`, and the tools whose estimate the baseline does not have.
pub(super) fn lock_of(model: &Model, baseline: &Baseline) -> (Lock, Vec<String>) {
    let digests: Vec<(String, String)> = model
        .tools
        .par_iter()
        .map(|tool| {
            let contract = lock::contract_digest(tool, &model.types);
            (hex(&advertised_bytes(tool)), contract)
        })
        .collect();
    let mut lock = Lock {
        retired: baseline.retired(),
        ..Lock::default()
    };
    let mut unestimated = Vec::new();
    for (tool, (advertised, contract)) in model.tools.iter().zip(digests) {
        let name = &tool.manifest.name;
        let known = baseline.tokens(name, &advertised);
        if known.is_none() {
            unestimated.push(name.clone());
        }
        let locked = lock::LockedTool {
            version: tool.manifest.version,
            advertised,
            contract,
            tokens: known.unwrap_or(0),
        };
        lock.tools.insert(name.clone(), locked);
    }
    (lock, unestimated)
}

/// Token estimates of the tools named, and those of them for which this build makes none.
pub(super) fn estimate(model: &Model, names: &[String]) -> (Vec<(String, u32)>, Vec<String>) {
    let names: BTreeSet<&str> = names.iter().map(String::as_str).collect();
    let made: Vec<(String, Option<u32>)> = model
        .tools
        .par_iter()
        .filter(|tool| names.contains(tool.manifest.name.as_str()))
        .map(|tool| {
            let estimate = tokens::estimate(&advertised_bytes(tool));
            (tool.manifest.name.clone(), estimate)
        })
        .collect();
    let (mut estimates, mut none) = (Vec::new(), Vec::new());
    for (name, estimate) in made {
        match estimate {
            Some(tokens) => estimates.push((name, tokens)),
            None => none.push(name),
        }
    }
    (estimates, none)
}
