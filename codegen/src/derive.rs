//! Manifests to what the disk should hold: load, model, lock, lint, in this order; a surface is
//! emitted when its files are asked for. Reads the manifests and the lock; writes nothing.

mod baseline;
mod changed;
mod crates;
mod locked;
mod revised;

use std::{path::Path, sync::Arc};

use toolcontract_manifest::{Diagnostic, Level, load};

use crate::{
    emit::{EMITTERS, Emitter, FileSet},
    lint::{self, CheckedModel},
    model::{self, Lock, Model, lock},
    write::{Files, Loose, Surface, Wanted},
};

pub use baseline::{Baseline, BaselineError};
use changed::Committed;
use locked::{estimate, lock_of};

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
    pub model: Arc<CheckedModel>,
    /// The files; each surface is emitted when it is asked for.
    pub wanted: Wanted,
    /// Tools whose token estimate this build cannot make: it lacks the feature `tokens`.
    pub unestimated: Vec<String>,
}

/// A catalog that was read, and the lock that belongs to it.
#[derive(Debug)]
pub struct Loaded {
    /// What the loader and the model found.
    pub findings: Vec<Diagnostic>,
    /// The catalog; none when a manifest cannot be read.
    pub revised: Option<Revised>,
}

/// A catalog with the lock that belongs to it.
#[derive(Debug)]
pub struct Revised {
    /// The model. Its lock says what the contracts are now, not what was read; token estimates
    /// that the baseline does not have are 0 in it until [`Revised::estimate`] has run.
    pub model: Model,
    /// What it is compared with.
    pub baseline: Baseline,
    /// Tools without an estimate.
    unestimated: Vec<String>,
}

/// Loads the catalog in `root` and works out its lock.
///
/// # Errors
/// When the disk fails, or there is no lock to compare with.
pub fn revise(root: &Path, request: Request<'_>) -> Result<Loaded, DeriveError> {
    let (folder, mut findings) = load(root)?;
    let mut loaded = |revised| Loaded {
        findings: std::mem::take(&mut findings),
        revised,
    };
    let Some(folder) = folder else {
        return Ok(loaded(None));
    };
    let baseline = Baseline::read(root, request.base, request.init_lock)?;
    let (mut model, of_model) = model::build(folder, Lock::default());
    let mut loaded = loaded(None);
    let is_whole = of_model.iter().all(|f| f.level != Level::Error);
    loaded.findings.extend(of_model);
    if is_whole {
        let unestimated;
        (model.lock, unestimated) = lock_of(&model, &baseline);
        loaded.revised = Some(Revised {
            model,
            baseline,
            unestimated,
        });
    }
    Ok(loaded)
}

impl Revised {
    /// Completes the lock with the estimates that the baseline does not have. Loads the vocabulary
    /// only when there is such a tool. Gives the tools for which this build makes none.
    #[must_use]
    pub fn estimate(&mut self) -> Vec<String> {
        let open = std::mem::take(&mut self.unestimated);
        let (estimates, none) = estimate(&self.model, &open);
        self.model.set_estimates(estimates);
        none
    }
}

/// Derives every surface of the project in `root`.
///
/// # Errors
/// When the disk fails, there is no lock to compare with, or no such surface.
pub fn derive(root: &Path, request: Request<'_>) -> Result<Derived, DeriveError> {
    let Loaded {
        mut findings,
        revised,
    } = revise(root, request)?;
    let Some(revised) = revised else {
        return Ok(Derived {
            findings,
            made: None,
        });
    };
    let Revised {
        model,
        baseline,
        unestimated,
    } = revised;
    let mut committed = Committed::new(root, request.base);
    let of_revision = revised::findings(&model, &baseline, &mut committed, request.program);
    let of_crates = crates::finding(root, &model);
    let (model, of_lint) = lint::check(model);
    findings.extend(settled(of_revision, &of_lint));
    findings.extend(of_crates);
    findings.extend(of_lint);
    let Some(model) = model else {
        return Ok(Derived {
            findings,
            made: None,
        });
    };
    // The vocabulary comes into memory when what only findings need is out of it.
    let mut model = model.without_sources();
    let (estimates, unestimated) = estimate(&model, &unestimated);
    model.set_estimates(estimates);
    let model = Arc::new(model);
    let wanted = wanted(&model, request.only)?;
    let made = Some(Made {
        model,
        wanted,
        unestimated,
    });
    Ok(Derived { findings, made })
}

/// `of_revision` without asking for a new version of what has to be repaired first.
fn settled<'f>(
    of_revision: Vec<Diagnostic>,
    of_lint: &'f [Diagnostic],
) -> impl Iterator<Item = Diagnostic> + use<'f> {
    let is_broken = |path: &str| {
        let mut errors = of_lint.iter().filter(|f| f.level == Level::Error);
        errors.any(|error| error.path == path)
    };
    of_revision
        .into_iter()
        .filter(move |finding| finding.rule != revised::UNVERSIONED || !is_broken(&finding.path))
}

/// The surfaces that the project asks for, with their folders.
#[must_use]
pub fn surfaces(model: &CheckedModel) -> Vec<(&'static dyn Emitter, String)> {
    EMITTERS
        .iter()
        .filter_map(|emitter| Some((*emitter, emitter.out(model)?)))
        .collect()
}

fn wanted(model: &Arc<CheckedModel>, only: Option<&str>) -> Result<Wanted, DeriveError> {
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
        .into_iter()
        .filter(|(emitter, _)| only.is_none_or(|id| emitter.id() == id))
        .map(|(emitter, out)| {
            let model = Arc::clone(model);
            let make = move || {
                let mut files = FileSet::default();
                emitter.emit(&model, &mut files);
                files
            };
            Surface {
                id: emitter.id().to_owned(),
                out,
                files: Files::Later(Arc::new(make)),
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
