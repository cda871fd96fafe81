//! The process that serves: it says where, and ends when its standard input does.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::SocketAddr,
    process::{Child, ChildStdin, Command, Stdio},
};

use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;
use toolcontract_protocol::frame::{AgentEvent, TurnOutcome};
use toolcontract_runtime::{
    authz::NoAuthz,
    registry::Registry,
    serve::{Driver, Scripted, ServeLimits, Server, Token, Turn, completed},
    tool::BoxFuture,
};
use wait4::Wait4 as _;

use crate::Failure;

/// The token of every bed.
pub const TOKEN: &str = "a-token-for-benches-only";

/// A process that serves.
pub struct Bed {
    pub address: SocketAddr,
    child: Child,
    input: ChildStdin,
}

impl Bed {
    /// Starts this program once more, as a server.
    ///
    /// # Errors
    /// When it does not start.
    pub fn start() -> Result<Self, Failure> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg("--served")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (Some(input), Some(output)) = (input, output) else {
            return Err("the server has no streams".into());
        };
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        Ok(Self {
            address: line.trim().parse()?,
            child,
            input,
        })
    }

    /// Ends it, and gives its peak memory in bytes.
    ///
    /// # Errors
    /// When it does not end well.
    pub fn end(mut self) -> Result<u64, Failure> {
        drop(self.input);
        let used = self.child.wait4()?;
        match used.status.success() {
            true => Ok(used.rusage.maxrss),
            false => Err(format!("the server ended with {}", used.status).into()),
        }
    }
}

/// Inner use: serves until standard input ends.
///
/// # Errors
/// When it cannot listen.
pub fn serve() -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let server = Server::new(Token::new(TOKEN)?, |_| Registry::builder(NoAuthz), Engine)
            .limits(ServeLimits {
                turns: 128,
                connections: 4_096,
                ..ServeLimits::default()
            });
        let listening = server.bind("127.0.0.1:0").await?;
        println!("{}", listening.address());
        std::io::stdout().flush()?;
        let end = CancellationToken::new();
        let over = end.clone();
        std::thread::spawn(move || {
            let _ = std::io::stdin().read_to_end(&mut Vec::new());
            over.cancel();
        });
        listening.run(end).await;
        Ok(())
    })
}

/// Says as many events of a kilobyte as the body wants under `flood`, then plays the script.
struct Engine;

impl Driver for Engine {
    fn run<'a>(&'a self, turn: &'a Turn) -> BoxFuture<'a, TurnOutcome> {
        Box::pin(async move {
            let flood = turn.spec().engine.get("flood").and_then(Value::as_u64);
            let Some(flood) = flood else {
                return Scripted.run(turn).await;
            };
            let text = "x".repeat(1_000);
            for index in 0..flood {
                let mut fields = Map::new();
                fields.insert("text".to_owned(), Value::from(text.as_str()));
                turn.say(AgentEvent {
                    kind: "text_delta".to_owned(),
                    fields,
                });
                if index % 64 == 0 {
                    tokio::task::yield_now().await;
                }
            }
            turn.call("c1", "probe", Value::Object(Map::new())).await;
            completed(Map::new())
        })
    }
}
