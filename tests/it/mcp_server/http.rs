//! Who is let in over HTTP, and what is refused before anything acts on it.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    process::{Child, Command, Stdio},
    time::Duration,
};

/// A server process that listens.
pub(super) struct Http {
    child: Child,
    pub(super) address: String,
}

impl Http {
    pub(super) fn new(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_mcp-fixture"))
            .arg("--http")
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut address = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut address).unwrap();
        let address = address.trim().to_owned();
        Self { child, address }
    }

    /// Status and text of the answer to one request. A header of `extra` replaces an earlier one
    /// of its name.
    pub(super) fn ask(&self, start: &str, extra: &[(&str, &str)], body: &str) -> (u16, String) {
        let length = body.len().to_string();
        let mut headers = vec![
            ("host", self.address.as_str()),
            ("connection", "close"),
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
            ("content-length", length.as_str()),
        ];
        for (name, value) in extra {
            headers.retain(|(other, _)| other != name);
            headers.push((name, value));
        }
        let headers: String = headers
            .iter()
            .map(|(name, value)| format!("{name}: {value}\r\n"))
            .collect();
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(30)))
            .unwrap();
        stream
            .write_all(format!("{start} HTTP/1.1\r\n{headers}\r\n").as_bytes())
            .unwrap();
        // A server that refuses a large body need not read it.
        let _ = stream.write_all(body.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split(' ').nth(1).unwrap_or("0").parse().unwrap();
        (status, answer)
    }

    pub(super) fn post(&self, extra: &[(&str, &str)], body: &str) -> (u16, String) {
        self.ask("POST /mcp", extra, body)
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A call of the later era, and the headers that mirror it.
pub(super) fn call(arguments: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"add","arguments":{arguments},"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
    )
}

pub(super) const MIRROR: [(&str, &str); 3] = [
    ("mcp-protocol-version", "2026-07-28"),
    ("mcp-method", "tools/call"),
    ("mcp-name", "add"),
];

fn with<'a>(more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    MIRROR.iter().chain(more).copied().collect()
}

#[test]
fn a_page_and_a_foreign_host_reach_nothing() {
    let http = Http::new(&[]);
    let sound = call(r#"{"a":1,"b":2}"#);
    let (status, answer) = http.post(&MIRROR, &sound);
    assert_eq!(status, 200, "{answer}");
    assert!(answer.contains(r#""sum":3"#), "{answer}");
    for (name, value) in [
        ("origin", "https://evil.example"),
        ("origin", "null"),
        ("origin", "http://localhost:1"),
        ("host", "evil.example"),
        ("host", "127.0.0.1.evil.example"),
    ] {
        let (status, answer) = http.post(&with(&[(name, value)]), &sound);
        assert_eq!(status, 403, "{name}: {value}: {answer}");
    }
    let twice: Vec<_> = MIRROR
        .iter()
        .copied()
        .chain([("Host", "localhost")])
        .collect();
    assert_eq!(http.post(&twice, &sound).0, 403, "two hosts");
    let elsewhere = http.ask("POST http://evil.example/mcp", &MIRROR, &sound);
    assert_eq!(elsewhere.0, 403, "another host in the address");
    let here = http.ask("POST http://localhost/mcp", &MIRROR, &sound);
    assert_eq!(here.0, 200, "{}", here.1);
}

#[test]
fn without_the_token_nobody_reaches_anything() {
    let token = "0123456789abcdef0123";
    let http = Http::new(&["--token", token]);
    let sound = call(r#"{"a":1,"b":2}"#);
    let right = format!("Bearer {token}");
    let (status, answer) = http.post(&with(&[("authorization", &right)]), &sound);
    assert_eq!(status, 200, "{answer}");
    for wrong in [
        "",
        "Bearer",
        "Bearer 0123456789abcdef012",
        "Basic 0123456789abcdef0123",
        token,
    ] {
        let (status, answer) = http.post(&with(&[("authorization", wrong)]), &sound);
        assert_eq!(status, 401, "{wrong}: {answer}");
    }
    assert_eq!(http.post(&MIRROR, &sound).0, 401);
    assert_eq!(http.ask("GET /mcp", &[], "").0, 401);
}

#[test]
fn what_is_no_message_ends_in_a_status() {
    let http = Http::new(&[]);
    let sound = call(r#"{"a":1,"b":2}"#);
    let twice = sound.replacen(r#""id":1"#, r#""id":1,"id":2"#, 1);
    let large = call(&format!(r#"{{"a":"{}"}}"#, "x".repeat(5 << 20)));
    let array = call("[1]");
    for (fact, body, expected) in [
        ("no JSON", "{", 400),
        ("nothing", "", 400),
        ("a list", "[]", 400),
        ("a member that is there twice", twice.as_str(), 400),
        ("too many bytes", large.as_str(), 413),
        ("arguments that are no object", array.as_str(), 400),
    ] {
        let (status, answer) = http.post(&MIRROR, body);
        assert_eq!(status, expected, "{fact}: {answer:.300}");
    }
    let (status, answer) = http.post(&MIRROR, &call(r#"{"a":1,"b":2,"b":3}"#));
    assert_eq!(status, 200, "{answer}");
    assert!(answer.contains("duplicate_key"), "{answer}");
    // The head says one tool, the body another.
    let other = with(&[("mcp-name", "erase")]);
    assert_eq!(http.post(&other, &sound).0, 400);
    assert_eq!(http.ask("POST /", &MIRROR, &sound).0, 404);
    assert_eq!(http.ask("PUT /mcp", &MIRROR, &sound).0, 405);
    assert_eq!(http.post(&MIRROR, &sound).0, 200);
}
