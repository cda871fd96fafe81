//! One schema read node by node: the shape first, then what the shape does not say.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use toolcontract_schema::{dialect::words, pointer};

use super::{
    expr::{Base, Call, Expr},
    module::Module,
};
use crate::{emit::oxagen::ts, model::names};

pub(super) type Node = Map<String, Value>;

/// Levels of nesting that become code.
const MAX_DEPTH: usize = 64;

/// Reads one schema into a module.
pub(super) struct Reader<'r, 'm> {
    pub(super) module: &'r mut Module<'m>,
    root: &'r Value,
    shared: &'r BTreeMap<String, String>,
    definitions: BTreeMap<String, Definition>,
}

/// A definition that was met: its constant, and whether it is still being read.
struct Definition {
    constant: String,
    open: bool,
    /// The predicate that stands for it inside itself.
    predicate: Option<String>,
}

/// Where a node stands: its path for notes, and how deep.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) path: String,
    pub(super) depth: usize,
}

impl Place {
    pub(super) fn member(&self, name: &str) -> Self {
        Self {
            path: format!("{}.{name}", self.path),
            depth: self.depth + 1,
        }
    }

    pub(super) fn items(&self) -> Self {
        Self {
            path: format!("{}[]", self.path),
            depth: self.depth + 1,
        }
    }

    pub(super) fn same(&self) -> Self {
        Self {
            path: self.path.clone(),
            depth: self.depth + 1,
        }
    }
}

impl<'r, 'm> Reader<'r, 'm> {
    pub(super) fn new(
        module: &'r mut Module<'m>,
        root: &'r Value,
        shared: &'r BTreeMap<String, String>,
    ) -> Self {
        Self {
            module,
            root,
            shared,
            definitions: BTreeMap::new(),
        }
    }

    /// The whole schema. An input or output is an object with `.shape`, never a record.
    pub(super) fn root(&mut self, path: &str, is_object: bool) -> Expr {
        let place = Place {
            path: path.to_owned(),
            depth: 0,
        };
        let only_refers = |node: &Node| {
            node.contains_key("$ref") && node.keys().all(|k| k == "$ref" || is_annotation(k))
        };
        let target = match self.root.as_object() {
            Some(node) if is_object && only_refers(node) => self.behind(self.root),
            _ => None,
        };
        let node = target.map_or_else(|| self.root.clone(), Value::Object);
        let expr = self.read(&node, &place);
        match expr.base {
            Base::Of("record", value) if is_object => {
                let others = if *value == Expr::plain("unknown()") {
                    Call::Plain("passthrough()".to_owned())
                } else {
                    Call::Of("catchall", value)
                };
                Expr {
                    base: Base::Object(Vec::new()),
                    calls: std::iter::once(others).chain(expr.calls).collect(),
                }
            }
            _ => expr,
        }
    }

    /// The whole schema, for references.
    pub(super) fn root_of(&self) -> &'r Value {
        self.root
    }

    /// A node as it is, or what it only refers to.
    pub(super) fn behind(&self, schema: &Value) -> Option<Node> {
        let mut node = schema.as_object()?;
        for _ in 0..8 {
            let Some(reference) = node.get("$ref").and_then(Value::as_str) else {
                return Some(node.clone());
            };
            let target = pointer::from_fragment(reference.strip_prefix('#')?)?;
            node = self.root.pointer(&target)?.as_object()?;
        }
        None
    }

    /// One node.
    pub(super) fn read(&mut self, schema: &Value, place: &Place) -> Expr {
        match schema {
            Value::Object(node) if place.depth < MAX_DEPTH => self.node(node, place),
            Value::Bool(false) => Expr::plain("never()"),
            Value::Object(_) => {
                self.module.note(
                    &place.path,
                    "too deep for zod; the contract's validator checks it",
                );
                Expr::plain("unknown()")
            }
            _ => Expr::plain("unknown()"),
        }
    }

    fn node(&mut self, node: &Node, place: &Place) -> Expr {
        if let Some(Value::String(reference)) = node.get("$ref") {
            return self.reference(reference, node, place);
        }
        let (types, nullable) = types(node);
        if let Some(expr) = self.choices(node, &types, nullable, place) {
            return expr;
        }
        if let Some(expr) = self.union(node, &types, nullable, place) {
            return expr;
        }
        let mut expr = match types.as_slice() {
            [] if nullable => Expr::plain("literal(null)"),
            [] => return self.untyped(node, place),
            [one] => self.typed(one, node, place),
            several => {
                let branches = several
                    .iter()
                    .map(|name| self.typed(name, node, place))
                    .collect();
                Expr::new(Base::List("union", branches))
            }
        };
        let rules = take_rules(&mut expr);
        let object = types.as_slice() == ["object"] && !nullable;
        expr = describe(expr, node);
        if nullable && !types.is_empty() {
            // Rules about the value hold for it only, so they stand inside.
            expr = expr.with(rules).call("nullable()");
        } else {
            expr = expr.with(rules);
        }
        self.rules(expr, node, object, place)
    }

    /// A constant, imported or of this module, with what stands beside the reference.
    fn reference(&mut self, reference: &str, node: &Node, place: &Place) -> Expr {
        let expr = self.definition(reference, place);
        let mut rest = node.clone();
        rest.shift_remove("$ref");
        let asks = rest
            .keys()
            .any(|keyword| !is_annotation(keyword) && keyword != "$defs");
        let expr = describe(expr, &rest);
        if !asks {
            return expr;
        }
        let rest = Value::Object(rest);
        let check = self.hoist(&rest, "rule", place);
        expr.refine(check, ts::string(&matches(&rest, &[])))
    }

    fn definition(&mut self, reference: &str, place: &Place) -> Expr {
        let key = reference
            .strip_prefix("#/$defs/")
            .map_or_else(String::new, |token| {
                let pointer = pointer::from_fragment(&format!("/{token}")).unwrap_or_default();
                pointer::tokens(&pointer)
                    .and_then(|tokens| tokens.first().map(|t| t.to_string()))
                    .unwrap_or_default()
            });
        if let Some(shared) = self.shared_type(&key) {
            return shared;
        }
        match self.definitions.get(&key) {
            Some(known) if !known.open => return Expr::name(&known.constant),
            Some(_) => return self.recursion(&key, place),
            None => {}
        }
        let Some(target) = self.root.pointer(&if key.is_empty() {
            String::new()
        } else {
            pointer::join("/$defs", &key)
        }) else {
            return Expr::plain("unknown()");
        };
        let stem = if key.is_empty() {
            "whole"
        } else {
            key.as_str()
        };
        let constant = self.module.allocate(&names::camel(stem));
        let open = Definition {
            constant: constant.clone(),
            open: true,
            predicate: None,
        };
        self.definitions.insert(key.clone(), open);
        let expr = self.read(
            target,
            &Place {
                path: constant.clone(),
                depth: place.depth + 1,
            },
        );
        self.module.constant(&constant, &expr);
        if let Some(definition) = self.definitions.get_mut(&key) {
            definition.open = false;
            if let Some(predicate) = &definition.predicate {
                self.module.statement(format!(
                    "function {predicate}(value: unknown): boolean {{\n  return {constant}.safeParse(value).success;\n}}"
                ));
            }
        }
        Expr::name(constant)
    }

    /// A shared type by its import, unless it leads back to the module that asks.
    fn shared_type(&mut self, key: &str) -> Option<Expr> {
        let reference = self.shared.get(key)?;
        let known = self.module.shared.get(reference)?;
        if let Some(own) = self.module.own {
            let goes_back = known.source.schema.normal.shared.values().any(|r| r == own);
            if own == reference || goes_back {
                return None;
            }
        }
        let from = format!("{}/{}", self.module.shared_folder, known.stem);
        let constant = known.constant.clone();
        Some(Expr::name(self.module.import(&from, &constant)))
    }

    /// Inside itself a definition is a predicate: Oxagen's converters know no `z.lazy`.
    fn recursion(&mut self, key: &str, place: &Place) -> Expr {
        let Some(constant) = self.definitions.get(key).map(|d| d.constant.clone()) else {
            return Expr::plain("unknown()");
        };
        let known = self.definitions.get(key).and_then(|d| d.predicate.clone());
        let predicate = known.unwrap_or_else(|| {
            self.module
                .allocate(&format!("is{}", names::pascal(&constant)))
        });
        if let Some(definition) = self.definitions.get_mut(key) {
            definition.predicate = Some(predicate.clone());
        }
        self.module.note(
            &place.path,
            "recursion is checked when it runs and has the type `unknown`",
        );
        let message = ts::string(&format!("Not what `{constant}` says."));
        Expr::plain("unknown()").refine(format!("{predicate}(v)"), message)
    }

    /// A check that the value is what `schema` says, as a constant of the module.
    pub(super) fn hoist(&mut self, schema: &Value, hint: &str, place: &Place) -> String {
        let constant = self.constant(schema, hint, place);
        let fits = self.module.check("fits");
        format!("{fits}({constant}, v)")
    }

    /// `schema` as a constant of the module.
    pub(super) fn constant(&mut self, schema: &Value, hint: &str, place: &Place) -> String {
        let expr = self.read(schema, &place.same());
        if let Base::Name(name) = &expr.base
            && expr.calls.is_empty()
        {
            return name.clone();
        }
        let constant = self.module.allocate(hint);
        self.module.constant(&constant, &expr);
        constant
    }
}

impl Expr {
    pub(super) fn with(mut self, rules: Vec<Call>) -> Self {
        self.calls.extend(rules);
        self
    }

    /// Without the refinements at its end, and those.
    pub(super) fn split_refinements(mut self) -> (Self, Vec<Call>) {
        let rules = take_rules(&mut self);
        (self, rules)
    }
}

/// Takes the refinements off the end of an expression.
fn take_rules(expr: &mut Expr) -> Vec<Call> {
    let first = expr
        .calls
        .iter()
        .rposition(|call| !matches!(call, Call::Refine { .. }))
        .map_or(0, |i| i + 1);
    expr.calls.split_off(first)
}

/// The types that a node names without null, and whether it names null.
pub(super) fn types(node: &Node) -> (Vec<String>, bool) {
    let words: Vec<&str> = match node.get("type") {
        Some(Value::String(word)) => vec![word],
        Some(Value::Array(words)) => words.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let mut types: Vec<String> = Vec::new();
    for word in &words {
        // An integer is a number; naming both says no more.
        let covered = *word == "integer" && words.contains(&"number");
        if *word != "null" && !covered && !types.iter().any(|t| t == word) {
            types.push((*word).to_owned());
        }
    }
    (types, words.contains(&"null"))
}

/// The description, with what zod has no place for: a default, and that it goes away.
pub(super) fn describe(expr: Expr, node: &Node) -> Expr {
    let mut text = node
        .get("description")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .trim()
        .to_owned();
    for keyword in ["default", "deprecated"] {
        if let Some(sentence) = words::sentence(keyword, node) {
            if !text.is_empty() {
                text.push_str(if text.ends_with(['.', '!', '?']) {
                    " "
                } else {
                    ". "
                });
            }
            text.push_str(&sentence);
        }
    }
    if text.is_empty() {
        return expr;
    }
    expr.call(format!("describe({})", ts::string(&text)))
}

/// Whether a keyword asks nothing of a value.
pub(super) fn is_annotation(keyword: &str) -> bool {
    matches!(
        keyword,
        "title"
            | "description"
            | "default"
            | "examples"
            | "deprecated"
            | "readOnly"
            | "writeOnly"
            | "contentEncoding"
            | "contentMediaType"
            | "contentSchema"
            | "$comment"
            | "$defs"
    )
}

/// A message for a check of a whole schema; `given` are members that are always there.
pub(super) fn matches(schema: &Value, given: &[&str]) -> String {
    if let Some(clause) = words::condition(schema, given) {
        return format!("Must hold: {clause}.");
    }
    let mut node = schema.as_object().cloned().unwrap_or_default();
    node.entry("required").or_insert_with(|| given.into());
    match words::sentence("if", &node) {
        Some(sentence) if schema.get("required").is_none() => sentence,
        _ => "Not what the contract's schema says.".to_owned(),
    }
}
