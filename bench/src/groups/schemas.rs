//! Real MCP tools: import definitions, then generation of Rust and TypeScript, beside generators
//! that make one artefact of the same schemas, and the type check of what was made.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;
use toolcontract_manifest::import::{self, Imported, Origin};

use super::Group;
use crate::{
    Failure,
    baseline::{packages, peers},
    measure::{self, repository},
    row::Row,
};

pub const GROUP: Group = Group {
    name: "schemas",
    about: "real tools of public MCP servers, to Rust and TypeScript",
    run,
};

fn run() -> Result<Vec<Row>, Failure> {
    let binary = measure::toolcontract()?;
    let scratch = measure::scratch()?;
    let tools = import_all(&corpus()?)?;
    let schemas = scratch.path().join("schemas");
    write_schemas(&schemas, &tools)?;

    let project = |n: usize| scratch.path().join(format!("project-{n}"));
    let mut made = 0;
    let whole = measure::best(5, || {
        made += 1;
        write_project(&project(made), &tools)?;
        Ok(measure::command(&binary, "gen --init-lock", &project(made)))
    })?;
    let peers: Vec<Row> = peers::run(&schemas)?
        .into_iter()
        .map(|(peer, cost)| Row::wall(peer, cost))
        .collect();
    let first = peers.first().ok_or("no peer was measured")?;

    let package = project(made).join("generated/typescript");
    let types = measure::best(3, || packages::type_check(&package))?;

    let count = tools.iter().map(|list| list.tools.len()).sum::<usize>();
    let name = format!("generation of {count} tools, Rust and TypeScript");
    let mut rows = vec![
        Row::wall(&name, whole).at_most(2.5),
        Row::wall("the same", whole)
            .beside(first)
            .at_most_of_baseline(0.5),
        Row::cpu("its processor time", whole),
        Row::peak("its peak memory", whole).at_most(200.0),
    ];
    rows.extend(peers);
    rows.extend([
        Row::wall("tsc over the modules", types).at_most(3.0),
        Row::cpu("its processor time", types),
        Row::peak("its peak memory", types).at_most(700.0),
    ]);
    Ok(rows)
}

/// The corpus stands beside the repository.
fn corpus() -> Result<PathBuf, Failure> {
    let folder = repository().join("../shared/corpus");
    if folder.exists() {
        Ok(folder)
    } else {
        Err("this group reads `../shared/corpus`, which is not there".into())
    }
}

/// Every list of the corpus; the protocol's examples are a list each.
fn import_all(folder: &Path) -> Result<Vec<Imported>, Failure> {
    let mut imported = Vec::new();
    for line in fs::read_to_string(folder.join("SOURCES.tsv"))?
        .lines()
        .skip(1)
    {
        let mut columns = line.split('\t');
        let path = columns.next().unwrap_or_default();
        // Other messages, and the same lists in their envelopes, have no count.
        if columns
            .nth(3)
            .and_then(|n| n.parse::<usize>().ok())
            .is_none()
        {
            continue;
        }
        let stem: String = path
            .trim_end_matches(".json")
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .flat_map(char::to_lowercase)
            .collect();
        let text = fs::read_to_string(folder.join(path))?;
        let lists: Vec<(String, String)> = if path.starts_with("spec-examples") {
            let tools: Vec<Value> = serde_json::from_str(&text)?;
            let alone = tools.into_iter().enumerate();
            alone
                .map(|(at, tool)| (format!("{stem}{at}"), Value::from(vec![tool]).to_string()))
                .collect()
        } else {
            vec![(stem, text)]
        };
        for (server, text) in lists {
            let origin = Origin {
                file: "list.json",
                server: Some(&server),
            };
            imported.push(import::mcp(text.as_bytes(), &origin)?);
        }
    }
    Ok(imported)
}

fn write_schemas(folder: &Path, lists: &[Imported]) -> Result<(), Failure> {
    fs::create_dir_all(folder)?;
    for tool in lists.iter().flat_map(|list| &list.tools) {
        let schema = serde_json::to_vec(&tool.manifest.input_schema)?;
        fs::write(folder.join(format!("{}.json", tool.manifest.name)), schema)?;
    }
    Ok(())
}

fn write_project(folder: &Path, lists: &[Imported]) -> Result<(), Failure> {
    let manifests = folder.join("manifests");
    fs::create_dir_all(manifests.join("tools"))?;
    fs::write(manifests.join("toolcontract.toml"), PROJECT)?;
    for tool in lists.iter().flat_map(|list| &list.tools) {
        let path = format!("tools/{}.json", tool.manifest.name);
        fs::write(manifests.join(path), import::text(&tool.manifest))?;
    }
    Ok(())
}

const PROJECT: &str = r#"name = "Imported"
description = "Tools of others."
[surfaces.rust]
crate = "imported"
[surfaces.typescript]
package = "imported"
"#;
