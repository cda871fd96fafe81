//! From what a file says to roles and rules. Knows no contract.

mod when;

use std::collections::{BTreeSet, HashMap};

use toolcontract_manifest::fault::quote;
use toolcontract_schema::pointer::join;

use super::{
    fault::{self, Faults},
    file::{EffectWord, PolicyFile, RoleText, RuleText},
    late::Late,
    rule::{Effect, For, MAX_ROLES, Role, Roles, Rule},
    select::Selection,
    subject::Subject,
};
use crate::policy::name::NamePattern;
use when::condition;

/// What a file says.
pub(super) struct Compiled {
    pub(super) late: Late,
    pub(super) roles: Vec<Role>,
    pub(super) rules: Vec<Rule>,
}

/// The roles and rules of a file, beside `servers` of which all tools are known. A part that is
/// wrong is told and left out.
pub(super) fn compile(
    file: &PolicyFile,
    servers: &BTreeSet<String>,
    faults: &mut Faults<'_>,
) -> Compiled {
    let late = late(&file.late_tools, servers, faults);
    if file.role.is_empty() {
        faults.nothing(fault::NO_ROLES, "role");
    }
    if file.rule.is_empty() {
        faults.nothing(fault::NO_RULES, "rule");
    }
    if file.role.len() > MAX_ROLES {
        let message = format!("there are more than {MAX_ROLES} roles");
        faults.at("/role", fault::TOO_MANY_ROLES, message, "put some together");
    }
    let mut roles: Vec<Role> = Vec::new();
    for (index, text) in file.role.iter().take(MAX_ROLES).enumerate() {
        let role = role(text, &format!("/role/{index}"), faults);
        let place = format!("/role/{index}/name");
        check_name(&role.name, &place, "role", faults);
        if let Some(first) = roles.iter().find(|first| first.name == role.name) {
            faults.twice(&place, "role", &role.name, first.line);
        }
        roles.push(role);
    }
    let mut rules: Vec<Rule> = Vec::new();
    let mut lines: HashMap<&str, usize> = HashMap::new();
    for (index, text) in file.rule.iter().enumerate() {
        let mut rule = rule(text, &format!("/rule/{index}"), &roles, faults);
        rule.selection.has_late = rule.selection.tools.iter().any(|tool| late.has(tool));
        let place = format!("/rule/{index}/id");
        check_name(&rule.id, &place, "rule", faults);
        match lines.get(text.id.as_str()) {
            Some(first) => faults.twice(&place, "rule", &rule.id, *first),
            None => {
                lines.insert(&text.id, rule.line);
            }
        }
        rules.push(rule);
    }
    Compiled { late, roles, rules }
}

fn late(entries: &[String], servers: &BTreeSet<String>, faults: &mut Faults<'_>) -> Late {
    let mut late = Late::beside(servers);
    for (index, entry) in entries.iter().enumerate() {
        if let Err(error) = late.add(entry) {
            faults.at(
                &format!("/late_tools/{index}"),
                fault::INVALID_LATE_TOOL,
                format!("{} lists no tools that come later", quote(entry)),
                error.to_string(),
            );
        }
    }
    late
}

fn check_name(name: &str, place: &str, what: &str, faults: &mut Faults<'_>) {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if name.is_empty() || name.len() > 64 || !name.chars().all(fits) {
        faults.at(
            place,
            fault::INVALID_NAME,
            format!("{} is no name of a {what}", quote(name)),
            "a name has 1 to 64 of the characters A-Z a-z 0-9 _ - .",
        );
    }
}

fn role(text: &RoleText, place: &str, faults: &mut Faults<'_>) -> Role {
    let list = join(place, "principals");
    if text.principals.is_empty() {
        empty(&list, "nobody has the role", faults);
    }
    Role {
        name: text.name.clone(),
        ceiling: text.risk_ceiling,
        subjects: subjects(&text.principals, &list, &[], faults),
        line: line(&join(place, "name"), faults),
    }
}

fn line(place: &str, faults: &Faults<'_>) -> usize {
    let document = faults.document;
    document.position(document.span(place).start).line
}

fn empty(place: &str, what: &str, faults: &mut Faults<'_>) {
    let help = "name something, or take the key away";
    faults.at(
        place,
        fault::EMPTY_LIST,
        format!("the list is empty: {what}"),
        help,
    );
}

fn subjects(
    labels: &[String],
    place: &str,
    roles: &[Role],
    faults: &mut Faults<'_>,
) -> Vec<Subject> {
    let labels = labels.iter().enumerate();
    labels
        .filter_map(|(index, label)| {
            subject(label, &join(place, &index.to_string()), roles, faults)
        })
        .collect()
}

fn subject(label: &str, place: &str, roles: &[Role], faults: &mut Faults<'_>) -> Option<Subject> {
    let subject = Subject::parse(label);
    if subject.is_none() {
        let help = match roles.iter().any(|role| role.name == label) {
            true => format!("it is the name of a role: write {} under `roles`", quote(label)),
            false => "write `user`, `role:ID`, `subagent:ID`, `host:ID` or `plugin:ID`; `KIND:*` is every one of a kind, `*` everybody".to_owned(),
        };
        let message = format!("{} names no principal", quote(label));
        faults.at(place, fault::INVALID_PRINCIPAL, message, help);
    }
    subject
}

fn rule(text: &RuleText, place: &str, roles: &[Role], faults: &mut Faults<'_>) -> Rule {
    let effect = match text.effect {
        EffectWord::Allow => Effect::Allow,
        EffectWord::Ask => Effect::Ask,
        EffectWord::Deny => Effect::Deny,
    };
    let lists = [
        ("roles", &text.roles),
        ("principals", &text.principals),
        ("tools", &text.tools),
        ("groups", &text.groups),
        ("events", &text.events),
    ];
    for (key, list) in lists {
        if list.as_ref().is_some_and(Vec::is_empty) {
            empty(&join(place, key), "the rule would never match", faults);
        }
    }
    Rule {
        id: text.id.clone(),
        traced: format!("rule:{}", text.id).into(),
        effect,
        who: who(text, effect, place, roles, faults),
        selection: selection(text, place, faults),
        when: text
            .when
            .as_ref()
            .and_then(|when| condition(when, join(place, "when"), faults)),
        reason: text.reason.clone(),
        line: line(&join(place, "id"), faults),
        place: place.to_owned(),
    }
}

fn who(
    text: &RuleText,
    effect: Effect,
    place: &str,
    roles: &[Role],
    faults: &mut Faults<'_>,
) -> For {
    if text.roles.is_none() && text.principals.is_none() {
        if effect != Effect::Deny {
            faults.at(
                &join(place, "id"),
                fault::FOR_NOBODY,
                "the rule grants something and does not say to whom",
                "add `roles` or `principals`; `principals = [\"*\"]` is everybody",
            );
        }
        return For {
            roles: 0,
            subjects: vec![Subject::Everybody],
        };
    }
    let mut bits: Roles = 0;
    for (index, name) in text.roles.iter().flatten().enumerate() {
        let place = format!("{place}/roles/{index}");
        match roles.iter().position(|role| role.name == *name) {
            Some(bit) => bits |= 1 << bit,
            None if Subject::parse(name).is_some() => faults.at(
                &place,
                fault::UNKNOWN_ROLE,
                format!("there is no role {}", quote(name)),
                "it is a label of principals: write it under `principals`, which is beside `roles`",
            ),
            None => faults.unknown(
                &place,
                fault::UNKNOWN_ROLE,
                "role",
                name,
                roles.iter().map(|role| role.name.as_str()),
            ),
        }
    }
    let mut subjects = Vec::new();
    for (index, label) in text.principals.iter().flatten().enumerate() {
        let place = format!("{place}/principals/{index}");
        let Some(subject) = subject(label, &place, roles, faults) else {
            continue;
        };
        let knows = |of: &Subject| of.covers(&subject) || subject.covers(of);
        let is_known = roles.iter().any(|role| role.subjects.iter().any(knows));
        if !is_known && !roles.is_empty() {
            faults.at(
                &place,
                fault::UNBOUND_PRINCIPAL,
                format!("no role knows the principal {}", quote(label)),
                "add the principal to a `[[role]]`, which says its ceiling",
            );
        }
        subjects.push(subject);
    }
    For {
        roles: bits,
        subjects,
    }
}

fn selection(text: &RuleText, place: &str, faults: &mut Faults<'_>) -> Selection {
    if text.tools.is_none() && text.groups.is_none() && text.events.is_none() {
        faults.at(
            &join(place, "id"),
            fault::ABOUT_NOTHING,
            "the rule does not say which tools it is about",
            "add `tools`, `groups` or `events`; `tools = [\"*\"]` is every tool",
        );
    }
    let mut tools = Vec::new();
    for (index, name) in text.tools.iter().flatten().enumerate() {
        match NamePattern::parse(name) {
            Ok(pattern) => tools.push(pattern),
            Err(error) => faults.at(
                &format!("{place}/tools/{index}"),
                fault::UNKNOWN_TOOL,
                format!("{} can be no tool", quote(name)),
                error.to_string(),
            ),
        }
    }
    Selection {
        tools,
        groups: text.groups.clone().unwrap_or_default(),
        events: text.events.clone().unwrap_or_default(),
        facts: text.facts,
        has_late: false,
    }
}
