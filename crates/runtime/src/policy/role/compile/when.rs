//! From what a file says under `when` to a condition: one test of one argument, or conditions put
//! together. Refuses two things at once, and a test without an argument.

use serde_json::Value;
use toolcontract_manifest::fault::quote;
use toolcontract_schema::pointer::join;

use super::{
    super::{
        condition::{Condition, Leaf},
        fault::{self, Faults},
        file::{Items, When},
        pointer::Pointer,
        test::{Test, scalar_type},
    },
    empty,
};
use crate::policy::path::PathGlob;

/// Compiles a condition. Nests no deeper than a file may.
pub(super) fn condition(when: &When, place: String, faults: &mut Faults<'_>) -> Option<Condition> {
    let invalid = |faults: &mut Faults<'_>, message: &str, help: &str| {
        faults.at(&place, fault::INVALID_CONDITION, message, help);
        None
    };
    let joined = [when.all.is_some(), when.any.is_some(), when.not.is_some()];
    let joined = joined.into_iter().filter(|is_there| *is_there).count();
    match (joined, &when.pointer, test_count(when)) {
        (0, Some(_), 1) => leaf(when, place, faults).map(Condition::Leaf),
        (0, Some(_), 0) => invalid(
            faults,
            "the condition does not say what the argument is tested for",
            "add one of `equals`, `one_of`, `glob`, `prefix`, `less`, `greater` or `exists`",
        ),
        (0, Some(_), _) => invalid(
            faults,
            "the condition tests for several things at once",
            "write one test each and put them together with `all` or `any`",
        ),
        (1, None, 0) if when.items.is_none() => together(when, &place, faults),
        (0, None, _) => invalid(
            faults,
            "the condition does not say which argument it is about",
            "add `pointer`, such as `pointer = \"/path\"`",
        ),
        _ => invalid(
            faults,
            "the condition is several conditions at once",
            "it is one test of one `pointer`, or one of `all`, `any` and `not`",
        ),
    }
}

fn test_count(when: &When) -> usize {
    [
        when.equals.is_some(),
        when.one_of.is_some(),
        when.glob.is_some(),
        when.prefix.is_some(),
        when.less.is_some(),
        when.greater.is_some(),
        when.exists.is_some(),
    ]
    .into_iter()
    .filter(|is_there| *is_there)
    .count()
}

fn together(when: &When, place: &str, faults: &mut Faults<'_>) -> Option<Condition> {
    if let Some(inner) = &when.not {
        let inner = condition(inner, join(place, "not"), faults)?;
        return Some(Condition::Not(Box::new(inner)));
    }
    let (key, list) = match (&when.all, &when.any) {
        (Some(all), _) => ("all", all),
        (None, Some(any)) => ("any", any),
        (None, None) => return None,
    };
    let place = join(place, key);
    if list.is_empty() {
        empty(&place, "there is nothing to put together", faults);
    }
    let parts: Vec<Condition> = list
        .iter()
        .enumerate()
        .filter_map(|(index, part)| condition(part, join(&place, &index.to_string()), faults))
        .collect();
    Some(match key {
        "all" => Condition::All(parts),
        _ => Condition::Any(parts),
    })
}

fn leaf(when: &When, place: String, faults: &mut Faults<'_>) -> Option<Leaf> {
    let text = when.pointer.as_deref().unwrap_or_default();
    let Some(pointer) = Pointer::parse(text) else {
        faults.at(
            &join(&place, "pointer"),
            fault::INVALID_POINTER,
            format!("{} is no pointer to an argument", quote(text)),
            "write it as a JSON pointer, such as `/path` or `/edits/*/path`",
        );
        return None;
    };
    if pointer.is_plural() != when.items.is_some() {
        let (message, help) = match when.items {
            None => (
                "the pointer leads to every item of a list",
                "add `items = \"any\"` (one is enough) or `items = \"every\"`",
            ),
            Some(Items::Any | Items::Every) => (
                "`items` says nothing about a pointer without `*`",
                "take it away, or write `*` where the items are",
            ),
        };
        faults.at(&place, fault::INVALID_CONDITION, message, help);
        return None;
    }
    let test = test(when, &place, faults)?;
    Some(Leaf {
        pointer,
        items: when.items,
        test,
        place,
    })
}

fn test(when: &When, place: &str, faults: &mut Faults<'_>) -> Option<Test> {
    if let Some(value) = &when.equals {
        return values(std::slice::from_ref(value), &join(place, "equals"), faults);
    }
    if let Some(all) = &when.one_of {
        return values(all, &join(place, "one_of"), faults);
    }
    if let Some(text) = &when.glob {
        return match PathGlob::parse(text) {
            Ok(glob) => Some(Test::Glob(glob)),
            Err(reason) => {
                faults.at(
                    &join(place, "glob"),
                    fault::INVALID_CONDITION,
                    format!("{} is no glob: {reason}", quote(text)),
                    match PathGlob::meant(text) {
                        Some(meant) => format!("write {}", quote(&meant)),
                        None => "`*` stays within a part of a path, `**` crosses parts".to_owned(),
                    },
                );
                None
            }
        };
    }
    let prefix = when.prefix.clone().map(Test::Prefix);
    prefix
        .or_else(|| when.less.clone().map(Test::Less))
        .or_else(|| when.greater.clone().map(Test::Greater))
        .or_else(|| when.exists.map(Test::Exists))
}

fn values(all: &[Value], place: &str, faults: &mut Faults<'_>) -> Option<Test> {
    let is_scalar =
        |value: &Value| matches!(value, Value::String(_) | Value::Number(_) | Value::Bool(_));
    let first = all.first().map(scalar_type);
    if first.is_none()
        || !all.iter().all(is_scalar)
        || all.iter().any(|v| Some(scalar_type(v)) != first)
    {
        faults.at(
            place,
            fault::INVALID_CONDITION,
            "an argument is compared with strings, with numbers or with booleans",
            "test the members of an object or the items of a list one by one",
        );
        return None;
    }
    Some(Test::OneOf(all.to_vec()))
}
