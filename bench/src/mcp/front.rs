//! A proxy in front of servers that do nothing, with all that a careful person gives one: a policy,
//! a ledger, a journal.

use std::sync::Arc;

use futures_util::future::try_join_all;
use toolcontract_manifest::Source;
use toolcontract_protocol::Principal;
use toolcontract_runtime::{
    adoption::Ledger,
    clock::{Clock, SystemClock},
    journal::FileJournal,
    mcp::{
        client::{Connection, Program, Tool, admit},
        proxy::{Names, Proxy},
        server::{Server, Settings},
    },
    policy::role::RolePolicy,
    process::Environment,
    registry::Registry,
};

use crate::Failure;

const POLICY: &str = r#"
[[role]]
name = "person"
risk_ceiling = "destructive"
principals = ["user"]

[[rule]]
id = "servers"
effect = "allow"
roles = ["person"]
tools = ["mcp__*"]
reason = "these servers were chosen"

[[rule]]
id = "secrets"
effect = "deny"
tools = ["mcp__*__nothing_0"]
when = { pointer = "/path", glob = "**/.env*" }
reason = "environment files may hold secrets"
"#;

/// Inner use: starts so many servers with so many tools, each of which begins so many seconds late,
/// and stands in front of them. One alone keeps the names of its tools.
///
/// # Errors
/// When a server does not begin, or the client does not.
pub fn serve(servers: &str, tools: &str, late: &str) -> Result<(), Failure> {
    let servers: usize = servers.parse()?;
    let bare = std::env::current_exe()?.into_os_string();
    let script = r#"sleep "$1"; exec "$0" --mcp bare "$2""#;
    let program = Program {
        argv: vec![
            "sh".into(),
            "-c".into(),
            script.into(),
            bare,
            late.into(),
            tools.into(),
        ],
        folder: None,
        environment: Environment::inherited([]),
    };
    let folder = tempfile::tempdir()?;
    let workspace = tempfile::tempdir()?;
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::default());
    let journal = Arc::new(FileJournal::open(
        &folder.path().join("calls.jsonl"),
        &clock,
    )?);
    let ledger = Ledger::new(&folder.path().join("ledger.sqlite"), workspace.path())?;
    let govern = |tools: Vec<Tool>| {
        let source = Source {
            path: "policy.toml".to_owned(),
            bytes: POLICY.as_bytes().to_vec(),
        };
        let contracts = tools.iter().map(|tool| &tool.contract);
        let policy = RolePolicy::parse(&source, contracts).0;
        let policy = policy.ok_or("the policy of the bench has a fault")?;
        let builder = Registry::builder(policy).journal(Arc::clone(&journal) as _);
        let (builder, _) = admit(builder, tools, &ledger, false);
        Ok(builder.build()?)
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let names: Vec<String> = (0..servers).map(|number| format!("s{number}")).collect();
        let starting = names.iter().map(|name| Connection::start(name, &program));
        let connections = try_join_all(starting).await?;
        let names = match servers {
            1 => Names::AsServed,
            _ => Names::Qualified,
        };
        let proxy = Proxy::new(connections, names, govern);
        let (served, _) = proxy.served().await?;
        let server = Server::new(served, Settings::new(Principal::User, "front", "1"))?;
        tokio::select! {
            served = server.serve_stdio() => Ok(served?),
            gone = proxy.follow(&server, |_| {}) => match gone {
                Ok(never) => match never {},
                Err(error) => Err(error.into()),
            },
        }
    })
}
