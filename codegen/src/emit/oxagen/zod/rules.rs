//! What the shape of a value does not say: alternatives, conditions, what must not be.

use serde_json::{Map, Value};
use toolcontract_schema::{dialect::disjoint, keyword::names, vocabulary::asks_nothing};

use super::{
    condition::{Members, either, every, repeats},
    expr::{Base, Expr},
    node::{Node, Place, describe, matches, types},
    object::message,
    read::Reader,
};
use crate::emit::oxagen::ts;

impl Reader<'_, '_> {
    /// A node whose alternatives are its shape.
    pub(super) fn union(
        &mut self,
        node: &Node,
        named: &[String],
        nullable: bool,
        place: &Place,
    ) -> Option<Expr> {
        let keyword = ["anyOf", "oneOf"]
            .into_iter()
            .find(|k| node.contains_key(*k))?;
        let branches = node.get(keyword)?.as_array()?;
        let beside = |k: &String| !asks_nothing(k) && k != keyword && k != "type";
        if node.keys().any(beside) || branches.is_empty() {
            return None;
        }
        let typed = !named.is_empty() || nullable;
        if typed && !branches.iter().all(|b| stays_within(b, named, nullable)) {
            return None;
        }
        let is_null = |b: &Value| {
            b.get("type").is_some_and(|t| t == "null") || b.get("const").is_some_and(Value::is_null)
        };
        let takes_null = branches.iter().any(is_null);
        let shapes: Vec<Expr> = branches
            .iter()
            .filter(|b| !is_null(b))
            .map(|b| self.read(b, &place.same()))
            .collect();
        let mut expr = match shapes.len() {
            0 => return None,
            1 => shapes.into_iter().next()?,
            _ => Expr::new(Base::List("union", shapes)),
        };
        expr = describe(expr, node);
        if takes_null {
            expr = expr.call("nullable()");
        }
        if keyword == "oneOf" && !self.exclude_each_other(node.get(keyword)?) {
            expr = self.exactly_one(expr, node, place);
        }
        Some(expr)
    }

    /// What members ask of other members.
    pub(super) fn member_rules(&mut self, mut expr: Expr, node: &Node, place: &Place) -> Expr {
        let members = Members::of(node, self.root_of());
        if let Some(check) = node
            .get("dependentRequired")
            .and_then(|value| dependent_required(value, &members))
        {
            expr = expr.refine(check, message("dependentRequired", node));
        }
        let dependent = node.get("dependentSchemas").and_then(Value::as_object);
        for (names, schema) in dependent.map(grouped).unwrap_or_default() {
            let absent: Vec<String> = names.iter().map(|n| members.absent(n)).collect();
            let holds = self.holds(schema, Some(&members), place);
            let alone = names
                .iter()
                .map(|n| ((*n).to_owned(), schema.clone()))
                .collect();
            let said = beside(node, [("dependentSchemas", &Value::Object(alone))]);
            let check = either(&every(&absent), &holds);
            expr = expr.refine(check, message("dependentSchemas", &said));
        }
        expr
    }

    /// Adds what `node` asks beyond the shape that `expr` has. `object` says that `v` is an object
    /// with the declared members of the node.
    pub(super) fn rules(
        &mut self,
        mut expr: Expr,
        node: &Node,
        object: bool,
        place: &Place,
    ) -> Expr {
        let root = self.root_of();
        let members = object.then(|| Members::of(node, root));
        let members = members.as_ref();
        for (keyword, value) in node {
            expr = match keyword.as_str() {
                "if" => self.conditional(expr, node, members, place),
                "not" => {
                    let check = self.fails(value, members, place);
                    expr.refine(check, message(keyword, node))
                }
                "anyOf" => self.any_of(expr, keyword, node, members, place),
                "oneOf" if self.exclude_each_other(value) => {
                    self.any_of(expr, keyword, node, members, place)
                }
                "oneOf" => self.exactly_one(expr, node, place),
                "allOf" => {
                    let given = members.map(Members::given).unwrap_or_default();
                    for branch in value.as_array().into_iter().flatten() {
                        let check = self.holds(branch, members, place);
                        expr = expr.refine(check, ts::string(&matches(branch, given)));
                    }
                    expr
                }
                _ => expr,
            };
        }
        expr
    }

    /// That `schema` holds of `v`.
    fn holds(&mut self, schema: &Value, members: Option<&Members<'_>>, place: &Place) -> String {
        let inline = members.and_then(|m| m.holds(schema));
        inline.unwrap_or_else(|| self.hoist(&of_object(schema, members), "rule", place))
    }

    fn fails(&mut self, schema: &Value, members: Option<&Members<'_>>, place: &Place) -> String {
        let inline = members.and_then(|m| m.fails(schema));
        inline.unwrap_or_else(|| {
            format!(
                "!{}",
                self.hoist(&of_object(schema, members), "rule", place)
            )
        })
    }

    fn any_of(
        &mut self,
        expr: Expr,
        keyword: &str,
        node: &Node,
        members: Option<&Members<'_>>,
        place: &Place,
    ) -> Expr {
        let Some(branches) = node.get(keyword).and_then(Value::as_array) else {
            return expr;
        };
        let whole = Value::Object(beside(
            &Node::new(),
            [("anyOf", &branches.as_slice().into())],
        ));
        let check = members.and_then(|m| m.holds(&whole)).unwrap_or_else(|| {
            let checks: Vec<String> = branches
                .iter()
                .map(|branch| self.hoist(&of_object(branch, members), "branch", place))
                .collect();
            checks.join(" || ")
        });
        expr.refine(check, message(keyword, node))
    }

    /// Whether no two branches can hold at once.
    fn exclude_each_other(&self, branches: &Value) -> bool {
        let nodes: Option<Vec<Node>> = branches
            .as_array()
            .map(|all| all.iter().map(|b| self.behind(b)).collect())
            .unwrap_or_default();
        nodes.is_some_and(|nodes| disjoint(&nodes))
    }

    /// That one of the branches holds, and no other.
    fn exactly_one(&mut self, expr: Expr, node: &Node, place: &Place) -> Expr {
        let Some(branches) = node.get("oneOf").and_then(Value::as_array) else {
            return expr;
        };
        let only_names = |b: &Value| {
            b.as_object()
                .is_some_and(|b| b.len() == 1 && b.contains_key("required"))
        };
        let members = Members::of(node, self.root_of());
        let inline = types(node).0 == ["object"] && branches.iter().all(only_names);
        let checks: Vec<String> = branches
            .iter()
            .map(|branch| {
                if !inline {
                    return self.hoist(branch, "branch", place);
                }
                let names: Vec<&str> = names(branch.get("required")).collect();
                let names: Vec<String> = names.iter().map(|n| members.present(n)).collect();
                every(&names)
            })
            .collect();
        expr.refine(
            format!("[{}].filter(Boolean).length === 1", checks.join(", ")),
            message("oneOf", node),
        )
    }

    fn conditional(
        &mut self,
        mut expr: Expr,
        node: &Node,
        members: Option<&Members<'_>>,
        place: &Place,
    ) -> Expr {
        let Some(test) = node.get("if") else {
            return expr;
        };
        for keyword in ["then", "else"] {
            let Some(schema) = node.get(keyword) else {
                continue;
            };
            let unless = match keyword {
                "then" => self.fails(test, members, place),
                _ => self.holds(test, members, place),
            };
            let holds = if repeats(&[test, schema]) {
                self.hoist(&of_object(schema, members), "rule", place)
            } else {
                self.holds(schema, members, place)
            };
            let said = beside(node, [("if", test), (keyword, schema)]);
            expr = expr.refine(either(&unless, &holds), message("if", &said));
        }
        expr
    }
}

/// These keywords with the `required` of the node that they stand in, for words.
fn beside<'v>(node: &'v Node, keywords: impl IntoIterator<Item = (&'v str, &'v Value)>) -> Node {
    let required = node.get("required").map(|r| ("required", r));
    required
        .into_iter()
        .chain(keywords)
        .map(|(keyword, value)| (keyword.to_owned(), value.clone()))
        .collect()
}

fn dependent_required(value: &Value, members: &Members<'_>) -> Option<String> {
    let mut parts = Vec::new();
    for (name, needed) in value.as_object()? {
        let needed: Vec<String> = names(Some(needed)).map(|n| members.present(n)).collect();
        if !needed.is_empty() {
            parts.push(either(&members.absent(name), &every(&needed)));
        }
    }
    (!parts.is_empty()).then(|| every(&parts))
}

/// Names with one and the same schema together.
fn grouped(map: &Map<String, Value>) -> Vec<(Vec<&str>, &Value)> {
    let mut groups: Vec<(Vec<&str>, &Value)> = Vec::new();
    for (name, schema) in map {
        match groups.iter_mut().find(|(_, known)| *known == schema) {
            Some((names, _)) => names.push(name),
            None => groups.push((vec![name], schema)),
        }
    }
    groups
}

/// `schema`, told that the value is an object where that is known.
fn of_object(schema: &Value, members: Option<&Members<'_>>) -> Value {
    match schema.as_object() {
        Some(node)
            if members.is_some() && !node.contains_key("type") && !node.contains_key("$ref") =>
        {
            let mut node = node.clone();
            node.shift_insert(0, "type".to_owned(), Value::String("object".to_owned()));
            Value::Object(node)
        }
        _ => schema.clone(),
    }
}

/// Whether a branch accepts only values of the types that the node names.
fn stays_within(branch: &Value, named: &[String], nullable: bool) -> bool {
    let Some(node) = branch.as_object() else {
        return false;
    };
    let has = |name: &str| {
        named.iter().any(|n| n == name)
            || (name == "integer" && named.iter().any(|n| n == "number"))
    };
    let values = node
        .get("const")
        .map(|c| vec![c.clone()])
        .or_else(|| node.get("enum").and_then(Value::as_array).cloned());
    if let Some(values) = values {
        return values.iter().all(|v| match v {
            Value::Null => nullable,
            Value::Bool(_) => has("boolean"),
            Value::Number(n) => {
                has("number") || (has("integer") && n.as_f64().is_some_and(|f| f.fract() == 0.0))
            }
            Value::String(_) => has("string"),
            Value::Array(_) => has("array"),
            Value::Object(_) => has("object"),
        });
    }
    let (types, null) = types(node);
    !types.is_empty() && types.iter().all(|t| has(t)) && (!null || nullable)
}
