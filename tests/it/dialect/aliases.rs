//! Names that providers refuse get others, one for each.

use std::collections::{BTreeMap, BTreeSet};

use proptest::{prelude::*, test_runner::RngSeed};
use toolcontract_schema::dialect::{Dialect, Rules, tool_aliases};

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, rng_seed: RngSeed::Fixed(7), ..ProptestConfig::default() })]

    /// Injective, accepted by the provider, and the same whatever else is in the catalog.
    #[test]
    fn aliases_are_injective(names in prop::collection::btree_set(".{0,80}|[a-c._ -]{1,4}", 1..40)) {
        for dialect in Dialect::ALL {
            let aliases = tool_aliases(names.iter().map(String::as_str), dialect);
            prop_assert_eq!(aliases.len(), names.len());
            let distinct: BTreeSet<&String> = aliases.values().collect();
            prop_assert_eq!(distinct.len(), names.len());
            for alias in distinct {
                prop_assert!(Rules::of(dialect).tool_names.accept(alias), "{}: `{}`", dialect, alias);
            }
            let back: BTreeMap<&String, &String> = aliases.iter().map(|(name, alias)| (alias, name)).collect();
            prop_assert!(aliases.iter().all(|(name, alias)| back[alias] == name));
        }
    }
}
