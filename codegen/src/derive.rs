//! Manifests to files in memory: load, model, lock, lint, emit, in this order. Reads the
//! manifests and the lock; writes nothing.

mod baseline;
mod revised;

use std::path::Path;

use rayon::prelude::*;
use toolcontract_manifest::{Diagnostic, Level, load};

use crate::{
    emit::{EMITTERS, Emitter, FileSet, advertised::advertised_bytes},
    lint::{self, CheckedModel},
    model::{self, Lock, Model, Tool, lock},
    tokens,
    write::{Loose, Surface, Wanted},
};

pub use baseline::{Baseline, BaselineError};

/// What a run is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// Compare with the lock of this git revision instead of the working copy's.
    pub base: Option<&'a str>,
    /// A missing lock is no fault: every contract is new.
    pub init_lock: bool,
    /// Only the surface of this id.
    pub only: Option<&'a str>,
    /// What a person types to run a command, as help texts name it.
    pub program: &'a str,
}

impl Default for Request<'_> {
    fn default() -> Self {
        Self {
            base: None,
            init_lock: false,
            only: None,
            program: "toolcontract",
        }
    }
}

/// Why nothing was derived.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeriveError {
    /// The manifests cannot be read.
    #[error(transparent)]
    Load(#[from] toolcontract_manifest::folder::LoadError),
    /// The lock cannot be read.
    #[error(transparent)]
    Baseline(#[from] BaselineError),
    /// No surface has this id, or the project does not ask for it.
    #[error("no surface `{id}` is switched on; there {}", are(known))]
    UnknownSurface {
        /// What was asked for.
        id: String,
        /// What there is.
        known: Vec<String>,
    },
}

fn are(known: &[String]) -> String {
    match known {
        [] => "is none".to_owned(),
        [one] => format!("is only `{one}`"),
        many => format!("are `{}`", many.join("`, `")),
    }
}

/// What a run found and made.
#[derive(Debug)]
pub struct Derived {
    /// Everything that was found, in the order of the work.
    pub findings: Vec<Diagnostic>,
    /// What was made; none when the manifests have errors.
    pub made: Option<Made>,
}

/// What was made.
#[derive(Debug)]
pub struct Made {
    /// The catalog.
    pub model: CheckedModel,
    /// The files.
    pub wanted: Wanted,
    /// Tools whose token estimate this build cannot make: it lacks the feature `tokens`.
    pub unestimated: Vec<String>,
}

/// A catalog with the lock that belongs to it.
#[derive(Debug)]
pub struct Revised {
    /// The model; its lock is the one that belongs to it, not the one that was read.
    pub model: Model,
    /// What it is compared with.
    pub baseline: Baseline,
    /// What the loader, the model and the lock found.
    pub findings: Vec<Diagnostic>,
    unestimated: Vec<String>,
}

/// Loads the catalog in `root` and works out its lock. No model when a manifest cannot be read.
///
/// # Errors
/// When the disk fails, or there is no lock to compare with.
pub fn revise(
    root: &Path,
    request: Request<'_>,
) -> Result<(Option<Revised>, Vec<Diagnostic>), DeriveError> {
    let (folder, mut findings) = load(root)?;
    let Some(folder) = folder else {
        return Ok((None, findings));
    };
    let baseline = Baseline::read(root, request.base, request.init_lock)?;
    let (mut model, of_model) = model::build(folder, Lock::default());
    let is_whole = of_model.iter().all(|f| f.level != Level::Error);
    findings.extend(of_model);
    if !is_whole {
        return Ok((None, findings));
    }
    let mut unestimated = Vec::new();
    model.lock = lock_of(&model, &baseline, &mut unestimated);
    let revised = Revised {
        model,
        baseline,
        findings,
        unestimated,
    };
    Ok((Some(revised), Vec::new()))
}

/// Derives every surface of the project in `root`.
///
/// # Errors
/// When the disk fails, there is no lock to compare with, or no such surface.
pub fn derive(root: &Path, request: Request<'_>) -> Result<Derived, DeriveError> {
    let (revised, findings) = revise(root, request)?;
    let Some(revised) = revised else {
        return Ok(Derived {
            findings,
            made: None,
        });
    };
    let mut findings = revised.findings;
    findings.extend(revised::findings(
        &revised.model,
        &revised.baseline,
        request.program,
    ));
    let (model, of_lint) = lint::check(revised.model);
    findings.extend(of_lint);
    let Some(model) = model else {
        return Ok(Derived {
            findings,
            made: None,
        });
    };
    let wanted = emit(&model, request.only)?;
    Ok(Derived {
        findings,
        made: Some(Made {
            model,
            wanted,
            unestimated: revised.unestimated,
        }),
    })
}

/// The lock that belongs to `model`. Estimates are taken from the baseline for bytes that it knows.
fn lock_of(model: &Model, baseline: &Baseline, unestimated: &mut Vec<String>) -> Lock {
    let facts: Vec<(&Tool, Vec<u8>, String)> = model
        .tools
        .par_iter()
        .map(|tool| {
            let contract = lock::contract_digest(tool, &model.types);
            (tool, advertised_bytes(tool), contract)
        })
        .collect();
    let mut lock = Lock {
        retired: baseline.retired(),
        ..Lock::default()
    };
    for (tool, bytes, contract) in facts {
        let name = &tool.manifest.name;
        let advertised = toolcontract_schema::digest::hex(&bytes);
        let tokens = baseline
            .tokens(name, &advertised)
            .or_else(|| tokens::estimate(&bytes))
            .unwrap_or_else(|| {
                unestimated.push(name.clone());
                0
            });
        let locked = lock::LockedTool {
            version: tool.manifest.version,
            advertised,
            contract,
            tokens,
        };
        lock.tools.insert(name.clone(), locked);
    }
    lock
}

/// The surfaces that the project asks for, with their folders.
#[must_use]
pub fn surfaces(model: &CheckedModel) -> Vec<(&'static dyn Emitter, String)> {
    EMITTERS
        .iter()
        .filter_map(|emitter| Some((*emitter, emitter.out(model)?)))
        .collect()
}

fn emit(model: &CheckedModel, only: Option<&str>) -> Result<Wanted, DeriveError> {
    let all = surfaces(model);
    if let Some(id) = only
        && !all.iter().any(|(emitter, _)| emitter.id() == id)
    {
        return Err(DeriveError::UnknownSurface {
            id: id.to_owned(),
            known: all.iter().map(|(e, _)| e.id().to_owned()).collect(),
        });
    }
    let surfaces = all
        .into_par_iter()
        .filter(|(emitter, _)| only.is_none_or(|id| emitter.id() == id))
        .map(|(emitter, out)| {
            let mut files = FileSet::default();
            emitter.emit(model, &mut files);
            Surface {
                id: emitter.id().to_owned(),
                out,
                files,
            }
        })
        .collect();
    Ok(Wanted {
        surfaces,
        loose: vec![Loose {
            path: lock::PATH.to_owned(),
            bytes: model.lock.print().into_bytes(),
        }],
        former_in: only.is_none().then(|| model.project.out.clone()),
    })
}
