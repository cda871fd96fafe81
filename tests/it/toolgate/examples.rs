//! Every example in the manifests of the built-in tools runs and gives what it says.

use std::{fs, path::PathBuf};

use serde_json::{Value, json};
use stella_contracts::{
    bash, delete_file, edit_file, get_state, glob, list_state, save_state, write_file,
};
use toolcontract_protocol::ToolOutput;

use super::lab::Lab;

/// The tools of the program.
pub(super) const TOOLS: [&str; 10] = [
    "bash",
    "delete_file",
    "edit_file",
    "get_state",
    "glob",
    "grep",
    "list_state",
    "read_file",
    "save_state",
    "write_file",
];

fn examples(tool: &str) -> Vec<Value> {
    let manifests = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../manifests/tools");
    let text = fs::read_to_string(manifests.join(format!("{tool}.toml"))).unwrap();
    let manifest: Value = toml_edit::de::from_str(&text).unwrap();
    manifest["examples"].as_array().unwrap().clone()
}

/// What the examples speak of.
fn workspace() -> Lab {
    let lab = Lab::new();
    lab.put("crates/runtime/Cargo.toml", "[package]\n");
    lab.put(
        "crates/runtime/src/registry.rs",
        "impl AuthzGate for Nobody {}\n",
    );
    lab.put("CHANGELOG.md", "a change\n".repeat(2600));
    lab.put(
        "src/limits.rs",
        "const MAX_DEPTH: usize = 64;\nconst MAX_NODES: usize = 9;\n",
    );
    let line = "`toolgate run` starts it.\n";
    lab.put(
        "docs/guide.md",
        format!("{}`toolgate run` is `toolgate run`.\n", line.repeat(5)),
    );
    lab.put("src/legacy/mod.rs", "x".repeat(1874));
    lab.put("old.py", "HOST = 'DB1.internal'\n");
    lab
}

fn fill_store(lab: &Lab) {
    let plan = "1. Reproduce the crash.\n2. Bisect.\n";
    let mut log = "Compiling serde ".to_owned();
    log.push_str(&"x".repeat(88214 - log.len()));
    for (key, content) in [("plan.md", plan), ("build.log", &log)] {
        lab.ok("save_state", &json!({ "key": key, "content": content }));
    }
}

/// What depends on the machine.
fn masked(mut output: Value) -> Value {
    for pointer in ["/exit/duration_ms", "/exit/code", "/output_bytes"] {
        if let Some(value) = output.pointer_mut(pointer) {
            *value = Value::from(1);
        }
    }
    output
}

/// A second judge of an output, beside the registry: the generated crate.
fn conforms(tool: &str, data: Value) -> bool {
    match tool {
        "bash" => bash::parse_output(data).is_ok(),
        "delete_file" => delete_file::parse_output(data).is_ok(),
        "edit_file" => edit_file::parse_output(data).is_ok(),
        "get_state" => get_state::parse_output(data).is_ok(),
        "glob" => glob::parse_output(data).is_ok(),
        "list_state" => list_state::parse_output(data).is_ok(),
        "save_state" => save_state::parse_output(data).is_ok(),
        "write_file" => write_file::parse_output(data).is_ok(),
        _ => data.is_null(),
    }
}

#[test]
fn every_example_runs() {
    for tool in TOOLS {
        let mut ran = 0;
        for example in examples(tool) {
            let lab = workspace();
            if ["get_state", "list_state"].contains(&tool) {
                fill_store(&lab);
            }
            let report = lab.call(tool, &example["input"]);
            let ToolOutput::Ok { content, data } = report.output else {
                panic!("{tool} {}: {:?}", example["input"], report.output);
            };
            assert!(!content.is_empty(), "{tool}");
            let data = data.unwrap_or(Value::Null);
            if !example["output"].is_null() {
                assert_eq!(
                    masked(data.clone()),
                    masked(example["output"].clone()),
                    "{tool}"
                );
            }
            assert!(conforms(tool, data), "{tool}");
            ran += 1;
        }
        assert!(ran > 0, "{tool} has no example");
    }
}

#[test]
fn the_program_has_these_tools_and_no_others() {
    let lab = Lab::new();
    let names: Vec<&str> = lab.registry.contracts().map(|c| c.name.as_str()).collect();
    assert_eq!(names, TOOLS);
    // Each is the contract of the catalog, unchanged.
    for contract in lab.registry.contracts() {
        let catalog = stella_contracts::catalog();
        assert!(catalog.contains(&contract), "{}", contract.name);
    }
}
