//! Whether alternatives exclude each other, so that "exactly one" need not be said.

use serde_json::Value;

use crate::keyword::{names, types};

type Node = serde_json::Map<String, Value>;

/// Whether no value can satisfy two of the nodes: by type, or by a member that tells them apart.
pub fn disjoint(nodes: &[Node]) -> bool {
    let pairs = nodes
        .iter()
        .enumerate()
        .flat_map(|(i, a)| nodes.iter().skip(i + 1).map(move |b| (a, b)));
    pairs.into_iter().all(|(a, b)| apart(a, b))
}

fn apart<'a>(a: &'a Node, b: &'a Node) -> bool {
    let typed = |node: &'a Node| types(node.get("type")).collect::<Vec<_>>();
    let (ta, tb) = (typed(a), typed(b));
    let same = |x: &str, y: &str| x == y || (is_number(x) && is_number(y));
    if !ta.is_empty() && !tb.is_empty() && !ta.iter().any(|x| tb.iter().any(|y| same(x, y))) {
        return true;
    }
    if let (Some(va), Some(vb)) = (choices(a), choices(b))
        && !va.iter().any(|v| vb.contains(v))
    {
        return true;
    }
    let required = |node: &Node, name: &str| names(node.get("required")).any(|one| one == name);
    let properties = |n: &Node| {
        n.get("properties")
            .and_then(Value::as_object)
            .cloned()
            .unwrap_or_default()
    };
    let theirs = properties(b);
    properties(a).iter().any(|(name, ours)| {
        let (Some(x), Some(y)) = (
            ours.as_object().and_then(choices),
            theirs
                .get(name)
                .and_then(Value::as_object)
                .and_then(choices),
        ) else {
            return false;
        };
        required(a, name) && required(b, name) && !x.iter().any(|v| y.contains(v))
    })
}

fn is_number(name: &str) -> bool {
    name == "number" || name == "integer"
}

/// The only values that a node accepts, where it lists them.
fn choices(node: &Node) -> Option<Vec<Value>> {
    node.get("const")
        .map(|c| vec![c.clone()])
        .or_else(|| node.get("enum").and_then(Value::as_array).cloned())
}
