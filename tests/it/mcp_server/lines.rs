//! Lines that no client of others sends: each ends in a clear answer, and the server lives on.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json};

use super::wire::{Era, Wire, facts, text};

#[test]
fn each_line_ends_in_a_clear_answer() {
    let cases: Value =
        serde_json::from_str(include_str!("../../data/mcp_server/lines.json")).unwrap();
    for case in cases.as_array().unwrap() {
        for era in [Era::Legacy, Era::Modern] {
            check(case, era);
        }
    }
}

fn check(case: &Value, era: Era) {
    let fact = format!("{}, {era:?}", case["fact"].as_str().unwrap());
    let mut wire = Wire::new(era, false, &[]);
    // A client of the later era has begun with its first request.
    wire.lives();
    for line in case["send"].as_array().unwrap() {
        let line = filled(line.as_str().unwrap(), &wire);
        wire.raw(&line);
    }
    let mut open: Vec<&Value> = case["answers"].as_array().unwrap().iter().collect();
    while !open.is_empty() {
        let got = wire.message();
        let place = open.iter().position(|expected| is_answer(&got, expected));
        let place = place.unwrap_or_else(|| panic!("{fact}: not expected: {got}"));
        open.remove(place);
    }
    wire.lives();
    assert!(wire.aside.is_empty(), "{fact}: {:?}", wire.aside);
    let (rest, ended_well) = wire.end();
    assert!(rest.is_empty() && ended_well, "{fact}: {rest:?}");
}

fn filled(line: &str, wire: &Wire) -> String {
    let meta = wire.meta().map(|meta| format!(",\"_meta\":{meta}"));
    line.replace("$META", &meta.unwrap_or_default())
        .replace("$MEBIBYTE", &"x".repeat(1 << 20))
        .replace(
            "$DEEP",
            &format!("{}{}", "[".repeat(5_000), "]".repeat(5_000)),
        )
}

fn is_answer(got: &Value, expected: &Value) -> bool {
    expected.as_object().unwrap().iter().all(|(key, value)| {
        *value
            == match key.as_str() {
                "id" => got["id"].clone(),
                "error" => got["error"]["code"].clone(),
                "text" => json!(text(got)),
                fact => facts(got)[fact].clone(),
            }
    }) && (expected.get("id").is_some() || got.get("id").is_none())
}

#[test]
fn what_comes_before_the_beginning_does_no_harm() {
    let mut wire = Wire::silent(Era::Modern, false, &[]);
    wire.raw(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    wire.raw(r#"{"jsonrpc":"2.0","id":5,"result":{}}"#);
    wire.raw("garbage");
    assert_eq!(wire.message()["error"]["code"], -32700);
    let discovered = wire.request("server/discover", json!({}));
    let info = &discovered["result"]["_meta"]["io.modelcontextprotocol/serverInfo"];
    assert_eq!(info["name"], "mcp-fixture", "{discovered}");
    wire.raw(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#);
    wire.lives();
}

#[test]
fn a_request_without_its_era_is_told_so() {
    let mut wire = Wire::new(Era::Modern, false, &[]);
    wire.lives();
    let bare = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":{"text":"a"}}}"#;
    wire.raw(bare);
    assert_eq!(wire.message()["error"]["code"], -32602);
    let other = bare.replace(
        r#""name""#,
        r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2031-01-01","io.modelcontextprotocol/clientCapabilities":{}},"name""#,
    );
    wire.raw(&other);
    let refused = wire.message();
    assert_eq!(refused["error"]["code"], -32022, "{refused}");
    assert_eq!(refused["error"]["data"]["requested"], "2031-01-01");
    wire.lives();
}

#[test]
fn a_connection_keeps_its_era() {
    let initialize = r#"{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}"#;
    let mut modern = Wire::silent(Era::Modern, false, &[]);
    modern.request("server/discover", json!({}));
    modern.lives();
    modern.raw(initialize);
    let refused = modern.message();
    assert_eq!(refused["error"]["code"], -32600, "{refused}");
    modern.lives();

    // Who has only asked what there is may still begin either way.
    let mut asked = Wire::silent(Era::Modern, false, &[]);
    asked.request("server/discover", json!({}));
    asked.raw(initialize);
    let begun = asked.message();
    assert_eq!(begun["result"]["protocolVersion"], "2025-11-25", "{begun}");
    asked.raw(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    asked.raw(r#"{"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}"#);
    assert_eq!(text(&asked.message()), r#"{"sum":3}"#);
}

#[test]
fn a_request_that_is_refused_chooses_no_era() {
    let other = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2031-01-01","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    let initialize = r#"{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}"#;
    for era in [Era::Legacy, Era::Modern] {
        let mut wire = Wire::silent(era, false, &[]);
        wire.raw(other);
        assert_eq!(wire.message()["error"]["code"], -32022);
        wire.raw(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        if era == Era::Legacy {
            wire.raw(initialize);
            let begun = wire.message();
            assert_eq!(begun["result"]["protocolVersion"], "2025-11-25", "{begun}");
            wire.raw(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        }
        wire.lives();
        let (rest, ended_well) = wire.end();
        assert!(rest.is_empty() && ended_well, "{rest:?}");
    }
}

#[test]
fn an_id_that_is_open_is_not_taken_twice() {
    let mut wire = Wire::new(Era::Legacy, false, &[]);
    let wait = r#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"wait"}}"#;
    wire.raw(wait);
    wire.raw(wait);
    let refused = wire.message();
    assert_eq!(
        (&refused["id"], &refused["error"]["code"]),
        (&json!("a"), &json!(-32600))
    );
    wire.raw(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}"#);
    // Once cancelled it is free again.
    wire.raw(&wait.replace("\"wait\"", "\"waited\""));
    assert_eq!(wire.message()["id"], "a");
}

#[test]
fn a_flood_is_answered_and_forgotten() {
    let mut wire = Wire::new(Era::Legacy, false, &[]);
    // More than may be open: none of them ever ends by itself.
    let ids: Vec<u64> = (0..1_100)
        .map(|_| wire.ask("tools/call", json!({ "name": "wait" })))
        .collect();
    for _ in 0..76 {
        assert_eq!(wire.message()["error"]["code"], -32600);
    }
    for id in ids {
        wire.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } }));
    }
    wire.lives();
}

#[test]
fn what_was_asked_for_is_answered_although_the_client_has_stopped_writing() {
    let mut wire = Wire::new(Era::Legacy, false, &[]);
    let last = wire.ask("tools/call", json!({ "name": "count" }));
    let (rest, ended_well) = wire.end();
    assert!(ended_well);
    assert!(rest.iter().any(|message| message["id"] == last), "{rest:?}");
}

#[test]
fn a_list_that_changed_is_told_to_who_asked() {
    let mut wire = Wire::new(Era::Modern, false, &[]);
    let asked = wire.ask(
        "subscriptions/listen",
        json!({ "notifications": { "toolsListChanged": true } }),
    );
    assert_eq!(
        wire.message()["method"],
        "notifications/subscriptions/acknowledged"
    );
    let grown = wire.call("grow", json!({}));
    assert_eq!(text(&grown), "grown");
    let told = match wire.aside.pop() {
        Some(told) => told,
        None => wire.message(),
    };
    assert_eq!(told["method"], "notifications/tools/list_changed");
    let meta = &told["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"];
    assert_eq!(*meta, json!(asked), "{told}");
    assert_eq!(text(&wire.call("more", json!({ "text": "b" }))), "b");

    // Nobody asked: nobody is told.
    let mut wire = Wire::new(Era::Modern, false, &[]);
    wire.call("grow", json!({}));
    wire.lives();
    assert!(wire.aside.is_empty(), "{:?}", wire.aside);
}

#[test]
fn a_client_that_does_not_read_is_not_read_either() {
    const CALLS: usize = 260;
    let mut child = Command::new(env!("CARGO_BIN_EXE_mcp-fixture"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    let hello = r#"{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"mute","version":"1"}}}"#;
    writeln!(input, "{hello}").unwrap();
    output.next().unwrap().unwrap();
    let sent = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&sent);
    let writer = std::thread::spawn(move || {
        let text = "x".repeat(100_000);
        for id in 0..CALLS {
            let params = json!({ "name": "say", "arguments": { "text": text } });
            let call =
                json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
            writeln!(input, "{call}").unwrap();
            count.store(id + 1, Ordering::SeqCst);
        }
    });
    // Until nothing has moved for a while.
    let mut last = (0, 0);
    while last.1 < 20 {
        std::thread::sleep(Duration::from_millis(50));
        let now = sent.load(Ordering::SeqCst);
        let still = if now == last.0 && now > 0 {
            last.1 + 1
        } else {
            0
        };
        last = (now, still);
    }
    assert!(last.0 < CALLS, "the server took everything in");
    // Nothing of it is lost.
    for _ in 0..CALLS {
        let answer: Value = serde_json::from_str(&output.next().unwrap().unwrap()).unwrap();
        assert!(text(&answer).starts_with("xxx"), "{}", answer["error"]);
    }
    writer.join().unwrap();
    drop(output);
    assert!(child.wait().unwrap().success());
}
