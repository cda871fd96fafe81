//! What servers may say of themselves and what it buys them: lists, claims, results, changes.

mod adoption;
mod claims;
mod held_against;
mod http;
mod later;
mod lists;
mod results;
mod scan;
mod scenes;
mod starter;
mod told;

use std::{path::Path, time::Duration};

use serde_json::Value;
use tempfile::TempDir;
use toolcontract_protocol::Principal;
use toolcontract_runtime::{
    authz::NoAuthz,
    call::CallReport,
    caller::{Caller, Session},
    mcp::client::{ConnectError, Connection, Offered, Program},
    process::Environment,
    registry::Registry,
};

/// A server that says what a script tells it to, and a registry of what it offered first.
pub(crate) struct Odd {
    pub(crate) connection: Connection,
    /// Where its script is.
    folder: TempDir,
}

fn command(script: &Path) -> Vec<String> {
    let server = Path::new(env!("CARGO_MANIFEST_DIR")).join("js/mcp/odd_server.mjs");
    let words = [Path::new("node"), &server, script];
    let words = words.map(|word| word.to_str().unwrap().to_owned());
    words.to_vec()
}

fn program(argv: &[&str]) -> Program {
    Program {
        argv: argv.iter().map(Into::into).collect(),
        folder: None,
        environment: Environment::inherited([]),
    }
}

impl Odd {
    async fn start(script: &Value) -> Self {
        Self::begin("odd", script).await.unwrap()
    }

    /// The same under another name, which may be refused.
    #[expect(
        clippy::disallowed_methods,
        reason = "a test writes into its own folder"
    )]
    pub(crate) async fn begin(name: &str, script: &Value) -> Result<Self, ConnectError> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("script.json");
        std::fs::write(&file, script.to_string()).unwrap();
        // Where the folder is differs from run to run, the server does not.
        let argv = command(Path::new("script.json"));
        let argv: Vec<&str> = argv.iter().map(String::as_str).collect();
        let mut program = program(&argv);
        program.folder = Some(folder.path().to_owned());
        let connection = Connection::start(name, &program).await?;
        Ok(Self {
            connection: connection.with_call_time(Duration::from_secs(20)),
            folder,
        })
    }

    /// The same, whose calls may take `time`.
    fn with_call_time(self, time: Duration) -> Self {
        Self {
            connection: self.connection.with_call_time(time),
            ..self
        }
    }

    /// Whether a call waits at the server until its list changes.
    pub(crate) fn holds_a_call(&self) -> bool {
        self.folder.path().join("script.json.held").exists()
    }

    /// What came in, method by method, and `start` for each start.
    pub(crate) fn seen(&self) -> Vec<String> {
        seen(&self.folder)
    }

    /// The command that starts the same server once more.
    pub(crate) fn command(&self) -> Vec<String> {
        command(&self.folder.path().join("script.json"))
    }

    pub(crate) async fn offered(&self) -> Offered {
        self.connection.offered().await.unwrap()
    }

    /// A registry of what is offered now.
    async fn registry(&self) -> Registry {
        let builder = self.offered().await.register(Registry::builder(NoAuthz));
        builder.build().unwrap()
    }
}

fn seen(folder: &TempDir) -> Vec<String> {
    let seen = std::fs::read_to_string(folder.path().join("script.json.seen"));
    let seen = seen.unwrap_or_default();
    seen.lines().map(str::to_owned).collect()
}

/// What a server of each era is told to say.
fn in_both_eras(script: &Value) -> [Value; 2] {
    let mut later = script.clone();
    later["later"] = Value::Object(serde_json::Map::new());
    [script.clone(), later]
}

async fn call(registry: &Registry, tool: &str, input: Value) -> CallReport {
    let session = Session::new("s");
    let caller = Caller::in_process(Principal::User, &session, "c");
    registry.call(tool, input, &caller).await
}

/// Names as served, of what is taken and of what is refused.
fn names(offered: &Offered) -> (Vec<&str>, Vec<String>) {
    let taken = offered.tools.iter().map(|tool| tool.wire_name.as_str());
    let refused = offered.refused.iter().map(|refused| {
        let name = refused.wire_name.as_deref().unwrap_or("?");
        format!("{name}: {}", refused.reason)
    });
    (taken.collect(), refused.collect())
}
