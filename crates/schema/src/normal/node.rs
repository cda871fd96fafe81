//! One schema object of any dialect, respelled in 2020-12.

use serde_json::{Map, Value};

use super::{
    dynamic::Scope,
    work::{Work, unresolved},
};
use crate::{
    pointer,
    resource::Target,
    vocabulary::{self, Dialect, EXTENSIONS, Holds, Keyword, Role},
};

/// What a schema object becomes, while its keywords are read.
struct Node<'n> {
    place: &'n str,
    map: &'n Map<String, Value>,
    scope: &'n Scope,
    out: Map<String, Value>,
    /// What has to hold beside `out` because its keyword is taken there.
    also: Vec<Value>,
}

impl Work<'_> {
    /// The schema at `place`: a reference, with the annotations beside it, where it moves to `$defs`.
    fn schema(&mut self, place: &str, schema: &Value, scope: &Scope) -> Value {
        if !self.hoisted.contains(place) {
            return self.content(place, schema, scope);
        }
        let reference = self.reference(place, scope);
        let mut out = Map::new();
        out.insert("$ref".to_owned(), Value::String(reference));
        for (key, value) in schema.as_object().into_iter().flatten() {
            if vocabulary::keyword(key, self.dialect)
                .is_some_and(|k| k.role == Role::Annotation && !k.holds.has_schemas())
            {
                out.insert(key.clone(), value.clone());
            }
        }
        Value::Object(out)
    }

    /// What stands at `place`, in normal form.
    pub(super) fn content(&mut self, place: &str, schema: &Value, scope: &Scope) -> Value {
        let map = match schema {
            Value::Bool(_) => return schema.clone(),
            Value::Object(map) => map,
            _ => {
                self.error(place, "a schema is an object, `true` or `false`".to_owned());
                return Value::Bool(true);
            }
        };
        let scope = self.dynamic.enter(self.index.resource_of(place), scope);
        let mut node = Node {
            place,
            map,
            scope: &scope,
            out: Map::new(),
            also: Vec::new(),
        };
        let only_reference = self.dialect.ignores_siblings_of_ref() && map.contains_key("$ref");
        for (key, value) in map {
            let ours = EXTENSIONS.iter().any(|extension| extension.name == key);
            match vocabulary::keyword(key, self.dialect) {
                _ if ours => {
                    node.out.insert(key.clone(), value.clone());
                }
                Some(keyword)
                    if !only_reference
                        || keyword.name == "$ref"
                        || keyword.role == Role::Annotation =>
                {
                    self.keyword(&mut node, keyword, value);
                }
                // An unknown keyword says nothing, and must not begin to in another dialect.
                _ => {}
            }
        }
        let Node { mut out, also, .. } = node;
        if !also.is_empty() {
            let all = out
                .entry("allOf")
                .or_insert_with(|| Value::Array(Vec::new()));
            if let Value::Array(all) = all {
                all.extend(also);
            }
        }
        Value::Object(out)
    }

    fn keyword(&mut self, node: &mut Node<'_>, keyword: &Keyword, value: &Value) {
        match keyword.name {
            "$ref" | "$dynamicRef" | "$recursiveRef" => {
                self.any_reference(node, keyword.name, value);
            }
            "$comment" => {
                node.out.insert(keyword.name.to_owned(), value.clone());
            }
            _ if keyword.role == Role::Core => {}
            "items" => self.items(node, value),
            // Read together with `items`.
            "additionalItems" => {}
            "dependencies" => self.dependencies(node, value),
            "minimum" | "exclusiveMinimum" => {
                self.bound(node, keyword.name, "minimum", "exclusiveMinimum", value);
            }
            "maximum" | "exclusiveMaximum" => {
                self.bound(node, keyword.name, "maximum", "exclusiveMaximum", value);
            }
            "unevaluatedItems" if self.dialect == Dialect::Draft201909 => {
                // In 2020-12 what `contains` matched counts as evaluated, in 2019-09 it does not.
                self.error(
                    &pointer::join(node.place, keyword.name),
                    "2019-09 and 2020-12 read `unevaluatedItems` differently; write it in 2020-12"
                        .to_owned(),
                );
            }
            name => {
                let value = self.value(node, name, keyword.holds, value);
                node.out.insert(name.to_owned(), value);
            }
        }
    }

    /// The value of a keyword that keeps its name.
    fn value(&mut self, node: &Node<'_>, name: &str, holds: Holds, value: &Value) -> Value {
        let place = pointer::join(node.place, name);
        match (holds, value) {
            (Holds::Schema | Holds::SchemaOrSchemas, value) => {
                self.schema(&place, value, node.scope)
            }
            (Holds::Schemas, Value::Array(items)) => self.list(&place, items, node.scope),
            (Holds::SchemaMap, Value::Object(members)) => Value::Object(
                members
                    .iter()
                    .map(|(name, member)| {
                        let place = pointer::join(&place, name);
                        (name.clone(), self.schema(&place, member, node.scope))
                    })
                    .collect(),
            ),
            (Holds::Schemas | Holds::SchemaMap, _) => {
                self.error(&place, format!("`{name}` holds no schemas here"));
                value.clone()
            }
            _ => value.clone(),
        }
    }

    fn list(&mut self, place: &str, items: &[Value], scope: &Scope) -> Value {
        let items = items.iter().enumerate().map(|(index, item)| {
            self.schema(&pointer::join(place, &index.to_string()), item, scope)
        });
        Value::Array(items.collect())
    }

    fn any_reference(&mut self, node: &mut Node<'_>, keyword: &str, value: &Value) {
        let place = pointer::join(node.place, keyword);
        let Value::String(written) = value else {
            self.error(&place, format!("`{keyword}` is a URI reference"));
            return;
        };
        let target = match self.index.resolve(node.place, written) {
            Ok(target) => target,
            Err(fault) => {
                self.error(&place, unresolved(written, fault));
                return;
            }
        };
        let target = match keyword {
            "$dynamicRef" => self.dynamic.follow(target, node.scope),
            "$recursiveRef" if self.index.is_recursive_anchor(&target.pointer) => {
                let target = Target {
                    dynamic: Some(String::new()),
                    ..target
                };
                self.dynamic.follow(target, node.scope)
            }
            _ => target.pointer,
        };
        let reference = Value::String(self.reference(&target, node.scope));
        if node.out.contains_key("$ref") {
            node.also.push(Value::Object(
                [("$ref".to_owned(), reference)].into_iter().collect(),
            ));
        } else {
            node.out.insert("$ref".to_owned(), reference);
        }
    }

    /// `items` of any dialect, with the `additionalItems` beside it.
    fn items(&mut self, node: &mut Node<'_>, value: &Value) {
        let place = pointer::join(node.place, "items");
        let Value::Array(items) = value else {
            let items = self.schema(&place, value, node.scope);
            node.out.insert("items".to_owned(), items);
            return;
        };
        if self.dialect == Dialect::Draft202012 {
            self.error(
                &place,
                "a list of schemas is `prefixItems` in 2020-12; `items` is one schema for the rest"
                    .to_owned(),
            );
            return;
        }
        if !items.is_empty() {
            let prefix = self.list(&place, items, node.scope);
            node.out.insert("prefixItems".to_owned(), prefix);
        }
        if let Some(rest) = node.map.get("additionalItems") {
            let place = pointer::join(node.place, "additionalItems");
            let rest = self.schema(&place, rest, node.scope);
            node.out.insert("items".to_owned(), rest);
        }
    }

    /// `dependencies`, whose lists and schemas have a keyword each since 2019-09.
    fn dependencies(&mut self, node: &mut Node<'_>, value: &Value) {
        let place = pointer::join(node.place, "dependencies");
        let Value::Object(members) = value else {
            self.error(&place, "`dependencies` is an object".to_owned());
            return;
        };
        let mut required = Map::new();
        let mut schemas = Map::new();
        for (name, member) in members {
            match member {
                Value::Array(_) => {
                    required.insert(name.clone(), member.clone());
                }
                // Draft 4 to 6 also take one name alone.
                Value::String(_) => {
                    required.insert(name.clone(), Value::Array(vec![member.clone()]));
                }
                schema => {
                    let place = pointer::join(&place, name);
                    schemas.insert(name.clone(), self.schema(&place, schema, node.scope));
                }
            }
        }
        for (keyword, members) in [
            ("dependentRequired", required),
            ("dependentSchemas", schemas),
        ] {
            if members.is_empty() {
                continue;
            }
            if node.map.contains_key(keyword)
                && vocabulary::keyword(keyword, self.dialect).is_some()
            {
                let beside = [(keyword.to_owned(), Value::Object(members))];
                node.also.push(Value::Object(beside.into_iter().collect()));
            } else {
                node.out.insert(keyword.to_owned(), Value::Object(members));
            }
        }
    }

    /// A bound and its exclusive form, which in draft 4 is a flag beside it.
    fn bound(
        &mut self,
        node: &mut Node<'_>,
        name: &str,
        inclusive: &str,
        exclusive: &str,
        value: &Value,
    ) {
        let name = if self.dialect > Dialect::Draft04 {
            name
        } else if name == exclusive {
            return;
        } else if node.map.get(exclusive) == Some(&Value::Bool(true)) {
            exclusive
        } else {
            inclusive
        };
        node.out.insert(name.to_owned(), value.clone());
    }
}
