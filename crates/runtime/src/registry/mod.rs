//! The one place that holds tools, and the one way to call them.

mod advertise;
mod builder;
mod entry;
mod fault;
mod register;

use std::{
    collections::HashMap,
    path::Path,
    sync::{Arc, atomic::AtomicU64},
};

use toolcontract_protocol::ToolContract;

use crate::{
    approval::{Approver, Ledger},
    authz::{AuthzGate, Enforcement, Rewriter},
    clock::Clock,
    ctx::EventSink,
    journal::Journal,
    limits::Limits,
};

pub use advertise::{Advertised, Offer};
pub use builder::Builder;
pub(crate) use entry::{Checker, Entry, Mismatch, out_of_bounds};
pub use fault::{BuildError, Fault};
#[cfg(unix)]
pub(crate) use register::check_name;

/// Tools, and what governs their calls. Cheap to clone; clones are one registry.
#[derive(Clone)]
pub struct Registry {
    pub(crate) inner: Arc<Inner>,
}

/// What a registry is made of. Does not change after it was built.
pub(crate) struct Inner {
    pub(crate) entries: HashMap<String, Arc<Entry>>,
    /// Names in order.
    pub(crate) names: Vec<String>,
    pub(crate) gates: Vec<Named<dyn AuthzGate>>,
    pub(crate) shell_hooks: Vec<Named<dyn AuthzGate>>,
    pub(crate) rewriters: Vec<Named<dyn Rewriter>>,
    pub(crate) enforcement: Enforcement,
    pub(crate) approver: Box<dyn Approver>,
    pub(crate) ledger: Ledger,
    pub(crate) journal: Arc<dyn Journal>,
    /// Entries that could not be written, of calls that were let through.
    pub(crate) unrecorded: AtomicU64,
    pub(crate) sink: Option<Arc<dyn EventSink>>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) limits: Limits,
    pub(crate) root: Arc<Path>,
}

/// A gate or rewriter with what the registry keeps about it.
pub(crate) struct Named<T: ?Sized> {
    pub(crate) source: crate::authz::Source,
    pub(crate) name: String,
    pub(crate) is_pure: bool,
    /// How many evaluations run on threads of their own.
    pub(crate) running: Arc<AtomicU64>,
    pub(crate) port: Arc<T>,
}

impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Registry")
            .field("tools", &self.inner.names)
            .finish_non_exhaustive()
    }
}

impl Registry {
    /// A registry whose calls are decided by `gate`, and by whatever is added to it.
    ///
    /// There is no default: a program without authorization names
    /// [`NoAuthz`](crate::authz::NoAuthz).
    #[must_use]
    pub fn builder(gate: impl AuthzGate + 'static) -> Builder {
        Builder::new(gate)
    }

    /// The contract of `name`, with the provenance that registration assigned.
    #[must_use]
    pub fn contract(&self, name: &str) -> Option<&ToolContract> {
        Some(&self.inner.entries.get(name)?.contract)
    }

    /// Every contract, in the order of names.
    pub fn contracts(&self) -> impl Iterator<Item = &ToolContract> {
        self.inner
            .names
            .iter()
            .filter_map(|name| self.contract(name))
    }

    /// How many calls wait for a person.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.inner.ledger.len()
    }

    /// How many journal entries could not be written although their calls went on.
    #[must_use]
    pub fn unrecorded(&self) -> u64 {
        self.inner
            .unrecorded
            .load(std::sync::atomic::Ordering::Relaxed)
    }
}
