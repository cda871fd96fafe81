//! Real tools that nobody here wrote: each is imported, or quarantined and really broken; the
//! rest of the pipeline takes all of them.

use std::{collections::BTreeMap, fs, path::Path, time::Instant};

use serde_json::{Value, json};
use toolcontract_manifest::{
    Level,
    import::{Imported, Origin, mcp},
};

use super::pipeline;
use crate::schema::shared;

/// Tools in the corpus that no client could call, and why.
const BROKEN: &[(&str, &str)] = &[(
    // `exclusiveMinimum: true` is draft 4, and no dialect is named, so it is 2020-12.
    "read_pdf",
    "/inputSchema/properties/sources/items/properties/pages/anyOf/0/items/exclusiveMinimum",
)];

#[test]
fn real_tools_become_contracts() {
    let Some(folder) = shared("corpus") else {
        return;
    };
    let start = Instant::now();
    let (imported, listed) = import_all(&folder);
    let time_to_import = start.elapsed();
    let tools: usize = imported.iter().map(|i| i.tools.len()).sum();
    let quarantined: Vec<_> = imported.iter().flat_map(|i| &i.quarantined).collect();
    for fault in &quarantined {
        let name = fault.subject.name.as_deref().unwrap_or_default();
        let reason = fault.reason.to_string();
        println!("quarantined `{name}`: {reason}");
        let known = |(broken, why): &(&str, &str)| *broken == name && reason.contains(why);
        assert!(
            BROKEN.iter().any(known),
            "`{name}` is no broken tool: {reason}"
        );
    }
    assert_eq!(quarantined.len(), BROKEN.len());
    assert_eq!(tools + quarantined.len(), listed);
    assert!(tools > 800, "only {tools} tools were imported");

    let start = Instant::now();
    let made = pipeline::make(&imported);
    assert!(made.errors().is_empty(), "{:#?}", made.errors());
    let mut told: BTreeMap<(&str, Level), usize> = BTreeMap::new();
    for finding in &made.findings {
        *told.entry((finding.rule, finding.level)).or_default() += 1;
    }
    for surface in ["rust", "typescript"] {
        assert!(made.count(surface) > tools, "{surface}");
    }
    println!(
        "{listed} tools: {tools} imported in {time_to_import:?}, generated in {:?}; {} Rust and {} TypeScript files",
        start.elapsed(),
        made.count("rust"),
        made.count("typescript"),
    );
    println!("lint tells: {told:?}");
}

#[test]
fn envelopes_hold_the_same_tools_as_their_lists() {
    let Some(folder) = shared("corpus") else {
        return;
    };
    for name in ["mcp-server-git", "server-everything"] {
        let read = |path: String| fs::read_to_string(folder.join(path)).unwrap();
        let envelope = read(format!("raw-envelopes/{name}.jsonrpc.json"));
        let list = read(format!("live/{name}.json"));
        let (one, other) = (import("same", &envelope), import("same", &list));
        assert!(!one.tools.is_empty());
        let manifests = |imported: &Imported| -> Vec<_> {
            let tools = imported.tools.iter();
            tools
                .map(|t| (t.manifest.clone(), t.digest.clone()))
                .collect()
        };
        assert_eq!(manifests(&one), manifests(&other), "{name}");
    }
}

/// Every list of the corpus, and how many tools they name.
pub(crate) fn import_all(folder: &Path) -> (Vec<Imported>, usize) {
    let (mut imported, mut listed) = (Vec::new(), 0);
    let sources = fs::read_to_string(folder.join("SOURCES.tsv")).unwrap();
    for line in sources.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let (path, tools) = (columns[0], columns[4]);
        // Other messages, and the same lists in their envelopes, have no count.
        let Ok(count) = tools.parse::<usize>() else {
            continue;
        };
        listed += count;
        let lists = lists(folder, path);
        imported.extend(lists.iter().map(|(server, text)| import(server, text)));
    }
    (imported, listed)
}

/// The lists of a file, each with the name of its server. The protocol's examples of single
/// tools are no list of one server.
fn lists(folder: &Path, path: &str) -> Vec<(String, String)> {
    let text = fs::read_to_string(folder.join(path)).unwrap();
    let server: String = path
        .trim_end_matches(".json")
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .flat_map(char::to_lowercase)
        .collect();
    if !path.starts_with("spec-examples") {
        return vec![(server, text)];
    }
    let tools: Vec<Value> = serde_json::from_str(&text).unwrap();
    let lists = tools.into_iter().enumerate();
    lists
        .map(|(at, tool)| (format!("{server}{at}"), json!([tool]).to_string()))
        .collect()
}

fn import(server: &str, text: &str) -> Imported {
    let origin = Origin {
        file: "list.json",
        server: Some(server),
    };
    mcp(text.as_bytes(), &origin).unwrap_or_else(|error| panic!("{server}: {error}"))
}
