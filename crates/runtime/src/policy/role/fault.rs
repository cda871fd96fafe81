//! Everything that can be wrong with a policy beyond its shape: one id and one function each, so
//! that a search for the id leads here and from here to whoever reports it.
//!
//! All are of level error: a policy with one is not in force.

use std::{collections::BTreeSet, sync::Arc};

use toolcontract_manifest::{
    Diagnostic, Document,
    fault::{alternatives, quote},
    nearest,
};

macro_rules! ids {
    ($($name:ident = $id:literal;)+) => {
        $(pub(super) const $name: &str = $id;)+
        /// The id of every fault, in the order of the guide.
        pub const IDS: &[&str] = &[$($name),+];
    };
}

ids! {
    NO_ROLES = "policy-without-roles";
    NO_RULES = "policy-without-rules";
    TOO_MANY_ROLES = "too-many-roles";
    INVALID_NAME = "invalid-policy-name";
    STATED_TWICE = "policy-name-stated-twice";
    EMPTY_LIST = "empty-list";
    INVALID_PRINCIPAL = "invalid-principal";
    UNBOUND_PRINCIPAL = "principal-without-role";
    UNKNOWN_ROLE = "unknown-role";
    UNKNOWN_TOOL = "unknown-tool";
    UNKNOWN_GROUP = "unknown-group";
    UNKNOWN_EVENT = "unknown-event";
    INVALID_LATE_TOOL = "invalid-late-tool";
    FOR_NOBODY = "grant-without-principals";
    ABOUT_NOTHING = "rule-without-tools";
    INVALID_CONDITION = "invalid-condition";
    INVALID_POINTER = "invalid-pointer";
    UNKNOWN_FIELD = "unknown-field";
    PATH_AS_TEXT = "path-compared-as-text";
    NEVER_MATCHES = "rule-never-matches";
    NEVER_GRANTS = "grant-above-ceiling";
    ABSENT_GRANTS = "absent-argument-grants";
    SHADOWED = "shadowed-rule";
    INVALID_EXAMPLE = "invalid-example";
    EXAMPLE_DIFFERS = "example-decided-otherwise";
}

/// How many names are listed where none is near.
const LISTED: usize = 16;

/// Findings about one file.
#[derive(Debug)]
pub(super) struct Faults<'d> {
    pub(super) document: &'d Arc<Document>,
    pub(super) findings: Vec<Diagnostic>,
    /// The rules that have a finding, by their place in the file.
    faulty: BTreeSet<usize>,
}

/// The rule that a pointer leads into.
fn rule_of(pointer: &str) -> Option<usize> {
    let rest = pointer.strip_prefix("/rule/")?;
    rest.split('/').next()?.parse().ok()
}

impl<'d> Faults<'d> {
    pub(super) fn of(document: &'d Arc<Document>) -> Self {
        Self {
            document,
            findings: Vec::new(),
            faulty: BTreeSet::new(),
        }
    }

    /// Whether something is wrong with the rule at this place among the rules.
    pub(super) fn has_rule(&self, rule: usize) -> bool {
        self.faulty.contains(&rule)
    }

    /// Reports `rule` at the value at `pointer`.
    pub(super) fn at(
        &mut self,
        pointer: &str,
        rule: &'static str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.faulty.extend(rule_of(pointer));
        let span = self.document.span(pointer);
        let found = Diagnostic::error(rule, self.document, span, message);
        self.findings.push(found.help(help));
    }

    /// A policy that says nothing.
    pub(super) fn nothing(&mut self, rule: &'static str, what: &str) {
        let found = Diagnostic::error(
            rule,
            self.document,
            0..0,
            format!("the policy has no {what}"),
        );
        let help =
            "an empty policy allows nothing; a program without authorization says so in code";
        self.findings.push(found.help(help));
    }

    /// A word of a list that names nothing.
    pub(super) fn unknown<'k>(
        &mut self,
        pointer: &str,
        rule: &'static str,
        what: &str,
        word: &str,
        known: impl IntoIterator<Item = &'k str>,
    ) {
        let known: Vec<&str> = known.into_iter().collect();
        let help = match nearest(word, known.iter().copied()) {
            Some(near) => format!("did you mean {}?", quote(near)),
            None if known.len() <= LISTED => format!("there is {}", alternatives(known)),
            None => format!("there are {} others and none is near", known.len()),
        };
        self.at(
            pointer,
            rule,
            format!("there is no {what} {}", quote(word)),
            help,
        );
    }

    /// A name that is stated a second time.
    pub(super) fn twice(&mut self, pointer: &str, what: &str, name: &str, line: usize) {
        self.at(
            pointer,
            STATED_TWICE,
            format!("the {what} {} is there already", quote(name)),
            format!("it is there first in line {line}; name one of them differently"),
        );
    }
}
