//! What servers offer, as a policy to start from needs it: with the grades that a person gave.
//! Calls nothing.

use std::sync::Arc;

use clap::Args;
use toolcontract_protocol::ToolContract;
use toolcontract_runtime::{
    mcp::{
        client::{Connection, Offered},
        starter::{Offer, starter},
    },
    process::Environment,
};

use super::{
    Failure,
    contracts::Contracts,
    upstream::{Asked, Place, ServerArgs, ask},
};

/// Arguments of `policy init` about servers.
#[derive(Debug, Args)]
pub(super) struct ServedArgs {
    #[command(flatten)]
    servers: ServerArgs,
    /// What policies call the server: its tools are `mcp__NAME__TOOL` there
    #[arg(long, default_value = "server", conflicts_with = "servers")]
    name: String,
    /// A variable that the server may see beside the ordinary ones; may be given more than once
    #[arg(long, value_name = "NAME")]
    pass_env: Vec<String>,
}

/// What servers offer, in the order of their names.
pub(super) struct Offers {
    offers: Vec<(String, Offered)>,
    /// Why other servers offer nothing.
    pub(super) failed: Vec<Failure>,
}

impl ServedArgs {
    pub(super) fn is_empty(&self) -> bool {
        self.servers.is_empty()
    }

    /// Asks the servers; what of them is adopted, the workspace of `contracts` knows.
    pub(super) fn ask(&self, contracts: &Contracts) -> Result<Offers, Failure> {
        let place = Place {
            folder: Some(contracts.root().to_owned()),
            environment: Environment::inherited(self.pass_env.iter().map(String::as_str)),
        };
        let servers = self.servers.configured(&self.name, place)?;
        let asked = ask(servers, |server: Arc<Connection>| async move {
            server.offered().await
        })?;
        let Asked {
            answers: mut offers,
            failed,
        } = asked.some()?;
        if let Some(ledger) = contracts.ledger()? {
            for (_, offered) in &mut offers {
                let tools = std::mem::take(&mut offered.tools).into_iter();
                offered.tools = tools.map(|tool| tool.graded(&ledger)).collect();
            }
        }
        match offers.iter().all(|(_, offered)| offered.tools.is_empty()) {
            true => {
                Err("no server offers a tool, so there is nothing to write a policy about".into())
            }
            false => Ok(Offers { offers, failed }),
        }
    }
}

impl Offers {
    pub(super) fn contracts(&self) -> impl Iterator<Item = &ToolContract> {
        let tools = self.offers.iter().flat_map(|(_, offered)| &offered.tools);
        tools.map(|tool| &tool.contract)
    }

    /// The policy.
    pub(super) fn starter(&self) -> String {
        let offers = self.offers.iter().map(|(server, offered)| Offer {
            server,
            tools: &offered.tools,
            refused: &offered.refused,
        });
        starter(&offers.collect::<Vec<_>>())
    }
}
