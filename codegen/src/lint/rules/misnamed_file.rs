//! A file is called as what it declares.

use toolcontract_manifest::Level;

use crate::lint::{
    Page, Rule,
    findings::{Findings, Located},
};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "misnamed-file",
        about: "A file is not called as the tool or event that it declares.",
        what: "The file name without its extension differs from `name`.",
        why: "People find the contract of a tool by its file.",
        example: "# manifests/tools/search.toml\nname = \"grep\"",
        instead: "# manifests/tools/grep.toml\nname = \"grep\"",
    },
    authored: Some(Level::Warning),
    declared: None,
    allowable: true,
    check: |catalog, findings| {
        for tool in &catalog.tools {
            compare(&tool.manifest.name, tool, findings);
        }
        for event in &catalog.events {
            compare(&event.manifest.name, event, findings);
        }
    },
};

fn compare(name: &str, thing: &impl Located, findings: &mut Findings) {
    let path = thing.document().path.as_str();
    let file = path.rsplit_once('/').map_or(path, |(_, file)| file);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    if stem != name {
        findings.report(
            thing.at("/name"),
            format!("the file `{file}` declares `{name}`"),
            format!(
                "rename the file to `{name}{}`",
                file.strip_prefix(stem).unwrap_or("")
            ),
        );
    }
}
