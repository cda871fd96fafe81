//! The names that forms refer to, and the order in which they must be declared.

use std::collections::BTreeSet;

use super::{
    form::{Check, Condition, Evaluated, Form, Kind, Rest, Target},
    lower::Lowering,
};

/// The root and every definition that it needs, those that others need first.
pub(super) fn reachable(lowering: &Lowering<'_>) -> Vec<(Target, Form)> {
    let mut done = Vec::new();
    let mut seen = BTreeSet::from([Target::Root]);
    let mut open = vec![(Target::Root, lowering.root(), Vec::new(), false)];
    while let Some((target, form, mut needed, listed)) = open.pop() {
        if !listed {
            each(&form, &mut |t| needed.push(t.clone()));
            needed.reverse();
        }
        let next = loop {
            match needed.pop() {
                None => break None,
                Some(Target::Shared(_)) => {}
                Some(next) => {
                    if seen.insert(next.clone()) {
                        break Some(next);
                    }
                }
            }
        };
        match next {
            None => done.push((target, form)),
            Some(next) => {
                open.push((target, form, needed, true));
                let below = match &next {
                    Target::Local(key) => lowering.definition(key),
                    Target::Root | Target::Shared(_) | Target::Part(_) => None,
                };
                if let Some(below) = below {
                    open.push((next, below, Vec::new(), false));
                }
            }
        }
    }
    done
}

/// Calls `visit` with every name in `form`, in the order of its text.
pub(super) fn each(form: &Form, visit: &mut dyn FnMut(&Target)) {
    kind(&form.kind, visit);
    for one in &form.checks {
        check(one, visit);
    }
}

fn kind(kind: &Kind, visit: &mut dyn FnMut(&Target)) {
    match kind {
        Kind::Ref(target) => visit(target),
        Kind::Array(array) => each(&array.items, visit),
        Kind::Tuple(tuple) => {
            all(&tuple.prefix, visit);
            all(&tuple.rest, visit);
        }
        Kind::Object(object) => {
            for member in &object.members {
                each(&member.form, visit);
            }
            if let Rest::Typed(form) = &object.rest {
                each(form, visit);
            }
        }
        Kind::Union(forms) | Kind::OneOf(forms) | Kind::AllOf(forms) | Kind::Tagged(_, forms) => {
            all(forms, visit);
        }
        Kind::Unknown
        | Kind::Never
        | Kind::Refused(_)
        | Kind::Null
        | Kind::Boolean
        | Kind::Number(_)
        | Kind::String(_)
        | Kind::Literals(_)
        | Kind::OpenEnum(_)
        | Kind::Equal(_) => {}
    }
}

fn check(check: &Check, visit: &mut dyn FnMut(&Target)) {
    match check {
        Check::Contains { form, .. }
        | Check::PropertyNames(form)
        | Check::DependentSchema(_, form)
        | Check::Also(form)
        | Check::Not(form)
        | Check::WhenType(_, form) => each(form, visit),
        Check::PatternProperties { patterns, rest, .. } => {
            all(patterns.iter().map(|(_, form)| form), visit);
            all(rest, visit);
        }
        Check::AnyOf(forms) | Check::ExactlyOne(forms) => all(forms, visit),
        Check::When {
            condition,
            then,
            otherwise,
        } => {
            each(condition, visit);
            all(then, visit);
            all(otherwise, visit);
        }
        Check::UnevaluatedProperties(spoken, form) | Check::UnevaluatedItems(spoken, form) => {
            evaluated(spoken, visit);
            each(form, visit);
        }
        Check::MinLength(_)
        | Check::MaxLength(_)
        | Check::Pattern(_)
        | Check::Format(_)
        | Check::MultipleOf(_)
        | Check::MinItems(_)
        | Check::MaxItems(_)
        | Check::UniqueItems
        | Check::Required(_)
        | Check::MinProperties(_)
        | Check::MaxProperties(_)
        | Check::DependentRequired(..) => {}
    }
}

fn evaluated(spoken: &Evaluated, visit: &mut dyn FnMut(&Target)) {
    all(&spoken.containing, visit);
    for condition in &spoken.when {
        match condition {
            Condition::If(form, then, otherwise) => {
                each(form, visit);
                evaluated(then, visit);
                evaluated(otherwise, visit);
            }
            Condition::Key(_, then) => evaluated(then, visit),
        }
    }
}

fn all<'a>(forms: impl IntoIterator<Item = &'a Form>, visit: &mut dyn FnMut(&Target)) {
    for form in forms {
        each(form, visit);
    }
}
