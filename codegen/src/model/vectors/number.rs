//! Numbers within the bounds of a place. What lies beyond 2^53 is left to others.

use serde_json::{Number, Value};

use super::place::Place;

/// What the keywords say of a number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// The bound, and whether it is itself left out.
    pub(super) least: Option<(f64, bool)>,
    pub(super) most: Option<(f64, bool)>,
    /// The distance between two neighbours: the multiple, or 1 among whole numbers.
    pub(super) step: Option<f64>,
}

impl Bounds {
    pub(super) fn of(place: &Place<'_>) -> Self {
        let bounds = |keyword: &'static str, excluded: bool| {
            place
                .each(keyword)
                .filter_map(Value::as_f64)
                .map(move |bound| (bound, excluded))
        };
        let higher = |a: (f64, bool), b: (f64, bool)| {
            if b.0 > a.0 || (b.0 == a.0 && b.1) {
                b
            } else {
                a
            }
        };
        let lower = |a: (f64, bool), b: (f64, bool)| {
            if b.0 < a.0 || (b.0 == a.0 && b.1) {
                b
            } else {
                a
            }
        };
        let steps = place.each("multipleOf").filter_map(Value::as_f64);
        let step = steps.filter(|step| *step > 0.0).reduce(common);
        Self {
            least: bounds("minimum", false)
                .chain(bounds("exclusiveMinimum", true))
                .reduce(higher),
            most: bounds("maximum", false)
                .chain(bounds("exclusiveMaximum", true))
                .reduce(lower),
            step: match (step, place.is_whole()) {
                (Some(step), true) => Some(common(step, 1.0)),
                (Some(step), false) => Some(step),
                (None, whole) => whole.then_some(1.0),
            },
        }
    }
}

/// A multiple of both, when both are whole; else the larger one.
fn common(a: f64, b: f64) -> f64 {
    let whole = |f: f64| f.fract() == 0.0 && f < 1e9;
    if !(whole(a) && whole(b)) {
        // A multiple of 0.5 that is whole is one of 1.
        let scaled = (1..=1000).map(|n| a.max(b) * f64::from(n));
        let fits = |f: &f64| (f / a).fract() == 0.0 && (f / b).fract() == 0.0;
        return scaled.into_iter().find(fits).unwrap_or(a.max(b));
    }
    let (mut x, mut y) = (a, b);
    while y > 0.0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

/// The `nth` number that fits, near 1 where that fits.
pub(super) fn fitting(place: &Place<'_>, nth: usize) -> Option<Number> {
    let bounds = Bounds::of(place);
    #[expect(clippy::cast_precision_loss, reason = "only few are ever asked for")]
    let nth = nth as f64;
    let value = match bounds.step {
        Some(step) => {
            let first = match (bounds.least, bounds.most) {
                (Some((least, excluded)), _) => {
                    let first = (least / step).ceil() * step;
                    if excluded && first <= least {
                        first + step
                    } else {
                        first
                    }
                }
                (None, Some((most, excluded))) if most < step || (excluded && most <= step) => {
                    let last = (most / step).floor() * step;
                    return json(
                        if excluded && last >= most {
                            last - step
                        } else {
                            last
                        } - nth * step,
                    );
                }
                (None, _) => step,
            };
            first + nth * step
        }
        None => match (bounds.least, bounds.most) {
            (None, None) => 1.5 + nth,
            (Some((least, false)), None) => least + nth,
            (Some((least, true)), None) => least + 1.0 + nth,
            (None, Some((most, excluded))) => most - nth - if excluded { 1.0 } else { 0.0 },
            (Some((least, excluded)), Some((most, _))) => {
                let part = if excluded { nth + 1.0 } else { nth };
                least + (most - least) * part / (part + 1.0).max(2.0)
            }
        },
    };
    json(value)
}

/// A number as it is best written: whole ones without a fraction.
pub(super) fn json(value: f64) -> Option<Number> {
    const SAFE: f64 = 9_007_199_254_740_992.0;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a whole number within 2^53 is an i64"
    )]
    let whole = (value.fract() == 0.0 && value.abs() <= SAFE).then(|| Number::from(value as i64));
    whole.or_else(|| Number::from_f64(value))
}
