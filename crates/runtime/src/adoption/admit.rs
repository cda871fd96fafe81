//! Puts script tools into a registry, each as it stands: adopted ones with their grade, the others
//! withheld, or as what they claim to be where the operator lets them.

use std::path::Path;

use super::{Ledger, Pin, Pinned, Standing, Withheld, standing};
use crate::{
    process::Environment,
    registry::Builder,
    script::{Script, ScriptTool},
};

/// On which terms script tools are let in.
#[derive(Debug)]
pub struct Terms<'a> {
    /// The workspace in which they run.
    pub root: &'a Path,
    /// What their commands find in the environment.
    pub environment: Environment,
    /// The ledger; without one nothing is adopted.
    pub ledger: Option<Ledger>,
    /// Whether tools that nobody has adopted may be called: at risk `high` or worse, and relied on
    /// for nothing. Tools that differ from what was adopted may not in any case.
    pub unadopted: bool,
}

/// What became of one script tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Admitted {
    /// The tool.
    pub name: String,
    /// How it stands.
    pub standing: Standing,
    /// Whether calls are let through to policy.
    pub callable: bool,
}

/// Registers `scripts` in `builder` on `terms`, and says what became of each. A tool whose files
/// cannot be used is not registered.
#[must_use]
pub fn admit(
    mut builder: Builder,
    scripts: Vec<Script>,
    terms: &Terms<'_>,
) -> (Builder, Vec<Admitted>) {
    let mut all = Vec::new();
    let mut withheld = Vec::new();
    for script in scripts {
        let name = script.contract.name.clone();
        let environment = terms.environment.clone();
        let claimed = script.contract.clone();
        let tool = ScriptTool::new(script.clone(), claimed, terms.root, environment.clone());
        let tool = match tool {
            Ok(tool) => tool,
            Err(error) => {
                all.push(Admitted {
                    name,
                    standing: Standing::Unknown(error.to_string()),
                    callable: false,
                });
                continue;
            }
        };
        let pin = Pin::of_script(&script, &tool);
        let stands = match &terms.ledger {
            Some(ledger) => standing(ledger, &script.contract, &pin),
            None => Standing::Unadopted,
        };
        let callable = match (&stands, &terms.ledger) {
            (Standing::Adopted(contract, digest), Some(ledger)) => {
                let contract = contract.as_ref().clone();
                let tool = tool.under(contract.clone());
                let tool = Pinned::new(tool, &name, digest, ledger.clone());
                builder = builder.dyn_tool(contract.provenance.clone(), contract, tool);
                true
            }
            (other, _) => {
                let contract = script.contract.clone();
                builder = builder.dyn_tool(contract.provenance.clone(), contract, tool);
                terms.unadopted && *other == Standing::Unadopted && !is_by_machine(&script)
            }
        };
        if !callable {
            withheld.push((name.clone(), stands.to_string()));
        }
        all.push(Admitted {
            name,
            standing: stands,
            callable,
        });
    }
    (builder.operator(Withheld::new(withheld)), all)
}

/// What a machine wrote, no operator lets in as a whole: a person looks at each.
fn is_by_machine(script: &Script) -> bool {
    script.manifest.foundry.is_some()
}
