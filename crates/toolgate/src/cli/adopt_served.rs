//! What a person looks at before a tool of an MCP server is adopted. Calls nothing.

use std::sync::Arc;

use serde_json::json;
use toolcontract_manifest::{
    import::{self, Origin},
    text::escape,
};
use toolcontract_protocol::manifest::Claims;
use toolcontract_runtime::{
    adoption::{Grade, Standing},
    mcp::{
        client::{Connection, Tool},
        scan::{Listed, scan},
    },
};

use super::{
    Failure,
    adopt_script::section,
    upstream::{Place, ServerArgs, ask},
};

/// The tool `name`, as its server lists it now.
pub(super) fn find(name: &str, servers: &ServerArgs, place: Place) -> Result<Tool, Failure> {
    let servers = vec![servers.of_tool(name, place)?];
    let offers = ask(servers, |server: Arc<Connection>| async move {
        server.offered().await
    })?;
    let mut tools = offers
        .some()?
        .answers
        .into_iter()
        .flat_map(|(_, offered)| offered.tools);
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
    section(&mut text, "what `toolgate scan` says of it", &scanned(tool));
    let server = serde_json::to_string_pretty(&tool.server).unwrap_or_default();
    section(&mut text, "its server, which is pinned too", &server);
    section(&mut text, "so far", &stands.to_string());
    let nothing = Claims::default();
    section(
        &mut text,
        "the grade",
        &facts(tool.about.claims.as_ref().unwrap_or(&nothing), grade),
    );
    text
}

/// What there is to look at in the definition that would be pinned.
fn scanned(tool: &Tool) -> String {
    let list = json!({ "tools": [tool.definition] }).to_string();
    let name = "definition".to_owned();
    let origin = Origin {
        file: &name,
        server: None,
    };
    let imported = match import::mcp(list.as_bytes(), &origin) {
        Ok(imported) => imported,
        Err(error) => return error.to_string(),
    };
    let text = list.clone();
    let list = Listed {
        name,
        text,
        imported,
        is_live: true,
    };
    let findings = scan(&[list], None);
    let lines = findings.iter().map(|finding| {
        format!(
            "{}[{}]: {}",
            finding.level.as_str(),
            finding.rule,
            finding.message
        )
    });
    match findings.is_empty() {
        true => "nothing, which is no promise".to_owned(),
        false => lines.collect::<Vec<_>>().join("\n"),
    }
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
