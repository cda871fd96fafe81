//! The examples with which the help of each command ends. A test reads every line as the command
//! line that it is.

/// `Examples:` with a line for each.
macro_rules! examples {
    ($($name:ident: $($line:literal)+;)+) => {
        $(pub(super) const $name: &str = concat!("Examples:", $("\n  toolgate ", $line),+);)+
    };
}

examples! {
    CALL:
        r#"call read_file --risk-ceiling low --input '{"path":"notes.md"}'"#
        r#"call mcp__files__list_directory --policy policy.toml --input '{"path":"."}' -- npx -y @modelcontextprotocol/server-filesystem ."#;
    LIST:
        "list --risk-ceiling medium"
        "list --policy policy.toml --principal role:reviewer --json";
    ADOPT:
        "adopt count_lines --risk low --read-only --closed-world --witness"
        "adopt mcp__files__list_directory --risk low --read-only -- npx -y @modelcontextprotocol/server-filesystem .";
    ADOPTED:
        "adopted";
    WITHDRAW:
        "withdraw count_lines";
    SERVE:
        "serve --policy policy.toml --token-file token --bind 127.0.0.1:8080";
    MCP:
        "mcp --policy policy.toml --journal calls.jsonl"
        "mcp --policy policy.toml --http 127.0.0.1:8080";
    PROXY:
        "proxy --name files --policy policy.toml -- npx -y @modelcontextprotocol/server-filesystem ."
        "proxy --policy policy.toml --servers servers.toml";
    SCAN:
        "scan --name files -- npx -y @modelcontextprotocol/server-filesystem ."
        "scan list.json --format sarif";
    VERIFY:
        "journal verify calls.jsonl";
    SHOW:
        "journal show calls.jsonl";
    CHECK:
        "policy check policy.toml"
        "policy check policy.toml --servers servers.toml";
    INIT:
        "policy init --out policy.toml"
        "policy init --name files --out policy.toml -- npx -y @modelcontextprotocol/server-filesystem .";
    SCHEMA:
        "policy schema";
    WHY:
        r#"why --policy policy.toml --tool bash --input '{"command":"ls"}'"#
        r#"why --policy policy.toml --tool bash --principal subagent:scout --acting-for user --input '{"command":"ls"}'"#;
}

/// How every command ends.
pub const EXIT_CODES: &str = "\
Exit codes:
  0    it ran, and nothing is wrong
  1    it could not run
  2    the arguments are not those of the command
  100  it ran and found something: a refused call, a finding, a broken journal";
