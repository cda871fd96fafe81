//! How a server ends: whoever ends it, each call that ran has an outcome in the journal, and nothing
//! that it started runs on.

use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    time::Duration,
};

use serde_json::{Value, json};

const CALLS: usize = 3;
const HELLO: &str = r#"{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"ends","version":"1"}}}"#;
const BEGUN: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// A program that serves, and the folder that it works in.
struct Program {
    child: Child,
    folder: tempfile::TempDir,
}

impl Program {
    fn start(command: &str, more: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_toolgate-under-test"))
            .args([command, "--no-authz", "--journal"])
            .arg(folder.path().join("journal.jsonl"))
            .arg("--root")
            .arg(folder.path())
            .args(more)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Self { child, folder }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// How many intents and outcomes there are, and how many calls came to their end.
    fn journal(&self) -> (usize, usize, usize) {
        let text = fs::read_to_string(self.file("journal.jsonl")).unwrap_or_default();
        let entries: Vec<Value> = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .map(|line: Value| line["entry"].clone())
            .collect();
        let count = |kind: &str| entries.iter().filter(|one| one["entry"] == kind).count();
        let ended = entries
            .iter()
            .filter(|one| one["result"]["status"] == "ok")
            .count();
        (count("intent"), count("outcome"), ended)
    }

    fn told(&self, signal: &str) {
        let status = Command::new("kill")
            .args([format!("-{signal}"), self.child.id().to_string()])
            .status();
        assert!(status.unwrap().success());
    }

    /// Whether it ends well, and by itself.
    fn ends_well(&mut self) -> bool {
        let ended = soon(|| self.child.try_wait().unwrap().is_some());
        assert!(ended, "it runs on");
        self.child.wait().unwrap().success()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn soon(mut is_so: impl FnMut() -> bool) -> bool {
    (0..3_000).any(|_| {
        let so = is_so();
        if !so {
            std::thread::sleep(Duration::from_millis(10));
        }
        so
    })
}

fn call(id: usize, tool: &str, arguments: &Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
}

fn say(input: &mut ChildStdin, lines: &[String]) {
    for line in lines {
        writeln!(input, "{line}").unwrap();
    }
    input.flush().unwrap();
}

/// Calls over lines that do not end by themselves.
fn over_lines(program: &mut Program, tool: &str, arguments: &Value) -> ChildStdin {
    let mut input = program.child.stdin.take().unwrap();
    let calls = (0..CALLS).map(|id| call(id, tool, arguments).to_string());
    let begin = [HELLO.to_owned(), BEGUN.to_owned()].into_iter();
    say(&mut input, &begin.chain(calls).collect::<Vec<_>>());
    input
}

/// The same over HTTP, without a session or in one.
fn over_http(program: &mut Program, arguments: &Value) -> Vec<TcpStream> {
    let mut line = String::new();
    let mut told = BufReader::new(program.child.stderr.take().unwrap());
    told.read_line(&mut line).unwrap();
    let host = line.trim().strip_prefix("serving http://").unwrap();
    let host = host.strip_suffix("/mcp").unwrap();
    let post = |headers: &str, body: &str| {
        let mut stream = TcpStream::connect(host).unwrap();
        let length = body.len();
        write!(stream, "POST /mcp HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\ncontent-length: {length}\r\n{headers}\r\n{body}").unwrap();
        stream
    };
    let begun = BufReader::new(post("connection: close\r\n", HELLO));
    let session = begun
        .lines()
        .map(Result::unwrap)
        .find(|line| line.to_ascii_lowercase().starts_with("mcp-session-id:"));
    let session = format!("{}\r\n", session.expect("a session"));
    let modern = "mcp-protocol-version: 2026-07-28\r\nmcp-method: tools/call\r\nmcp-name: bash\r\n";
    let meta = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} });
    let calls = (0..CALLS).map(|id| {
        let mut call = call(id, "bash", arguments);
        if id == 0 {
            return post(&session, &call.to_string());
        }
        call["params"]["_meta"] = meta.clone();
        post(modern, &call.to_string())
    });
    calls.collect()
}

/// Every call runs; then the program is told to end.
fn all_have_an_outcome(mut program: Program, signal: &str, fact: &str) {
    assert!(
        soon(|| program.journal().0 == CALLS),
        "{fact}: the calls do not run"
    );
    assert_eq!(program.journal().1, 0, "{fact}: none has ended");
    program.told(signal);
    assert!(program.ends_well(), "{fact}");
    let (intents, outcomes, _) = program.journal();
    assert_eq!((intents, outcomes), (CALLS, CALLS), "{fact}, {signal}");
}

#[test]
fn a_server_that_is_told_to_end_writes_down_every_call() {
    let forever = json!({ "command": "sleep 4242" });
    for signal in ["TERM", "INT", "HUP", "QUIT"] {
        let mut lines = Program::start("mcp", &[]);
        let _input = over_lines(&mut lines, "bash", &forever);
        all_have_an_outcome(lines, signal, "lines");
        let mut http = Program::start("mcp", &["--http", "127.0.0.1:0"]);
        let _open = over_http(&mut http, &forever);
        all_have_an_outcome(http, signal, "HTTP");
        let mut proxy = Program::start("proxy", &["--", env!("CARGO_BIN_EXE_mcp-fixture")]);
        let _input = over_lines(&mut proxy, "wait", &json!({}));
        all_have_an_outcome(proxy, signal, "proxy");
    }
}

#[test]
fn only_a_call_that_came_to_its_end_is_said_to() {
    let mut proxy = Program::start("proxy", &["--", env!("CARGO_BIN_EXE_mcp-fixture")]);
    let input = over_lines(&mut proxy, "wait", &json!({}));
    assert!(soon(|| proxy.journal().0 == CALLS));
    proxy.told("TERM");
    assert!(proxy.ends_well());
    assert_eq!(proxy.journal(), (CALLS, CALLS, 0));
    drop(input);
    let mut proxy = Program::start("proxy", &["--", env!("CARGO_BIN_EXE_mcp-fixture")]);
    drop(over_lines(&mut proxy, "add", &json!({ "a": 1, "b": 2 })));
    assert!(proxy.ends_well());
    assert_eq!(proxy.journal(), (CALLS, CALLS, CALLS));
}

#[test]
fn a_client_that_reads_no_more_has_gone() {
    let mut program = Program::start("mcp", &[]);
    let mut input = over_lines(&mut program, "bash", &json!({ "command": "sleep 4242" }));
    let mut output = BufReader::new(program.child.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    assert!(line.contains("serverInfo"), "{line}");
    let write = |id: usize, name: &str| {
        let arguments = json!({ "path": name, "content": "x" });
        [call(id, "write_file", &arguments).to_string()]
    };
    say(&mut input, &write(10, "read"));
    line.clear();
    output.read_line(&mut line).unwrap();
    assert!(line.contains("\"id\":10"), "{line}");
    let has = |name: &str| Path::exists(&program.file(name));
    assert!(has("read"), "while somebody reads, calls run");
    drop(output);
    // Its answer is the first that nobody reads.
    say(&mut input, &write(11, "first"));
    assert!(program.ends_well(), "although the client could still write");
    let late = writeln!(input, "{}", write(12, "late")[0]);
    assert!(late.is_err(), "nobody reads the client either");
    assert!(!Path::exists(&program.file("late")));
    let (intents, outcomes, _) = program.journal();
    assert_eq!((intents, outcomes), (CALLS + 2, CALLS + 2));
}

/// What a program says that nothing was asked of as the protocol says.
#[test]
fn a_connection_ends_in_words() {
    let refused = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    let answer = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
    for lines in [
        &[refused, HELLO, BEGUN][..],
        &[refused, BEGUN],
        &[refused, answer, HELLO],
        &[BEGUN, refused],
        &["garbage", answer],
        &[HELLO, refused, BEGUN, HELLO],
    ] {
        let mut program = Program::start("mcp", &[]);
        let mut input = program.child.stdin.take().unwrap();
        say(
            &mut input,
            &lines
                .iter()
                .map(|&line| line.to_owned())
                .collect::<Vec<_>>(),
        );
        drop(input);
        assert!(program.ends_well(), "{lines:?}");
        let mut said = String::new();
        let mut told = program.child.stderr.take().unwrap();
        std::io::Read::read_to_string(&mut told, &mut said).unwrap();
        assert_eq!(said, "", "{lines:?}");
    }
}
