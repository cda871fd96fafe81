//! Changes of arrays: counts met and passed, an item twice, none that is contained.

use serde_json::{Value, json};

use super::{
    super::{
        question::Choices,
        sample::{Sampler, Size},
    },
    Changes,
};

/// The longest array that is made.
const MAX_ITEMS: usize = 16;

pub(super) fn items(changes: &mut Changes<'_, '_>) {
    let Some(Value::Array(items)) = changes.site.value().cloned() else {
        return;
    };
    let place = &changes.site.place;
    let least = place.at_least("minItems");
    let most = place.at_most("maxItems");
    let prefix = place.each("prefixItems").next().is_some();

    let mut counts = Vec::new();
    if let Some(least) = least {
        counts.push(("fewest", "the least number of items", least));
        counts.extend(
            least
                .checked_sub(1)
                .map(|less| ("too few", "one item too few", less)),
        );
    }
    if let Some(most) = most {
        counts.push(("most items", "the greatest number of items", most));
        counts.push(("too many", "one item too many", most.saturating_add(1)));
    }
    if prefix {
        counts.extend(
            items
                .len()
                .checked_sub(1)
                .map(|less| ("tuple, short", "without its last item", less)),
        );
        counts.push(("tuple, long", "with one more item", items.len() + 1));
    }
    for (kind, what, count) in counts {
        if count <= MAX_ITEMS
            && let Some(items) = resized(changes, &items, count)
        {
            changes.put(kind, what, Value::Array(items));
        }
    }
    if let Some(first) = items.first() {
        let mut twice = items.clone();
        twice.push(first.clone());
        changes.put("twice", "the first item once more", Value::Array(twice));
        let mut other = items.clone();
        other.push(match first {
            Value::Object(_) => json!("text"),
            _ => json!({}),
        });
        changes.put("item", "one more item of another type", Value::Array(other));
    }
    if changes.site.place.each("contains").next().is_some() {
        changes.put(
            "not contained",
            "nothing that must be contained",
            json!([null]),
        );
    }
}

/// The first `count` items, different new ones behind them where there are fewer.
fn resized(changes: &Changes<'_, '_>, items: &[Value], count: usize) -> Option<Vec<Value>> {
    let mut items: Vec<Value> = items.iter().take(count).cloned().collect();
    let choices = Choices::default();
    while items.len() < count {
        let mut sampler = Sampler::new(changes.schemas, &choices, Size::Minimal);
        let schemas = changes.site.place.item(items.len());
        let at = format!("{}/{}", changes.site.name(), items.len());
        items.push(sampler.value(&schemas, &at, items.len())?);
    }
    Some(items)
}
