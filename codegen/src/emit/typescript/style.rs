//! How lists look: their delimiters and what stands between their items.

/// How a list looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// `{ a, b }`
    Braces,
    /// `{ a; b }`
    Members,
    /// `[a, b]`
    Brackets,
    /// `(a, b)`
    Parens,
    /// `<a, b>`
    Angles,
    /// `a | b`
    Union,
    /// `a & b`
    Intersection,
    /// `{ a }`, never on one line.
    Block,
}

/// What a style puts around and between its items.
pub(super) struct Marks {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    /// Inside the delimiters, on one line.
    pub(super) pad: &'static str,
    /// Between items on one line.
    pub(super) between: &'static str,
    /// In front of each item on its own line.
    pub(super) before: &'static str,
    /// Behind each item on its own line.
    pub(super) after: &'static str,
    /// Behind the last one.
    pub(super) last: &'static str,
}

impl Style {
    /// The marks of the style.
    pub(super) fn marks(self) -> Marks {
        let delimited = |open, close, pad| Marks {
            open,
            close,
            pad,
            between: ", ",
            before: "",
            after: ",",
            last: ",",
        };
        let joined = |between, before| Marks {
            open: "",
            close: "",
            pad: "",
            between,
            before,
            after: "",
            last: "",
        };
        match self {
            Self::Braces => delimited("{", "}", " "),
            Self::Members => Marks {
                between: "; ",
                after: ";",
                last: ";",
                ..delimited("{", "}", " ")
            },
            Self::Block => Marks {
                between: " ",
                after: "",
                last: "",
                ..delimited("{", "}", " ")
            },
            Self::Brackets => delimited("[", "]", ""),
            Self::Parens => delimited("(", ")", ""),
            Self::Angles => Marks {
                // A trailing comma is legal in every list but this one.
                last: "",
                ..delimited("<", ">", "")
            },
            Self::Union => joined(" | ", "| "),
            Self::Intersection => joined(" & ", "& "),
        }
    }
}
