//! Vectors: values that a schema accepts and values that it refuses, made from the schema itself.
//!
//! First a least and a full value, then copies of them with one thing changed: a bound met and
//! passed, a member missing, a branch taken, a type swapped. What each one is, the validator says,
//! with formats as the posture has them and the bounds step in front: a label is never a guess.
//!
//! Same schema, same vectors. The work is bounded whatever the schema; where no value can be made
//! that the schema accepts, [`Vectors::has_valid`] says so.

mod change;
mod judge;
mod number;
mod of_tool;
mod place;
mod question;
mod sample;
mod schemas;
mod select;
mod site;
mod solve;
#[cfg(test)]
mod tests;
mod text;

use serde::Serialize;
use serde_json::Value;
use toolcontract_schema::Formats;

use crate::model::SchemaDoc;
use change::{Candidate, changes};
use judge::Judge;
pub use of_tool::ToolVectors;
use question::Choices;
use sample::Size;
use schemas::Schemas;
use select::select;
use solve::{full, solve};

/// How often a value is made anew before none is found.
const ATTEMPTS: usize = 48;

/// A value and what it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Vector {
    /// What is special about it, on one line.
    pub about: String,
    /// Whether the schema accepts it.
    pub valid: bool,
    /// The value.
    pub value: Value,
}

/// The vectors of a schema.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Vectors {
    /// In a stable order, those without any change first.
    pub list: Vec<Vector>,
}

impl Vectors {
    /// Whether there is one that the schema accepts.
    #[must_use]
    pub fn has_valid(&self) -> bool {
        self.list.iter().any(|vector| vector.valid)
    }
}

/// Makes at most `most` vectors of `schema`. `examples` are values that the author gives, with
/// what they show.
///
/// None at all for a schema that does not compile.
#[must_use]
pub fn vectors<'e>(
    schema: &SchemaDoc,
    formats: Formats,
    examples: impl IntoIterator<Item = (&'e str, &'e Value)>,
    most: usize,
) -> Vectors {
    let Some(judge) = Judge::new(schema, formats) else {
        return Vectors::default();
    };
    let schemas = Schemas::new(&schema.normal.schema);
    let mut candidates: Vec<Candidate> = Vec::new();
    let minimal = solve(
        &schemas,
        &judge,
        Size::Minimal,
        &Choices::default(),
        ATTEMPTS,
    );
    let full = minimal
        .as_ref()
        .and_then(|minimal| full(&schemas, &judge, minimal));
    for (solved, about) in [(&minimal, "only what is required"), (&full, "everything")] {
        if let Some(solved) = solved {
            candidates.push(Candidate::base(about, solved.value.clone()));
        }
    }
    for (summary, example) in examples {
        let about = format!("example: {summary}");
        candidates.push(Candidate::base(&about, example.clone()));
    }
    match (&minimal, &full) {
        (Some(minimal), Some(full)) => {
            candidates.extend(changes(&schemas, &judge, minimal, full));
        }
        _ => candidates.extend(change::without_base()),
    }
    candidates.retain(|candidate| judge.is_portable(&candidate.value));
    Vectors {
        list: select(candidates, &judge, most),
    }
}
