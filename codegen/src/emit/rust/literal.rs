//! Rust expressions for JSON values, such as defaults. A value that a type does not take has none.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use serde_json::Value;
use toolcontract_schema::integral::whole;

use super::{
    ident::token,
    item::{Body, Content, Item, Items, Kind, Presence, Tagging, Ty, Union},
};

/// How many values one `json!` holds: the macro recurses for each.
const MAX_JSON: usize = 32;

/// An expression of type `ty` for `value`.
pub(super) fn literal(items: Items<'_>, ty: &Ty, value: &Value) -> Option<TokenStream> {
    Some(match (ty, value) {
        (Ty::Value, value) => {
            let json = json(value, &mut { MAX_JSON })?;
            quote!(serde_json::json!(#json))
        }
        (Ty::Unit, Value::Null) => quote!(()),
        (Ty::Bool, Value::Bool(value)) => quote!(#value),
        (Ty::I64, Value::Number(number)) => {
            let number = Literal::i64_unsuffixed(whole(number)?.try_into().ok()?);
            quote!(#number)
        }
        (Ty::U64, Value::Number(number)) => {
            let number = Literal::u64_unsuffixed(whole(number)?.try_into().ok()?);
            quote!(#number)
        }
        (Ty::F64, Value::Number(number)) => {
            let number = Literal::f64_unsuffixed(number.as_f64().filter(|n| n.is_finite())?);
            quote!(#number)
        }
        (Ty::Number, Value::Number(number)) => {
            let number: i64 = whole(number)?.try_into().ok()?;
            let number = match i32::try_from(number) {
                Ok(number) => Literal::i32_unsuffixed(number),
                Err(_) => Literal::i64_suffixed(number),
            };
            quote!(Number::from(#number))
        }
        (Ty::String, Value::String(text)) => quote!(#text.to_owned()),
        (Ty::Vec(_), Value::Array(values)) if values.is_empty() => quote!(Vec::new()),
        (Ty::Vec(item), Value::Array(values)) => {
            let values: Option<Vec<_>> = values.iter().map(|v| literal(items, item, v)).collect();
            let values = values?;
            quote!(vec![#(#values),*])
        }
        (Ty::Tuple(types), Value::Array(values)) if types.len() == values.len() => {
            let values = types
                .iter()
                .zip(values)
                .map(|(ty, v)| literal(items, ty, v));
            let values = values.collect::<Option<Vec<_>>>()?;
            quote!((#(#values,)*))
        }
        (Ty::JsonMap, Value::Object(members)) if members.is_empty() => quote!(Map::new()),
        (Ty::Map(_), Value::Object(members)) if members.is_empty() => quote!(BTreeMap::new()),
        (Ty::Map(ty), Value::Object(members)) => {
            let pairs = members.iter().map(|(key, value)| {
                let value = literal(items, ty, value)?;
                Some(quote!((#key.to_owned(), #value)))
            });
            let pairs = pairs.collect::<Option<Vec<_>>>()?;
            quote!(BTreeMap::from([#(#pairs),*]))
        }
        (Ty::Option(_), Value::Null) => quote!(None),
        (Ty::Option(inner), value) => {
            let value = literal(items, inner, value)?;
            quote!(Some(#value))
        }
        (Ty::Boxed(inner), value) => {
            let value = literal(items, inner, value)?;
            quote!(Box::new(#value))
        }
        (Ty::Named(at), value) => return named(items, items.get(*at)?, value),
        (Ty::Shared(name), value) => return shared(items, items.shared(name)?, value),
        _ => return None,
    })
}

fn named(items: Items<'_>, item: &Item, value: &Value) -> Option<TokenStream> {
    let name = token(&item.name);
    match &item.kind {
        Kind::Alias(ty) => literal(items, ty, value),
        Kind::Newtype(ty) => {
            let value = literal(items, ty, value)?;
            Some(quote!(#name(#value)))
        }
        Kind::Struct(body) => {
            let fields = members(items, body, value)?;
            Some(quote!(#name { #fields }))
        }
        Kind::Strings { variants, other } => {
            let text = value.as_str()?;
            if let Some(variant) = variants.iter().find(|v| v.wire == text) {
                let variant = token(&variant.ident);
                return Some(quote!(#name::#variant));
            }
            let other = token(other.as_deref()?);
            Some(quote!(#name::#other(#text.to_owned())))
        }
        Kind::Union(union) => variant(items, union, value).map(|variant| quote!(#name::#variant)),
    }
}

/// Shared types are named by path, and what they nest is out of reach.
fn shared(items: Items<'_>, item: &Item, value: &Value) -> Option<TokenStream> {
    match &item.kind {
        Kind::Alias(Ty::Named(_)) => None,
        Kind::Alias(ty) => literal(Items { own: &[], ..items }, ty, value),
        Kind::Strings { .. } => named(items, item, value).map(|variant| quote!(types::#variant)),
        Kind::Struct(_) | Kind::Newtype(_) | Kind::Union(_) => None,
    }
}

/// Whether the expression is an empty collection.
pub(super) fn is_empty(expression: &TokenStream) -> bool {
    let empty = [
        quote!(Vec::new()),
        quote!(Map::new()),
        quote!(BTreeMap::new()),
    ];
    let expression = expression.to_string();
    empty.iter().any(|empty| empty.to_string() == expression)
}

/// Whether evaluating the expression costs nothing, so that it need not be put off.
pub(super) fn is_constant(expression: &TokenStream) -> bool {
    let text = expression.to_string();
    !["to_owned", "new", "from", "!"]
        .iter()
        .any(|call| text.contains(call))
}

/// The first variant that takes the value; of overlapping ones none, since serde may see it otherwise.
fn variant(items: Items<'_>, union: &Union, value: &Value) -> Option<TokenStream> {
    if union.tagging == Tagging::Overlapping {
        return None;
    }
    let (tag, value) = match &union.tagging {
        Tagging::Tag(tag) => {
            let mut members = value.as_object()?.clone();
            let tag = members.shift_remove(tag)?.as_str()?.to_owned();
            (Some(tag), Value::Object(members))
        }
        Tagging::Distinct | Tagging::Overlapping => (None, value.clone()),
    };
    union
        .variants
        .iter()
        .filter(|variant| tag.as_ref().is_none_or(|tag| *tag == variant.wire))
        .find_map(|variant| {
            let ident = token(&variant.ident);
            match &variant.content {
                Content::Unit => Some(quote!(#ident)),
                Content::Newtype(ty) => {
                    let value = literal(items, ty, &value)?;
                    Some(quote!(#ident(#value)))
                }
                Content::Struct(body) => {
                    let fields = members(items, body, &value)?;
                    Some(quote!(#ident { #fields }))
                }
            }
        })
}

/// The fields of a struct expression. None when the value has members that no field names.
fn members(items: Items<'_>, body: &Body, value: &Value) -> Option<TokenStream> {
    let members = value.as_object()?;
    let known = |name: &String| body.fields.iter().any(|field| field.wire == *name);
    if !members.keys().all(known) {
        return None;
    }
    let mut fields = Vec::new();
    for field in &body.fields {
        let ident = token(&field.ident);
        let value = match (members.get(&field.wire), field.presence, &field.ty) {
            (Some(value), Presence::OptionalNullable, Ty::Option(inner)) => {
                let value = literal(items, inner, value)?;
                quote!(Some(#value))
            }
            (Some(Value::Null), Presence::Optional, _) => return None,
            (Some(value), _, ty) => literal(items, ty, value)?,
            (None, Presence::Required, _) => return None,
            (None, _, _) => quote!(None),
        };
        fields.push(quote!(#ident: #value));
    }
    if let Some((ident, ty)) = &body.rest {
        let ident = token(ident);
        let empty = literal(items, ty, &Value::Object(serde_json::Map::new()))?;
        fields.push(quote!(#ident: #empty));
    }
    Some(quote!(#(#fields),*))
}

/// The inside of `json!`; none when it would hold more than `left` values.
fn json(value: &Value, left: &mut usize) -> Option<TokenStream> {
    *left = left.checked_sub(1)?;
    Some(match value {
        Value::Null => quote!(null),
        Value::Bool(value) => quote!(#value),
        Value::Number(number) => {
            let number = if let Some(number) = number.as_i64() {
                match i32::try_from(number) {
                    Ok(number) => Literal::i32_unsuffixed(number),
                    Err(_) => Literal::i64_suffixed(number),
                }
            } else if let Some(number) = number.as_u64() {
                Literal::u64_suffixed(number)
            } else {
                Literal::f64_unsuffixed(number.as_f64().filter(|n| n.is_finite())?)
            };
            quote!(#number)
        }
        Value::String(text) => quote!(#text),
        Value::Array(values) => {
            let values = values.iter().map(|value| json(value, left));
            let values = values.collect::<Option<Vec<_>>>()?;
            quote!([#(#values),*])
        }
        Value::Object(members) => {
            let keys = members.keys();
            let values = members.values().map(|value| json(value, left));
            let values = values.collect::<Option<Vec<_>>>()?;
            quote!({ #(#keys: #values),* })
        }
    })
}
