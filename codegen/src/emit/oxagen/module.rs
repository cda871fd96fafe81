//! The text of one capability module, in the one layout that Oxagen's scanners read: a single call,
//! a field a line, metadata before schemas.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use serde::Serialize;
use serde_json::Value;
use toolcontract_manifest::project::OxagenSurface;
use toolcontract_protocol::{manifest::Posture, oxagen::DefaultRoles};

use super::{
    barrel::Capability,
    declaration::Declaration,
    ts,
    zod::{self, Expr, Module, Shared},
};
use crate::{emit::text::banner, model::Tool};

/// The names of one capability in TypeScript.
#[derive(Debug, Clone)]
pub(super) struct Names {
    /// The declaration: `searchFileContents`.
    pub(super) camel: String,
    /// Prefix of its types: `SearchFileContents`.
    pub(super) pascal: String,
}

/// What all modules of the package share.
pub(super) struct Package<'a> {
    pub(super) surface: &'a OxagenSurface,
    pub(super) shared: &'a BTreeMap<String, Shared<'a>>,
    /// Stem of the module that holds the text wrapper.
    pub(super) text_output: &'a str,
}

/// A module, the shared modules that it imports, and what zod could not be told.
pub(super) struct Rendered {
    pub(super) text: String,
    pub(super) imports: BTreeSet<String>,
    pub(super) notes: Vec<String>,
}

/// The module of one capability.
pub(super) fn render(capability: &Capability<'_>, package: &Package<'_>) -> Rendered {
    let Capability {
        tool,
        declaration,
        names,
    } = capability;
    let input_object = format!("{}InputObject", names.camel);
    let output_object = format!("{}OutputObject", names.camel);
    let own = [names.camel.as_str(), &input_object, &output_object];
    let authored = tool.manifest.posture() == Posture::Authored;
    let mut module = Module::new(package.shared, None, authored, own);
    let input = zod::root(&mut module, &tool.input, "input", &input_object);
    let output = match &tool.output {
        Some(doc) => zod::root(&mut module, doc, "output", &output_object),
        None => zod::Root {
            expr: Expr::name(
                module.import(&format!("./shared/{}", package.text_output), TEXT_OUTPUT),
            ),
            object: None,
        },
    };

    let mut out = header(tool, package.surface, &module);
    for statement in module.statements() {
        let _ = write!(out, "\n{statement}\n");
    }
    for (name, object) in [
        (&input_object, &input.object),
        (&output_object, &output.object),
    ] {
        if let Some(object) = object {
            let code = object.print(0, "export const  = ".len() + name.len());
            let _ = write!(out, "\nexport const {name} = {code};\n");
        }
    }
    let _ = write!(out, "\n{}", deprecation(tool));
    let _ = writeln!(out, "export const {} = {}{{", names.camel, ts::CALL);
    for (key, value) in fields(declaration) {
        let _ = writeln!(out, "  {key}: {value},");
    }
    for (key, expr) in [("input", &input.expr), ("output", &output.expr)] {
        let _ = writeln!(out, "  {key}: {},", expr.print(2, key.len() + 3));
    }
    let _ = writeln!(out, "}} satisfies CapabilityDeclaration);\n");
    for part in ["Input", "Output"] {
        let _ = writeln!(
            out,
            "export type {}{part} = z.output<typeof {}.{}>;",
            names.pascal,
            names.camel,
            part.to_lowercase()
        );
    }
    Rendered {
        text: out,
        imports: module.shared_stems(),
        notes: module.notes(),
    }
}

/// The constant of the text wrapper.
pub(super) const TEXT_OUTPUT: &str = "textOutput";

fn header(tool: &Tool, surface: &OxagenSurface, module: &Module<'_>) -> String {
    let mut out = format!("// {}\n", ts::comment(&banner(&tool.document.path)));
    out.push_str("import { z } from \"zod\";\n");
    for (what, from) in [
        ("{ registerCapability }", &surface.registry_import),
        ("type { CapabilityDeclaration }", &surface.types_import),
    ] {
        let _ = writeln!(out, "import {what} from {};", ts::string(from));
    }
    for line in module.imports() {
        let _ = writeln!(out, "{line}");
    }
    out
}

fn deprecation(tool: &Tool) -> String {
    let Some(deprecated) = &tool.manifest.deprecated else {
        return String::new();
    };
    let mut text = format!("Since {}.", deprecated.since);
    if let Some(other) = &deprecated.replaced_by {
        let _ = write!(text, " Use `{other}` instead.");
    }
    if let Some(note) = &deprecated.note {
        let _ = write!(text, " {note}");
    }
    format!("/** @deprecated {} */\n", ts::comment(&text))
}

/// The metadata fields in Oxagen's usual order; finished values.
fn fields(d: &Declaration<'_>) -> Vec<(&'static str, String)> {
    let mut out = vec![
        ("name", ts::string(d.name)),
        ("domain", ts::string(d.domain)),
        ("description", ts::string(d.description)),
        ("mode", ts::string(d.mode.as_str())),
        ("surfaces", list(d.surfaces.iter().map(|s| s.as_str()))),
        ("layers", list(d.layers.iter().map(|l| l.as_str()))),
    ];
    if let Some(scoped) = d.scoped {
        out.push(("scoped", scoped.to_string()));
    }
    out.push(("mutates", d.mutates.to_string()));
    let mut agent = vec![
        (
            "riskLevel".to_owned(),
            ts::string(d.agent.risk_level.as_str()),
        ),
        (
            "requiresApproval".to_owned(),
            d.agent.requires_approval.to_string(),
        ),
    ];
    if let Some(category) = d.agent.category {
        agent.push(("category".to_owned(), ts::string(category)));
    }
    out.push(("agent", block(&agent, 2)));
    out.push(("sensitivity", ts::string(d.sensitivity.as_str())));
    out.push(("defaultEffect", ts::string(d.default_effect.as_str())));
    out.push(("defaultRoles", roles(d.default_roles)));
    let table = |value: Value| block(&members(&value), 2);
    out.extend(d.audit.map(|a| ("audit", table(camel_keys(a)))));
    out.extend(d.render.map(|r| ("render", table(camel_keys(r)))));
    out.extend(d.meter.map(|m| ("meter", table(camel_keys(m)))));
    for (key, tags) in [
        ("produces", d.produces),
        ("consumes", d.consumes),
        ("chainHints", d.chain_hints),
    ] {
        if !tags.is_empty() {
            out.push((key, list(tags.iter().map(String::as_str))));
        }
    }
    out
}

fn roles(roles: &DefaultRoles) -> String {
    let org = roles
        .org
        .iter()
        .map(|(role, effect)| (role.as_str(), effect));
    let workspace = roles
        .workspace
        .iter()
        .map(|(role, effect)| (role.as_str(), effect));
    let inline = |pairs: Vec<String>| match pairs.as_slice() {
        [] => "{}".to_owned(),
        pairs => format!("{{ {} }}", pairs.join(", ")),
    };
    let pair = |(role, effect): (&str, &toolcontract_protocol::oxagen::GrantEffect)| {
        format!("{role}: {}", ts::string(effect.as_str()))
    };
    block(
        &[
            ("org".to_owned(), inline(org.map(pair).collect())),
            (
                "workspace".to_owned(),
                inline(workspace.map(pair).collect()),
            ),
        ],
        2,
    )
}

fn list<'a>(items: impl Iterator<Item = &'a str>) -> String {
    format!("[{}]", items.map(ts::string).collect::<Vec<_>>().join(", "))
}

/// An object literal with a member a line, its brace at `indent`.
fn block(members: &[(String, String)], indent: usize) -> String {
    let mut out = "{\n".to_owned();
    for (key, value) in members {
        let _ = writeln!(out, "{:1$}{key}: {value},", "", indent + 2);
    }
    let _ = write!(out, "{:1$}}}", "", indent);
    out
}

fn members(value: &Value) -> Vec<(String, String)> {
    value
        .as_object()
        .into_iter()
        .flatten()
        .map(|(key, value)| (ts::key(key), ts::literal(value)))
        .collect()
}

/// A table of the manifest as Oxagen spells its keys: `target_kind` as `targetKind`.
fn camel_keys<T: Serialize>(table: &T) -> Value {
    fn convert(value: Value) -> Value {
        match value {
            Value::Object(map) => map
                .into_iter()
                .map(|(key, value)| (crate::model::names::camel(&key), convert(value)))
                .collect(),
            Value::Array(items) => items.into_iter().map(convert).collect(),
            other => other,
        }
    }
    convert(serde_json::to_value(table).unwrap_or_default())
}
