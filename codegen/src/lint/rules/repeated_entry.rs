//! A list names each thing once.

use toolcontract_manifest::Level;

use crate::lint::{
    Page, Rule,
    findings::{Findings, Located},
};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "repeated-entry",
        about: "A list names one thing twice.",
        what: "An event, an Oxagen surface or layer, a provider dialect or an MCP revision that \
               is in its list already.",
        why: "Each entry becomes a variant or a file of its own. Two of one name cannot be.",
        example: r#"events = ["file.created", "file.created"]"#,
        instead: r#"events = ["file.created"]"#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Error),
    allowable: false,
    check: |catalog, findings| {
        for tool in &catalog.tools {
            twice(tool, "/events", &tool.manifest.events, findings);
            if let Some(section) = &tool.manifest.oxagen {
                let surfaces = section.surfaces.as_deref().unwrap_or_default();
                twice(tool, "/oxagen/surfaces", surfaces, findings);
                let layers = section.layers.as_deref().unwrap_or_default();
                twice(tool, "/oxagen/layers", layers, findings);
            }
        }
        let (project, surfaces) = (&**catalog, &catalog.project.surfaces);
        if let Some(oxagen) = &surfaces.oxagen {
            twice(
                project,
                "/surfaces/oxagen/surfaces",
                &oxagen.surfaces,
                findings,
            );
            twice(project, "/surfaces/oxagen/layers", &oxagen.layers, findings);
        }
        if let Some(mcp) = &surfaces.mcp {
            twice(project, "/surfaces/mcp/revisions", &mcp.revisions, findings);
        }
        if let Some(advertised) = &surfaces.advertised {
            let at = "/surfaces/advertised/dialects";
            twice(project, at, &advertised.dialects, findings);
        }
    },
};

fn twice<T: PartialEq>(
    place: &impl Located,
    pointer: &str,
    entries: &[T],
    findings: &mut Findings,
) {
    for (index, entry) in entries.iter().enumerate() {
        if entries.iter().take(index).any(|earlier| earlier == entry) {
            findings.report(
                place.at(&format!("{pointer}/{index}")),
                "this is in the list already",
                "remove one of the two",
            );
        }
    }
}
