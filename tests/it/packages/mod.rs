//! Which package may depend on which: the layout of this repository, and what must not be built
//! for the generator.

mod rooms;
mod tidy;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    process::Command,
};

use serde_json::Value;

/// Direct dependencies on packages of ours that are allowed, without those of tests.
const ALLOWED: &[(&str, &[&str])] = &[
    ("toolcontract-protocol", &[]),
    ("toolcontract-schema", &["toolcontract-protocol"]),
    (
        "toolcontract-manifest",
        &["toolcontract-protocol", "toolcontract-schema"],
    ),
    (
        "toolcontract-codegen",
        &[
            "toolcontract-manifest",
            "toolcontract-protocol",
            "toolcontract-schema",
        ],
    ),
    (
        "stella-contracts",
        &["toolcontract-protocol", "toolcontract-schema"],
    ),
    (
        "toolcontract-runtime",
        &[
            "toolcontract-manifest",
            "toolcontract-protocol",
            "toolcontract-schema",
        ],
    ),
    (
        "toolgate",
        &[
            "stella-contracts",
            "toolcontract-manifest",
            "toolcontract-protocol",
            "toolcontract-runtime",
            "toolcontract-schema",
        ],
    ),
    ("xtask", &["toolcontract-codegen"]),
    // What a test starts as a process of its own; nobody depends on it.
    (
        "tests",
        &[
            "stella-contracts",
            "toolcontract-protocol",
            "toolcontract-runtime",
            "toolgate",
        ],
    ),
];

/// Packages of others that a package must not bring along, however far down.
const FORBIDDEN: &[(&str, &[&str])] = &[
    ("toolcontract-protocol", &["tokio", "jsonschema"]),
    ("toolcontract-schema", &["tokio"]),
    ("toolcontract-manifest", &["tokio"]),
    ("toolcontract-codegen", &["tokio", "axum", "rmcp"]),
    ("stella-contracts", &["tokio"]),
    ("xtask", &["tokio", "axum", "rmcp"]),
];

/// Package to the packages that building it needs, by name; without those of tests.
fn graph() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--locked", "--offline"])
        // Packages for other systems need not be on this machine.
        .args(["--filter-platform", &host()])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let names: BTreeMap<&str, &str> = metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| (p["id"].as_str().unwrap(), p["name"].as_str().unwrap()))
        .collect();
    let mut graph = BTreeMap::new();
    for node in metadata["resolve"]["nodes"].as_array().unwrap() {
        let is_built = |dependency: &&Value| {
            let mut kinds = dependency["dep_kinds"].as_array().unwrap().iter();
            kinds.any(|kind| kind["kind"] != "dev")
        };
        let needs = node["deps"].as_array().unwrap().iter().filter(is_built);
        let needs = needs.map(|d| names[d["pkg"].as_str().unwrap()].to_owned());
        let name = names[node["id"].as_str().unwrap()].to_owned();
        graph
            .entry(name)
            .or_insert_with(BTreeSet::new)
            .extend(needs);
    }
    graph
}

fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.unwrap().to_owned()
}

#[test]
fn packages_of_ours_depend_on_each_other_as_designed() {
    let graph = graph();
    let ours: BTreeSet<&str> = ALLOWED.iter().map(|(name, _)| *name).collect();
    for (name, allowed) in ALLOWED {
        let Some(needs) = graph.get(*name) else {
            continue;
        };
        let of_ours: Vec<&str> = needs
            .iter()
            .map(String::as_str)
            .filter(|need| ours.contains(need) && !allowed.contains(need))
            .collect();
        assert!(
            of_ours.is_empty(),
            "`{name}` must not depend on {of_ours:?}"
        );
    }
    // Positive control: the graph has edges.
    assert!(graph["xtask"].contains("toolcontract-codegen"));
}

#[test]
fn the_generator_builds_no_server() {
    let graph = graph();
    for (name, forbidden) in FORBIDDEN {
        let mut reached = BTreeSet::new();
        let mut open = vec![*name];
        while let Some(package) = open.pop() {
            if reached.insert(package) {
                open.extend(graph.get(package).into_iter().flatten().map(String::as_str));
            }
        }
        for other in *forbidden {
            assert!(!reached.contains(other), "`{name}` builds `{other}`");
        }
        assert!(reached.contains("serde"), "`{name}` builds nothing");
    }
}
