//! One line of a report: a figure, what it may be, what it stands beside, whether it holds.

use crate::measure::Cost;

/// What a figure counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Wall time of a command.
    Seconds,
    /// Time of one call.
    Microseconds,
    /// Peak resident memory, in units of 1,000,000 bytes.
    Megabytes,
    /// Pieces of something.
    Count,
}

/// The most that a figure may be.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Limit {
    /// In the figure's own unit.
    Figure(f64),
    /// As a part of the baseline.
    Ratio(f64),
}

/// One line. Made by [`Row::new`]; the rest is optional and added by the methods.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    name: String,
    figure: f64,
    unit: Unit,
    baseline: Option<(String, f64)>,
    limit: Option<Limit>,
}

impl Row {
    /// A figure that may be anything.
    pub fn new(name: impl Into<String>, figure: f64, unit: Unit) -> Self {
        Self {
            name: name.into(),
            figure,
            unit,
            baseline: None,
            limit: None,
        }
    }

    /// The wall time of a command.
    pub fn wall(name: impl Into<String>, cost: Cost) -> Self {
        Self::new(name, cost.wall.as_secs_f64(), Unit::Seconds)
    }

    /// The processor time of a command, user and system: steadier than wall time on a busy machine.
    pub fn cpu(name: impl Into<String>, cost: Cost) -> Self {
        Self::new(name, cost.cpu.as_secs_f64(), Unit::Seconds)
    }

    /// The peak memory of a command.
    pub fn peak(name: impl Into<String>, cost: Cost) -> Self {
        Self::new(name, cost.peak as f64 / 1e6, Unit::Megabytes)
    }

    /// Stands beside another row of the same unit: the ratio is to that one.
    pub fn beside(mut self, baseline: &Row) -> Self {
        self.baseline = Some((baseline.name.clone(), baseline.figure));
        self
    }

    /// The figure may be at most `most`.
    pub fn at_most(mut self, most: f64) -> Self {
        self.limit = Some(Limit::Figure(most));
        self
    }

    /// The figure may be at most this part of the baseline's.
    pub fn at_most_of_baseline(mut self, part: f64) -> Self {
        self.limit = Some(Limit::Ratio(part));
        self
    }

    /// The figure, in its unit.
    pub fn figure(&self) -> f64 {
        self.figure
    }

    /// Whether it keeps its limit; none without one.
    pub fn holds(&self) -> Option<bool> {
        match self.limit? {
            Limit::Figure(most) => Some(self.figure <= most),
            // Without a baseline there is nothing that it could keep.
            Limit::Ratio(part) => Some(self.ratio().is_some_and(|ratio| ratio <= part)),
        }
    }

    fn ratio(&self) -> Option<f64> {
        let (_, baseline) = self.baseline.as_ref()?;
        Some(self.figure / baseline)
    }

    /// What it is, the figure, its limit, its ratio, whether it holds; one text a column.
    pub fn cells(&self) -> [String; 5] {
        let limit = match self.limit {
            Some(Limit::Figure(most)) => self.shown(most),
            Some(Limit::Ratio(part)) => format!("{part:.2}x"),
            None => String::new(),
        };
        let ratio = match (&self.baseline, self.ratio()) {
            (Some((name, _)), Some(ratio)) => format!("{ratio:.2}x {name}"),
            _ => String::new(),
        };
        let holds = match self.holds() {
            Some(true) => "holds",
            Some(false) => "FAILS",
            None => "",
        };
        [
            self.name.clone(),
            self.shown(self.figure),
            limit,
            holds.to_owned(),
            ratio,
        ]
    }

    fn shown(&self, figure: f64) -> String {
        match self.unit {
            Unit::Seconds => format!("{figure:.3} s"),
            Unit::Microseconds => format!("{figure:.2} us"),
            Unit::Megabytes => format!("{figure:.0} MB"),
            Unit::Count => format!("{figure:.0}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_holds_when_its_limit_is_kept() {
        let row = |figure| Row::new("r", figure, Unit::Seconds);
        let base = row(2.0);
        assert_eq!(row(1.0).holds(), None);
        assert_eq!(row(1.0).at_most(1.0).holds(), Some(true));
        assert_eq!(row(1.1).at_most(1.0).holds(), Some(false));
        assert_eq!(
            row(1.0).beside(&base).at_most_of_baseline(0.5).holds(),
            Some(true)
        );
        assert_eq!(
            row(1.1).beside(&base).at_most_of_baseline(0.5).holds(),
            Some(false)
        );
        assert_eq!(row(1.0).at_most_of_baseline(9.0).holds(), Some(false));
    }

    #[test]
    fn cells_are_for_people() {
        let base = Row::new("typify", 2.0, Unit::Seconds);
        let row = Row::new("ours", 1.0, Unit::Seconds)
            .beside(&base)
            .at_most(1.5);
        assert_eq!(
            row.cells(),
            ["ours", "1.000 s", "1.500 s", "holds", "0.50x typify"]
        );
    }
}
