//! `toolgate list`: the tools that a caller may use, with the facts that decide about them.
//! Calls nothing.

use std::io;

use clap::Args;
use serde_json::{Value, json};
use toolcontract_manifest::text::escape;
use toolcontract_protocol::{Provenance, ToolContract};
use toolcontract_runtime::registry::Registry;

use super::{Exit, Failure, Governance, Io};

/// Arguments of `list`.
#[derive(Debug, Args)]
pub struct List {
    #[command(flatten)]
    governance: Governance,
    /// Print JSON: the contracts in their wire form, and whether a gate withholds each
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) fn run(&self, io: &mut Io<'_>) -> Result<Exit, Failure> {
        let registry = self.governance.builder_telling(io.err)?.build()?;
        let principal = &self.governance.caller.principal;
        let is_withheld = |contract: &ToolContract| {
            let mut offered = registry.offered(principal);
            !offered.any(|offer| offer.name == contract.name)
        };
        if self.json {
            let all = registry
                .contracts()
                .map(|contract| json!({ "contract": contract, "withheld": is_withheld(contract) }));
            let all = Value::Array(all.collect());
            serde_json::to_writer_pretty(&mut *io.out, &all)?;
            writeln!(io.out)?;
        } else {
            print(&registry, is_withheld, io)?;
        }
        Ok(Exit::Clean)
    }
}

fn print(
    registry: &Registry,
    is_withheld: impl Fn(&ToolContract) -> bool,
    io: &mut Io<'_>,
) -> io::Result<()> {
    let width = registry.contracts().map(|c| c.name.chars().count()).max();
    let width = width.unwrap_or_default();
    for contract in registry.contracts() {
        let name = escape(&contract.name);
        let risk = contract.effective_risk().as_str();
        let mut facts = vec![match &contract.provenance {
            Provenance::Builtin => "builtin",
            Provenance::Adopted { .. } => "adopted",
            Provenance::Declared => "declared",
        }];
        facts.extend(contract.trusted_read_only().then_some("read-only"));
        facts.extend(contract.requires_approval.then_some("asks a person"));
        facts.extend(is_withheld(contract).then_some("withheld"));
        writeln!(io.out, "{name:width$}  {risk:11}  {}", facts.join(", "))?;
    }
    Ok(())
}
