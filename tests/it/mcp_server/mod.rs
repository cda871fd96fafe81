//! The MCP server as a process: the official clients of both eras, and lines that they never send.

mod approvals;
mod endings;
mod http;
mod http_limits;
mod issues;
mod lines;
mod lists;
mod wire;

use std::{path::Path, process::Command};

/// Runs a file of `tests/js/mcp` with Node. False when its packages are not installed.
pub(crate) fn node(file: &str, variables: &[(&str, &str)]) -> bool {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("js");
    if !folder.join("node_modules").exists() {
        assert!(
            std::env::var_os("CI").is_none(),
            "`npm ci --prefix tests/js` has not run"
        );
        println!("not run: tests/js/node_modules is missing");
        return false;
    }
    let output = Command::new("node")
        .args(["--test", "--test-timeout=300000", "--test-reporter=spec"])
        .arg(folder.join("mcp").join(file))
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    true
}

#[test]
fn the_official_clients_agree() {
    let fixture = env!("CARGO_BIN_EXE_mcp-fixture");
    node("server.mjs", &[("TOOLCONTRACT_FIXTURE", fixture)]);
}

#[test]
fn the_program_serves_its_tools() {
    let root = tempfile::tempdir().unwrap();
    let toolgate = env!("CARGO_BIN_EXE_toolgate-under-test");
    let root = root.path().to_str().unwrap();
    let policy = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/mcp_server/toolgate_policy.toml");
    node(
        "toolgate.mjs",
        &[
            ("TOOLCONTRACT_TOOLGATE", toolgate),
            ("TOOLCONTRACT_ROOT", root),
            ("TOOLCONTRACT_POLICY", policy.to_str().unwrap()),
        ],
    );
}

#[test]
fn a_proxy_governs_real_servers() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path().canonicalize().unwrap();
    let policy = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/mcp_server/proxy_policy.toml");
    node(
        "proxy.mjs",
        &[
            (
                "TOOLCONTRACT_TOOLGATE",
                env!("CARGO_BIN_EXE_toolgate-under-test"),
            ),
            ("TOOLCONTRACT_FIXTURE", env!("CARGO_BIN_EXE_mcp-fixture")),
            ("TOOLCONTRACT_ROOT", root.to_str().unwrap()),
            ("TOOLCONTRACT_POLICY", policy.to_str().unwrap()),
        ],
    );
}

#[test]
fn the_example_server_runs() {
    let example = env!("CARGO_BIN_EXE_example-mcp-server");
    node("example.mjs", &[("TOOLCONTRACT_EXAMPLE", example)]);
}
