//! From what a server lists to what a registry takes: a declared contract for each tool, under the
//! name of its server, with a tool behind it that calls the server.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};
use toolcontract_manifest::{
    import::{self, Fault, Finding, Imported},
    text::describe,
};
use toolcontract_protocol::{
    Manifest, Provenance, ToolContract, ToolOutput, event::TOOL_CALL_PROGRESS,
};
use toolcontract_schema::digest::digest;

use super::{Connection, name::qualified, remote::Remote};
use crate::{
    authz::DenyAll,
    ctx::{AnyEvent, ToolCtx},
    mcp::server::About,
    registry::{self, Builder, Registry},
    tool::{BoxFuture, DynTool},
    visible,
};

/// The most tools of one server; the others are refused.
const MAX_TOOLS: usize = 1_024;

/// What a server offers.
#[derive(Debug, Default)]
pub struct Offered {
    /// What a registry takes, in the order of the list.
    pub tools: Vec<Tool>,
    /// What it does not take.
    pub refused: Vec<Refused>,
    /// What a person should know of the rest.
    pub findings: Vec<Finding>,
}

/// One tool of a server.
#[derive(Debug)]
pub struct Tool {
    /// Its contract: declared, under its whole name.
    pub contract: ToolContract,
    /// What is not in the contract: the title, the claims.
    pub about: About,
    /// The name as served.
    pub wire_name: String,
    /// Digest of the definition as served, by
    /// [`definition_digest`](toolcontract_manifest::import::definition_digest).
    pub digest: String,
    /// The definition, as whoever adopts the tool looks at it.
    pub definition: Value,
    /// What is pinned of its server.
    pub server: Value,
    /// What runs it.
    pub remote: Remote,
}

/// A tool that no registry takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The name as served, where it can be read.
    pub wire_name: Option<String>,
    /// Why.
    pub reason: Reason,
}

/// Why a tool is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The definition is broken.
    #[error(transparent)]
    Definition(#[from] Fault),
    /// Together with the server's name it is no name that a call could use.
    #[error(
        "with its server the name is no name of 128 of `A-Z a-z 0-9 _ - .`; nothing is shortened or replaced"
    )]
    Name,
    /// Two names of the server are one when case is folded: neither is taken.
    #[error("`{0}` has this name too when case is folded; neither is taken")]
    SameName(String),
    /// A name or a value that a call uses holds what a reader does not see.
    #[error(
        "`{place}` holds {}, which a reader does not see and a model reads", describe(*.character)
    )]
    Hidden {
        /// JSON pointer into the definition.
        place: String,
        /// The first such character.
        character: char,
    },
    /// A registry does not take the contract.
    #[error(transparent)]
    Contract(#[from] registry::Fault),
    /// There are too many.
    #[error("more than {MAX_TOOLS} tools")]
    TooMany,
}

impl Tool {
    /// The same tool under a contract that a person gave it. Its definition stays what was served.
    #[must_use]
    pub fn with_contract(mut self, contract: ToolContract) -> Self {
        self.remote.registered = digest(&contract).unwrap_or_default();
        self.contract = contract;
        self
    }

    /// Adds the tool to `builder`, with the provenance of its contract.
    #[must_use]
    pub fn register(self, builder: Builder) -> Builder {
        let provenance = self.contract.provenance.clone();
        builder.dyn_tool(provenance, self.contract, self.remote)
    }
}

impl Offered {
    /// Adds every tool to `builder`.
    #[must_use]
    pub fn register(self, builder: Builder) -> Builder {
        self.tools
            .into_iter()
            .fold(builder, |builder, tool| tool.register(builder))
    }
}

/// What `connection` offers; from now on that is what its server is known to list.
/// `changes` is how often the list had changed when it was asked for.
pub(super) fn offered(connection: &Connection, imported: Imported, changes: u64) -> Offered {
    let mut offered = Offered {
        findings: imported.findings,
        ..Offered::default()
    };
    offered.refused = imported
        .quarantined
        .into_iter()
        .map(|quarantined| Refused {
            wire_name: quarantined.subject.name,
            reason: quarantined.reason.into(),
        })
        .collect();
    let folded = folded(&imported.tools);
    let mut definitions = HashMap::new();
    for imported in imported.tools {
        let wire_name = imported.manifest.wire_name.clone().unwrap_or_default();
        definitions.insert(wire_name.clone(), imported.digest.clone());
        let same = folded.get(&wire_name.to_ascii_lowercase());
        let other = same.and_then(|names| names.iter().find(|name| **name != wire_name));
        let taken = match other {
            _ if offered.tools.len() >= MAX_TOOLS => Err(Reason::TooMany),
            Some(other) => Err(Reason::SameName(other.clone())),
            None => tool(connection, imported, &wire_name),
        };
        match taken {
            Ok(tool) => offered.tools.push(tool),
            Err(reason) => offered.refused.push(Refused {
                wire_name: Some(wire_name),
                reason,
            }),
        }
    }
    connection.state.learn(definitions, changes);
    offered
}

/// Names that are one when case is folded, by that one.
fn folded(tools: &[import::Tool]) -> BTreeMap<String, Vec<String>> {
    let mut names: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for tool in tools {
        let name = tool.manifest.wire_name.clone().unwrap_or_default();
        names
            .entry(name.to_ascii_lowercase())
            .or_default()
            .push(name);
    }
    names
}

fn tool(connection: &Connection, imported: import::Tool, wire_name: &str) -> Result<Tool, Reason> {
    let name = qualified(&connection.name, wire_name).ok_or(Reason::Name)?;
    let about = About {
        title: imported.manifest.title.clone(),
        claims: imported.manifest.claims.clone(),
        ..About::default()
    };
    let definition = definition(&imported.manifest);
    let contract = contract(name, imported.manifest);
    seen(&contract)?;
    probe(&contract)?;
    let remote = Remote {
        server: connection.name.clone(),
        peer: connection.service.peer().clone(),
        state: std::sync::Arc::clone(&connection.state),
        tool: wire_name.to_owned(),
        served: imported.digest.clone(),
        registered: digest(&contract).unwrap_or_default(),
        time: connection.call_time,
    };
    Ok(Tool {
        contract,
        about,
        wire_name: wire_name.to_owned(),
        digest: imported.digest,
        definition,
        server: connection.identity.clone(),
        remote,
    })
}

/// The contract of an imported tool. Its hints are not in it.
fn contract(name: String, mut manifest: Manifest) -> ToolContract {
    let input = manifest.input_schema.take().unwrap_or_default();
    let output = manifest.output_schema.take();
    ToolContract {
        name,
        events: vec![TOOL_CALL_PROGRESS.to_owned()],
        ..manifest.contract(input, output, Provenance::Declared)
    }
}

/// The parts of a definition that the digest is made of.
fn definition(manifest: &Manifest) -> Value {
    let parts = [
        ("name", json!(manifest.wire_name)),
        ("title", json!(manifest.title)),
        ("description", json!(manifest.description)),
        ("inputSchema", json!(manifest.input_schema)),
        ("outputSchema", json!(manifest.output_schema)),
        ("annotations", json!(manifest.claims)),
    ];
    let there = parts.into_iter().filter(|(_, part)| !part.is_null());
    Value::Object(there.map(|(key, part)| (key.to_owned(), part)).collect())
}

/// Whether a person sees every name and value of the contract that a model is shown.
fn seen(contract: &ToolContract) -> Result<(), Reason> {
    let schemas = [
        ("inputSchema", Some(&contract.input_schema)),
        ("outputSchema", contract.output_schema.as_ref()),
    ];
    let hidden = schemas.into_iter().find_map(|(member, schema)| {
        let (place, character) = visible::kept(schema?)?;
        let place = format!("/{member}{place}");
        Some(Reason::Hidden { place, character })
    });
    hidden.map_or(Ok(()), Err)
}

/// Whether a registry takes the contract: one that it does not take would take all others along.
fn probe(contract: &ToolContract) -> Result<(), Reason> {
    let built = Registry::builder(DenyAll)
        .dyn_tool(Provenance::Declared, contract.clone(), Nothing)
        .build();
    match built {
        Ok(_) => Ok(()),
        Err(error) => match error.faults.into_iter().next() {
            Some(fault) => Err(fault.into()),
            None => Err(Reason::Name),
        },
    }
}

/// A tool that is never called.
struct Nothing;

impl DynTool for Nothing {
    fn call<'a>(&'a self, _: Value, _: &'a ToolCtx<AnyEvent>) -> BoxFuture<'a, ToolOutput> {
        Box::pin(std::future::ready(ToolOutput::text("")))
    }
}
