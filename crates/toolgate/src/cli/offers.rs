//! What servers offer now, as policies are made of it and held against it: with the grades that a
//! person gave. Calls nothing.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write,
    sync::Arc,
};

use clap::Args;
use toolcontract_protocol::ToolContract;
use toolcontract_runtime::{
    adoption::{Standing, standing},
    mcp::{
        client::{Configured, Connection, Held, Offered},
        starter::{Offer, starter},
    },
    process::Environment,
};

use super::{
    Exit, Failure, Io,
    contracts::Contracts,
    upstream::{Asked, Place, ServerArgs, ask, not_served},
};

/// Arguments about servers that are asked for their tools.
#[derive(Debug, Args)]
pub(super) struct ServedArgs {
    #[command(flatten)]
    servers: ServerArgs,
    /// What policies call the server: its tools are `mcp__NAME__TOOL` there
    #[arg(long, default_value = "server", conflicts_with = "servers")]
    name: String,
    #[command(flatten)]
    pass: PassArgs,
}

/// What a server that is started sees.
#[derive(Debug, Args)]
pub(super) struct PassArgs {
    /// A variable that the server may see beside the ordinary ones; may be given more than once
    #[arg(long, value_name = "NAME")]
    pass_env: Vec<String>,
}

/// What servers offer, in the order of their names.
pub(super) struct Offers {
    offers: Vec<(String, Offered)>,
    /// Tools that are withheld, whatever a policy says, and why.
    withheld: BTreeMap<String, String>,
    /// Why other servers offer nothing.
    failed: Vec<Failure>,
}

impl PassArgs {
    /// What a server gets that is started for the workspace of `contracts`.
    pub(super) fn place(&self, contracts: &Contracts) -> Place {
        Place {
            folder: Some(contracts.root().to_owned()),
            environment: Environment::inherited(self.pass_env.iter().map(String::as_str)),
        }
    }
}

impl ServedArgs {
    /// What the servers offer; none where none is named.
    pub(super) fn ask(&self, contracts: &Contracts) -> Result<Option<Offers>, Failure> {
        if self.servers.is_empty() {
            return Ok(None);
        }
        let place = self.pass.place(contracts);
        let servers = self.servers.configured(&self.name, place)?;
        Offers::of(servers, contracts).map(Some)
    }
}

impl Offers {
    /// Asks `servers`; what of them is adopted, the workspace of `contracts` knows.
    ///
    /// # Errors
    /// When none of them answers.
    pub(super) fn of(servers: Vec<Configured>, contracts: &Contracts) -> Result<Self, Failure> {
        let asked = ask(servers, |server: Arc<Connection>| async move {
            server.offered().await
        })?;
        let Asked {
            answers: mut offers,
            failed,
        } = asked.some()?;
        let mut withheld = BTreeMap::new();
        if let Some(ledger) = contracts.ledger()? {
            for tool in offers
                .iter_mut()
                .flat_map(|(_, offered)| &mut offered.tools)
            {
                match standing(&ledger, &tool.contract, &tool.pin()) {
                    Standing::Adopted(contract, _) => tool.contract = *contract,
                    Standing::Unadopted => {}
                    standing => {
                        let name = tool.contract.name.clone();
                        let held = Held {
                            name: name.clone(),
                            standing,
                        };
                        let why = held.to_string();
                        let why = why.lines().next().unwrap_or_default();
                        withheld.insert(name, why.trim_end_matches(':').to_owned());
                    }
                }
            }
        }
        Ok(Self {
            offers,
            withheld,
            failed,
        })
    }

    /// The servers that answered.
    pub(super) fn servers(&self) -> BTreeSet<String> {
        self.offers.iter().map(|(name, _)| name.clone()).collect()
    }

    /// What their tools are.
    pub(super) fn contracts(&self) -> impl Iterator<Item = &ToolContract> {
        let tools = self.offers.iter().flat_map(|(_, offered)| &offered.tools);
        tools.map(|tool| &tool.contract)
    }

    /// Why the tool is withheld, whatever a policy says.
    pub(super) fn withheld(&self, tool: &str) -> Option<&str> {
        self.withheld.get(tool).map(String::as_str)
    }

    /// The policy to start from.
    pub(super) fn starter(&self) -> String {
        let offers = self.offers.iter().map(|(server, offered)| Offer {
            server,
            tools: &offered.tools,
            refused: &offered.refused,
        });
        starter(&offers.collect::<Vec<_>>())
    }

    /// Says which tools are not served, by name: no rule on one of them ever holds.
    pub(super) fn tell_refused(&self, err: &mut dyn Write) -> std::io::Result<()> {
        for (server, offered) in &self.offers {
            for refused in &offered.refused {
                writeln!(err, "{}", not_served(server, refused))?;
            }
        }
        Ok(())
    }

    /// How a command ends that would end in `exit`: it failed where a server did not answer, and
    /// says so.
    pub(super) fn end(&self, exit: Exit, io: &mut Io<'_>) -> Exit {
        for failure in &self.failed {
            io.error(failure);
        }
        match self.failed.is_empty() {
            true => exit,
            false => Exit::Failed,
        }
    }
}
