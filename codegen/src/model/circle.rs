//! Circles among names that refer to each other.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::{Graph, algo::kosaraju_scc, graph::NodeIndex};

/// Of each name, those that it refers to and that lead back to it.
#[must_use]
pub fn circular(edges: &BTreeMap<&str, BTreeSet<String>>) -> BTreeMap<String, BTreeSet<String>> {
    let mut graph: Graph<&str, ()> = Graph::new();
    let nodes: BTreeMap<&str, NodeIndex> = edges
        .keys()
        .map(|name| (*name, graph.add_node(name)))
        .collect();
    for (from, targets) in edges {
        for to in targets {
            if let (Some(from), Some(to)) = (nodes.get(from), nodes.get(to.as_str())) {
                graph.add_edge(*from, *to, ());
            }
        }
    }
    let mut found = BTreeMap::new();
    for circle in kosaraju_scc(&graph) {
        let members: BTreeSet<&str> = circle
            .iter()
            .filter_map(|node| graph.node_weight(*node).copied())
            .collect();
        for from in &members {
            let targets = edges.get(from).into_iter().flatten();
            let back: BTreeSet<String> = targets
                .filter(|to| members.contains(to.as_str()))
                .cloned()
                .collect();
            if !back.is_empty() {
                found.insert((*from).to_owned(), back);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_leads_back_is_told() {
        let edges: BTreeMap<&str, BTreeSet<String>> = [
            ("a", "bc"),
            ("b", "a"),
            ("c", "d"),
            ("d", ""),
            ("e", "ea"),
            ("f", "x"),
        ]
        .into_iter()
        .map(|(from, to)| (from, to.chars().map(String::from).collect()))
        .collect();
        let told: Vec<String> = circular(&edges)
            .into_iter()
            .flat_map(|(from, to)| to.into_iter().map(move |to| format!("{from}{to}")))
            .collect();
        assert_eq!(told, ["ab", "ba", "ee"]);
    }
}
