//! Which tools a question is about: those of the catalog, or those of a folder of manifests.
//! Refuses a folder with a fault, since half a catalog would answer for a whole one.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use clap::Args;
use toolcontract_manifest::{Diagnostic, Folder};
use toolcontract_protocol::{Provenance, ToolContract, manifest::Posture};
use toolcontract_schema::{bundle::bundle, strip};

use super::Failure;

/// Where the contracts are.
#[derive(Debug, Clone, Args)]
pub(super) struct Contracts {
    /// The folder that holds `manifests/`; without it, the tools are those of the catalog
    #[arg(long, value_name = "DIR")]
    manifests: Option<PathBuf>,
}

/// Contracts, or what is wrong with the manifests.
pub(super) enum Found {
    Contracts(Vec<Arc<ToolContract>>),
    Faults(Vec<Diagnostic>),
}

impl Contracts {
    pub(super) fn find(&self) -> Result<Found, Failure> {
        let Some(root) = &self.manifests else {
            let catalog = stella_contracts::catalog().iter();
            let all = catalog.map(|contract| Arc::new(ToolContract::clone(contract)));
            return Ok(Found::Contracts(all.collect()));
        };
        let (folder, findings) = toolcontract_manifest::load(root)?;
        match folder {
            Some(folder) => Ok(Found::Contracts(contracts(&folder)?)),
            None => Ok(Found::Faults(findings)),
        }
    }
}

fn contracts(folder: &Folder) -> Result<Vec<Arc<ToolContract>>, Failure> {
    let types = folder.types.iter();
    let types: BTreeMap<String, _> = types
        .map(|(path, loaded)| (path.clone(), loaded.value.clone()))
        .collect();
    let closed = serde_json::json!({ "type": "object", "additionalProperties": false });
    let mut contracts = Vec::new();
    for loaded in &folder.tools {
        let manifest = &loaded.value;
        let whole = |schema| {
            bundle(schema, &types)
                .map(|bundle| strip(&bundle.schema))
                .map_err(|errors| {
                    let all: Vec<String> = errors.iter().map(ToString::to_string).collect();
                    format!("`{}`: {}", loaded.document.path, all.join("; "))
                })
        };
        let input = whole(manifest.input_schema.as_ref().unwrap_or(&closed))?;
        let output = manifest.output_schema.as_ref().map(whole).transpose()?;
        let provenance = match manifest.posture() {
            Posture::Authored => Provenance::Builtin,
            Posture::Declared => Provenance::Declared,
        };
        contracts.push(Arc::new(manifest.contract(input, output, provenance)));
    }
    Ok(contracts)
}
