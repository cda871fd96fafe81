//! The module of one tool: what goes in and out, what it may emit, its contract, how to parse.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;
use toolcontract_protocol::manifest::Posture;

use super::{
    describe, doc,
    ident::token,
    item::{Item, Items},
    lower::Lower,
    module::{Module, Part},
    render::{Renderer, Use, comment},
};
use crate::{
    emit::text::pretty,
    model::{
        Event, SchemaDoc, Tool,
        shape::{Numbers, opts_in, shape},
    },
};

const TEXT_OUTPUT: &str = "/// Text.\npub type Output = String;\n";
const NO_EVENT: &str = "/// A call emits no event.\npub type Event = NoEvent;\n";
const PARSE: &str = include_str!("../../../../templates/rust/parse.rs");
const PARSE_OUTPUT: &str = include_str!("../../../../templates/rust/parse_output.rs");
const AUTHORED_INPUT: &str =
    "static INPUT: Schema = Schema::within(TEXT, \"/schema/input_schema\", Formats::Assert);\n";
const DECLARED_INPUT: &str =
    "static INPUT: Schema = Schema::within(TEXT, \"/schema/input_schema\", Formats::Annotate);\n";
const AUTHORED_OUTPUT: &str =
    "static OUTPUT: Schema = Schema::within(TEXT, \"/output_schema\", Formats::Assert);\n";
const DECLARED_OUTPUT: &str =
    "static OUTPUT: Schema = Schema::within(TEXT, \"/output_schema\", Formats::Annotate);\n";

/// What the modules of a crate share.
pub(super) struct Crate<'m> {
    /// The name in `types` of each shared type, by reference.
    pub(super) names: BTreeMap<&'m str, &'m str>,
    /// The items of each shared type, by that name.
    pub(super) shared: BTreeMap<String, Vec<Item>>,
    pub(super) events: &'m [Event],
}

/// The types of a tool.
pub(super) fn items(tool: &Tool, krate: &Crate<'_>) -> Vec<Item> {
    let numbers = match tool.manifest.posture() {
        Posture::Authored => Numbers::Interoperable,
        Posture::Declared => Numbers::Arbitrary,
    };
    let input = shape(&tool.input.normal, numbers);
    let output = tool.output.as_ref().map(|o| shape(&o.normal, numbers));
    let mut lower = Lower::new(&krate.names);
    lower.root(&input, "Input", "");
    if let Some(output) = &output {
        lower.root(output, "Output", "Output");
    }
    let mut items = lower.finish();
    describe::roots(&mut items, &tool.manifest);
    items
}

/// The text of its module.
pub(super) fn module(tool: &Tool, items: &[Item], krate: &Crate<'_>) -> String {
    let mut renderer = Renderer::new(Items {
        own: items,
        shared: &krate.shared,
    });
    renderer.uses.extend([
        Use::Embedded,
        Use::ToolContract,
        Use::Formats,
        Use::ParseError,
        Use::Schema,
        Use::Value,
    ]);
    let items = items.iter().flat_map(|i| renderer.item(i));
    let mut parts: Vec<Part> = items.map(Part::Tokens).collect();
    if tool.output.is_none() {
        parts.push(Part::Text(TEXT_OUTPUT));
    }
    parts.push(event(tool, krate.events, &mut renderer));
    parts.extend(contract(tool).map(Part::Tokens));
    parts.push(Part::Text(PARSE));
    if tool.output.is_some() {
        parts.push(Part::Text(PARSE_OUTPUT));
    }
    parts.extend(statics(tool));

    let mut module = Module::new(&tool.document.path);
    module.about(&describe::of_tool(&tool.manifest));
    module.uses(&renderer.uses);
    module.items(parts);
    module.into_text()
}

/// The events that a call may emit.
fn event(tool: &Tool, events: &[Event], renderer: &mut Renderer<'_>) -> Part {
    let declared: Vec<&Event> = tool
        .manifest
        .events
        .iter()
        .filter_map(|name| events.iter().find(|event| event.manifest.name == *name))
        .collect();
    if declared.is_empty() {
        renderer.uses.insert(Use::NoEvent);
        return Part::Text(NO_EVENT);
    }
    renderer.uses.extend([Use::Serialize, Use::Events]);
    let variants = declared.iter().map(|event| {
        let docs = comment(&doc::lines(&event.manifest.description, 4));
        let name = &event.manifest.name;
        let ty = token(&event.names.pascal);
        quote!(#docs #[serde(rename = #name)] #ty(events::#ty))
    });
    Part::Tokens(quote! {
        /// What a call may emit.
        #[derive(Debug, Clone, PartialEq, Serialize)]
        #[serde(tag = "name", content = "payload")]
        pub enum Event { #(#variants),* }
    })
}

/// The marker type and the contract that it stands for.
fn contract(tool: &Tool) -> [TokenStream; 2] {
    let name = &tool.manifest.name;
    let docs = comment(&doc::lines(&describe::of_contract(&tool.contract), 0));
    [
        quote! {
            #docs
            #[derive(Debug)]
            pub struct Contract;
        },
        quote! {
            impl toolcontract_protocol::Contract for Contract {
                type Input = Input;
                type Output = Output;
                type Event = Event;

                const NAME: &'static str = #name;

                fn contract() -> &'static ToolContract {
                    CONTRACT.get()
                }
            }
        },
    ]
}

/// The contract's text and what reads it.
fn statics(tool: &Tool) -> Vec<Part> {
    let name = &tool.manifest.name;
    let path = format!("../contracts/{}.json", tool.names.module);
    let mut parts = vec![
        Part::Tokens(quote! { const TEXT: &str = include_str!(#path); }),
        Part::Tokens(quote! { static CONTRACT: Embedded = Embedded::new(#name, TEXT); }),
    ];
    for (side, schema) in sides(tool) {
        if !is_extended(tool, schema) {
            parts.push(Part::Text(match (side, tool.manifest.posture()) {
                (Side::Input, Posture::Authored) => AUTHORED_INPUT,
                (Side::Input, Posture::Declared) => DECLARED_INPUT,
                (Side::Output, Posture::Authored) => AUTHORED_OUTPUT,
                (Side::Output, Posture::Declared) => DECLARED_OUTPUT,
            }));
            continue;
        }
        let (ident, pointer) = match side {
            Side::Input => (quote!(INPUT), "/schema/input_schema"),
            Side::Output => (quote!(OUTPUT), "/output_schema"),
        };
        let path = format!("../{}", side.path(tool));
        // Only authored schemas have extensions.
        parts.push(Part::Tokens(quote! {
            static #ident: Schema = Schema::within(TEXT, #pointer, Formats::Assert)
                .with_extensions(include_str!(#path));
        }));
    }
    parts
}

/// Input or output.
#[derive(Debug, Clone, Copy)]
enum Side {
    Input,
    Output,
}

impl Side {
    /// Where the schema with our `x-` keywords stands.
    fn path(self, tool: &Tool) -> String {
        let side = match self {
            Self::Input => "input",
            Self::Output => "output",
        };
        format!("schemas/tools/{}.{side}.json", tool.names.module)
    }
}

fn sides(tool: &Tool) -> impl Iterator<Item = (Side, &SchemaDoc)> {
    let output = tool.output.as_ref().map(|schema| (Side::Output, schema));
    [(Side::Input, &tool.input)].into_iter().chain(output)
}

/// Whether the wire form of the schema does not tell which integers may be wide.
fn is_extended(tool: &Tool, schema: &SchemaDoc) -> bool {
    tool.manifest.posture() == Posture::Authored && opts_in(&schema.normal.schema)
}

/// Schemas that the module embeds beside the contract: path and text.
pub(super) fn schemas(tool: &Tool) -> impl Iterator<Item = (String, String)> {
    sides(tool)
        .filter(|(_, schema)| is_extended(tool, schema))
        .map(|(side, schema)| (side.path(tool), pretty(&schema.normal.schema)))
}
