//! What is checked of a tool, an event and a gate before they are let in.

use std::{collections::HashSet, sync::Arc};

use serde_json::Value;
use toolcontract_manifest::names;
use toolcontract_protocol::{
    Provenance, ToolContract,
    contradiction::contradictions,
    event::{Emitter, TOOL_CALL_PROGRESS, ToolCallProgress, emitter},
};
use toolcontract_schema::{Formats, Validator, digest::digest, strip};

use super::{Checker, Entry, Fault, Named};
use crate::{
    authz::{AuthzGate, Rewriter},
    ctx::Allowed,
    tool::Runner,
};

/// The events that contracts may list.
pub(super) fn compile_events(events: Vec<(String, Value)>, faults: &mut Vec<Fault>) -> Allowed {
    let mut declared = Allowed::new();
    let compile = |schema: &Value| Validator::compile(&strip(schema), Formats::Assert);
    for (event, schema) in events {
        if event == TOOL_CALL_PROGRESS && !ToolCallProgress::is_payload_schema(&strip(&schema)) {
            faults.push(Fault::ProgressPayload);
            continue;
        }
        match compile(&schema) {
            Ok(_) if declared.contains_key(&event) => {
                faults.push(Fault::DuplicateEvent { event });
            }
            Ok(validator) => {
                declared.insert(event, Arc::new(validator));
            }
            Err(error) => faults.push(Fault::EventSchema { event, error }),
        }
    }
    if !declared.contains_key(TOOL_CALL_PROGRESS)
        && let Ok(validator) = compile(&ToolCallProgress::payload_schema())
    {
        declared.insert(TOOL_CALL_PROGRESS.to_owned(), Arc::new(validator));
    }
    declared
}

/// Two of one name are a fault: a trace could not tell them apart.
pub(super) fn check_gate_names(
    gates: &[Named<dyn AuthzGate>],
    shell_hooks: &[Named<dyn AuthzGate>],
    rewriters: &[Named<dyn Rewriter>],
    faults: &mut Vec<Fault>,
) {
    let deciding = gates.iter().chain(shell_hooks).map(|gate| &gate.name);
    let rewriting = rewriters.iter().map(|rewriter| &rewriter.name);
    for names in [deciding.collect::<Vec<_>>(), rewriting.collect()] {
        let mut taken = HashSet::new();
        for name in names {
            if !taken.insert(name) {
                faults.push(Fault::DuplicateGate { name: name.clone() });
            }
        }
    }
}

/// The entry of one tool; none when anything is wrong with it.
pub(super) fn register(
    contract: ToolContract,
    runner: Box<dyn Runner>,
    declared: &Allowed,
    faults: &mut Vec<Fault>,
) -> Option<Entry> {
    let before = faults.len();
    let tool = contract.name.clone();
    if let Err(reason) = check_name(&contract) {
        faults.push(Fault::Name {
            name: tool.clone(),
            reason,
        });
    }
    let found = contradictions(&contract, |event| declared.contains_key(event));
    faults.extend(found.into_iter().map(|contradiction| Fault::Contradiction {
        tool: tool.clone(),
        contradiction,
    }));
    for event in &contract.events {
        if declared.contains_key(event) && emitter(event) != Some(Emitter::Tool) {
            faults.push(Fault::ReservedEvent {
                tool: tool.clone(),
                event: event.clone(),
            });
        }
    }
    let mut compile = |which, schema: &Value| {
        Checker::compile(schema, &contract.provenance)
            .map_err(|error| {
                faults.push(Fault::Schema {
                    tool: tool.clone(),
                    which,
                    error,
                });
            })
            .ok()
    };
    let input = compile("input_schema", &contract.input_schema);
    let output = match &contract.output_schema {
        Some(schema) => compile("output_schema", schema).map(Some),
        None => Some(None),
    };
    if faults.len() > before {
        return None;
    }
    let events = contract
        .events
        .iter()
        .filter_map(|event| Some((event.clone(), Arc::clone(declared.get(event)?))))
        .collect();
    let Ok(definition_digest) = digest(&contract) else {
        faults.push(Fault::Undigestible { tool });
        return None;
    };
    Some(Entry {
        definition_digest,
        contract: Arc::new(contract),
        input: input?,
        output: output?,
        events: Arc::new(events),
        runner,
        lowered: Default::default(),
    })
}

/// Names that a JavaScript object has before anybody gives it one.
const OF_EVERY_OBJECT: [&str; 6] = [
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "prototype",
    "toString",
    "valueOf",
];

/// A tool of the program has a name that can be authored; one of others, a name that MCP allows.
pub(crate) fn check_name(contract: &ToolContract) -> Result<(), String> {
    let name = contract.name.as_str();
    if OF_EVERY_OBJECT.contains(&name) {
        return Err("every JavaScript object has a member of that name".to_owned());
    }
    match &contract.provenance {
        Provenance::Builtin => names::tool(name).map_err(|error| error.to_string()),
        Provenance::Adopted { .. } | Provenance::Declared if names::is_mcp(name) => Ok(()),
        Provenance::Adopted { .. } | Provenance::Declared => {
            Err("a name has 1 to 128 of the characters A-Z a-z 0-9 _ - . and no others".to_owned())
        }
    }
}
