//! The modules of events and shared types: one named schema, its types, how to parse it.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;

use super::{
    doc,
    ident::token,
    item::{Item, Items},
    lower::Lower,
    module::Module,
    render::{Renderer, Use},
};
use crate::{
    emit::text::pretty,
    model::{
        Event, SchemaDoc, SharedType,
        shape::{Numbers, opts_in, shape},
    },
};

/// A schema that has a name of its own.
pub(super) struct Named<'m> {
    /// The file that states it.
    pub(super) source: &'m str,
    /// What it is, when its schema does not say so.
    pub(super) about: Option<&'m str>,
    /// The type of its values.
    pub(super) type_name: &'m str,
    /// The name of the event; none for a shared type.
    pub(super) event: Option<&'m str>,
    /// Its folder: `types` or `events`.
    pub(super) folder: &'m str,
    /// The name of its module.
    pub(super) module: &'m str,
    pub(super) schema: &'m SchemaDoc,
}

impl<'m> Named<'m> {
    pub(super) fn of_type(shared: &'m SharedType) -> Self {
        Self {
            source: &shared.document.path,
            about: None,
            type_name: &shared.type_name,
            event: None,
            folder: "types",
            module: &shared.module,
            schema: &shared.schema,
        }
    }

    pub(super) fn of_event(event: &'m Event) -> Self {
        Self {
            source: &event.document.path,
            about: Some(&event.manifest.description),
            type_name: &event.names.pascal,
            event: Some(&event.manifest.name),
            folder: "events",
            module: &event.names.module,
            schema: &event.payload,
        }
    }

    /// Its types, the root first.
    pub(super) fn items(&self, names: &BTreeMap<&str, &str>) -> Vec<Item> {
        let shapes = shape(&self.schema.normal, Numbers::Interoperable);
        let mut lower = Lower::new(names);
        let name = lower.take(self.type_name);
        lower.root(&shapes, &name, "");
        let mut items = lower.finish();
        if let (Some(root), Some(about)) = (items.first_mut(), self.about) {
            root.doc = doc::lines(about, 0);
        }
        items
    }

    /// Where its schema stands, and where the one with our `x-` keywords stands when it is needed.
    fn paths(&self) -> [String; 2] {
        let Self { folder, module, .. } = self;
        [
            format!("schemas/{folder}/{module}.json"),
            format!("schemas/{folder}/{module}.extended.json"),
        ]
    }

    /// The schemas that its module embeds: path and text.
    pub(super) fn schemas(&self) -> impl Iterator<Item = (String, String)> {
        let [path, extended] = self.paths();
        let SchemaDoc { wire, normal } = self.schema;
        let extended = opts_in(&normal.schema).then(|| (extended, pretty(&normal.schema)));
        [(path, pretty(wire))].into_iter().chain(extended)
    }

    /// The text of its module.
    pub(super) fn text(&self, items: &[Item], shared: &BTreeMap<String, Vec<Item>>) -> String {
        let mut renderer = Renderer::new(Items { own: items, shared });
        renderer
            .uses
            .extend([Use::Formats, Use::ParseError, Use::Schema, Use::Value]);
        let mut parts: Vec<TokenStream> = items.iter().flat_map(|i| renderer.item(i)).collect();
        if let Some(name) = self.event {
            parts.push(quote! {
                /// The name of the event.
                pub const NAME: &str = #name;
            });
        }
        let ty = items.first().map(|item| token(&item.name));
        let [path, extended] = self.paths().map(|path| format!("../../{path}"));
        let extended = opts_in(&self.schema.normal.schema)
            .then(|| quote!(.with_extensions(include_str!(#extended))));
        parts.extend([
            quote! {
                /// Checks `value` against its schema and reads it.
                ///
                /// # Errors
                /// Every place where it is not what the schema says.
                pub fn parse(value: Value) -> Result<#ty, ParseError> {
                    SCHEMA.parse(value)
                }
            },
            quote! {
                static SCHEMA: Schema = Schema::new(include_str!(#path), Formats::Assert)#extended;
            },
        ]);
        let mut module = Module::new(self.source);
        module.uses(&renderer.uses);
        module.items(parts);
        module.into_text()
    }
}
