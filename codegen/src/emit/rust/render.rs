//! Items to tokens: the types as serde's derives read them.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::{
    doc,
    ident::token,
    item::{Body, Content, Field, Item, Items, Kind, Presence, Tagging, Ty, Union, Unit},
    rename::{Case, Renames, renames},
};

/// What the rendered items need in scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Use {
    BTreeMap,
    Deserialize,
    Serialize,
    Map,
    Number,
    Value,
    Present,
    Exact,
    Embedded,
    NoEvent,
    ToolContract,
    Formats,
    ParseError,
    Schema,
    Events,
    Types,
}

/// Renders the items of one module.
pub(super) struct Renderer<'i> {
    pub(super) items: Items<'i>,
    pub(super) uses: BTreeSet<Use>,
}

impl<'i> Renderer<'i> {
    pub(super) fn new(items: Items<'i>) -> Self {
        Self {
            items,
            uses: BTreeSet::new(),
        }
    }

    /// The type, and the `impl` with its accessors when it has some.
    pub(super) fn item(&mut self, item: &Item) -> Vec<TokenStream> {
        let docs = comment(&item.doc);
        let name = token(&item.name);
        let declaration = match &item.kind {
            Kind::Alias(ty) => {
                let ty = self.ty(ty);
                return vec![quote!(#docs pub type #name = #ty;)];
            }
            Kind::Newtype(ty) => {
                let ty = self.ty(ty);
                quote!(pub struct #name(pub #ty);)
            }
            Kind::Struct(body) => {
                let (attributes, fields) = self.body(body, true);
                let attributes = serde(attributes);
                quote!(#attributes pub struct #name { #fields })
            }
            Kind::Strings { variants, other } => strings(&name, variants, other.as_deref()),
            Kind::Union(union) => self.union(&name, union),
        };
        self.uses.extend([Use::Serialize, Use::Deserialize]);
        let derives = if item.is_plain() {
            quote!(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)
        } else {
            quote!(Debug, Clone, PartialEq, Serialize, Deserialize)
        };
        let mut rendered = vec![quote! {
            #docs
            #[derive(#derives)]
            #declaration
        }];
        if let Kind::Struct(body) = &item.kind {
            let accessors: Vec<_> = body
                .fields
                .iter()
                .filter_map(|field| self.accessor(field))
                .collect();
            if !accessors.is_empty() {
                rendered.push(quote!(impl #name { #(#accessors)* }));
            }
        }
        rendered
    }

    /// The attributes of the container and the fields.
    fn body(&mut self, body: &Body, public: bool) -> (Vec<TokenStream>, TokenStream) {
        let names = names(body);
        let Renames { rule, own } = renames(Case::Field, &names);
        let mut attributes = Vec::new();
        if body.rest.is_none() {
            attributes.push(quote!(deny_unknown_fields));
        }
        if let Some(rule) = rule.map(super::rename::Rule::as_str) {
            attributes.push(quote!(rename_all = #rule));
        }
        (attributes, self.fields(body, &own, public))
    }

    fn fields(&mut self, body: &Body, own: &[Option<String>], public: bool) -> TokenStream {
        let public = public.then(|| quote!(pub));
        let fields: Vec<_> = body
            .fields
            .iter()
            .zip(own)
            .map(|(field, rename)| {
                let docs = docs(field.doc.as_deref(), 4);
                let attributes = self.attributes(field, rename.as_deref());
                let ident = token(&field.ident);
                let ty = self.ty(&field.ty);
                quote!(#docs #attributes #public #ident: #ty)
            })
            .collect();
        let rest = body.rest.as_ref().map(|(ident, ty)| {
            let ident = token(ident);
            let ty = self.ty(ty);
            quote! {
                /// Every other member.
                #[serde(flatten)]
                #public #ident: #ty
            }
        });
        let all = fields.into_iter().chain(rest);
        quote!(#(#all),*)
    }

    fn attributes(&mut self, field: &Field, rename: Option<&str>) -> Option<TokenStream> {
        let mut attributes = Vec::new();
        if let Some(rename) = rename {
            attributes.push(quote!(rename = #rename));
        }
        if field.presence == Presence::OptionalNullable {
            self.uses.insert(Use::Present);
            attributes.push(quote!(default));
            attributes.push(quote!(deserialize_with = "present"));
        }
        if field.presence != Presence::Required {
            attributes.push(quote!(skip_serializing_if = "Option::is_none"));
        }
        serde(attributes)
    }

    fn union(&mut self, name: &proc_macro2::Ident, union: &Union) -> TokenStream {
        let tag = match &union.tagging {
            Tagging::Tag(tag) => quote!(tag = #tag),
            Tagging::Distinct | Tagging::Overlapping => quote!(untagged),
        };
        let tagged = matches!(union.tagging, Tagging::Tag(_));
        let idents = |v: &'_ super::item::Variant| (v.ident.clone(), v.wire.clone());
        let pairs: Vec<_> = union.variants.iter().map(idents).collect();
        let pairs: Vec<_> = pairs
            .iter()
            .map(|(a, b)| (a.as_str(), b.as_str()))
            .collect();
        let Renames { rule, own } = if tagged {
            renames(Case::Variant, &pairs)
        } else {
            Renames {
                rule: None,
                own: vec![None; pairs.len()],
            }
        };
        let mut attributes = vec![tag];
        if let Some(rule) = rule.map(super::rename::Rule::as_str) {
            attributes.push(quote!(rename_all = #rule));
        }
        let fields: Vec<_> = bodies(union).flat_map(names).collect();
        let renamed = renames(Case::Field, &fields);
        if let Some(rule) = renamed.rule.map(super::rename::Rule::as_str) {
            attributes.push(quote!(rename_all_fields = #rule));
        }
        if bodies(union).next().is_some() && bodies(union).all(|body| body.rest.is_none()) {
            attributes.push(quote!(deny_unknown_fields));
        }
        let mut field_names = renamed.own.as_slice();
        let mut variants = Vec::new();
        for (variant, rename) in union.variants.iter().zip(own) {
            let docs = docs(variant.doc.as_deref(), 4);
            let ident = token(&variant.ident);
            let mut attributes: Vec<_> = rename.iter().map(|name| quote!(rename = #name)).collect();
            if union.tagging == Tagging::Overlapping {
                self.uses.insert(Use::Exact);
                attributes.push(quote!(deserialize_with = "exact"));
            }
            let attributes = serde(attributes);
            let content = match &variant.content {
                Content::Unit => None,
                Content::Newtype(ty) => {
                    let ty = self.ty(ty);
                    Some(quote!((#ty)))
                }
                Content::Struct(body) => {
                    let count = body.fields.len().min(field_names.len());
                    let (own, rest) = field_names.split_at(count);
                    field_names = rest;
                    let fields = self.fields(body, own, false);
                    Some(quote!({ #fields }))
                }
            };
            variants.push(quote!(#docs #attributes #ident #content));
        }
        let attributes = serde(attributes);
        quote!(#attributes pub enum #name { #(#variants),* })
    }

    /// A type expression; notes what it needs in scope.
    pub(super) fn ty(&mut self, ty: &Ty) -> TokenStream {
        match ty {
            Ty::Value => {
                self.uses.insert(Use::Value);
                quote!(Value)
            }
            Ty::Unit => quote!(()),
            Ty::Bool => quote!(bool),
            Ty::I64 => quote!(i64),
            Ty::U64 => quote!(u64),
            Ty::F64 => quote!(f64),
            Ty::Number => {
                self.uses.insert(Use::Number);
                quote!(Number)
            }
            Ty::String => quote!(String),
            Ty::Vec(item) => {
                let item = self.ty(item);
                quote!(Vec<#item>)
            }
            Ty::Tuple(items) => {
                let items: Vec<_> = items.iter().map(|item| self.ty(item)).collect();
                quote!((#(#items,)*))
            }
            Ty::JsonMap => {
                self.uses.extend([Use::Map, Use::Value]);
                quote!(Map<String, Value>)
            }
            Ty::Map(value) => {
                self.uses.insert(Use::BTreeMap);
                let value = self.ty(value);
                quote!(BTreeMap<String, #value>)
            }
            Ty::Option(inner) => {
                let inner = self.ty(inner);
                quote!(Option<#inner>)
            }
            Ty::Boxed(inner) => {
                let inner = self.ty(inner);
                quote!(Box<#inner>)
            }
            Ty::Named(at) => {
                let name = self.items.get(*at).map(|item| token(&item.name));
                quote!(#name)
            }
            Ty::Shared(name) => {
                self.uses.insert(Use::Types);
                let name = token(name);
                quote!(types::#name)
            }
        }
    }
}

fn strings(name: &proc_macro2::Ident, variants: &[Unit], other: Option<&str>) -> TokenStream {
    let names: Vec<_> = variants
        .iter()
        .map(|v| (v.ident.as_str(), v.wire.as_str()))
        .collect();
    let Renames { rule, own } = renames(Case::Variant, &names);
    let rule = rule.map(|rule| {
        let rule = rule.as_str();
        quote!(#[serde(rename_all = #rule)])
    });
    let variants = variants.iter().zip(own).map(|(variant, rename)| {
        let docs = docs(variant.doc.as_deref(), 4);
        let rename = rename.map(|name| quote!(#[serde(rename = #name)]));
        let ident = token(&variant.ident);
        quote!(#docs #rename #ident)
    });
    let other = other.map(|other| {
        let other = token(other);
        quote! {
            /// Any other value.
            #[serde(untagged)]
            #other(String)
        }
    });
    let all = variants.chain(other);
    quote!(#rule pub enum #name { #(#all),* })
}

fn names(body: &Body) -> Vec<(&str, &str)> {
    body.fields
        .iter()
        .map(|field| (field.ident.as_str(), field.wire.as_str()))
        .collect()
}

/// The struct variants of a union.
fn bodies(union: &Union) -> impl Iterator<Item = &Body> {
    union.variants.iter().filter_map(|v| match &v.content {
        Content::Struct(body) => Some(body),
        Content::Unit | Content::Newtype(_) => None,
    })
}

fn serde(attributes: Vec<TokenStream>) -> Option<TokenStream> {
    (!attributes.is_empty()).then(|| quote!(#[serde(#(#attributes),*)]))
}

/// A doc comment of text that stands `indent` to the right.
pub(super) fn docs(text: Option<&str>, indent: usize) -> TokenStream {
    comment(
        &text
            .map(|text| doc::lines(text, indent))
            .unwrap_or_default(),
    )
}

/// A doc comment of finished lines, one attribute a line.
pub(super) fn comment(lines: &[String]) -> TokenStream {
    let lines = lines.iter().map(|line| match line.as_str() {
        "" => String::new(),
        line => format!(" {line}"),
    });
    quote!(#(#[doc = #lines])*)
}
