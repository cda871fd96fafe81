//! Prints a form as a zod schema: zod's own words where it has them, ours (`json.`) where not.

use serde_json::{Number, Value};

use super::{
    form::{Check, Condition, Evaluated, Form, Kind, Numeric, Object, Rest, Text, Tuple, Wide},
    layout::{Doc, Style},
    text,
    writer::Writer,
};
use crate::emit::javascript;

impl Writer<'_> {
    /// The zod schema of `form`.
    pub(super) fn zod(&self, form: &Form) -> Doc {
        let kind = self.kind(&form.kind);
        if form.checks.is_empty() {
            return kind;
        }
        let checks = form.checks.iter().map(|check| self.check(check)).collect();
        Doc::seq([kind, Doc::call(".check", checks)])
    }

    fn kind(&self, kind: &Kind) -> Doc {
        match kind {
            Kind::Unknown => Doc::text("z.unknown()"),
            Kind::Never => Doc::text("z.never()"),
            Kind::Refused(reason) => {
                self.json("refused", vec![Doc::text(javascript::string(reason))])
            }
            Kind::Null => Doc::text("z.null()"),
            Kind::Boolean => Doc::text("z.boolean()"),
            Kind::Number(number) => self.number(number),
            Kind::String(string) => zod_string(string),
            Kind::Literals(values) => literals(values),
            Kind::OpenEnum(values) => {
                let known = values
                    .iter()
                    .map(|v| Doc::text(javascript::string(v)))
                    .collect();
                Doc::call(
                    "z.union",
                    vec![Doc::list(
                        Style::Brackets,
                        vec![
                            Doc::call("z.enum", vec![Doc::list(Style::Brackets, known)]),
                            Doc::text("z.string()"),
                        ],
                    )],
                )
            }
            Kind::Equal(value) => self.json_typed(
                "equalTo",
                super::ts::constant_type(value),
                vec![text::constant(value)],
            ),
            Kind::Array(array) => {
                let mut doc = Doc::call("z.array", vec![self.zod(&array.items)]);
                for (method, bound) in [("min", array.min), ("max", array.max)] {
                    if let Some(bound) = bound {
                        doc = doc.then(format!(".{method}({bound})"));
                    }
                }
                doc
            }
            Kind::Tuple(tuple) => self.tuple(kind, tuple),
            Kind::Object(object) => self.object(object),
            Kind::Ref(target) => self.reference(target),
            Kind::Union(forms) => self.union(forms),
            Kind::OneOf(forms) => self.json("oneOf", vec![self.schemas(forms)]),
            Kind::Tagged(tag, forms) if forms.iter().all(|form| self.is_seen(form)) => Doc::call(
                "z.discriminatedUnion",
                vec![Doc::text(javascript::string(tag)), self.schemas(forms)],
            ),
            Kind::Tagged(_, forms) => Doc::call("z.union", vec![self.schemas(forms)]),
            Kind::AllOf(forms) => self.json("allOf", forms.iter().map(|f| self.zod(f)).collect()),
        }
    }

    fn number(&self, number: &Numeric) -> Doc {
        let mut out = String::from(if number.integer {
            "z.int()"
        } else {
            "z.number()"
        });
        for (method, bound) in number.own_bounds() {
            out.push_str(&format!(".{method}({})", javascript::number(bound)));
        }
        let wide = match number.wide {
            None => return Doc::text(out),
            Some(Wide::BigInt) => {
                let mut wide = String::from("z.bigint()");
                for (method, bound) in &number.bounds {
                    wide.push_str(&format!(".{method}({})", big(method, bound)));
                }
                Doc::text(wide)
            }
            Some(Wide::String) => {
                let bounds = number
                    .bounds
                    .iter()
                    .map(|(method, bound)| Doc::text(format!("{method}: {}", big(method, bound))))
                    .collect();
                self.json("integerText", vec![Doc::list(Style::Braces, bounds)])
            }
        };
        Doc::call(
            "z.union",
            vec![Doc::list(Style::Brackets, vec![Doc::text(out), wide])],
        )
    }

    fn tuple(&self, kind: &Kind, tuple: &Tuple) -> Doc {
        // `z.tuple` asks its items at once whether they may be absent.
        let is_early = tuple.prefix.iter().any(|item| self.is_early(item));
        let prefix = self.schemas(&tuple.prefix);
        if tuple.plain && !is_early {
            return Doc::call("z.tuple", vec![prefix]);
        }
        let mut arguments = vec![prefix];
        match &tuple.rest {
            None => arguments.push(Doc::text("z.never()")),
            Some(rest) if rest.is_unknown() => {}
            Some(rest) => arguments.push(self.zod(rest)),
        }
        let schema = self.json_typed("tuple", self.kind_type(kind), arguments);
        if !tuple.plain {
            return schema;
        }
        let count = javascript::number(&tuple.required.into());
        let all = self.json("minItems", vec![Doc::text(count)]);
        Doc::seq([schema, Doc::call(".check", vec![all])])
    }

    fn object(&self, object: &Object) -> Doc {
        let members: Vec<Doc> = object
            .members
            .iter()
            .map(|member| {
                let schema = self.zod(&member.form);
                let schema = if member.required {
                    schema
                } else {
                    schema.then(".optional()")
                };
                text::named(&member.key, schema)
            })
            .collect();
        let shape = Doc::list(Style::Braces, members);
        match &object.rest {
            Rest::Closed if object.plain => Doc::call("z.strictObject", vec![shape]),
            Rest::Closed => self.json("closed", vec![shape]),
            Rest::Unsaid | Rest::Open => self.json("open", vec![shape]),
            Rest::Typed(rest) => self.json("open", vec![shape, self.zod(rest)]),
        }
    }

    fn union(&self, forms: &[Form]) -> Doc {
        match forms {
            [form, null] if *null == Form::of(Kind::Null) => self.zod(form).then(".nullable()"),
            _ => Doc::call("z.union", vec![self.schemas(forms)]),
        }
    }

    fn schemas(&self, forms: &[Form]) -> Doc {
        Doc::list(Style::Brackets, forms.iter().map(|f| self.zod(f)).collect())
    }

    fn check(&self, check: &Check) -> Doc {
        match check {
            Check::MinLength(n) => self.counted("minLength", *n),
            Check::MaxLength(n) => self.counted("maxLength", *n),
            Check::MinItems(n) => self.counted("minItems", *n),
            Check::MaxItems(n) => self.counted("maxItems", *n),
            Check::MinProperties(n) => self.counted("minProperties", *n),
            Check::MaxProperties(n) => self.counted("maxProperties", *n),
            Check::Pattern(source) => self.json("pattern", vec![quoted(source)]),
            Check::Format(name) => self.json("format", vec![quoted(name)]),
            Check::MultipleOf(step) => {
                self.json("multipleOf", vec![Doc::text(javascript::number(step))])
            }
            Check::UniqueItems => self.json("uniqueItems", Vec::new()),
            Check::Contains { form, min, max } => {
                let mut counts = Vec::new();
                if *min != 1 {
                    counts.push(Doc::text(format!("min: {min}")));
                }
                counts.extend(max.map(|max| Doc::text(format!("max: {max}"))));
                let mut arguments = vec![self.zod(form)];
                if !counts.is_empty() {
                    arguments.push(Doc::list(Style::Braces, counts));
                }
                self.json("contains", arguments)
            }
            Check::Required(keys) => {
                self.json("required", keys.iter().map(|k| quoted(k)).collect())
            }
            Check::PropertyNames(form) => self.json("propertyNames", vec![self.zod(form)]),
            Check::PatternProperties {
                patterns,
                known,
                rest,
            } => self.pattern_properties(patterns, known, rest.as_ref()),
            Check::DependentRequired(key, others) => {
                self.json("dependentRequired", vec![quoted(key), texts(others)])
            }
            Check::DependentSchema(key, form) => {
                self.json("dependentSchema", vec![quoted(key), self.zod(form)])
            }
            Check::Also(form) => self.json("also", vec![self.zod(form)]),
            Check::AnyOf(forms) => self.json("anyOf", forms.iter().map(|f| self.zod(f)).collect()),
            Check::ExactlyOne(forms) => {
                self.json("exactlyOne", forms.iter().map(|f| self.zod(f)).collect())
            }
            Check::Not(form) => self.json("not", vec![self.zod(form)]),
            Check::When {
                condition,
                then,
                otherwise,
            } => {
                let branches = [("then", then), ("else", otherwise)]
                    .into_iter()
                    .filter_map(|(name, form)| Some(text::property(name, self.zod(form.as_ref()?))))
                    .collect();
                let branches = Doc::list(Style::Braces, branches);
                self.json("when", vec![self.zod(condition), branches])
            }
            Check::WhenType(name, form) => {
                self.json("whenType", vec![quoted(name), self.zod(form)])
            }
            Check::UnevaluatedProperties(evaluated, form) => self.json(
                "unevaluatedProperties",
                vec![self.evaluated(evaluated), self.zod(form)],
            ),
            Check::UnevaluatedItems(evaluated, form) => self.json(
                "unevaluatedItems",
                vec![self.evaluated(evaluated), self.zod(form)],
            ),
        }
    }

    fn counted(&self, name: &str, count: u64) -> Doc {
        self.json(name, vec![Doc::text(count.to_string())])
    }

    fn pattern_properties(
        &self,
        patterns: &[(String, Form)],
        known: &[String],
        rest: Option<&Form>,
    ) -> Doc {
        let pairs = patterns
            .iter()
            .map(|(source, form)| Doc::list(Style::Brackets, vec![quoted(source), self.zod(form)]))
            .collect();
        let mut arguments = vec![Doc::list(Style::Brackets, pairs)];
        if let Some(rest) = rest {
            arguments.extend([texts(known), self.zod(rest)]);
        }
        self.json("patternProperties", arguments)
    }

    fn evaluated(&self, evaluated: &Evaluated) -> Doc {
        if evaluated.all {
            return Doc::text("{ all: true }");
        }
        let mut parts = Vec::new();
        let mut part = |name, value| parts.push(text::property(name, value));
        if !evaluated.keys.is_empty() {
            part("keys", texts(&evaluated.keys));
        }
        if !evaluated.patterns.is_empty() {
            part("patterns", texts(&evaluated.patterns));
        }
        if evaluated.items > 0 {
            part("items", Doc::text(evaluated.items.to_string()));
        }
        if !evaluated.containing.is_empty() {
            part("containing", self.schemas(&evaluated.containing));
        }
        if !evaluated.when.is_empty() {
            let conditions = evaluated.when.iter().map(|c| self.condition(c)).collect();
            part("when", Doc::list(Style::Brackets, conditions));
        }
        Doc::list(Style::Braces, parts)
    }

    fn condition(&self, condition: &Condition) -> Doc {
        let parts = match condition {
            Condition::If(form, then, otherwise) => {
                let mut parts = vec![text::property("if", self.zod(form))];
                for (name, evaluated) in [("then", then), ("else", otherwise)] {
                    if !evaluated.is_empty() {
                        parts.push(text::property(name, self.evaluated(evaluated)));
                    }
                }
                parts
            }
            Condition::Key(key, then) => vec![
                text::property("key", quoted(key)),
                text::property("then", self.evaluated(then)),
            ],
        };
        Doc::list(Style::Braces, parts)
    }
}

/// A bound as a bigint. One that lies between two integers moves to the inner one, which says the same.
fn big(method: &str, bound: &Number) -> String {
    match bound.as_f64() {
        Some(float) if bound.is_f64() => {
            let inner = match method {
                "min" | "lt" => float.ceil(),
                _ => float.floor(),
            };
            format!("{inner:.0}n")
        }
        _ => format!("{bound}n"),
    }
}

fn zod_string(string: &Text) -> Doc {
    let mut out = String::from("z.string()");
    if string.not_empty {
        out.push_str(".min(1)");
    }
    if let Some(pattern) = &string.regex {
        out.push_str(&format!(".regex({})", javascript::regex(pattern)));
    }
    Doc::text(out)
}

fn literals(values: &[Value]) -> Doc {
    let (nulls, others): (Vec<_>, Vec<_>) = values.iter().partition(|value| value.is_null());
    let texts_only = others.iter().all(|value| value.is_string());
    let list = Doc::list(
        Style::Brackets,
        others.iter().map(|value| text::constant(value)).collect(),
    );
    let doc = match others.as_slice() {
        [] => return Doc::text("z.null()"),
        [only] => Doc::call("z.literal", vec![text::constant(only)]),
        _ if texts_only => Doc::call("z.enum", vec![list]),
        _ => Doc::call("z.literal", vec![list]),
    };
    if nulls.is_empty() {
        doc
    } else {
        doc.then(".nullable()")
    }
}

fn quoted(text: &str) -> Doc {
    Doc::text(javascript::string(text))
}

fn texts(values: &[String]) -> Doc {
    Doc::list(Style::Brackets, values.iter().map(|v| quoted(v)).collect())
}
