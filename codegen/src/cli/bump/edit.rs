//! Sets `version` in the text of a manifest and changes nothing else: comments, order, line ends
//! and layout stay.

use toml_edit::DocumentMut;
use toolcontract_manifest::{Document, document::NodeValue};

/// The text of `document` with this `version`.
pub(super) fn set_version(document: &Document, version: u32) -> Result<String, String> {
    if document.path.ends_with(".json") {
        set_in_json(document, version)
    } else {
        set_in_toml(&document.text, version)
    }
}

fn set_in_toml(text: &str, version: u32) -> Result<String, String> {
    let mut document: DocumentMut = text
        .parse()
        .map_err(|e: toml_edit::TomlError| e.message().to_owned())?;
    let is_new = !document.contains_key("version");
    let item = document.entry("version").or_insert(toml_edit::value(0));
    let Some(old) = item.as_value_mut() else {
        return Err("`version` is not a number".to_owned());
    };
    let decor = old.decor().clone();
    *old = i64::from(version).into();
    *old.decor_mut() = decor;
    if is_new {
        place_after_name(&mut document);
    }
    Ok(document.to_string())
}

/// Moves `version` to where a reader looks for it: behind `name` and `title`.
fn place_after_name(document: &mut DocumentMut) {
    let mut order: Vec<String> = document.iter().map(|(key, _)| key.to_owned()).collect();
    order.retain(|key| key != "version");
    let after = order
        .iter()
        .rposition(|key| key == "name" || key == "title")
        .map_or(0, |at| at + 1);
    order.insert(after, "version".to_owned());
    let rank = |key: &str| order.iter().position(|k| k == key);
    document.sort_values_by(|a, _, b, _| rank(a.get()).cmp(&rank(b.get())));
}

/// Replaces the number at its place, or puts the member behind `name`.
fn set_in_json(document: &Document, version: u32) -> Result<String, String> {
    let text = &document.text;
    let NodeValue::Object(members) = &document.root.value else {
        return Err("it holds no object".to_owned());
    };
    let find = |key: &str| members.iter().find(|m| m.key == key);
    let (span, new) = if let Some(member) = find("version") {
        (member.node.span.clone(), version.to_string())
    } else if let Some(name) = find("name") {
        // The same break as in front of `name`, so that the member stands like its neighbour.
        let before = text.get(..name.key_span.start).unwrap_or_default();
        let broken = before.trim_end_matches([' ', '\t', '\n', '\r']).len();
        let gap = before.get(broken..).unwrap_or_default();
        let end = name.node.span.end;
        (end..end, format!(",{gap}\"version\": {version}"))
    } else {
        return Err("it has no `name`".to_owned());
    };
    match (text.get(..span.start), text.get(span.end..)) {
        (Some(before), Some(after)) => Ok(format!("{before}{new}{after}")),
        _ => Err("its places are not known".to_owned()),
    }
}
