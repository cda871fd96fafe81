//! Times of single calls, and the two figures that are told of them.

use std::time::Duration;

use crate::row::{Row, Unit};

/// What single calls took.
#[derive(Debug, Default)]
pub struct Times(Vec<Duration>);

impl Times {
    pub fn with_room(calls: usize) -> Self {
        Self(Vec::with_capacity(calls))
    }

    pub fn push(&mut self, time: Duration) {
        self.0.push(time);
    }

    /// The time that this part of all calls took at most, in microseconds.
    fn at(&self, part: f64) -> f64 {
        let last = self.0.len().saturating_sub(1);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a place in a list of less than a million"
        )]
        let place = (last as f64 * part).round() as usize;
        self.0
            .get(place)
            .map_or(f64::NAN, |time| time.as_secs_f64() * 1e6)
    }

    /// In the middle and at the slowest hundredth, how much more they took than `others`, in
    /// microseconds. Sorts both.
    pub fn more_than(&mut self, others: &mut Self) -> (f64, f64) {
        self.0.sort_unstable();
        others.0.sort_unstable();
        let more = |part| self.at(part) - others.at(part);
        (more(0.5), more(0.99))
    }

    /// The rows of the middle and of the slowest hundredth.
    pub fn rows(mut self, name: &str) -> (Row, Row) {
        self.0.sort_unstable();
        (
            Row::new(format!("{name}, p50"), self.at(0.5), Unit::Microseconds),
            Row::new(format!("{name}, p99"), self.at(0.99), Unit::Microseconds),
        )
    }
}
