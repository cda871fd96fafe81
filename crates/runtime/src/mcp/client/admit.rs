//! Tools of servers as they stand in the ledger: adopted ones with the grade that a person gave
//! them, those that are not what was adopted withheld, the rest as what they claim to be.

use std::fmt;

use super::offer::Tool;
use crate::{
    adoption::{Ledger, Pin, Pinned, Standing, Withheld, standing},
    registry::Builder,
};

/// A tool that nobody may call.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    /// The name of its contract.
    pub name: String,
    /// Why.
    pub standing: Standing,
}

impl Held {
    /// Why, and what to do, in one sentence.
    fn reason(&self) -> String {
        match &self.standing {
            Standing::Changed(_) => format!(
                "it changed since it was adopted; run `toolgate adopt {} -- ...` to look at it again",
                self.name
            ),
            standing => standing.to_string(),
        }
    }
}

/// The reason; a difference follows line by line.
impl fmt::Display for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason())?;
        match &self.standing {
            Standing::Changed(difference) => write!(f, ":\n{difference}"),
            _ => Ok(()),
        }
    }
}

impl Tool {
    /// What is pinned when the tool is adopted.
    #[must_use]
    pub fn pin(&self) -> Pin {
        Pin {
            definition: self.definition.clone(),
            files: Vec::new(),
            server: Some(self.server.clone()),
        }
    }

    /// The same tool with the grade that it has in `ledger`, where it is what was adopted.
    #[must_use]
    pub fn graded(self, ledger: &Ledger) -> Self {
        match standing(ledger, &self.contract, &self.pin()) {
            Standing::Adopted(contract, _) => self.with_contract(*contract),
            _ => self,
        }
    }
}

/// Registers `tools` in `builder` as they stand in `ledger`, and says which are withheld. A tool
/// that nobody has adopted may be called, at risk `high` or worse and relied on for nothing, unless
/// `adopted_only` is set; one that is not what was adopted may not in any case.
#[must_use]
pub fn admit(
    mut builder: Builder,
    tools: Vec<Tool>,
    ledger: &Ledger,
    adopted_only: bool,
) -> (Builder, Vec<Held>) {
    let mut held = Vec::new();
    for tool in tools {
        let name = tool.contract.name.clone();
        match standing(ledger, &tool.contract, &tool.pin()) {
            Standing::Adopted(contract, digest) => {
                let tool = tool.with_contract(*contract);
                let provenance = tool.contract.provenance.clone();
                let pinned = Pinned::new(tool.remote, &name, &digest, ledger.clone());
                builder = builder.dyn_tool(provenance, tool.contract, pinned);
            }
            Standing::Unadopted if !adopted_only => builder = tool.register(builder),
            standing => {
                held.push(Held { name, standing });
                builder = tool.register(builder);
            }
        }
    }
    let reasons = held.iter().map(|held| (held.name.clone(), held.reason()));
    let changed = held
        .iter()
        .filter(|held| matches!(held.standing, Standing::Changed(_)))
        .map(|held| held.name.clone());
    let withheld = Withheld::new(reasons)
        .called("adoption-of-served")
        .with_changed(changed);
    (withheld.add_to(builder), held)
}
