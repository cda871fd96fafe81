//! The Cedar schema of a set of contracts.

use serde_json::{Map, Value, json};
use toolcontract_protocol::ToolContract;

use crate::shape::Shape;

/// The types of principals, as in Cedar: `User::"user"`, `Role::"reviewer"`.
pub(crate) const PRINCIPALS: [&str; 5] = ["User", "Role", "SubAgent", "Host", "Plugin"];

/// The Cedar schema of `contracts`, in Cedar's JSON form: for people who write policies, and for
/// Cedar's own tools.
///
/// Principals are `User::"user"`, `Role::ID`, `SubAgent::ID`, `Host::ID` and `Plugin::ID`. Each
/// tool is an action of its name, in the action group `group:NAME` of its policy group. The
/// resource is `Tool::NAME` with the facts of the contract. The context has the arguments as
/// `context.input`. Numbers that are no integers are decimals; lists are sets.
#[must_use]
pub fn schema<'c>(contracts: impl IntoIterator<Item = &'c ToolContract>) -> Value {
    let mut actions = Map::new();
    for contract in contracts {
        let mut action = json!({
            "appliesTo": {
                "principalTypes": PRINCIPALS,
                "resourceTypes": ["Tool"],
                "context": { "type": "Record", "attributes": {
                    "input": Shape::of_input(&contract.input_schema).to_cedar(),
                } },
            },
        });
        if let (Some(group), Some(action)) = (group(contract), action.as_object_mut()) {
            let group = format!("group:{group}");
            action.insert("memberOf".to_owned(), json!([{ "id": group }]));
            actions.entry(group).or_insert_with(|| json!({}));
        }
        actions.insert(contract.name.clone(), action);
    }
    let mut entities: Map<String, Value> = PRINCIPALS
        .iter()
        .map(|name| ((*name).to_owned(), json!({})))
        .collect();
    let attribute = |name: &str| json!({ "type": name, "required": true });
    entities.insert(
        "Tool".to_owned(),
        json!({ "shape": { "type": "Record", "attributes": {
            "risk": attribute("String"),
            "read_only": attribute("Boolean"),
            "idempotent": attribute("Boolean"),
            "additive": attribute("Boolean"),
            "open_world": attribute("Boolean"),
            "requires_approval": attribute("Boolean"),
            "provenance": attribute("String"),
            "version": attribute("Long"),
        } } }),
    );
    json!({ "": { "entityTypes": entities, "actions": actions } })
}

/// The policy group, where it may be relied on.
fn group(contract: &ToolContract) -> Option<&str> {
    contract
        .group
        .as_deref()
        .filter(|_| contract.provenance.is_trusted())
}
