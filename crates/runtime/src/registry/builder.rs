//! Puts a registry together. Every fault is told, in one go, by [`Builder::build`].

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde_json::Value;
use toolcontract_protocol::{
    Contract as _, EventManifest, Provenance, ToolContract, contradiction::duplicates,
};

use super::{
    BuildError, Fault, Inner, Named, Registry,
    register::{check_gate_names, compile_events, register},
};
use crate::{
    approval::{Approver, Ledger, Nobody},
    authz::{AuthzGate, Enforcement, Rewriter, Source},
    clock::{Clock, SystemClock},
    ctx::EventSink,
    journal::{Journal, MemoryJournal},
    limits::Limits,
    tool::{DynTool, Dynamic, EventOf, Runner, Tool, Typed},
};

/// How many entries the journal keeps that is used when none is named.
const KEPT: usize = 10_000;

/// Puts a registry together.
pub struct Builder {
    tools: Vec<(ToolContract, Box<dyn Runner>)>,
    events: Vec<(String, Value)>,
    gates: Vec<Named<dyn AuthzGate>>,
    shell_hooks: Vec<Named<dyn AuthzGate>>,
    rewriters: Vec<Named<dyn Rewriter>>,
    enforcement: Enforcement,
    approver: Box<dyn Approver>,
    journal: Arc<dyn Journal>,
    sink: Option<Arc<dyn EventSink>>,
    clock: Arc<dyn Clock>,
    limits: Limits,
    root: PathBuf,
}

impl std::fmt::Debug for Builder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Builder")
            .field("tools", &self.tools.len())
            .field("gates", &self.gates.len())
            .finish_non_exhaustive()
    }
}

impl Builder {
    pub(super) fn new(gate: impl AuthzGate + 'static) -> Self {
        Self {
            tools: Vec::new(),
            events: Vec::new(),
            gates: vec![named(Source::Gate, Arc::new(gate))],
            shell_hooks: Vec::new(),
            rewriters: Vec::new(),
            enforcement: Enforcement::Enforce,
            approver: Box::new(Nobody),
            journal: Arc::new(MemoryJournal::last(KEPT)),
            sink: None,
            clock: Arc::new(SystemClock::default()),
            limits: Limits::default(),
            root: PathBuf::from("."),
        }
    }

    /// A further gate. Every gate is asked; the strictest answer counts.
    #[must_use]
    pub fn and_gate(self, gate: impl AuthzGate + 'static) -> Self {
        self.gate_from(Source::Gate, gate)
    }

    /// What the operator of the program set. Its denial is above everything and is never softened.
    #[must_use]
    pub fn operator(self, gate: impl AuthzGate + 'static) -> Self {
        self.gate_from(Source::Operator, gate)
    }

    /// A hook in the program that decides.
    #[must_use]
    pub fn hook(self, hook: impl AuthzGate + 'static) -> Self {
        self.gate_from(Source::Hook, hook)
    }

    /// A hook that is a command. Runs only when nothing else has denied.
    #[must_use]
    pub fn shell_hook(mut self, hook: impl AuthzGate + 'static) -> Self {
        self.shell_hooks
            .push(named(Source::ShellHook, Arc::new(hook)));
        self
    }

    fn gate_from(mut self, source: Source, gate: impl AuthzGate + 'static) -> Self {
        self.gates.push(named(source, Arc::new(gate)));
        self
    }

    /// What may change an input before it is decided about.
    #[must_use]
    pub fn rewriter(mut self, rewriter: impl Rewriter + 'static) -> Self {
        self.rewriters.push(Named {
            source: Source::Hook,
            name: rewriter.name().to_owned(),
            is_pure: rewriter.is_pure(),
            running: Arc::default(),
            port: Arc::new(rewriter),
        });
        self
    }

    /// What a denial of a gate or hook does. It denies, unless said otherwise.
    #[must_use]
    pub fn enforcement(self, enforcement: Enforcement) -> Self {
        Self {
            enforcement,
            ..self
        }
    }

    /// Who answers when a call needs a person. Nobody, unless said otherwise.
    #[must_use]
    pub fn approvals(self, approver: impl Approver + 'static) -> Self {
        Self {
            approver: Box::new(approver),
            ..self
        }
    }

    /// Where calls are written down. In memory, the last 10,000 entries, unless said otherwise.
    #[must_use]
    pub fn journal(self, journal: Arc<dyn Journal>) -> Self {
        Self { journal, ..self }
    }

    /// Who listens to events. Nobody, unless said otherwise.
    #[must_use]
    pub fn events(self, sink: impl EventSink + 'static) -> Self {
        Self {
            sink: Some(Arc::new(sink)),
            ..self
        }
    }

    /// The clock. The machine's, unless said otherwise.
    #[must_use]
    pub fn clock(self, clock: Arc<dyn Clock>) -> Self {
        Self { clock, ..self }
    }

    /// The limits.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The folder that tools work in. The current one, unless said otherwise.
    #[must_use]
    pub fn workspace_root(self, root: impl AsRef<Path>) -> Self {
        Self {
            root: root.as_ref().to_owned(),
            ..self
        }
    }

    /// Events that contracts may list. `tool.call.progress` is declared already, and its payload is
    /// fixed ([`ToolCallProgress`](toolcontract_protocol::event::ToolCallProgress)): another one is a
    /// fault.
    #[must_use]
    pub fn declare_events<'e>(
        mut self,
        events: impl IntoIterator<Item = &'e EventManifest>,
    ) -> Self {
        self.events.extend(
            events
                .into_iter()
                .map(|event| (event.name.clone(), event.payload_schema.clone())),
        );
        self
    }

    /// A tool that is part of the program: its contract is trusted.
    #[must_use]
    pub fn tool<T: Tool>(mut self, tool: T) -> Self
    where
        EventOf<T>: 'static,
    {
        let contract = ToolContract {
            provenance: Provenance::Builtin,
            ..T::Contract::contract().clone()
        };
        self.tools.push((contract, Box::new(Typed(tool))));
        self
    }

    /// A tool whose contract is data. `provenance` says where the contract came from, whatever it
    /// says itself: [`Provenance::Declared`] for everything that a script, a server or a host
    /// says, [`Provenance::Builtin`] only for what the program vouches for.
    #[must_use]
    pub fn dyn_tool(
        mut self,
        provenance: Provenance,
        contract: ToolContract,
        tool: impl DynTool,
    ) -> Self {
        let contract = ToolContract {
            provenance,
            ..contract
        };
        self.tools.push((contract, Box::new(Dynamic(tool))));
        self
    }

    /// A tool that a surface of this crate runs elsewhere. Its contract is declared, whatever it says.
    #[cfg(feature = "serve")]
    pub(crate) fn declared(mut self, contract: ToolContract, runner: Box<dyn Runner>) -> Self {
        let contract = ToolContract {
            provenance: Provenance::Declared,
            ..contract
        };
        self.tools.push((contract, runner));
        self
    }

    /// The same limits but for what a session said when it was opened: a person has `approval`,
    /// and a tool at least `tool`, since whoever calls it gives it less where they want less.
    #[cfg(feature = "serve")]
    pub(crate) fn session_times(
        mut self,
        approval: std::time::Duration,
        tool: std::time::Duration,
    ) -> Self {
        self.limits.approval = approval;
        self.limits.tool = self.limits.tool.max(tool);
        self
    }

    /// What of the gates' rules would be in vain in a session of `principal` with these tools.
    #[cfg(feature = "serve")]
    pub(crate) fn unbound_in(&self, principal: &toolcontract_protocol::Principal) -> Vec<String> {
        let contracts: Vec<&ToolContract> = self.tools.iter().map(|(c, _)| c).collect();
        let gates = self.gates.iter();
        gates
            .flat_map(|gate| gate.port.unbound_in(&contracts, principal))
            .collect()
    }

    /// The registry.
    ///
    /// # Errors
    /// Everything that is wrong with what was registered.
    pub fn build(self) -> Result<Registry, BuildError> {
        let mut faults = Vec::new();
        let declared = compile_events(self.events, &mut faults);
        check_gate_names(&self.gates, &self.shell_hooks, &self.rewriters, &mut faults);
        let all = self
            .tools
            .iter()
            .map(|(contract, _)| contract.name.as_str());
        faults.extend(duplicates(all).into_iter().map(Fault::Duplicate));
        let mut entries = HashMap::with_capacity(self.tools.len());
        for (contract, runner) in self.tools {
            if let Some(entry) = register(contract, runner, &declared, &mut faults) {
                entries.insert(entry.contract.name.clone(), Arc::new(entry));
            }
        }
        if !faults.is_empty() {
            return Err(BuildError { faults });
        }
        let mut names: Vec<String> = entries.keys().cloned().collect();
        names.sort();
        let mut gates = self.gates;
        gates.sort_by(|a, b| (a.source, &a.name).cmp(&(b.source, &b.name)));
        Ok(Registry {
            inner: Arc::new(Inner {
                entries,
                names,
                gates,
                shell_hooks: self.shell_hooks,
                rewriters: self.rewriters,
                enforcement: self.enforcement,
                approver: self.approver,
                ledger: Ledger::default(),
                journal: self.journal,
                unrecorded: Default::default(),
                sink: self.sink,
                clock: self.clock,
                limits: self.limits,
                root: self.root.into(),
            }),
        })
    }
}

fn named(source: Source, port: Arc<dyn AuthzGate>) -> Named<dyn AuthzGate> {
    Named {
        source,
        name: port.name().to_owned(),
        is_pure: port.is_pure(),
        running: Arc::default(),
        port,
    }
}
