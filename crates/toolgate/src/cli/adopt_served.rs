//! What a person looks at before a tool of an MCP server is adopted. Calls nothing.

use std::{ffi::OsString, path::Path};

use toolcontract_manifest::text::escape;
use toolcontract_protocol::manifest::Claims;
use toolcontract_runtime::{
    adoption::{Grade, Standing},
    mcp::client::{Connection, Program, Tool, split},
    process::Environment,
};

use super::{Failure, adopt::section};

/// The tool `name`, as the server that `command` starts lists it now.
pub(super) fn find(name: &str, command: &[OsString], root: &Path) -> Result<Tool, Failure> {
    let Some((server, _)) = split(name) else {
        let name = escape(name);
        return Err(
            format!("`{name}` is not `mcp__SERVER__TOOL`, as tools of servers are called").into(),
        );
    };
    let program = Program {
        argv: command.to_vec(),
        folder: Some(root.to_owned()),
        environment: Environment::inherited([]),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let offered = runtime.block_on(async {
        let connection = Connection::start(server, &program).await?;
        let offered = connection.offered().await?;
        connection.close().await;
        Ok::<_, Failure>(offered)
    })?;
    let mut tools = offered.tools.into_iter();
    let found = tools.find(|tool| tool.contract.name == name);
    found.ok_or_else(|| format!("the server offers no sound tool `{}`", escape(name)).into())
}

/// The definition as it is pinned, and what the tool claims beside what the person says.
pub(super) fn screen(tool: &Tool, stands: &Standing, grade: &Grade) -> String {
    let definition = serde_json::to_string_pretty(&tool.definition).unwrap_or_default();
    let mut text = String::new();
    section(
        &mut text,
        &format!("definition: {}", tool.wire_name),
        &definition,
    );
    section(&mut text, "so far", &stands.to_string());
    let nothing = Claims::default();
    section(
        &mut text,
        "the grade",
        &facts(tool.about.claims.as_ref().unwrap_or(&nothing), grade),
    );
    text
}

fn facts(claims: &Claims, grade: &Grade) -> String {
    let claimed =
        |claim: Option<bool>| claim.map_or("nothing".to_owned(), |claim| claim.to_string());
    [
        format!("risk: it can claim none, you say {}", grade.risk),
        format!(
            "read_only: it claims {}, you say {}",
            claimed(claims.read_only),
            grade.read_only
        ),
        format!(
            "destructive: it claims {}, you say additive {}",
            claimed(claims.destructive),
            grade.additive
        ),
        format!(
            "idempotent: it claims {}, you say {}",
            claimed(claims.idempotent),
            grade.idempotent
        ),
        format!(
            "open_world: it claims {}, you say {}",
            claimed(claims.open_world),
            grade.open_world
        ),
        format!("requires_approval: you say {}", grade.requires_approval),
    ]
    .join("\n")
}
