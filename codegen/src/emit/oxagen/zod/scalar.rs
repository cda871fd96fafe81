//! Text, numbers and listed values.

use serde_json::Value;
use toolcontract_schema::{integral::is_wide, keyword::count, pattern, vocabulary::asks_nothing};

use super::{
    expr::{Base, Expr},
    node::{Node, Place, describe, matches},
    read::Reader,
};
use crate::emit::oxagen::ts;

impl Reader<'_, '_> {
    pub(super) fn string(&mut self, node: &Node, place: &Place) -> Expr {
        let mut expr = Expr::plain("string()");
        if let Some(least) = count(node.get("minLength")).filter(|n| *n > 0) {
            expr = expr.call(format!("min({least})"));
        }
        if let Some(most) = count(node.get("maxLength")) {
            expr = expr.call(format!("max({most})"));
            self.module.note(
                &place.path,
                "zod counts the length in UTF-16 units, the contract in characters: at the upper bound a text with rare characters is refused",
            );
        }
        if let Some(Value::String(pattern)) = node.get("pattern") {
            if pattern::check(pattern).is_ok() {
                expr = expr.call(format!("regex({})", ts::regex(pattern)));
            } else {
                let text = "the pattern is left to the contract's validator";
                self.module.note(&place.path, text);
            }
        }
        match node.get("format").and_then(Value::as_str) {
            Some(format) if self.module.asserts_formats => self.format(expr, format, place),
            _ => expr,
        }
    }

    /// The formats that zod reads as JSON Schema does, or nearly.
    fn format(&mut self, expr: Expr, format: &str, place: &Place) -> Expr {
        let near = "zod reads the format a little otherwise than the contract's validator";
        match format {
            "uuid" => expr.call("uuid()"),
            "date-time" => {
                self.module.note(&place.path, near);
                expr.call("datetime({ offset: true })")
            }
            "email" => {
                self.module.note(&place.path, near);
                expr.call("email()")
            }
            "uri" => {
                self.module.note(&place.path, near);
                expr.call("url()")
            }
            _ => {
                self.module.note(
                    &place.path,
                    format!("the format `{format}` is left to the contract's validator"),
                );
                expr
            }
        }
    }

    pub(super) fn number(&mut self, name: &str, node: &Node, place: &Place) -> Expr {
        let mut expr = Expr::plain("number()");
        if name == "integer" {
            expr = expr.call("int()");
        }
        for (keyword, method) in [
            ("minimum", "min"),
            ("exclusiveMinimum", "gt"),
            ("maximum", "max"),
            ("exclusiveMaximum", "lt"),
            ("multipleOf", "multipleOf"),
        ] {
            let Some(bound) = node.get(keyword).and_then(Value::as_number) else {
                continue;
            };
            let is_zero = bound.as_f64() == Some(0.0);
            expr = match (keyword, is_zero) {
                _ if is_wide(bound) => {
                    self.module.note(
                        &place.path,
                        format!("`{keyword}` is beyond what a number of TypeScript holds"),
                    );
                    expr
                }
                ("minimum", true) => expr.call("nonnegative()"),
                ("exclusiveMinimum", true) => expr.call("positive()"),
                _ => expr.call(format!("{method}({bound})")),
            };
        }
        expr
    }

    /// `const` and `enum`; none where a node has neither.
    pub(super) fn choices(
        &mut self,
        node: &Node,
        types: &[String],
        named_null: bool,
        place: &Place,
    ) -> Option<Expr> {
        let mut values = match (node.get("const"), node.get("enum")) {
            (Some(one), _) => vec![one.clone()],
            (None, Some(Value::Array(all))) => all.clone(),
            _ => return None,
        };
        let free = types.is_empty() && !named_null;
        values.retain(|value| free || is_one_of(value, types, named_null));
        let nullable = values.iter().any(Value::is_null);
        values.retain(|value| !value.is_null());
        let mut expr = match values.as_slice() {
            [] if nullable => return Some(describe(Expr::plain("literal(null)"), node)),
            [] => Expr::plain("never()"),
            values if values.iter().all(Value::is_string) && values.len() > 1 => {
                Expr::new(Base::Enum(values.iter().map(ts::literal).collect()))
            }
            [one] => self.listed(one),
            values => {
                let branches = values.iter().map(|value| self.listed(value)).collect();
                Expr::new(Base::List("union", branches))
            }
        };
        expr = describe(expr, node);
        if nullable {
            expr = expr.call("nullable()");
        }
        let beside = |keyword: &String| {
            !asks_nothing(keyword) && !matches!(keyword.as_str(), "const" | "enum" | "type")
        };
        let mut rest = node.clone();
        rest.retain(|keyword, _| beside(keyword));
        if rest.is_empty() {
            return Some(expr);
        }
        let rest = Value::Object(rest);
        let check = self.hoist(&rest, "rule", place);
        Some(expr.refine(check, ts::string(&matches(&rest, &[]))))
    }

    /// One listed value. zod has literals for scalars only.
    fn listed(&mut self, value: &Value) -> Expr {
        if value.is_array() || value.is_object() {
            let same = self.module.check("same");
            let literal = ts::literal(value);
            return Expr::plain("unknown()").refine(
                format!("{same}(v, {literal})"),
                ts::string(&format!("Must be {value}.")),
            );
        }
        Expr::plain(format!("literal({})", ts::literal(value)))
    }
}

fn is_one_of(value: &Value, types: &[String], null: bool) -> bool {
    let has = |name: &str| types.iter().any(|t| t == name);
    match value {
        Value::Null => null,
        Value::Bool(_) => has("boolean"),
        Value::String(_) => has("string"),
        Value::Array(_) => has("array"),
        Value::Object(_) => has("object"),
        Value::Number(n) => {
            has("number") || (has("integer") && n.as_f64().is_some_and(|f| f.fract() == 0.0))
        }
    }
}

impl Reader<'_, '_> {
    /// The keywords that matter for values of one type.
    pub(super) fn typed(&mut self, name: &str, node: &Node, place: &Place) -> Expr {
        match name {
            "string" => self.string(node, place),
            "number" | "integer" => self.number(name, node, place),
            "boolean" => Expr::plain("boolean()"),
            "array" => self.array(node, place),
            "object" => self.object(node, place),
            _ => Expr::plain("unknown()"),
        }
    }

    /// A node that names no type: each keyword holds for values of its own type.
    pub(super) fn untyped(&mut self, node: &Node, place: &Place) -> Expr {
        let mut expr = describe(Expr::plain("unknown()"), node);
        for (name, keywords, test) in KINDS {
            let mut own = Node::new();
            own.insert("type".to_owned(), Value::String((*name).to_owned()));
            own.extend(
                node.iter()
                    .filter(|(keyword, _)| keywords.contains(&keyword.as_str()))
                    .map(|(keyword, value)| (keyword.clone(), value.clone())),
            );
            if own.len() > 1 {
                let own = Value::Object(own);
                let check = self.hoist(&own, "rule", place);
                let message = ts::string(&matches(&own, &[]));
                expr = expr.refine(format!("!({test}) || {check}"), message);
            }
        }
        self.rules(expr, node, false, place)
    }
}

/// Types, the keywords that speak of their values, and how TypeScript tells such a value.
const KINDS: &[(&str, &[&str], &str)] = &[
    (
        "string",
        &["minLength", "maxLength", "pattern", "format"],
        "typeof v === \"string\"",
    ),
    (
        "number",
        &[
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
        ],
        "typeof v === \"number\"",
    ),
    (
        "array",
        &[
            "items",
            "prefixItems",
            "minItems",
            "maxItems",
            "uniqueItems",
            "contains",
            "minContains",
            "maxContains",
        ],
        "Array.isArray(v)",
    ),
    (
        "object",
        &[
            "properties",
            "required",
            "additionalProperties",
            "patternProperties",
            "propertyNames",
            "minProperties",
            "maxProperties",
            "dependentRequired",
            "dependentSchemas",
        ],
        "typeof v === \"object\" && v !== null && !Array.isArray(v)",
    ),
];
