//! Objects: named members, members by pattern, all others.

use serde_json::{Map, Value};
use toolcontract_schema::{
    Validator,
    keyword::{count, names},
    walk::each,
};

use super::{Lowering, arrays::has_applicators, reach::is_true};
use crate::{
    emit::{
        javascript::INHERITED,
        typescript::form::{Check, Form, Kind, Member, Object, Rest},
    },
    model::shape::{TypeSet, json_type},
};

/// Any object.
pub(super) fn any_object() -> Form {
    Form::of(Kind::Object(Box::new(Object {
        members: Vec::new(),
        rest: Rest::Unsaid,
        plain: true,
    })))
}

impl<'a> Lowering<'a> {
    pub(super) fn object(&self, map: &'a Map<String, Value>) -> Form {
        let mut checks = Vec::new();
        let by_pattern = map
            .get("patternProperties")
            .and_then(Value::as_object)
            .filter(|patterns| !patterns.is_empty());
        let others = self.other_members(map);
        let mut members = self.members(map);
        let mut required = undeclared(map, &members);
        let rest = match by_pattern {
            Some(patterns) => {
                checks.push(self.pattern_check(patterns, others, &members));
                if others.is_none() {
                    Rest::Unsaid
                } else {
                    Rest::Open
                }
            }
            None => self.rest(others),
        };
        if by_pattern.is_none() {
            members.extend(required.drain(..).map(|key| self.undeclared(key, &rest)));
        }
        if !required.is_empty() {
            checks.push(Check::Required(required));
        }
        checks.extend(
            count(map.get("minProperties"))
                .filter(|min| *min > 0)
                .map(Check::MinProperties),
        );
        checks.extend(count(map.get("maxProperties")).map(Check::MaxProperties));
        if let Some(schema) = map.get("propertyNames").filter(|s| !is_true(s)) {
            checks.push(Check::PropertyNames(self.lower(schema, TypeSet::STRING)));
        }
        for (key, others) in map
            .get("dependentRequired")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            let others: Vec<String> = names(Some(others)).map(str::to_owned).collect();
            if !others.is_empty() {
                checks.push(Check::DependentRequired(key.clone(), others));
            }
        }
        let odd = members.iter().any(|member| {
            INHERITED.contains(&member.key.as_str())
                || (member.required && self.may_be_undefined(&member.form))
        });
        Form {
            kind: Kind::Object(Box::new(Object {
                members,
                rest,
                plain: !odd,
            })),
            checks,
        }
    }

    /// The schema of members that nothing names.
    fn other_members(&self, map: &'a Map<String, Value>) -> Option<&'a Value> {
        map.get("additionalProperties").or_else(|| {
            map.get("unevaluatedProperties")
                .filter(|_| !has_applicators(map))
        })
    }

    fn rest(&self, others: Option<&'a Value>) -> Rest {
        let Some(schema) = others else {
            return Rest::Unsaid;
        };
        let form = self.lower(schema, TypeSet::ALL);
        match form.kind {
            Kind::Never => Rest::Closed,
            _ if form.is_unknown() => Rest::Open,
            _ => Rest::Typed(form),
        }
    }

    fn members(&self, map: &'a Map<String, Value>) -> Vec<Member> {
        let required: Vec<&str> = names(map.get("required")).collect();
        map.get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .map(|(key, schema)| {
                let default = schema.get("default").cloned();
                Member {
                    key: key.clone(),
                    form: self.lower(schema, TypeSet::ALL),
                    required: required.contains(&key.as_str()),
                    description: self.note(schema, "description"),
                    deprecated: schema.get("deprecated") == Some(&Value::Bool(true)),
                    default_holds: default.as_ref().is_some_and(|d| self.accepts(schema, d)),
                    default,
                }
            })
            .collect()
    }

    fn note(&self, schema: &'a Value, keyword: &str) -> Option<String> {
        let own = schema.get(keyword).and_then(Value::as_str);
        own.map(str::to_owned)
    }

    /// A member that is required and has no schema of its own.
    fn undeclared(&self, key: String, rest: &Rest) -> Member {
        let form = match rest {
            Rest::Closed => Form::of(Kind::Never),
            Rest::Typed(form) => form.clone(),
            Rest::Unsaid | Rest::Open => Form::unknown(),
        };
        Member {
            key,
            form,
            required: true,
            description: None,
            deprecated: false,
            default: None,
            default_holds: false,
        }
    }

    fn pattern_check(
        &self,
        patterns: &'a Map<String, Value>,
        others: Option<&'a Value>,
        members: &[Member],
    ) -> Check {
        Check::PatternProperties {
            patterns: patterns
                .iter()
                .map(|(pattern, schema)| (pattern.clone(), self.lower(schema, TypeSet::ALL)))
                .collect(),
            known: members.iter().map(|member| member.key.clone()).collect(),
            rest: others
                .filter(|schema| !is_true(schema))
                .map(|schema| self.lower(schema, TypeSet::ALL)),
        }
    }

    /// The check of `unevaluatedProperties`, where it is more than `additionalProperties` could say.
    pub(super) fn unevaluated_properties(&self, map: &'a Map<String, Value>) -> Option<Check> {
        let schema = map.get("unevaluatedProperties").filter(|s| !is_true(s))?;
        let needed = !map.contains_key("additionalProperties") && has_applicators(map);
        needed.then(|| {
            Check::UnevaluatedProperties(
                self.evaluated_properties(map),
                self.lower(schema, TypeSet::ALL),
            )
        })
    }

    /// Whether `schema` accepts a default. A quick look answers for most; the validator for the rest.
    fn accepts(&self, schema: &Value, value: &Value) -> bool {
        let Value::Object(map) = schema else {
            return *schema == Value::Bool(true);
        };
        let typed = map
            .get("type")
            .is_none_or(|t| TypeSet::from_keyword(t).contains(json_type(value)));
        if !typed {
            return false;
        }
        let simple = map
            .keys()
            .all(|key| key == "type" || super::reach::is_note(key));
        if simple && !value.is_number() {
            return true;
        }
        if let Some(Value::Array(listed)) = map.get("enum")
            && map
                .keys()
                .all(|key| matches!(key.as_str(), "type" | "enum") || super::reach::is_note(key))
        {
            return listed.contains(value);
        }
        let mut whole = map.clone();
        if has_references(schema) {
            let Some(defs) = self.root.get("$defs") else {
                return false;
            };
            whole.insert("$defs".to_owned(), defs.clone());
        }
        Validator::compile(&Value::Object(whole), self.formats)
            .is_ok_and(|validator| validator.is_valid(value))
    }
}

fn has_references(schema: &Value) -> bool {
    let mut found = false;
    each(schema, &mut |node| found |= node.get("$ref").is_some());
    found
}

/// Required keys that no member has.
fn undeclared(map: &Map<String, Value>, members: &[Member]) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    for key in names(map.get("required")) {
        if !keys.iter().any(|k| k == key) && members.iter().all(|member| member.key != key) {
            keys.push(key.to_owned());
        }
    }
    keys
}
