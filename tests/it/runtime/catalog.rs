//! The runtime on the real catalog: every contract registers, what a model is shown is what was
//! generated, and a tool written against a generated contract runs.

use std::{collections::BTreeSet, path::PathBuf};

use serde_json::{Value, json};
use stella_contracts::{bash, catalog};
use toolcontract_protocol::{
    Contract, Dialect, EventManifest, Principal, Provenance, ToolContract, ToolOutput,
    approval::{ApprovalAnswer, ApprovalRequest},
};
use toolcontract_runtime::{
    approval::Programmatic,
    authz::NoAuthz,
    ctx::{Progress, ToolCtx, channel},
    registry::{Builder, Registry},
    tool::{Tool, ToolError},
};

use super::fakes::{Does, Fake, Log, caller, wait};

fn generated(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../generated")
        .join(path)
}

fn read(path: &str) -> Value {
    let text = std::fs::read_to_string(generated(path)).expect("a generated file");
    serde_json::from_str(&text).expect("JSON")
}

/// Every event of the catalog, as its wire schema says.
fn events() -> Vec<EventManifest> {
    std::fs::read_dir(generated("wire/events"))
        .expect("the events")
        .map(|file| {
            let name = file.expect("an entry").file_name().into_string().unwrap();
            let schema = read(&format!("wire/events/{name}"));
            EventManifest {
                schema: None,
                name: name.trim_end_matches(".schema.json").to_owned(),
                description: String::new(),
                replayable: false,
                payload_schema: schema,
            }
        })
        .collect()
}

fn whole(builder: Builder) -> Registry {
    let log = Log::default();
    let builder = builder.declare_events(&events());
    catalog()
        .iter()
        .fold(builder, |builder, contract| {
            let fake = Fake::new(Does::Return(ToolOutput::text("done")), &log);
            builder.dyn_tool(Provenance::Builtin, ToolContract::clone(contract), fake)
        })
        .build()
        .expect("the catalog registers")
}

#[test]
fn what_a_model_is_shown_is_what_was_generated() {
    let registry = whole(Registry::builder(NoAuthz));
    assert_eq!(registry.contracts().count(), catalog().len());
    for dialect in Dialect::ALL {
        let mut file = read(&format!("advertised/{dialect}.json"));
        if dialect == Dialect::Gemini {
            file = file[0]["functionDeclarations"].take();
        }
        let shown = registry.advertise(dialect, &caller());
        let generated = file.as_array().expect("a list");
        assert_eq!(shown.tools.len(), generated.len(), "{dialect}");
        for (offer, generated) in shown.tools.iter().zip(generated) {
            let shown = offer.definition().to_string();
            assert_eq!(shown, generated.to_string(), "{dialect} {}", offer.name);
        }
    }
}

/// An input that the manifest of `tool` gives as an example.
fn example(tool: &str) -> Value {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../manifests/tools");
    let toml = path.join(tool).with_extension("toml");
    let manifest: Value = match std::fs::read_to_string(toml) {
        Ok(text) => toml_edit::de::from_str(&text).expect("TOML"),
        Err(_) => {
            let json = path.join(tool).with_extension("json");
            let text = std::fs::read_to_string(json).expect("a manifest");
            serde_json::from_str(&text).expect("JSON")
        }
    };
    manifest["examples"][0]["input"].clone()
}

/// The claim of the docs: `requires_approval` alone asks, and risk never does.
#[test]
fn requires_approval_asks_and_risk_does_not() {
    let log = Log::default();
    let says = log.clone();
    let registry = whole(Registry::builder(NoAuthz).approvals(Programmatic {
        by: "ada".to_owned(),
        answer: move |request: &ApprovalRequest| {
            says.say(request.tool.clone());
            ApprovalAnswer::Approve
        },
    }));
    let mut risks = BTreeSet::new();
    for contract in catalog() {
        let report = wait(registry.call(&contract.name, example(&contract.name), &caller()));
        // The fake gives no data, which the contracts promise: it ran, and that is told.
        assert!(report.ran, "{}: {report:?}", contract.name);
        risks.insert(contract.risk);
    }
    assert_eq!(risks.len(), 4, "every risk is called");
    let asks: Vec<&str> = catalog()
        .iter()
        .filter(|contract| contract.requires_approval)
        .map(|contract| contract.name.as_str())
        .collect();
    assert!(!asks.is_empty());
    assert_eq!(log.lines(), asks);
}

/// Says how far it is, then that it is done.
struct Bash;

impl Tool for Bash {
    type Contract = bash::Contract;

    async fn call(
        &self,
        input: bash::Input,
        ctx: &ToolCtx<bash::Event>,
    ) -> Result<bash::Output, ToolError> {
        ctx.progress(Progress::stage("running"));
        let output = json!({
            "exit": { "status": "exited", "code": 0, "duration_ms": 1 },
            "output_bytes": input.command.len(),
            "truncated": false,
        });
        serde_json::from_value(output).map_err(|error| {
            ToolError::new(
                toolcontract_protocol::ErrorClass::Internal,
                error.to_string(),
            )
        })
    }
}

#[test]
fn a_tool_written_against_the_generated_bash_is_heard_while_it_runs() {
    let (sink, mut heard) = channel(8);
    let registry = Registry::builder(NoAuthz)
        .declare_events(&events())
        .events(sink)
        .tool(Bash)
        .build()
        .expect("a registry");
    let report = wait(registry.call("bash", json!({ "command": "ls" }), &caller()));
    assert!(report.ran, "{report:?}");
    let event = heard.try_recv().expect("a sign of life");
    assert_eq!(event.envelope.name, "tool.call.progress");
    assert_eq!(event.envelope.payload["tool"], "bash");
    assert_eq!(bash::Contract::contract().name, "bash");
    assert_eq!(caller().principal(), &Principal::User);
    let invalid = wait(registry.call("bash", json!({ "comand": "ls" }), &caller()));
    assert!(!invalid.ran);
}
