//! Generators of the npm registry on the same schemas, each in a process of its own.

use std::{path::Path, process::Command};

use crate::{
    Failure,
    measure::{self, Cost, repository},
};

/// The peers, as `bench/js/peers.mjs` names them.
const PEERS: [&str; 3] = [
    "json-schema-to-typescript",
    "quicktype",
    "json-schema-to-zod",
];

/// Measures every peer on the schemas of `folder`.
///
/// # Errors
/// When the packages cannot be installed or a peer fails.
pub fn run(folder: &Path) -> Result<Vec<(String, Cost)>, Failure> {
    let js = repository().join("bench/js");
    if !js.join("node_modules").exists() {
        let installed = Command::new("npm")
            .args(["ci", "--silent", "--no-audit", "--no-fund"])
            .current_dir(&js)
            .status()?;
        if !installed.success() {
            return Err("`npm ci` in bench/js failed".into());
        }
    }
    PEERS
        .iter()
        .map(|peer| {
            let cost = measure::best(2, || {
                let mut command = Command::new("node");
                command
                    .arg("peers.mjs")
                    .arg(peer)
                    .arg(folder)
                    .current_dir(&js);
                Ok(command)
            })?;
            Ok((format!("{peer}: TypeScript alone"), cost))
        })
        .collect()
}
