//! Names of events, principals and codes: the small languages inside strings.

use std::collections::BTreeSet;

use toolcontract_protocol::{
    ErrorClass, ErrorCode, Principal,
    event::{Emitter, HOST_EVENTS, MAX_NAME, emitter},
    frame::KnownFrame,
    principal::MAX_LINEAGE,
};

#[test]
fn an_event_name_says_who_may_emit_it() {
    for (name, expected) in [
        ("file.created", Some(Emitter::Tool)),
        ("git.branch.created", Some(Emitter::Tool)),
        ("tool.call.progress", Some(Emitter::Tool)),
        ("tool.call.completed", Some(Emitter::Host)),
        ("approval.granted", Some(Emitter::Host)),
        ("policy.anything_new", Some(Emitter::Host)),
        ("git.push.requested", Some(Emitter::Host)),
        (
            "plugin.my-plugin.thing.done",
            Some(Emitter::Plugin("my-plugin")),
        ),
        ("plugin.0.x", Some(Emitter::Plugin("0"))),
        ("plugin.Vera.x", None),
        ("plugin..x", None),
        ("plugin.vera", None),
        ("plugin.vera.", None),
        ("file", None),
        ("file.", None),
        (".created", None),
        ("file..created", None),
        ("file.Created", None),
        ("file.1st", None),
        ("file.cr\u{e9}ated", None),
        ("file.created\n", None),
        ("file.*", None),
        ("", None),
    ] {
        assert_eq!(emitter(name), expected, "{name:?}");
    }
    let longest = format!("a.{}", "b".repeat(MAX_NAME - 2));
    assert_eq!(emitter(&longest), Some(Emitter::Tool));
    assert_eq!(emitter(&format!("{longest}b")), None);
}

#[test]
fn host_events_are_names_and_named_once() {
    let names: BTreeSet<&str> = HOST_EVENTS.iter().map(|event| event.name).collect();
    assert_eq!(names.len(), HOST_EVENTS.len());
    assert_eq!(names.len(), 95);
    for event in HOST_EVENTS {
        assert!(emitter(event.name).is_some(), "{}", event.name);
        assert!(event.about.ends_with('.'), "{}", event.name);
    }
    assert!(HOST_EVENTS.iter().any(|event| !event.is_reserved()));
}

#[test]
fn principals_of_different_kinds_are_never_equal() {
    let all = [
        Principal::User,
        Principal::Role("vera".into()),
        Principal::User.spawn("vera"),
        Principal::Host("vera".into()).spawn("vera"),
        Principal::Host("vera".into()),
        Principal::Host("user".into()),
        Principal::Plugin("vera".into()),
    ];
    for (i, left) in all.iter().enumerate() {
        for (j, right) in all.iter().enumerate() {
            assert_eq!(left == right, i == j, "{left} and {right}");
            let texts = [left, right].map(|p| serde_json::to_string(p).expect("printable"));
            assert_eq!(texts[0] == texts[1], i == j, "{left} and {right}");
        }
    }
}

#[test]
fn a_sub_agent_carries_everyone_it_acts_for() {
    let agent = Principal::Host("acct_9".into()).spawn("a").spawn("b");
    let lineage: Vec<String> = agent.lineage().map(Principal::label).collect();
    assert_eq!(lineage, ["subagent:b", "subagent:a", "host:acct_9"]);
}

#[test]
fn a_chain_of_sub_agents_has_an_end() {
    let mut agent = Principal::User;
    for _ in 1..MAX_LINEAGE {
        agent = agent.spawn("a");
    }
    let text = serde_json::to_string(&agent).expect("printable");
    assert_eq!(
        serde_json::from_str::<Principal>(&text).expect("readable"),
        agent
    );
    let text = serde_json::to_string(&agent.spawn("a")).expect("printable");
    let error = serde_json::from_str::<Principal>(&text).expect_err("too long");
    assert!(error.to_string().contains("act for each other"), "{error}");
}

#[test]
fn an_id_cannot_change_how_its_line_looks() {
    let shown = Principal::Host("a\nhost:b\u{202e}\u{1b}[2J\"".into()).to_string();
    assert_eq!(shown, r#"host:a\nhost:b\u{202e}\u{1b}[2J""#);
}

#[test]
fn a_known_code_is_itself_however_it_was_made() {
    for code in ErrorCode::KNOWN {
        assert_eq!(&ErrorCode::from(code.as_str()), code);
        assert_eq!(&ErrorCode::Other(code.as_str().to_owned()), code);
        assert!(!code.about().is_empty(), "{code}");
    }
    assert_eq!(
        ErrorCode::from("a_later_code").class(),
        ErrorClass::Internal
    );
    assert_eq!(ErrorCode::from("a_later_code").as_str(), "a_later_code");
}

#[test]
fn the_list_of_frame_types_is_the_enum() {
    // A type that is listed but has no variant is refused for its type, not for its fields.
    for kind in KnownFrame::TYPES {
        let text = serde_json::json!({ "type": kind }).to_string();
        if let Err(error) = serde_json::from_str::<KnownFrame>(&text) {
            assert!(
                !error.to_string().contains("unknown variant"),
                "{kind}: {error}"
            );
        }
    }
    let error = serde_json::from_str::<KnownFrame>(r#"{"type":"x"}"#).expect_err("no such type");
    let listed = KnownFrame::TYPES.map(|kind| format!("`{kind}`")).join(", ");
    assert!(error.to_string().contains(&listed), "{error}");
}
