//! The names of one module: types and values, each kept apart from words of the language and from
//! what the module itself uses.

use toolcontract_schema::vocabulary;
use unicode_ident::{is_xid_continue, is_xid_start};

use crate::model::names::{Scope, camel, pascal};

/// Allocates the names of a module.
#[derive(Debug)]
pub(super) struct ModuleNames {
    types: Scope,
    values: Scope,
}

impl ModuleNames {
    /// A module that declares nothing yet.
    pub(super) fn new() -> Self {
        Self {
            types: Scope::with_reserved(TYPES.iter().chain(&vocabulary::TYPES).copied()),
            values: Scope::with_reserved(VALUES.iter().copied()),
        }
    }

    /// A name for a type, from a name in a schema.
    pub(super) fn ty(&mut self, name: &str) -> String {
        self.types.allocate(&identifier(&pascal(name), "Type"), "")
    }

    /// A name for a value, from a name in a schema.
    pub(super) fn value(&mut self, name: &str) -> String {
        self.values.allocate(&identifier(&camel(name), "value"), "")
    }

    /// A type of exactly this name, with a number only when it is taken.
    pub(super) fn exact_type(&mut self, name: &str) -> String {
        self.types.allocate(name, "")
    }

    /// A value of exactly this name, with a number only when it is taken.
    pub(super) fn exact_value(&mut self, name: &str) -> String {
        self.values.allocate(name, "")
    }
}

/// `name` without what no identifier holds; `fallback` where nothing is left.
fn identifier(name: &str, fallback: &str) -> String {
    let mut kept: String = name.chars().filter(|c| is_xid_continue(*c)).collect();
    match kept.chars().next() {
        None => fallback.to_owned(),
        Some(first) if is_xid_start(first) => kept,
        Some(_) => {
            kept.insert(0, '_');
            kept
        }
    }
}

/// Types that every module sees, and those that ours import.
#[rustfmt::skip]
const TYPES: [&str; 46] = [
    "any", "bigint", "never", "symbol", "undefined", "unknown", "void",
    "Array", "ArrayBuffer", "Boolean", "Date", "Error", "Exclude", "Extract", "Function", "JSON",
    "Map", "Math", "NonNullable", "Number", "Object", "Omit", "Parameters", "Partial", "Pick",
    "Promise", "Proxy", "Readonly", "ReadonlyArray", "Record", "Reflect", "RegExp", "Required",
    "ReturnType", "Set", "String", "Symbol", "Uint8Array", "WeakMap", "WeakSet",
    "JsonSchema", "ToolContract", "ToolDefinition", "WithDefaults", "z", "type",
];

/// Words that name no value, and the values that ours use.
#[rustfmt::skip]
const VALUES: [&str; 61] = [
    "arguments", "as", "async", "await", "break", "case", "catch", "class", "const", "continue",
    "debugger", "default", "delete", "do", "else", "enum", "eval", "export", "extends", "false",
    "finally", "for", "from", "function", "get", "if", "implements", "import", "in", "instanceof",
    "interface", "let", "new", "null", "of", "package", "private", "protected", "public", "return",
    "set", "static", "super", "switch", "this", "throw", "true", "try", "type", "typeof", "var",
    "void", "while", "with", "yield",
    "Infinity", "NaN", "undefined", "json", "z", "input",
];
