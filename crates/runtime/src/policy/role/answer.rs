//! What a rule answers: match, no match, or that it cannot tell.

/// The answer of a condition or a rule. Not a bool: a rule that cannot be evaluated has not
/// missed, and what negates it has not matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Answer<E> {
    /// It holds.
    Match,
    /// It does not hold.
    NoMatch,
    /// Nobody can say.
    Error(E),
}

impl<E> Answer<E> {
    /// A plain yes or no.
    pub(crate) fn of(holds: bool) -> Self {
        if holds { Self::Match } else { Self::NoMatch }
    }

    /// Both hold. What surely does not hold stays so, whatever the other says.
    pub(crate) fn and(self, other: impl FnOnce() -> Self) -> Self {
        match self {
            Self::Match => other(),
            Self::NoMatch => Self::NoMatch,
            Self::Error(error) => match other() {
                Self::NoMatch => Self::NoMatch,
                Self::Match | Self::Error(_) => Self::Error(error),
            },
        }
    }

    /// One of the two holds. What surely holds stays so, whatever the other says.
    pub(crate) fn or(self, other: impl FnOnce() -> Self) -> Self {
        match self {
            Self::Match => Self::Match,
            Self::NoMatch => other(),
            Self::Error(error) => match other() {
                Self::Match => Self::Match,
                Self::NoMatch | Self::Error(_) => Self::Error(error),
            },
        }
    }

    /// The opposite. An error is no opposite of anything.
    pub(crate) fn negated(self) -> Self {
        match self {
            Self::Match => Self::NoMatch,
            Self::NoMatch => Self::Match,
            Self::Error(error) => Self::Error(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Answer::{self, Error, Match, NoMatch};

    const ALL: [Answer<()>; 3] = [Match, NoMatch, Error(())];

    #[test]
    fn the_tables_are_kleenes() {
        let and = |a: Answer<()>, b: Answer<()>| a.and(|| b);
        let or = |a: Answer<()>, b: Answer<()>| a.or(|| b);
        for a in ALL {
            assert_eq!(and(Match, a), a);
            assert_eq!(and(NoMatch, a), NoMatch);
            assert_eq!(or(NoMatch, a), a);
            assert_eq!(or(Match, a), Match);
            for b in ALL {
                assert_eq!(and(a, b), and(b, a));
                // De Morgan, errors included.
                assert_eq!(and(a, b).negated(), or(a.negated(), b.negated()));
            }
        }
        assert_eq!(and(Error(()), Match), Error(()));
        assert_eq!(or(Error(()), NoMatch), Error(()));
        assert_eq!(Error(()).negated(), Error::<()>(()));
    }
}
