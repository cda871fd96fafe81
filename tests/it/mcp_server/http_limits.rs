//! Clients over HTTP that are slow, large or many: each ends in a clear status, and the server lives.

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    time::Duration,
};

use super::http::{Http, MIRROR, call};

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#;

fn lives(http: &Http) {
    let (status, answer) = http.post(&MIRROR, &call(r#"{"a":1,"b":2}"#));
    assert_eq!(status, 200, "{answer}");
    assert!(answer.contains(r#""sum":3"#), "{answer}");
}

/// What the server says to `sent`, until it hangs up.
fn said(http: &Http, sent: &[u8]) -> String {
    let mut stream = connected(http);
    // The server may hang up before all was sent.
    let _ = stream.write_all(sent);
    rest(&mut stream)
}

fn connected(http: &Http) -> TcpStream {
    let stream = TcpStream::connect(&http.address).unwrap();
    let patience = Some(Duration::from_secs(30));
    stream.set_read_timeout(patience).unwrap();
    stream
}

fn rest(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn a_head_that_does_not_come_is_not_waited_for() {
    let http = Http::new(&["--head-ms", "200"]);
    for sent in [
        "",
        "POST /mcp HT",
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\n",
    ] {
        let answer = said(&http, sent.as_bytes());
        let is_told = answer.is_empty() || answer.starts_with("HTTP/1.1 408");
        assert!(is_told, "{sent:?}: {answer}");
    }
    // One byte after the other, for as long as the server lets it.
    let mut slow = connected(&http);
    let head = format!("POST /mcp HTTP/1.1\r\nx-slow: {}", "x".repeat(1_000));
    let sent = head.bytes().take_while(|byte| {
        std::thread::sleep(Duration::from_millis(20));
        slow.write_all(&[*byte]).is_ok()
    });
    assert!(sent.count() < 500, "it may go on for ever");
    lives(&http);
}

#[test]
fn a_head_without_measure_is_refused() {
    let http = Http::new(&[]);
    let answer = |bytes: usize| {
        let value = "x".repeat(bytes);
        let head = format!(
            "GET /other HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nx-large: {value}\r\n\r\n"
        );
        said(&http, head.as_bytes())
    };
    for bytes in [65_536, 100_000, 200_000] {
        let answer = answer(bytes);
        assert!(answer.starts_with("HTTP/1.1 431"), "{bytes}: {answer}");
    }
    let smaller = answer(65_000);
    assert!(smaller.starts_with("HTTP/1.1 404"), "{smaller}");
    lives(&http);
}

#[test]
fn a_body_that_does_not_come_is_refused() {
    let http = Http::new(&["--body-ms", "200"]);
    let head = "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\nconnection: close\r\n\r\n{";
    let answer = said(&http, head.as_bytes());
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    lives(&http);
}

#[test]
fn a_flood_of_connections_waits_for_its_turn() {
    let http = Http::new(&["--connections", "4", "--head-ms", "200"]);
    let idle: Vec<TcpStream> = (0..20).map(|_| connected(&http)).collect();
    lives(&http);
    drop(idle);
    lives(&http);
}

/// The session that an answer begins.
fn session((status, answer): (u16, String)) -> String {
    assert_eq!(status, 200, "{answer}");
    let line = answer.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("mcp-session-id").then_some(value)
    });
    line.expect("a session").to_owned()
}

#[test]
fn a_session_too_many_is_refused_until_one_ends() {
    let http = Http::new(&["--sessions", "2"]);
    let begin = || http.post(&[], INITIALIZE);
    let first = session(begin());
    let second = session(begin());
    for _ in 0..3 {
        let (status, answer) = begin();
        assert_eq!(status, 429, "{answer}");
        assert!(answer.to_lowercase().contains("retry-after: 5"), "{answer}");
        assert!(
            answer.contains(r#""id":1"#) && answer.contains("as many sessions"),
            "{answer}"
        );
    }
    // Whoever has a session keeps it, and clients of the later era need none.
    let of = |session: &str| {
        [
            ("mcp-session-id", session.to_owned()),
            ("mcp-protocol-version", "2025-11-25".to_owned()),
        ]
    };
    let ask = |start: &str, session: &str, body: &str| {
        let headers = of(session);
        let headers: Vec<(&str, &str)> = headers.iter().map(|(n, v)| (*n, v.as_str())).collect();
        http.ask(start, &headers, body)
    };
    let begun = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    assert_eq!(ask("POST /mcp", &second, begun).0, 202);
    let sum = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}"#;
    let (status, answer) = ask("POST /mcp", &second, sum);
    assert!(status == 200 && answer.contains(r#""sum":3"#), "{answer}");
    lives(&http);

    assert_eq!(ask("DELETE /mcp", "no-such-session", "").0, 404);
    let (status, answer) = ask("DELETE /mcp", &first, "");
    assert_eq!(status, 202, "{answer}");
    session(begin());
    assert_eq!(begin().0, 429);
    lives(&http);
}

#[test]
fn a_session_that_nobody_uses_ends() {
    let http = Http::new(&["--sessions", "1", "--idle-ms", "100"]);
    session(http.post(&[], INITIALIZE));
    let room = (0..1_200).any(|_| {
        std::thread::sleep(Duration::from_millis(25));
        http.post(&[], INITIALIZE).0 == 200
    });
    assert!(room, "the place is never free");
}

#[test]
fn what_begins_no_session_takes_no_place() {
    let http = Http::new(&["--sessions", "1"]);
    // Refused by the protocol after the place was given out.
    for _ in 0..3 {
        let other = ("mcp-protocol-version", "2024-11-05");
        let (status, answer) = http.post(&[other], INITIALIZE);
        assert_eq!(status, 400, "{answer}");
        let (status, answer) = http.post(&[("host", "evil.example")], INITIALIZE);
        assert_eq!(status, 403, "{answer}");
    }
    session(http.post(&[], INITIALIZE));
}
