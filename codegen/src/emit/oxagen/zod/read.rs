//! One schema read node by node: the shape first, then what the shape does not say.

use std::collections::BTreeMap;

use serde_json::Value;
use toolcontract_schema::{normal::Target, vocabulary::asks_nothing};

use super::{
    definition::Definition,
    expr::{Base, Call, Expr},
    module::Module,
    node::{Node, Place, describe, types},
};

/// Levels of nesting that become code.
const MAX_DEPTH: usize = 64;

/// Reads one schema into a module.
pub(super) struct Reader<'r, 'm> {
    pub(super) module: &'r mut Module<'m>,
    pub(super) shared: &'r BTreeMap<String, String>,
    pub(super) definitions: BTreeMap<String, Definition>,
    root: &'r Value,
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
            node.contains_key("$ref") && node.keys().all(|k| k == "$ref" || asks_nothing(k))
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
            node = Target::of(reference)?.within(self.root)?.as_object()?;
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
