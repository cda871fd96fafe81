//! The names of served tools, over all servers and tools that anybody may think of.

use std::collections::HashMap;

use proptest::prelude::*;
use toolcontract_runtime::mcp::client::{qualified, split};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// A name leads back to what it was made of, so no two tools have one.
    #[test]
    fn a_name_leads_back(server in "[ab_.-]{0,5}", tool in "(mcp__)?[ab_.-]{0,6}") {
        if let Some(name) = qualified(&server, &tool) {
            prop_assert_eq!(split(&name), Some((server.as_str(), tool.as_str())));
        }
    }

    /// And a text that leads somewhere is the name of that.
    #[test]
    fn what_leads_back_is_a_name(text in "mcp__[ab_]{0,8}") {
        if let Some((server, tool)) = split(&text) {
            prop_assert_eq!(qualified(server, tool), Some(text.clone()));
        }
    }
}

/// The same without chance: every short server with every short tool.
#[test]
fn no_two_short_pairs_meet() {
    let mut texts = vec![String::new()];
    for length in 0..4 {
        let longest: Vec<String> = texts
            .iter()
            .filter(|t| t.len() == length)
            .cloned()
            .collect();
        let longer = longest
            .iter()
            .flat_map(|t| ["a", "_", "b"].map(|c| format!("{t}{c}")));
        texts.extend(longer.collect::<Vec<_>>());
    }
    let mut seen = HashMap::new();
    for server in &texts {
        for tool in &texts {
            let Some(name) = qualified(server, tool) else {
                continue;
            };
            let before = seen.insert(name.clone(), (server, tool));
            assert_eq!(before, None, "{name} is also {server} and {tool}");
        }
    }
    assert!(seen.len() > 1_000, "{} names", seen.len());
}
