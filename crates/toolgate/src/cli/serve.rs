//! `toolgate serve`: the serve wire for hosts that run their own tools. There is no model in this
//! program: the engine plays the calls that a body lists under `script`. Refuses to start without
//! a token.

use std::{
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
    time::Duration,
};

use clap::Args;
use tokio_util::sync::CancellationToken;
use toolcontract_runtime::{
    hosts::HostName,
    serve::{Listening, Scripted, ServeLimits, Server, Token},
};

use super::{Exit, Failure, Io, Rules, interrupt::interrupted};
use crate::tools::catalog_events;

/// Arguments of `serve`.
#[derive(Debug, Args)]
pub struct Serve {
    // Of a served session the body that opens it says who calls, and its tools are the host's.
    #[command(flatten)]
    rules: Rules,
    /// Where to listen; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    bind: SocketAddr,
    /// Serve only who sends the token in this file
    #[arg(long, value_name = "FILE")]
    token_file: PathBuf,
    /// A host under which clients know the server, such as `tools.example`, or `tools.example:8080`
    /// where only that port counts; may be given more than once
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<HostName>,
    /// How many turns may run at once
    #[arg(long, value_name = "COUNT")]
    max_turns: Option<usize>,
    /// How many sessions there may be
    #[arg(long, value_name = "COUNT")]
    max_sessions: Option<usize>,
    /// How long a turn waits for a host that is not connected
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=300))]
    parked: Option<u64>,
}

impl Serve {
    pub(super) fn run(&self, io: &mut Io<'_>) -> Result<Exit, Failure> {
        let begin = self.rules.begin_telling(io.err)?;
        let token = token(&self.token_file)?;
        let events = catalog_events();
        let begin = move || begin().declare_events(&events);
        let server = Server::new(token, move |_| begin(), Scripted)
            .hosts(self.allow_host.clone())
            .limits(self.limits());
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()?;
        runtime.block_on(async {
            let listening = server
                .bind(self.bind)
                .await
                .map_err(|error| format!("`{}` cannot be listened on: {error}", self.bind))?;
            writeln!(io.err, "serving http://{}", listening.address())?;
            answer(listening).await;
            Ok(Exit::Clean)
        })
    }

    fn limits(&self) -> ServeLimits {
        let defaults = ServeLimits::default();
        ServeLimits {
            turns: self.max_turns.unwrap_or(defaults.turns),
            sessions: self.max_sessions.unwrap_or(defaults.sessions),
            parked: self.parked.map_or(defaults.parked, Duration::from_secs),
            ..defaults
        }
    }
}

/// Answers until somebody interrupts.
async fn answer(listening: Listening) {
    let end = CancellationToken::new();
    let interrupt = end.clone();
    tokio::spawn(async move {
        interrupted().await;
        interrupt.cancel();
    });
    listening.run(end).await;
}

fn token(path: &Path) -> Result<Token, Failure> {
    let text = fs::read_to_string(path)
        .map_err(|error| format!("`{}` cannot be read: {error}", path.display()))?;
    Token::new(text.trim()).map_err(|error| format!("`{}`: {error}", path.display()).into())
}
