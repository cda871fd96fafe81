//! What can be read of a file with faults in its shape, so that its other faults are told in the
//! same run. Makes no policy: of a role or a rule that was read in part, only its own words are
//! looked at, and nothing is told that may follow from what could not be read.

use std::{collections::BTreeSet, sync::Arc};

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use toolcontract_manifest::{Diagnostic, Document};
use toolcontract_protocol::ToolContract;

use super::{
    check,
    compile::{self, Compiled},
    fault::{Faults, Unread},
    file::{PolicyFile, RoleText, RuleText},
};

/// The keys of a policy.
const KEYS: [&str; 4] = ["$schema", "late_tools", "role", "rule"];

/// What is wrong with a file beside `findings`, which are about its shape.
pub(super) fn more(
    contracts: &[&ToolContract],
    servers: &BTreeSet<String>,
    findings: &[Diagnostic],
) -> Vec<Diagnostic> {
    let mut documents = findings.iter().filter_map(|found| found.document.as_ref());
    let read = |document| Some((document, read(document)?));
    let Some((document, (file, unread))) = documents.next().and_then(read) else {
        return Vec::new();
    };
    let mut faults = Faults::of_part(document, unread);
    let Compiled { late, roles, rules } = compile::compile(&file, servers, &mut faults);
    let checked = check::Checked {
        contracts,
        file: &file,
        late: &late,
        roles: &roles,
        rules: &rules,
    };
    checked.against(&mut faults);
    faults.findings
}

/// A file, and what of it could not be read. None where the text has no tree.
fn read(document: &Arc<Document>) -> Option<(PolicyFile, Unread)> {
    let root = document.root.to_json();
    let root = root.as_object()?;
    let mut parts = BTreeSet::new();
    // What is missing is such that nothing follows from it.
    let role = json!({ "name": "", "risk_ceiling": "destructive", "principals": ["*"] });
    let rule = json!({ "id": "", "effect": "deny", "reason": "" });
    let role: Vec<RoleText> = items(root, "role", &role, &mut parts);
    let rule: Vec<RuleText> = items(root, "rule", &rule, &mut parts);
    let has_other = root.keys().any(|key| !KEYS.contains(&key.as_str()));
    let is_unread = |key| match root.get(key) {
        Some(list) => !list.is_array(),
        // One of the others may be it, with a slip in its name.
        None => has_other,
    };
    let unread = Unread {
        roles: is_unread("role") || role.iter().any(|role| role.name.is_empty()),
        rules: is_unread("rule"),
        parts,
    };
    let file = PolicyFile {
        schema: None,
        late_tools: late_tools(root),
        role,
        rule,
    };
    Some((file, unread))
}

/// The roles or the rules, as far as each can be read. The places of those that cannot be read
/// whole are added to `parts`.
fn items<T: DeserializeOwned>(
    root: &Map<String, Value>,
    key: &str,
    base: &Value,
    parts: &mut BTreeSet<String>,
) -> Vec<T> {
    let list = root.get(key).and_then(Value::as_array);
    let items = list.into_iter().flatten().enumerate();
    let read = items.filter_map(|(at, item)| {
        T::deserialize(item).ok().or_else(|| {
            parts.insert(format!("/{key}/{at}"));
            part(base, item)
        })
    });
    read.collect()
}

/// What a `T` takes of `item`, key by key, on top of `base`.
fn part<T: DeserializeOwned>(base: &Value, item: &Value) -> Option<T> {
    let mut taken = base.as_object()?.clone();
    for (key, value) in item.as_object().into_iter().flatten() {
        let mut more = taken.clone();
        more.insert(key.clone(), value.clone());
        if T::deserialize(Value::Object(more.clone())).is_ok() {
            taken = more;
        }
    }
    T::deserialize(Value::Object(taken)).ok()
}

/// The tools that come later, also where they stand behind the head of a table, whose key they are
/// then: that is told, and what they say is meant all the same.
fn late_tools(root: &Map<String, Value>) -> Vec<String> {
    let lists = ["role", "rule"].map(|key| root.get(key).and_then(Value::as_array));
    let tables = lists.into_iter().flatten().flatten();
    let tables = [root]
        .into_iter()
        .chain(tables.filter_map(Value::as_object));
    let entries = tables.filter_map(|table| table.get("late_tools")?.as_array());
    let texts = entries.flatten().filter_map(Value::as_str);
    texts.map(str::to_owned).collect()
}
