//! Conditions on arguments, evaluated to match, no match or error.

use serde_json::Value;

use super::{
    answer::Answer,
    file::Items,
    pointer::{Found, Pointer},
    test::{Test, Untestable},
};

/// A compiled condition. Nests no deeper than a file may.
#[derive(Debug, Clone)]
pub(crate) enum Condition {
    All(Vec<Self>),
    Any(Vec<Self>),
    Not(Box<Self>),
    Leaf(Leaf),
}

/// One test of one argument.
#[derive(Debug, Clone)]
pub(crate) struct Leaf {
    pub(crate) pointer: Pointer,
    pub(crate) items: Option<Items>,
    pub(crate) test: Test,
    /// Where it stands in the file, as a JSON pointer.
    pub(crate) place: String,
}

/// Why a condition cannot be evaluated, and where.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stuck<'p> {
    pub(crate) leaf: &'p Leaf,
    pub(crate) why: Untestable,
    /// Which of the places that the pointer leads to it is, from 0; none where that is not known.
    pub(crate) at: Option<usize>,
}

impl Stuck<'_> {
    /// What is wrong, in words, without a value of the input.
    pub(crate) fn about(&self) -> String {
        let pointer = self.leaf.pointer.item(self.at);
        match self.why {
            Untestable::Type { expected, got } => {
                format!("`{pointer}` is of type {got}, and the condition needs a {expected}")
            }
            Untestable::Unjudged(what) => format!("`{pointer}` is {what}"),
            Untestable::NoSuchField => {
                format!("the tool's schema has no `{pointer}`, which the condition needs")
            }
        }
    }
}

impl Condition {
    /// Evaluates the condition. Every part that can matter is looked at.
    pub(crate) fn answer<'p>(&'p self, input: &Value) -> Answer<Stuck<'p>> {
        match self {
            Self::All(all) => all.iter().fold(Answer::Match, |so_far, next| {
                so_far.and(|| next.answer(input))
            }),
            Self::Any(any) => any.iter().fold(Answer::NoMatch, |so_far, next| {
                so_far.or(|| next.answer(input))
            }),
            Self::Not(inner) => inner.answer(input).negated(),
            Self::Leaf(leaf) => leaf.answer(input),
        }
    }

    /// Every leaf, in the order of the file.
    pub(crate) fn leaves<'p>(&'p self, all: &mut Vec<&'p Leaf>) {
        match self {
            Self::All(inner) | Self::Any(inner) => {
                inner.iter().for_each(|inner| inner.leaves(all));
            }
            Self::Not(inner) => inner.leaves(all),
            Self::Leaf(leaf) => all.push(leaf),
        }
    }
}

impl Leaf {
    fn answer<'p>(&'p self, input: &Value) -> Answer<Stuck<'p>> {
        let every = self.items == Some(Items::Every);
        let mut so_far: Option<Answer<(Untestable, Option<usize>)>> = None;
        let mut places = 0;
        self.pointer.each(input, &mut |found| {
            // What should be a list and is none has no items.
            let is_item = !matches!(
                found,
                Found::NotA {
                    expected: "array",
                    ..
                }
            );
            let at = is_item.then_some(places);
            places += 1;
            let next = match self.test_of(found) {
                Answer::Match => Answer::Match,
                Answer::NoMatch => Answer::NoMatch,
                Answer::Error(why) => Answer::Error((why, at)),
            };
            let joined = match so_far.take() {
                None => next,
                Some(before) if every => before.and(|| next),
                Some(before) => before.or(|| next),
            };
            let go_on = match joined {
                Answer::Match => every,
                Answer::NoMatch => !every,
                Answer::Error(_) => true,
            };
            so_far = Some(joined);
            go_on
        });
        // A list without items has none that fits, and not every one of none does.
        match so_far.unwrap_or(Answer::NoMatch) {
            Answer::Match => Answer::Match,
            Answer::NoMatch => Answer::NoMatch,
            Answer::Error((why, at)) => Answer::Error(Stuck {
                leaf: self,
                why,
                at,
            }),
        }
    }

    fn test_of(&self, found: Found<'_>) -> Answer<Untestable> {
        match found {
            Found::Value(value) => self.test.answer(value),
            Found::Absent => self.test.answer_absent(),
            Found::NotA { expected, got } => Answer::Error(Untestable::Type { expected, got }),
        }
    }

    /// Whether the argument is nowhere to be found.
    pub(crate) fn is_absent(&self, input: &Value) -> bool {
        let mut is_absent = true;
        self.pointer.each(input, &mut |found| {
            is_absent &= matches!(found, Found::Absent);
            is_absent
        });
        is_absent
    }

    /// That it does not hold, in the words of the file.
    pub(crate) fn about_unmet(&self) -> String {
        let pointer = &self.pointer.text;
        let test = match &self.test {
            _ if self.items.is_some() => return format!("it is not so that {}", self.about()),
            Test::OneOf(values) => match values.as_slice() {
                [one] => format!("is not {one}"),
                all => {
                    let all: Vec<String> = all.iter().map(Value::to_string).collect();
                    format!("is none of {}", all.join(", "))
                }
            },
            Test::Glob(glob) => format!("does not fit the glob `{}`", glob.text()),
            Test::Prefix(prefix) => format!("does not begin with {prefix:?}"),
            Test::Less(bound) => format!("is not below {bound}"),
            Test::Greater(bound) => format!("is not above {bound}"),
            Test::Exists(true) => "is not there".to_owned(),
            Test::Exists(false) => "is there".to_owned(),
        };
        format!("`{pointer}` {test}")
    }

    /// What it says, in the words of the file.
    pub(crate) fn about(&self) -> String {
        let items = match self.items {
            Some(Items::Any) => "any of ",
            Some(Items::Every) => "every one of ",
            None => "",
        };
        let pointer = &self.pointer.text;
        let test = match &self.test {
            Test::OneOf(values) => match values.as_slice() {
                [one] => format!("is {one}"),
                all => {
                    let all: Vec<String> = all.iter().map(Value::to_string).collect();
                    format!("is one of {}", all.join(", "))
                }
            },
            Test::Glob(glob) => format!("fits the glob `{}`", glob.text()),
            Test::Prefix(prefix) => format!("begins with {prefix:?}"),
            Test::Less(bound) => format!("is below {bound}"),
            Test::Greater(bound) => format!("is above {bound}"),
            Test::Exists(true) => "is there".to_owned(),
            Test::Exists(false) => "is not there".to_owned(),
        };
        format!("{items}`{pointer}` {test}")
    }
}

impl Condition {
    /// What it says, the same for two that read the same. Nests no deeper than a file may.
    pub(crate) fn about(&self) -> String {
        let all = |parts: &[Self]| {
            let parts: Vec<String> = parts.iter().map(Self::about).collect();
            parts.join("; ")
        };
        match self {
            Self::All(parts) => format!("all ({})", all(parts)),
            Self::Any(parts) => format!("any ({})", all(parts)),
            Self::Not(inner) => format!("not ({})", inner.about()),
            Self::Leaf(leaf) => leaf.about(),
        }
    }

    /// Whether the two read the same, part by part. Nests no deeper than a file may.
    pub(crate) fn says_the_same(&self, other: &Self) -> bool {
        let all = |a: &[Self], b: &[Self]| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.says_the_same(b))
        };
        match (self, other) {
            (Self::All(a), Self::All(b)) | (Self::Any(a), Self::Any(b)) => all(a, b),
            (Self::Not(a), Self::Not(b)) => a.says_the_same(b),
            (Self::Leaf(a), Self::Leaf(b)) => a.about() == b.about(),
            _ => false,
        }
    }
}
