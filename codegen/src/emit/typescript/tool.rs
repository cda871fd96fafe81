//! The module of one tool.

use serde_json::Value;
use toolcontract_protocol::manifest::Posture;
use toolcontract_schema::Formats;

use super::{
    layout::{Doc, Style},
    module::{Declared, Module},
    names::ModuleNames,
    shared::Package,
    text,
};
use crate::{
    emit::javascript,
    model::{SchemaDoc, Tool},
};

/// What the module of a tool exports.
#[derive(Debug)]
pub(super) struct Exports {
    /// The definition: `readFile`.
    pub(super) definition: String,
    /// The contract: `readFileContract`.
    pub(super) contract: String,
    input: Side,
    output: Option<Side>,
}

/// The names of a tool's input or output.
#[derive(Debug)]
pub(super) struct Side {
    /// `ReadFileInput`
    pub(super) ty: String,
    /// `readFileInput`
    pub(super) value: String,
    /// `readFileInputSchema`
    schema: String,
}

impl Exports {
    /// The names, allocated before all others of the module.
    fn allocate(tool: &Tool, names: &mut ModuleNames) -> Self {
        let pascal = &tool.names.pascal;
        let definition = names.value(&tool.manifest.name);
        let mut side = |suffix: &str| Side {
            ty: names.exact_type(&format!("{pascal}{suffix}")),
            value: names.exact_value(&format!("{definition}{suffix}")),
            schema: names.exact_value(&format!("{definition}{suffix}Schema")),
        };
        let input = side("Input");
        let output = tool.output.is_some().then(|| side("Output"));
        Self {
            contract: names.exact_value(&format!("{definition}Contract")),
            definition,
            input,
            output,
        }
    }

    /// What the module of `tool` exports.
    pub(super) fn of(tool: &Tool) -> Self {
        Self::allocate(tool, &mut ModuleNames::new())
    }

    /// Input and, where there is one, output.
    pub(super) fn sides(&self) -> impl Iterator<Item = &Side> {
        std::iter::once(&self.input).chain(&self.output)
    }
}

/// The module of `tool`.
pub(super) fn module(tool: &Tool, package: &Package<'_>) -> String {
    let mut module = Module::new(package);
    let exports = Exports::allocate(tool, module.names());
    let name = &tool.manifest.name;
    declare(
        &mut module,
        tool,
        &tool.input,
        &exports.input,
        &format!("What `{name}` takes."),
    );
    if let (Some(output), Some(side)) = (&tool.output, &exports.output) {
        declare(
            &mut module,
            tool,
            output,
            side,
            &format!("What `{name}` returns."),
        );
    }
    module.needs_definition("JsonSchema");
    module.needs_definition("ToolDefinition");
    module.needs_contract();
    schema_constant(&mut module, &exports.input, &tool.input);
    if let (Some(output), Some(side)) = (&tool.output, &exports.output) {
        schema_constant(&mut module, side, output);
    }
    module.add(&contract(tool, &exports));
    module.add(&definition(tool, &exports));
    module.into_text(&tool.document.path)
}

fn declare(module: &mut Module<'_>, tool: &Tool, schema: &SchemaDoc, side: &Side, about: &str) {
    module.declare(&Declared {
        normal: &schema.normal,
        formats: match tool.manifest.posture() {
            Posture::Authored => Formats::Assert,
            Posture::Declared => Formats::Annotate,
        },
        ty: side.ty.clone(),
        value: side.value.clone(),
        about: about.to_owned(),
        is_shared: false,
    });
}

fn schema_constant(module: &mut Module<'_>, side: &Side, schema: &SchemaDoc) {
    module.add(&Doc::seq([
        text::comment(
            [format!("{{@link {}}} as JSON Schema.", side.ty).as_str()],
            Vec::new(),
        ),
        Doc::text(format!("export const {}: JsonSchema = ", side.schema)),
        text::constant(&schema.wire),
        Doc::text(";"),
    ]));
}

/// The contract in its wire form, the schemas by name.
fn contract(tool: &Tool, exports: &Exports) -> Doc {
    let wire = serde_json::to_value(&tool.contract).unwrap_or_default();
    let value = object(&wire, &|key, value| match (key, &exports.output) {
        ("schema", _) => Some(object(value, &|key, _| {
            (key == "input_schema").then(|| Doc::text(&exports.input.schema))
        })),
        ("output_schema", Some(output)) => Some(Doc::text(&output.schema)),
        _ => None,
    });
    Doc::seq([
        text::comment(["The contract, as it travels."], Vec::new()),
        Doc::text(format!(
            "export const {}: ToolContract = ",
            exports.contract
        )),
        value,
        Doc::text(";"),
    ])
}

/// An object literal in which `replace` says what stands for a member.
fn object(value: &Value, replace: &dyn Fn(&str, &Value) -> Option<Doc>) -> Doc {
    let members = value.as_object().into_iter().flatten();
    Doc::list(
        Style::Braces,
        members
            .map(|(key, value)| {
                let value = replace(key, value).unwrap_or_else(|| text::constant(value));
                text::property(key, value)
            })
            .collect(),
    )
}

fn definition(tool: &Tool, exports: &Exports) -> Doc {
    let name = javascript::string(&tool.manifest.name);
    let output = exports.output.as_ref();
    let output_type = output.map_or("undefined".to_owned(), |o| format!("typeof {}", o.value));
    let output_value = output.map_or("undefined", |o| o.value.as_str());
    let deprecated = tool.manifest.deprecated.as_ref().map(|deprecation| {
        let mut tag = format!("@deprecated Since {}.", deprecation.since);
        if let Some(replacement) = &deprecation.replaced_by {
            tag.push_str(&format!(" Use `{replacement}`."));
        }
        if let Some(note) = &deprecation.note {
            tag.push_str(&format!(" {note}"));
        }
        tag
    });
    Doc::seq([
        text::comment([tool.manifest.description.as_str()], deprecated),
        Doc::text(format!(
            "export const {}: ToolDefinition",
            exports.definition
        )),
        Doc::list(
            Style::Angles,
            vec![
                Doc::text(&name),
                Doc::text(format!("typeof {}", exports.input.value)),
                Doc::text(output_type),
            ],
        ),
        Doc::text(" = "),
        Doc::broken(
            Style::Braces,
            vec![
                Doc::text(format!("name: {name}")),
                Doc::text(format!("contract: {}", exports.contract)),
                Doc::text(format!("input: {}", exports.input.value)),
                Doc::text(format!("output: {output_value}")),
            ],
        ),
        Doc::text(";"),
    ])
}
