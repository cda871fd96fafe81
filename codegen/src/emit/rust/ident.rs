//! Identifiers: what a wire name is called in Rust. Wire bytes never change; where the identifier
//! differs from the name, serde is told so.

use proc_macro2::{Ident, Span};

use crate::model::names::{Scope, pascal, snake};

/// Names that a generated module uses itself, or that would hide something of the prelude.
pub(super) const RESERVED_TYPES: [&str; 34] = [
    "Input",
    "Output",
    "Event",
    "Contract",
    "Embedded",
    "NoEvent",
    "ToolContract",
    "Schema",
    "Formats",
    "ParseError",
    "Serialize",
    "Deserialize",
    "Map",
    "Number",
    "Value",
    "BTreeMap",
    "LazyLock",
    "Self",
    "Box",
    "Option",
    "Some",
    "None",
    "Result",
    "Ok",
    "Err",
    "String",
    "Vec",
    "Clone",
    "Debug",
    "Default",
    "PartialEq",
    "From",
    "Into",
    "ToString",
];

/// Keywords of edition 2024 and those kept for later; as identifiers they need `r#`.
const KEYWORDS: [&str; 48] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// Words that stay words even behind `r#`.
const UNRAW: [&str; 4] = ["self", "Self", "super", "crate"];

/// A free field name for the member `wire`.
pub(super) fn field(scope: &mut Scope, wire: &str) -> String {
    scope.allocate(&legal(snake(wire), "empty"), "_")
}

/// A free variant name for `wire`.
pub(super) fn variant(scope: &mut Scope, wire: &str) -> String {
    scope.allocate(&legal(pascal(wire), "Empty"), "")
}

/// A free type name: the words of `name` behind `prefix`.
pub(super) fn type_name(scope: &mut Scope, prefix: &str, name: &str) -> String {
    let name = pascal(name);
    let digits = |c: char| c.is_ascii_digit();
    let gap = if prefix.ends_with(digits) && name.starts_with(digits) {
        "_"
    } else {
        ""
    };
    scope.allocate(&legal(format!("{prefix}{gap}{name}"), "Empty"), "")
}

/// `name` as something that rustc takes for an identifier, raw or not; `empty` when there is none.
fn legal(mut name: String, empty: &str) -> String {
    if name.is_empty() {
        name.push_str(empty);
    }
    if !name.starts_with(unicode_ident::is_xid_start) {
        name.insert(0, '_');
    }
    name.retain(|c| c == '_' || unicode_ident::is_xid_continue(c));
    if UNRAW.contains(&name.as_str()) || name == "_" {
        name.push('_');
    }
    name
}

/// The token of a name that this module gave.
pub(super) fn token(name: &str) -> Ident {
    if KEYWORDS.contains(&name) {
        Ident::new_raw(name, Span::call_site())
    } else {
        Ident::new(name, Span::call_site())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_an_identifier() {
        let mut scope = Scope::default();
        for (wire, expected) in [
            ("type", "r#type"),
            ("self", "self_"),
            ("Self", "self_2"),
            ("crate", "crate_"),
            ("_", "underscore"),
            ("", "empty"),
            ("2fa", "_2fa"),
            ("Port", "port"),
            ("port", "port_2"),
            ("PORT", "port_3"),
            ("\u{e9}", "\u{e9}"),
            ("e\u{301}", "\u{e9}_2"),
            ("\u{301}", "_\u{301}"),
            ("\u{1f600}", "u1f600"),
        ] {
            let name = token(&field(&mut scope, wire)).to_string();
            assert_eq!(name, expected, "{wire}");
            assert!(syn::parse_str::<Ident>(&name).is_ok() || name.starts_with("r#"));
        }
    }

    #[test]
    fn variants_do_not_collide() {
        let mut scope = Scope::default();
        let names: Vec<String> = [
            "v1.0", "v1_0", "V1-0", "v10", "V 10", "Self", "10", "<=", "",
        ]
        .iter()
        .map(|wire| variant(&mut scope, wire))
        .collect();
        assert_eq!(
            names,
            [
                "V1_0",
                "V1_0_2",
                "V1_0_3",
                "V10",
                "V10_2",
                "Self_",
                "_10",
                "LessEqual",
                "Empty"
            ]
        );
    }
}
