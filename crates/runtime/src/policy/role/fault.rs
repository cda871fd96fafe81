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

/// What is told of a rule or a role that was read in part: what one of its own words says.
const OF_WORDS: [&str; 12] = [
    INVALID_NAME,
    STATED_TWICE,
    EMPTY_LIST,
    INVALID_PRINCIPAL,
    UNBOUND_PRINCIPAL,
    UNKNOWN_ROLE,
    UNKNOWN_TOOL,
    UNKNOWN_GROUP,
    UNKNOWN_EVENT,
    INVALID_LATE_TOOL,
    INVALID_CONDITION,
    INVALID_POINTER,
];

/// How many names are listed where none is near.
const LISTED: usize = 16;

/// Findings about one file.
#[derive(Debug)]
pub(super) struct Faults<'d> {
    pub(super) document: &'d Arc<Document>,
    pub(super) findings: Vec<Diagnostic>,
    /// The rules that have a finding, by their place in the file.
    faulty: BTreeSet<usize>,
    unread: Unread,
}

/// What of a file could not be read; nothing of one that has the right shape.
#[derive(Debug, Default)]
pub(super) struct Unread {
    /// Which roles there are is not known.
    pub(super) roles: bool,
    /// Nor which rules.
    pub(super) rules: bool,
    /// Pointers to the roles and rules that were read in part.
    pub(super) parts: BTreeSet<String>,
}

impl Unread {
    /// Whether what `rule` says of the value at `pointer` may follow from what could not be read.
    fn may_cause(&self, rule: &str, pointer: &str, document: &Document) -> bool {
        let of_roles = [NO_ROLES, UNKNOWN_ROLE, UNBOUND_PRINCIPAL];
        if (self.roles && of_roles.contains(&rule)) || (self.rules && rule == NO_RULES) {
            return true;
        }
        let is_in_part = ["/role/", "/rule/"].into_iter().any(|list| {
            let item = pointer
                .strip_prefix(list)
                .and_then(|rest| rest.split('/').next());
            item.is_some_and(|at| self.parts.contains(&format!("{list}{at}")))
        });
        if !is_in_part {
            return false;
        }
        let node = document.node(pointer);
        let is_name = [INVALID_NAME, STATED_TWICE].contains(&rule);
        !OF_WORDS.contains(&rule) || node.is_none_or(|node| is_name && node.as_str().is_none())
    }
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
            unread: Unread::default(),
        }
    }

    /// Of a file that was read in part.
    pub(super) fn of_part(document: &'d Arc<Document>, unread: Unread) -> Self {
        let faulty = unread.parts.iter().filter_map(|place| rule_of(place));
        Self {
            faulty: faulty.collect(),
            unread,
            ..Self::of(document)
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
        if self.unread.may_cause(rule, pointer, self.document) {
            return;
        }
        let span = self.document.span(pointer);
        let found = Diagnostic::error(rule, self.document, span, message);
        self.findings.push(found.help(help));
    }

    /// A policy that says nothing.
    pub(super) fn nothing(&mut self, rule: &'static str, what: &str) {
        if self.unread.may_cause(rule, "", self.document) {
            return;
        }
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
