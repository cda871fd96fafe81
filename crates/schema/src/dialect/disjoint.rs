//! Whether alternatives exclude each other, so that "exactly one" need not be said.

use serde_json::Value;

type Node = serde_json::Map<String, Value>;

/// Whether no value can satisfy two of the nodes: by type, or by a member that tells them apart.
pub fn disjoint(nodes: &[Node]) -> bool {
    let pairs = nodes
        .iter()
        .enumerate()
        .flat_map(|(i, a)| nodes.iter().skip(i + 1).map(move |b| (a, b)));
    pairs.into_iter().all(|(a, b)| apart(a, b))
}

fn apart(a: &Node, b: &Node) -> bool {
    let types = |n: &Node| -> Vec<String> {
        match n.get("type") {
            Some(Value::String(t)) => vec![t.clone()],
            Some(Value::Array(ts)) => ts
                .iter()
                .filter_map(|t| t.as_str().map(str::to_owned))
                .collect(),
            _ => Vec::new(),
        }
    };
    let (ta, tb) = (types(a), types(b));
    let same = |x: &String, y: &String| x == y || (is_number(x) && is_number(y));
    if !ta.is_empty() && !tb.is_empty() && !ta.iter().any(|x| tb.iter().any(|y| same(x, y))) {
        return true;
    }
    if let (Some(va), Some(vb)) = (choices(a), choices(b))
        && !va.iter().any(|v| vb.contains(v))
    {
        return true;
    }
    let required = |n: &Node, name: &str| {
        n.get("required")
            .and_then(Value::as_array)
            .is_some_and(|r| r.iter().any(|x| x == name))
    };
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
