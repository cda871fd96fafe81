//! A policy to start from for the tools of servers: what a person adopted as a tool that only reads
//! may be called, everything else asks first. What a server says of a tool stands in a comment and
//! decides nothing.

use std::{collections::BTreeMap, fmt::Write as _};

use toml_edit::{Array, Value};
use toolcontract_protocol::{Provenance, RiskLevel, manifest::Claims};

use super::client::{Refused, Tool};
use crate::text::one_line;

const HEAD: &str = "\
# Who may call which tool of which server, with which arguments. Nothing is allowed that no rule
# allows, and one denial is enough.
#
#   toolgate proxy --policy FILE ...   the servers behind this policy
#   toolgate adopt mcp__SERVER__TOOL ...
#                                      a grade for a tool that you have looked at
#
# What a server says of its tools is in comments and decides nothing: a tool that nobody has adopted
# counts as one that changes things, at risk `high` or worse.
";

/// Characters of a description in a comment.
const SAID: usize = 90;

/// What one server offers.
#[derive(Debug, Clone, Copy)]
pub struct Offer<'o> {
    /// The server.
    pub server: &'o str,
    /// Its tools, with the contracts that are relied on.
    pub tools: &'o [Tool],
    /// What of it nobody can call.
    pub refused: &'o [Refused],
}

/// A policy that names every tool of `offers`; it loads as it is. The same offers give the same
/// text, in whatever order their tools are listed.
#[must_use]
pub fn starter(offers: &[Offer<'_>]) -> String {
    let tools = || offers.iter().flat_map(|offer| offer.tools);
    let riskiest = tools().map(worst).max();
    let ceiling = riskiest.unwrap_or(RiskLevel::Low);
    let mut text = HEAD.to_owned();
    let _ = write!(
        text,
        "\n[[role]]\nname = \"person\"\nrisk_ceiling = \"{ceiling}\"\nprincipals = [\"user\"]\n"
    );
    for offer in offers {
        of_server(&mut text, offer);
    }
    text
}

fn of_server(text: &mut String, offer: &Offer<'_>) {
    let server = offer.server;
    let named = offer.tools.iter().map(|tool| (&*tool.contract.name, tool));
    let named: BTreeMap<&str, &Tool> = named.collect();
    let (reads, others): (Vec<&Tool>, Vec<&Tool>) = named
        .into_values()
        .partition(|tool| tool.contract.trusted_read_only() && !tool.contract.requires_approval);
    // A grade that is gone takes its grant along.
    rule(
        text,
        &format!("{server}-reads"),
        "allow",
        with_comments(&reads),
        "facts = { read_only = true }\nreason = \"a person adopted it as a tool that changes nothing\"",
    );
    rule(
        text,
        &format!("{server}-reads-no-more"),
        "ask",
        bare(&reads),
        "facts = { read_only = false }\nreason = \"nobody stands for it any more that it changes nothing\"",
    );
    rule(
        text,
        &format!("{server}-asks"),
        "ask",
        with_comments(&others),
        "reason = \"it can change something, or nobody has looked at it yet\"",
    );
    let refused = offer.refused.iter().map(|refused| {
        let name = refused.wire_name.as_deref().unwrap_or("(no name)");
        let (name, reason) = (one_line(name, SAID), refused.reason.to_string());
        format!(
            "# `{name}` of `{server}` cannot be called: {}\n",
            one_line(&reason, 200)
        )
    });
    let mut refused: Vec<String> = refused.collect();
    refused.sort();
    if !refused.is_empty() {
        let _ = write!(text, "\n{}", refused.concat());
    }
}

/// The risk of a tool, also when its grade is gone.
fn worst(tool: &Tool) -> RiskLevel {
    let claims = tool.about.claims.as_ref();
    let ungraded = match claims.and_then(|claims| claims.destructive) {
        Some(true) => RiskLevel::Destructive,
        Some(false) | None => RiskLevel::High,
    };
    tool.contract.effective_risk().max(ungraded)
}

/// The names as a TOML array, above each what is known of it. None where there is none.
fn with_comments(tools: &[&Tool]) -> Option<String> {
    let mut names = Array::new();
    for tool in tools {
        let mut name = Value::from(tool.contract.name.as_str());
        name.decor_mut()
            .set_prefix(format!("\n    # {}\n    ", about(tool)));
        names.push_formatted(name);
    }
    names.set_trailing_comma(true);
    names.set_trailing("\n");
    (!tools.is_empty()).then(|| names.to_string())
}

/// The names as a TOML array. None where there is none.
fn bare(tools: &[&Tool]) -> Option<String> {
    let names: Array = tools.iter().map(|tool| &*tool.contract.name).collect();
    (!tools.is_empty()).then(|| names.to_string())
}

fn rule(text: &mut String, id: &str, effect: &str, names: Option<String>, more: &str) {
    let Some(names) = names else { return };
    let id = Value::from(id);
    let _ = write!(
        text,
        "\n[[rule]]\nid = {id}\neffect = \"{effect}\"\nroles = [\"person\"]\ntools = {names}\n{more}\n"
    );
}

/// What is known of a tool, what it claims, and how its description begins; on one line.
fn about(tool: &Tool) -> String {
    let known = match &tool.contract.provenance {
        Provenance::Adopted { .. } => format!("adopted, risk {}", tool.contract.risk),
        Provenance::Builtin | Provenance::Declared => claimed(tool.about.claims.as_ref()),
    };
    let said = tool.contract.description.trim();
    let said = said.lines().next().unwrap_or_default();
    match said.is_empty() {
        true => known,
        false => format!("{known}; it says \"{}\"", one_line(said, SAID)),
    }
}

fn claimed(claims: Option<&Claims>) -> String {
    let claims = claims.cloned().unwrap_or_default();
    let hints = [
        (claims.read_only, "to change nothing", "to change something"),
        (claims.destructive, "to destroy", "to destroy nothing"),
        (
            claims.idempotent,
            "that twice is once",
            "that twice is twice",
        ),
        (
            claims.open_world,
            "to reach outside",
            "to reach nothing outside",
        ),
    ];
    let said: Vec<&str> = hints
        .into_iter()
        .filter_map(|(claim, yes, no)| claim.map(|claim| if claim { yes } else { no }))
        .collect();
    match said.is_empty() {
        true => "claims nothing".to_owned(),
        false => format!("claims {}", said.join(", ")),
    }
}
