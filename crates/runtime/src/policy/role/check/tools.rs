//! The tools that rules are about, each with its input schema in normal form. That form is made
//! once, however many rules are about the tool.

use std::{collections::BTreeMap, sync::Arc};

use serde_json::Value;
use toolcontract_protocol::ToolContract;
use toolcontract_schema::{Bundle, normal::normalize};

/// A tool with its input schema in normal form.
#[derive(Debug)]
pub(super) struct Tool<'c> {
    pub(super) name: &'c str,
    pub(super) schema: Value,
}

/// Every tool, made when a rule with a condition asks for it.
pub(super) struct Tools<'c> {
    contracts: &'c [&'c ToolContract],
    made: BTreeMap<usize, Arc<Tool<'c>>>,
}

impl<'c> Tools<'c> {
    pub(super) fn of(contracts: &'c [&'c ToolContract]) -> Self {
        Self {
            contracts,
            made: BTreeMap::new(),
        }
    }

    /// The tools at these places among the contracts.
    pub(super) fn at(&mut self, places: &[usize]) -> Vec<Arc<Tool<'c>>> {
        let contracts = self.contracts;
        let tools = places.iter().filter_map(|place| {
            let contract = contracts.get(*place)?;
            let tool = self.made.entry(*place).or_insert_with(|| {
                let bundle = Bundle {
                    schema: contract.input_schema.clone(),
                    shared: BTreeMap::new(),
                };
                Arc::new(Tool {
                    name: &contract.name,
                    schema: normalize(&bundle).map_or(bundle.schema, |normal| normal.schema),
                })
            });
            Some(Arc::clone(tool))
        });
        tools.collect()
    }
}
