//! Objects and lists.

use serde_json::{Map, Value};
use toolcontract_schema::{dialect::words, keyword::names, pattern};

use super::{
    condition::Members,
    expr::{Base, Call, Expr},
    node::{Node, Place},
    read::Reader,
};
use crate::emit::{javascript::INHERITED, oxagen::ts};

impl Reader<'_, '_> {
    pub(super) fn object(&mut self, node: &Node, place: &Place) -> Expr {
        if let Some(node) = self.without_inherited(node, place) {
            return self.object(&node, place);
        }
        let declared = node.get("properties").and_then(Value::as_object);
        let required: Vec<&str> = names(node.get("required")).collect();
        let closed = node.get("additionalProperties") == Some(&Value::Bool(false));
        let patterns = node.get("patternProperties").and_then(Value::as_object);
        let mut fields = Vec::new();
        let mut unknown = Vec::new();
        for (name, schema) in declared.into_iter().flatten() {
            if schema == &Value::Bool(false) && closed {
                continue;
            }
            let is_required = required.contains(&name.as_str());
            let mut value = self.read(schema, &place.member(name));
            if !is_required {
                value = value.call("optional()");
            } else if value.base == Base::Plain("unknown()".to_owned()) {
                unknown.push(name.as_str());
            }
            fields.push((ts::key(name), value));
        }
        let mut expr = self.base(fields, node, patterns.is_some(), place);
        // zod takes an absent `unknown` for a present one, and does not know undeclared names.
        unknown.extend(
            required
                .iter()
                .filter(|n| declared.is_none_or(|d| !d.contains_key(**n))),
        );
        let members = Members::of(node, self.root_of());
        if !unknown.is_empty() {
            let check: Vec<String> = unknown.iter().map(|n| members.present(n)).collect();
            let names: Vec<String> = unknown.iter().map(|n| format!("`{n}`")).collect();
            let message = format!("{} must be given.", names.join(" and "));
            expr = expr.refine(check.join(" && "), ts::string(&message));
        }
        if let Some(patterns) = patterns {
            expr = self.patterns(expr, node, patterns, place);
        }
        let expr = self.counts(expr, node, place);
        self.member_rules(expr, node, place)
    }

    /// zod reads a member that is not there as the inherited one of that name, so those names are
    /// checked as rules about own members. None where there are none of them.
    fn without_inherited(&mut self, node: &Node, place: &Place) -> Option<Node> {
        let mut node = node.clone();
        let properties = node.get_mut("properties")?.as_object_mut()?;
        let mut moved = Map::new();
        for name in INHERITED {
            if let Some(schema) = properties.shift_remove(name) {
                moved.insert(format!("^{name}$"), schema);
            }
        }
        if moved.is_empty() {
            return None;
        }
        if moved.contains_key("^__proto__$") {
            let text = "zod drops a member named `__proto__`";
            self.module.note(&place.path, text);
        }
        if let Some(Value::Object(patterns)) = node.shift_remove("patternProperties") {
            moved.extend(patterns);
        }
        node.insert("patternProperties".to_owned(), Value::Object(moved));
        Some(node)
    }

    /// The object without rules: closed, open, or with members of one kind.
    fn base(
        &mut self,
        fields: Vec<(String, Expr)>,
        node: &Node,
        by_pattern: bool,
        place: &Place,
    ) -> Expr {
        let unevaluated = node.get("unevaluatedProperties");
        if unevaluated.is_some() {
            self.module.note(
                &place.path,
                "`unevaluatedProperties` is left to the contract's validator",
            );
        }
        let bare = fields.is_empty();
        let object = Expr::new(Base::Object(fields));
        match node.get("additionalProperties") {
            // Which other members are allowed is then a rule about their names.
            _ if by_pattern => object.call("passthrough()"),
            Some(Value::Bool(false)) => object.call("strict()"),
            Some(Value::Object(schema)) if !schema.is_empty() => {
                let others = Place {
                    path: format!("{}.*", place.path),
                    depth: place.depth + 1,
                };
                let value = Box::new(self.read(&Value::Object(schema.clone()), &others));
                if bare {
                    return Expr::new(Base::Of("record", value));
                }
                let mut object = object;
                object.calls.push(Call::Of("catchall", value));
                object
            }
            _ if bare => Expr::new(Base::Of("record", Box::new(Expr::plain("unknown()")))),
            _ => object.call("passthrough()"),
        }
    }

    fn patterns(
        &mut self,
        expr: Expr,
        node: &Node,
        patterns: &Map<String, Value>,
        place: &Place,
    ) -> Expr {
        if !patterns
            .keys()
            .all(|pattern| pattern::check(pattern).is_ok())
        {
            self.module.note(
                &place.path,
                "`patternProperties` is left to the contract's validator",
            );
            return expr;
        }
        let listed: Vec<String> = node
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flat_map(Map::keys)
            .map(|name| ts::string(name))
            .collect();
        let mut pairs = Vec::new();
        for (pattern, schema) in patterns {
            let constant = self.constant(schema, "member", place);
            pairs.push(format!("[{}, {constant}]", ts::regex(pattern)));
        }
        let others = node
            .get("additionalProperties")
            .cloned()
            .unwrap_or(Value::Bool(true));
        let others = self.constant(&others, "others", place);
        let check = self.module.check("membersFit");
        expr.refine(
            format!(
                "{check}(v, [{}], [{}], {others})",
                listed.join(", "),
                pairs.join(", ")
            ),
            message("patternProperties", node),
        )
    }

    /// How many members, and what their names look like.
    fn counts(&mut self, mut expr: Expr, node: &Node, place: &Place) -> Expr {
        for (keyword, sign) in [("minProperties", ">="), ("maxProperties", "<=")] {
            if let Some(bound) = node.get(keyword).filter(|b| b.is_number()) {
                let mut alone = Node::new();
                alone.insert(keyword.to_owned(), bound.clone());
                expr = expr.refine(
                    format!("Object.keys(v).length {sign} {bound}"),
                    message(keyword, &alone),
                );
            }
        }
        if let Some(names) = node
            .get("propertyNames")
            .filter(|n| **n != Value::Bool(true))
        {
            let constant = self.constant(names, "memberName", place);
            let fits = self.module.check("fits");
            expr = expr.refine(
                format!("Object.keys(v).every((key) => {fits}({constant}, key))"),
                message("propertyNames", node),
            );
        }
        expr
    }

    pub(super) fn array(&mut self, node: &Node, place: &Place) -> Expr {
        let mut expr = match node.get("prefixItems").and_then(Value::as_array) {
            Some(places) => self.places(places, node, place),
            None => {
                let items = match node.get("items") {
                    Some(items) => self.read(items, &place.items()),
                    None => Expr::plain("unknown()"),
                };
                Expr::new(Base::Of("array", Box::new(items)))
            }
        };
        if matches!(expr.base, Base::Of("array", _)) {
            // Rules that came with the items stand last: `min` is no method of a refined list.
            let at = expr
                .calls
                .iter()
                .position(|c| matches!(c, Call::Refine { .. }));
            let at = at.unwrap_or(expr.calls.len());
            let bounds = [("minItems", "min"), ("maxItems", "max")];
            let calls: Vec<Call> = bounds
                .iter()
                .filter_map(|(keyword, method)| Some((node.get(*keyword)?.as_number()?, method)))
                .map(|(bound, method)| Call::Plain(format!("{method}({bound})")))
                .collect();
            expr.calls.splice(at..at, calls);
        }
        if node.get("uniqueItems") == Some(&Value::Bool(true)) {
            let unique = self.module.check("unique");
            expr = expr.refine(format!("{unique}(v)"), message("uniqueItems", node));
        }
        if node.contains_key("unevaluatedItems") {
            self.module.note(
                &place.path,
                "`unevaluatedItems` is left to the contract's validator",
            );
        }
        self.contains(expr, node, place)
    }

    /// Items by place: a tuple where all are always there, else a rule about a list.
    fn places(&mut self, places: &[Value], node: &Node, place: &Place) -> Expr {
        let bound = |keyword: &str| node.get(keyword).and_then(Value::as_u64);
        let len = places.len() as u64;
        let rest = node.get("items");
        let full = bound("minItems") == Some(len)
            && (bound("maxItems").is_none()
                || (bound("maxItems") == Some(len) && rest == Some(&Value::Bool(false))));
        if full && !places.is_empty() {
            let items = places
                .iter()
                .map(|item| self.read(item, &place.items()))
                .collect();
            let mut tuple = Expr::new(Base::List("tuple", items));
            if rest != Some(&Value::Bool(false)) {
                let rest = rest.cloned().unwrap_or(Value::Bool(true));
                let rest = self.read(&rest, &place.items());
                tuple.calls.push(Call::Of("rest", Box::new(rest)));
            }
            return tuple;
        }
        let constants: Vec<String> = places
            .iter()
            .map(|item| self.constant(item, "item", place))
            .collect();
        let others = rest.cloned().unwrap_or(Value::Bool(true));
        let others = self.constant(&others, "otherItem", place);
        let check = self.module.check("itemsFit");
        Expr::new(Base::Of("array", Box::new(Expr::plain("unknown()")))).refine(
            format!("{check}(v, [{}], {others})", constants.join(", ")),
            message("prefixItems", node),
        )
    }

    fn contains(&mut self, expr: Expr, node: &Node, place: &Place) -> Expr {
        let Some(schema) = node.get("contains") else {
            return expr;
        };
        let least = node.get("minContains").and_then(Value::as_u64).unwrap_or(1);
        let most = node.get("maxContains").and_then(Value::as_u64);
        let constant = self.constant(schema, "item", place);
        let check = self.module.check("countFits");
        let most = most.map(|most| format!(", {most}")).unwrap_or_default();
        expr.refine(
            format!("{check}(v, {constant}, {least}{most})"),
            message("contains", node),
        )
    }
}

/// What a keyword asks, as a message.
pub(super) fn message(keyword: &str, node: &Node) -> String {
    ts::string(
        &words::sentence(keyword, node).unwrap_or_else(|| format!("`{keyword}` does not hold.")),
    )
}
