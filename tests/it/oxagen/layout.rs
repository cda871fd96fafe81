//! Every module has the one layout that Oxagen's scripts read, and they read what the model says.

use std::collections::BTreeSet;

use toolcontract_codegen::{
    emit::oxagen::{Oxagen, declaration},
    model::oxagen_names,
};
use toolcontract_protocol::oxagen::Surface;

use super::scanner::{scan, scan_name};
use crate::catalog::{CATALOG, files, text};

#[test]
fn the_scripts_read_what_the_model_says() {
    let files = files(&Oxagen, &CATALOG);
    for tool in &CATALOG.tools {
        let Some(declared) = declaration(&CATALOG, tool) else {
            continue;
        };
        let source = text(&files, &format!("{}.ts", declared.name));
        let read = scan("stem", source);
        assert_eq!(read.name, declared.name);
        assert_eq!(read.domain, declared.domain);
        assert_eq!(read.mode, declared.mode.as_str());
        assert_eq!(
            read.surfaces,
            declared
                .surfaces
                .iter()
                .map(|s| s.as_str())
                .collect::<Vec<_>>()
        );
        assert_eq!(
            read.layers,
            declared
                .layers
                .iter()
                .map(|l| l.as_str())
                .collect::<Vec<_>>()
        );
        assert_eq!(scan_name(source).as_deref(), Some(declared.name));
    }
}

/// The call stands once, in a multi-line literal with unquoted keys; metadata before schemas; what
/// has a default there is written all the same, and what is Oxagen's own business never.
#[test]
fn one_call_a_module_and_every_decision_in_words() {
    let files = files(&Oxagen, &CATALOG);
    for tool in &CATALOG.tools {
        let Some(declared) = declaration(&CATALOG, tool) else {
            continue;
        };
        let source = text(&files, &format!("{}.ts", declared.name));
        assert_eq!(
            source.matches("registerCapability(").count(),
            1,
            "{}",
            declared.name
        );
        assert!(
            source.contains("\n} satisfies CapabilityDeclaration);\n"),
            "{}",
            declared.name
        );
        let literal = source.split_once("registerCapability({\n").unwrap().1;
        let keys: Vec<&str> = literal
            .lines()
            .take_while(|line| !line.starts_with('}'))
            .filter_map(|line| {
                line.strip_prefix("  ")
                    .filter(|l| l.starts_with(|c: char| c.is_ascii_lowercase()))
            })
            .map(|line| line.split_once(':').unwrap().0)
            .collect();
        let fixed = [
            "name",
            "domain",
            "description",
            "mode",
            "surfaces",
            "layers",
            "mutates",
            "agent",
            "sensitivity",
            "defaultEffect",
            "defaultRoles",
            "input",
            "output",
        ];
        let found: Vec<&&str> = keys.iter().filter(|k| fixed.contains(k)).collect();
        assert_eq!(found, fixed.iter().collect::<Vec<_>>(), "{}", declared.name);
        assert_eq!(
            keys.iter().rev().take(2).collect::<Vec<_>>(),
            [&"output", &"input"]
        );
        for never in [
            "inAppAssistant",
            "platformOnly",
            ".lazy(",
            ".brand(",
            ".readonly(",
            ".bigint(",
            ".intersection(",
            ".pipe(",
            "z.null(",
            ".default(",
            ".transform(",
            "coerce",
        ] {
            assert!(!source.contains(never), "{}: {never}", declared.name);
        }
        assert!(
            literal.contains("\n    riskLevel: ") && literal.contains("\n    requiresApproval: ")
        );
    }
}

/// Every tool of the catalog is a module, or its manifest says why it is none; names obey Oxagen.
#[test]
fn nothing_is_left_out_without_a_reason() {
    let files = files(&Oxagen, &CATALOG);
    let extra = &CATALOG
        .project
        .surfaces
        .oxagen
        .as_ref()
        .unwrap()
        .extra_verbs;
    let mut names = BTreeSet::new();
    for tool in &CATALOG.tools {
        let name = oxagen_names::name(&tool.manifest);
        let skipped = tool.manifest.oxagen.as_ref().and_then(|o| o.skip.as_ref());
        assert_eq!(
            files.get(&format!("{name}.ts")).is_some(),
            skipped.is_none(),
            "{name}"
        );
        let payload = format!("declarations/{}.json", tool.contract.name);
        assert_eq!(
            files.get(&payload).is_some(),
            skipped.is_none(),
            "{payload}"
        );
        if skipped.is_none() {
            assert!(
                oxagen_names::is_well_formed(name) && oxagen_names::has_listed_verb(name, extra),
                "{name}"
            );
            assert!(names.insert(oxagen_names::alias(name)), "{name}");
        }
    }
}

/// Oxagen's own test: high risk on the agent surface asks. We state it, we never flip it.
#[test]
fn dangerous_on_the_agent_surface_asks() {
    for tool in &CATALOG.tools {
        let Some(declared) = declaration(&CATALOG, tool) else {
            continue;
        };
        let dangerous = declared.agent.risk_level.as_str() == "high";
        if dangerous && declared.surfaces.contains(&Surface::Agent) {
            assert!(declared.agent.requires_approval, "{}", declared.name);
        }
        let stated = tool.manifest.oxagen.as_ref().and_then(|o| o.agent_approval);
        let expected = stated.unwrap_or(tool.contract.requires_approval);
        assert_eq!(
            declared.agent.requires_approval, expected,
            "{}",
            declared.name
        );
    }
}

#[test]
fn shared_modules_declare_nothing() {
    let files = files(&Oxagen, &CATALOG);
    let mut seen = 0;
    for (path, bytes) in files.iter().filter(|(path, _)| path.starts_with("shared/")) {
        let source = std::str::from_utf8(bytes).unwrap();
        assert!(!source.contains("registerCapability"), "{path}");
        seen += 1;
    }
    assert!(seen > CATALOG.types.len());
}
