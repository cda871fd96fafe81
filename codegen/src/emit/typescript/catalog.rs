//! The modules that list the whole catalog: contracts, governance, tools, events, the index.

use serde_json::json;
use toolcontract_protocol::ToolContract;

use super::{
    layout::{Doc, Printer, Style},
    named::EventExports,
    names::ModuleNames,
    shared::Exported,
    text,
    tool::Exports,
};
use crate::{
    emit::{javascript, text::banner},
    model::{Model, Tool},
};

/// `contracts.ts`: every contract by name.
pub(super) fn contracts(model: &Model) -> String {
    let mut names = ModuleNames::new();
    let mut imports = Vec::new();
    let mut entries = Vec::new();
    for tool in &model.tools {
        let contract = Exports::of(tool).contract;
        let local = names.exact_value(&contract);
        imports.push(import(&contract, &local, &tool.names.module));
        entries.push(entry(tool, &local));
    }
    file(&[
        &imports.concat(),
        "import type { ToolName } from \"./governance.js\";\nimport type { ToolContract } from \"./wire.js\";\n",
        &constant(
            "Every contract, by name.",
            "contracts",
            "Readonly<Record<ToolName, ToolContract>>",
            entries,
        ),
    ])
}

/// `tools.ts`: every definition by name.
pub(super) fn tools(model: &Model) -> String {
    let mut names = ModuleNames::new();
    let mut imports = Vec::new();
    let mut entries = Vec::new();
    let mut types = Vec::new();
    for tool in &model.tools {
        let definition = Exports::of(tool).definition;
        let local = names.exact_value(&definition);
        imports.push(import(&definition, &local, &tool.names.module));
        types.push(Doc::text(format!(
            "readonly {}: typeof {local}",
            javascript::member(&tool.manifest.name)
        )));
        entries.push(entry(tool, &local));
    }
    let interface = Doc::seq([
        text::comment(["Every definition, by name."], Vec::new()),
        Doc::text("export interface Tools "),
        Doc::broken(Style::Members, types),
    ]);
    file(&[
        &imports.concat(),
        &Printer::text_of(&interface),
        &constant(
            "Every definition, by name. Importing it loads every tool.",
            "tools",
            "Tools",
            entries,
        ),
    ])
}

/// `governance.ts`: what a policy reads, by name, without any schema.
pub(super) fn governance(model: &Model) -> String {
    let tools = &model.tools;
    let names = union(
        "ToolName",
        "The canonical name of a tool.",
        tools.iter().map(|t| t.manifest.name.as_str()),
    );
    let entries = tools
        .iter()
        .map(|tool| text::property(&tool.manifest.name, text::constant(&facts(&tool.contract))))
        .collect();
    file(&[
        include_str!("../../../../templates/typescript/governance.ts").trim_end(),
        &names,
        &constant(
            "The facts of every tool that a policy decides on, by name.",
            "governance",
            "Readonly<Record<ToolName, Governance>>",
            entries,
        ),
    ])
}

/// The facts of a contract as far as they may be relied on.
fn facts(contract: &ToolContract) -> serde_json::Value {
    json!({
        "version": contract.version,
        "group": contract.group,
        "risk": contract.effective_risk(),
        "requires_approval": contract.requires_approval,
        "read_only": contract.trusted_read_only(),
        "speculation_safe": contract.trusted_speculation_safe(),
        "idempotent": contract.trusted_idempotent(),
        "additive": contract.additive,
        "open_world": contract.open_world,
    })
}

/// `events.ts`: every event by name.
pub(super) fn events(model: &Model) -> String {
    let mut names = ModuleNames::new();
    let mut imports = String::new();
    let mut entries = Vec::new();
    let mut types = Vec::new();
    let mut payloads = Vec::new();
    for event in &model.events {
        let exports = EventExports::of(event);
        let value = names.exact_value(&exports.value);
        let ty = names.exact_type(&exports.ty);
        imports.push_str(&format!(
            "import {{ {}, type {} }} from \"./events/{}.js\";\n",
            renamed(&exports.value, &value),
            renamed(&exports.ty, &ty),
            event.names.module
        ));
        let key = javascript::member(&event.manifest.name);
        types.push(Doc::text(format!(
            "readonly {key}: EventDefinition<typeof {value}>"
        )));
        payloads.push(Doc::seq([
            text::comment([event.manifest.description.as_str()], Vec::new()),
            Doc::text(format!("{key}: {ty}")),
        ]));
        entries.push(text::property(
            &event.manifest.name,
            Doc::list(
                Style::Braces,
                vec![
                    Doc::text(format!("replayable: {}", event.manifest.replayable)),
                    Doc::text(format!("payload: {value}")),
                ],
            ),
        ));
    }
    let payloads = Doc::seq([
        text::comment(["What each event carries, by name."], Vec::new()),
        Doc::text("export interface EventPayloads "),
        Doc::broken(Style::Members, payloads),
    ]);
    let interface = Doc::seq([
        text::comment(["Every event, by name."], Vec::new()),
        Doc::text("export interface Events "),
        Doc::broken(Style::Members, types),
    ]);
    file(&[
        &imports,
        &Printer::text_of(&payloads),
        include_str!("../../../../templates/typescript/events.ts").trim_end(),
        &Printer::text_of(&interface),
        &constant("Every event, by name.", "events", "Events", entries),
    ])
}

/// `index.ts`: the names that most users need. The rest is in the modules.
pub(super) fn index(model: &Model) -> String {
    let mut names = ModuleNames::new();
    let mut out = include_str!("../../../../templates/typescript/index.ts").to_owned();
    for taken in ["contracts", "events", "governance", "tools"] {
        names.exact_value(taken);
    }
    for taken in [
        "EventDefinition",
        "EventName",
        "EventPayloads",
        "Governance",
        "RiskLevel",
        "ToolEvent",
        "ToolName",
        "Tools",
    ] {
        names.exact_type(taken);
    }
    for tool in &model.tools {
        let exports = Exports::of(tool);
        let value = names.exact_value(&exports.definition);
        let mut parts = vec![renamed(&exports.definition, &value)];
        for side in exports.sides() {
            let ty = names.exact_type(&side.ty);
            parts.push(format!("type {}", renamed(&side.ty, &ty)));
        }
        out.push_str(&export(&parts, "tools", &tool.names.module));
    }
    for event in &model.events {
        let exports = EventExports::of(event);
        let ty = names.exact_type(&exports.ty);
        let parts = [format!("type {}", renamed(&exports.ty, &ty))];
        out.push_str(&export(&parts, "events", &event.names.module));
    }
    for shared in &model.types {
        let exports = Exported::of(shared);
        let ty = names.exact_type(&exports.ty);
        let parts = [format!("type {}", renamed(&exports.ty, &ty))];
        out.push_str(&export(&parts, "types", &shared.module));
    }
    file(&[&out])
}

fn export(parts: &[String], folder: &str, module: &str) -> String {
    let mut text = Printer::text_of(&Doc::seq([
        Doc::text("export "),
        Doc::list(Style::Braces, parts.iter().map(Doc::text).collect()),
        Doc::text(format!(" from \"./{folder}/{module}.js\";")),
    ]));
    text.push('\n');
    text
}

fn import(exported: &str, local: &str, module: &str) -> String {
    format!(
        "import {{ {} }} from \"./tools/{module}.js\";\n",
        renamed(exported, local)
    )
}

fn renamed(exported: &str, local: &str) -> String {
    if exported == local {
        exported.to_owned()
    } else {
        format!("{exported} as {local}")
    }
}

fn entry(tool: &Tool, value: &str) -> Doc {
    text::named(&tool.manifest.name, Doc::text(value))
}

fn constant(about: &str, name: &str, ty: &str, entries: Vec<Doc>) -> String {
    Printer::text_of(&Doc::seq([
        text::comment([about], Vec::new()),
        Doc::text(format!("export const {name}: {ty} = ")),
        Doc::broken(Style::Braces, entries),
        Doc::text(";"),
    ]))
}

fn union<'a>(name: &str, about: &str, values: impl Iterator<Item = &'a str>) -> String {
    let mut values: Vec<Doc> = values.map(|v| Doc::text(javascript::string(v))).collect();
    if values.is_empty() {
        values.push(Doc::text("never"));
    }
    Printer::text_of(&Doc::seq([
        text::comment([about], Vec::new()),
        Doc::text(format!("export type {name} = ")),
        Doc::list(Style::Union, values),
        Doc::text(";"),
    ]))
}

fn file(parts: &[&str]) -> String {
    let parts: Vec<&str> = parts
        .iter()
        .map(|part| part.trim_end())
        .filter(|part| !part.is_empty())
        .collect();
    format!("// {}\n\n{}\n", banner("manifests/"), parts.join("\n\n"))
}
