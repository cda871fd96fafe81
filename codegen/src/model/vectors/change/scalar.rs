//! Changes of numbers, texts, listed values, and what annotations show.

use serde_json::{Number, Value, json};

use super::{
    super::{
        number::{self, Bounds},
        text,
    },
    Changes,
};

/// 2^53, the first integer that JavaScript may have rounded.
const WIDE: u64 = 1 << 53;
/// The steps beyond a bound that are tried where numbers need not be whole.
const FRACTION: f64 = 0.5;

/// Each listed value, one that is none, and one in another case.
pub(super) fn listed(changes: &mut Changes<'_, '_>) {
    let Some(listed) = changes.site.place.listed() else {
        return;
    };
    for value in &listed {
        let what = match value {
            Value::String(text) if text.chars().count() <= 40 => format!("`{text}`"),
            Value::String(_) => "a listed text".to_owned(),
            Value::Array(_) | Value::Object(_) => "a listed value".to_owned(),
            value => format!("`{value}`"),
        };
        changes.put("listed", &what, (*value).clone());
    }
    let Some(first) = listed.iter().find_map(|value| value.as_str()) else {
        if let Some(first) = listed.iter().find_map(|value| value.as_f64()) {
            let other = number::json(first + 1000.0).map(Value::Number);
            changes.put(
                "not listed",
                "a number that is not listed",
                other.unwrap_or_default(),
            );
        }
        return;
    };
    changes.put(
        "not listed",
        "a text that is not listed",
        json!(format!("{first}_")),
    );
    let upper = first.to_uppercase();
    let swapped = if upper == first {
        first.to_lowercase()
    } else {
        upper
    };
    if swapped != first {
        changes.put(
            "other case",
            "a listed text in another case",
            json!(swapped),
        );
    }
}

/// Bounds met and passed, fractions, the two spellings of a whole number.
pub(super) fn numbers(changes: &mut Changes<'_, '_>) {
    let place = &changes.site.place;
    if place.listed().is_some() {
        return;
    }
    let Some(Value::Number(value)) = changes.site.value().cloned() else {
        return;
    };
    let whole = place.is_whole();
    let bounds = Bounds::of(place);
    let step = bounds.step.unwrap_or(FRACTION);
    let mut put = |kind, what: &str, number: f64| {
        if let Some(number) = number::json(number) {
            changes.put(kind, what, Value::Number(number));
        }
    };
    if let Some((least, _)) = bounds.least {
        put("least", "the lower bound", least);
        put("below", "below the lower bound", least - step);
    }
    if let Some((most, _)) = bounds.most {
        put("most", "the upper bound", most);
        put("above", "above the upper bound", most + step);
    }
    if bounds.least.is_none() {
        put("negative", "a negative number", -step);
    }
    let now = value.as_f64().unwrap_or(1.0);
    put("fraction", "a number between two others", now + step / 2.0);
    if whole {
        let spelled = Number::from_f64(now).filter(|_| now.fract() == 0.0);
        if let Some(spelled) = spelled {
            changes.put(
                "spelled",
                "an integer that is spelled with a fraction",
                Value::Number(spelled),
            );
        }
        if changes.site.place.each("x-ts").next().is_none() {
            changes.put("wide", "an integer beyond 2^53 - 1", json!(WIDE));
            changes.put("widest", "2^53 - 1", json!(WIDE - 1));
        }
    }
}

/// Lengths met and passed, in letters and in code points of two units, patterns and formats broken.
pub(super) fn texts(changes: &mut Changes<'_, '_>) {
    let Some(Value::String(value)) = changes.site.value().cloned() else {
        return;
    };
    let place = &changes.site.place;
    if place.listed().is_some() {
        return;
    }
    let patterns: Vec<&str> = place.each("pattern").filter_map(Value::as_str).collect();
    let formats: Vec<&str> = place.each("format").filter_map(Value::as_str).collect();

    changes.put("empty text", "an empty text", json!(""));
    let is_free = patterns.is_empty() && formats.is_empty();
    for (kind, what, length) in lengths(changes) {
        if let Some(text) = resized(changes, &patterns, &value, length) {
            changes.put(kind, what, Value::String(text));
        }
        if is_free && length > 0 {
            let (kind, what) = match kind {
                "longest" => (
                    "longest, astral",
                    "the greatest length, each character of two units",
                ),
                "too short" => (
                    "too short, astral",
                    "one character too few, each of two units",
                ),
                _ => continue,
            };
            let wide: String = std::iter::repeat_n(text::ASTRAL, length).collect();
            changes.put(kind, what, Value::String(wide));
        }
    }
    let misfits = [
        String::new(),
        "!".to_owned(),
        format!("{value}\u{1f600}"),
        format!(" {value}"),
        format!("{value}\n"),
        text::of_length(value.chars().count()),
    ];
    for pattern in patterns {
        let misfit = misfits
            .iter()
            .find(|text| !changes.schemas.fits(pattern, text));
        if let Some(misfit) = misfit {
            changes.put(
                "pattern",
                "a text that the pattern does not fit",
                json!(misfit),
            );
        }
    }
    for format in formats {
        if let Some(misfit) = text::not_of_format(format) {
            let what = format!("a text that is no `{format}`");
            changes.put("format", &what, json!(misfit));
        }
    }
}

/// The lengths that meet a bound or just pass it, with what each is.
fn lengths(changes: &Changes<'_, '_>) -> Vec<(&'static str, &'static str, usize)> {
    let place = &changes.site.place;
    let mut lengths = Vec::new();
    if let Some(least) = place.at_least("minLength") {
        lengths.push(("shortest", "the least length", least));
        if let Some(less) = least.checked_sub(1) {
            lengths.push(("too short", "one character too few", less));
        }
    }
    if let Some(most) = place.at_most("maxLength") {
        lengths.push(("longest", "the greatest length", most));
        lengths.push(("too long", "one character too many", most.saturating_add(1)));
    }
    lengths.retain(|(_, _, length)| *length <= text::MAX_LENGTH);
    lengths
}

/// A text of that length that the patterns fit, where one is found.
fn resized(
    changes: &Changes<'_, '_>,
    patterns: &[&str],
    value: &str,
    length: usize,
) -> Option<String> {
    let cut: String = value.chars().take(length).collect();
    let last = value.chars().last().unwrap_or('x');
    let missing = length.saturating_sub(cut.chars().count());
    let stretched: String = cut
        .chars()
        .chain(std::iter::repeat_n(last, missing))
        .collect();
    let made = patterns
        .first()
        .and_then(|pattern| text::of_pattern(pattern, length.saturating_sub(1)));
    [Some(stretched), made, Some(text::of_length(length))]
        .into_iter()
        .flatten()
        .find(|text| {
            text.chars().count() == length && patterns.iter().all(|p| changes.schemas.fits(p, text))
        })
}

/// What `default` and `examples` show.
pub(super) fn annotations(changes: &mut Changes<'_, '_>) {
    let place = &changes.site.place;
    let defaults = place.each("default").take(1);
    let examples = place.each("examples").filter_map(Value::as_array).flatten();
    let shown: Vec<(&'static str, &'static str, Value)> = defaults
        .map(|value| ("default", "the default", value.clone()))
        .chain(
            examples
                .take(3)
                .map(|value| ("shown", "an example", value.clone())),
        )
        .collect();
    for (kind, what, value) in shown {
        changes.put(kind, what, value);
    }
}
