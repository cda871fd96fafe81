//! The rules, each with what it finds and what to do.

use toolcontract_manifest::import::Oddity;

/// One rule.
#[derive(Debug)]
pub struct Rule {
    /// Stable kebab-case id.
    pub id: &'static str,
    /// What it finds, in one sentence.
    pub about: &'static str,
    /// What to do.
    pub help: &'static str,
}

macro_rules! rules {
    ($($name:ident: $id:literal, $about:literal, $help:literal;)+) => {
        $(pub(super) const $name: Rule = Rule { id: $id, about: $about, help: $help };)+

        /// Every rule, in the order of the docs.
        pub const RULES: &[&Rule] = &[$(&$name),+];
    };
}

rules! {
    UNUSABLE: "unusable-definition",
        "A definition that no client could call, or that two readers would read differently.",
        "ask whoever serves it to mend it; the tool is not let in";
    UNSERVED: "not-served",
        "A name that no call could use, so that `toolgate proxy` leaves the tool out.",
        "ask whoever serves it to rename it; the proxy serves the other tools without it";
    HIDDEN: "hidden-character",
        "A character that a model reads and a person does not see.",
        "read the text with such characters shown, and do not adopt a tool that hides some";
    INSTRUCTION: "instruction-like-text",
        "Text of a definition that speaks to a model about something else than its call.",
        "read it as what it is, text of the server; a tool that needs it should not be let in";
    CLAIMS: "claims-contradict",
        "Hints that cannot all hold.",
        "believe none of them; grade the tool yourself";
    UNLIKELY: "unlikely-claim",
        "A hint that the rest of the definition speaks against.",
        "try the tool where it can do no harm before you grade it";
    UNCLAIMED: "no-claims",
        "A tool that says nothing of what it does: the worst is assumed.",
        "grade it yourself, or leave it at the worst";
    COLLISION: "name-collision",
        "A name that another tool has, or that can be taken for it.",
        "call the tool by its server, `mcp__SERVER__TOOL`, in policies and prompts";
    CHANGED: "changed-since-pin",
        "A definition that is not the one that was pinned.",
        "look at what has changed, and pin it anew if it is meant";
    NEW: "new-since-pin",
        "A tool that was not there when the list was pinned.",
        "look at it, and pin the list anew";
    GONE: "gone-since-pin",
        "A tool that is not there any more.",
        "pin the list anew if it is meant";
    ODD: "odd-definition",
        "A definition that is unlike what the protocol asks for.",
        "nothing, unless something does not work";
}

/// One sentence about the rule of an id.
#[must_use]
pub fn about(id: &str) -> Option<&'static str> {
    let rule = RULES.iter().find(|rule| rule.id == id)?;
    Some(rule.about)
}

/// The rule of what reading a list has told, and whether it is an error.
pub(super) fn of_oddity(oddity: &Oddity) -> (&'static Rule, bool) {
    match oddity {
        Oddity::HiddenCharacter { .. } => (&HIDDEN, true),
        Oddity::ClaimsContradict => (&CLAIMS, false),
        _ => (&ODD, false),
    }
}
