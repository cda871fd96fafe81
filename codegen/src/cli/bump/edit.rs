//! Sets `version` in the text of a manifest, at its place, and changes no other byte: comments,
//! order, line ends and layout stay. (Printing a parsed document again would change line ends.)

use std::ops::Range;

use toolcontract_manifest::{Document, document::NodeValue};

/// The text of `document` with this `version`.
pub(super) fn set_version(document: &Document, version: u32) -> Result<String, &'static str> {
    let NodeValue::Object(members) = &document.root.value else {
        return Err("it holds no table");
    };
    let value = |key: &str| {
        let member = members.iter().find(|m| m.key == key);
        member.map(|m| (m.key_span.clone(), m.node.span.clone()))
    };
    if let Some((_, place)) = value("version") {
        return splice(document, place, &version.to_string());
    }
    let neighbour = value("title").or_else(|| value("name"));
    let (key, place) = neighbour.ok_or("it has no `name`")?;
    if document.path.ends_with(".json") {
        let gap = gap_before(&document.text, key.start);
        let member = format!(",{gap}\"version\": {version}");
        splice(document, place.end..place.end, &member)
    } else {
        let (end, line_end) = end_of_line(&document.text, place.end);
        splice(
            document,
            end..end,
            &format!("{line_end}version = {version}"),
        )
    }
}

fn splice(document: &Document, place: Range<usize>, new: &str) -> Result<String, &'static str> {
    let text = &document.text;
    match (text.get(..place.start), text.get(place.end..)) {
        (Some(before), Some(after)) => Ok(format!("{before}{new}{after}")),
        _ => Err("its places are not known"),
    }
}

/// White space in front of `at`: a member put behind its neighbour stands like it.
fn gap_before(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or_default();
    let solid = before.trim_end_matches([' ', '\t', '\n', '\r']).len();
    before.get(solid..).unwrap_or_default()
}

/// Where the line of `at` ends, and the line end that the file uses.
fn end_of_line(text: &str, at: usize) -> (usize, &'static str) {
    let rest = text.get(at..).unwrap_or_default();
    let line = rest.split('\n').next().unwrap_or_default();
    match line.strip_suffix('\r') {
        Some(line) => (at + line.len(), "\r\n"),
        None => (at + line.len(), "\n"),
    }
}
