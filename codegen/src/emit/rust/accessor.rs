//! Accessors of defaults: `fn limit_or_default(&self) -> u64`. A default is an annotation, so
//! parsing changes nothing and each call makes the value afresh.

use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;

use super::{
    ident::token,
    item::{Field, Ty},
    literal::{is_constant, is_empty, literal},
    render::{Renderer, docs},
};

impl Renderer<'_> {
    /// The accessor of a field that has a default which its type takes.
    pub(super) fn accessor(&mut self, field: &Field) -> Option<TokenStream> {
        let default = field.default.as_ref()?;
        let Ty::Option(inner) = &field.ty else {
            return None;
        };
        let ident = token(&field.ident);
        let (ty, body) = if let (Ty::String, Value::String(text)) = (inner.as_ref(), default) {
            (
                quote!(&str),
                quote!(self.#ident.as_deref().unwrap_or(#text)),
            )
        } else {
            let supplied = self.supplied(inner, default)?;
            let clone = (!self.items.is_copy(inner)).then(|| quote!(.clone()));
            (self.ty(inner), quote!(self.#ident #clone.#supplied))
        };
        let name = token(&format!("{}_or_default", field.ident.trim_end_matches('_')));
        let docs = docs(Some(&format!("`{}`, or its default.", field.wire)), 4);
        Some(quote!(#docs pub fn #name(&self) -> #ty { #body }))
    }

    /// The method of `Option` that puts the default in the place of none.
    fn supplied(&self, ty: &Ty, default: &Value) -> Option<TokenStream> {
        match (ty, default) {
            (Ty::Unit, _) => return None,
            (Ty::Option(_), Value::Null) => return Some(quote!(flatten())),
            _ => {}
        }
        let value = literal(self.items, ty, default)?;
        Some(if is_empty(&value) {
            quote!(unwrap_or_default())
        } else if is_constant(&value) {
            quote!(unwrap_or(#value))
        } else {
            quote!(unwrap_or_else(|| #value))
        })
    }
}
