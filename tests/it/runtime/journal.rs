//! The journal: whole, or it says where it is not.

use std::{
    io::Write,
    path::{Path, PathBuf},
    sync::Arc,
};

use proptest::prelude::*;
use serde_json::json;
use toolcontract_protocol::{
    Principal, Provenance, ToolOutput,
    error_code::ErrorClass,
    journal::{CallResult, JournalEntry, Outcome, Record},
};
use toolcontract_runtime::{
    authz::{DenyAll, NoAuthz},
    caller::{Caller, Session},
    clock::{Clock, ManualClock},
    journal::{Broken, Entry, FileJournal, Head, Journal, JournalError, verify},
    registry::Registry,
};

use super::fakes::{Does, Fake, Log, NOON, caller, contract, wait};

fn clock() -> Arc<dyn Clock> {
    Arc::new(ManualClock::at(NOON))
}

struct File {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

fn file() -> File {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal.jsonl");
    File {
        _folder: folder,
        path,
    }
}

fn open(path: &Path) -> FileJournal {
    FileJournal::open(path, &clock()).expect("a journal")
}

/// Journals `calls` calls of which every second one is denied, and gives back the end.
fn write_calls(path: &Path, calls: usize) -> Head {
    let journal = Arc::new(open(path));
    let session = Session::new("s1");
    let log = Log::default();
    let registries: Vec<Registry> = [true, false]
        .into_iter()
        .map(|allow| {
            let builder = match allow {
                true => Registry::builder(NoAuthz),
                false => Registry::builder(DenyAll),
            };
            builder
                .clock(clock())
                .journal(Arc::clone(&journal) as Arc<dyn Journal>)
                .dyn_tool(
                    Provenance::Builtin,
                    contract(json!({})),
                    Fake::new(Does::Return(ToolOutput::text("s3cret output")), &log),
                )
                .build()
                .unwrap()
        })
        .collect();
    for call in 0..calls {
        let caller = Caller::in_process(Principal::User, &session, format!("c{call}"));
        wait(registries[call % 2].call("probe", json!({ "path": "s3cret" }), &caller));
    }
    journal.head()
}

fn lines(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(str::to_owned).collect()
}

fn put(path: &Path, lines: &[String]) {
    let mut text = lines.join("\n");
    text.push('\n');
    let mut file = std::fs::OpenOptions::new()
        .write(true)
        .truncate(true)
        .open(path)
        .unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

fn check(path: &Path, head: Option<&Head>) -> Result<Head, u64> {
    let file = std::fs::File::open(path).unwrap();
    match verify(std::io::BufReader::new(file), head) {
        Ok(verified) => Ok(verified.head),
        Err(JournalError::Broken(Broken { sequence, .. })) => Err(sequence),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn what_was_written_is_whole() {
    let file = file();
    let head = write_calls(&file.path, 4);
    assert_eq!(head.sequence, 8);
    assert_eq!(check(&file.path, None), Ok(head.clone()));
    assert_eq!(check(&file.path, Some(&head)), Ok(head.clone()));
    assert_eq!(check(&file.path, Some(&Head::empty())), Ok(head.clone()));
    // A second program goes on where the first stopped.
    let longer = write_calls(&file.path, 2);
    assert_eq!(longer.sequence, 12);
    assert_eq!(check(&file.path, Some(&head)), Ok(longer));
}

#[test]
fn a_line_tells_who_what_and_why_and_no_values() {
    let file = file();
    write_calls(&file.path, 2);
    let text = std::fs::read_to_string(&file.path).unwrap();
    assert!(!text.contains("s3cret"), "{text}");
    let entries: Vec<JournalEntry> = lines(&file.path)
        .iter()
        .map(|line| {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            serde_json::from_value(line["entry"].clone()).unwrap()
        })
        .collect();
    let Record::Intent(intent) = &entries[2].record else {
        panic!("an intent")
    };
    assert_eq!(intent.tool, "probe");
    assert_eq!(intent.principal, Principal::User);
    assert_eq!(&*intent.trace.decided_by.rule, "gate:deny-all");
    assert_eq!(intent.policy_revision, "deny-all=deny-all");
    assert_eq!(entries[2].timestamp, "2026-08-10T12:00:00.000Z");
    assert_eq!(
        (entries[2].session_id.as_str(), entries[2].call_id.as_str()),
        ("s1", "c1")
    );
    let Record::Outcome(outcome) = &entries[3].record else {
        panic!("an outcome")
    };
    assert!(!outcome.ran);
    let CallResult::Error { class, .. } = &outcome.result else {
        panic!("an error")
    };
    assert_eq!(*class, ErrorClass::RefusedByPolicy);
}

#[test]
fn every_change_is_found_at_its_place() {
    let file = file();
    let head = write_calls(&file.path, 3);
    let whole = lines(&file.path);
    let other = {
        let file = self::file();
        write_calls(&file.path, 4);
        lines(&file.path)
    };
    let edit = |index: usize, from: &str, to: &str| {
        let mut lines = whole.clone();
        assert!(lines[index].contains(from), "{}", lines[index]);
        lines[index] = lines[index].replace(from, to);
        lines
    };
    let without = |index: usize| {
        let mut lines = whole.clone();
        lines.remove(index);
        lines
    };
    let swapped = {
        let mut lines = whole.clone();
        lines.swap(1, 2);
        lines
    };
    let spliced = {
        let mut lines = whole.clone();
        lines[4] = other[6].clone();
        lines
    };
    let doubled = {
        let mut lines = whole.clone();
        lines.insert(3, whole[2].clone());
        lines
    };
    let broken_at = [
        (
            "edited",
            edit(2, r#""tool":"probe""#, r#""tool":"other""#),
            3,
        ),
        ("edited hash", edit(2, r#"{"hash":""#, r#"{"hash":"0"#), 3),
        ("respelled", edit(2, r#","entry":{"#, r#","entry":{ "#), 3),
        (
            "a blank before the hash",
            edit(2, r#"{"hash":""#, r#"{ "hash":""#),
            3,
        ),
        (
            "a blank before the entry",
            edit(2, r#","entry":{"#, r#", "entry":{"#),
            3,
        ),
        ("a blank behind", edit(2, "}}", "}} "), 3),
        ("another end of line", edit(2, "}}", "}}\r"), 3),
        (
            "another spelling",
            edit(2, r#"{"hash""#, r#"{"\u0068ash""#),
            3,
        ),
        (
            "more beside it",
            edit(2, r#","entry":{"#, r#","note":1,"entry":{"#),
            3,
        ),
        ("dropped", without(2), 3),
        ("first dropped", without(0), 1),
        ("reordered", swapped, 2),
        ("spliced", spliced, 5),
        ("doubled", doubled, 4),
        ("no line", edit(2, "{", "x"), 3),
        (
            "empty line",
            {
                let mut l = whole.clone();
                l.insert(2, String::new());
                l
            },
            3,
        ),
    ];
    for (what, lines, at) in broken_at {
        put(&file.path, &lines);
        assert_eq!(check(&file.path, None), Err(at), "{what}");
        // Nor is such a file gone on with.
        match FileJournal::open(&file.path, &clock()) {
            Err(JournalError::Broken(broken)) => assert_eq!(broken.sequence, at, "{what}"),
            other => panic!("{what}: {other:?}"),
        }
    }
    // Cut off at the end it is whole to itself, and short to who kept its end.
    put(&file.path, &whole[..4]);
    assert!(check(&file.path, None).is_ok());
    assert_eq!(check(&file.path, Some(&head)), Err(5));
    // Control.
    put(&file.path, &whole);
    assert_eq!(check(&file.path, Some(&head)), Ok(head));
}

/// A whole line whose own hash is right still has to follow from the one before, and the next from it.
#[test]
fn an_entry_with_a_new_hash_breaks_the_one_after() {
    let file = file();
    write_calls(&file.path, 3);
    let mut lines = lines(&file.path);
    let parts = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        line["hash"].as_str().unwrap().to_owned()
    };
    let entry = lines[2]
        .split_once(r#","entry":"#)
        .and_then(|(_, entry)| entry.strip_suffix('}'))
        .unwrap()
        .replace(r#""tool":"probe""#, r#""tool":"other""#);
    let hash =
        toolcontract_schema::digest::hex(format!("{}\n{entry}", parts(&lines[1])).as_bytes());
    lines[2] = format!(r#"{{"hash":"{hash}","entry":{entry}}}"#);
    put(&file.path, &lines);
    assert_eq!(check(&file.path, None), Err(4));
    // Control: the entry itself is taken, so the line was spelled as the journal spells it.
    put(&file.path, &lines[..3]);
    assert!(check(&file.path, None).is_ok());
}

#[test]
fn a_crash_leaves_an_outcome_that_says_so() {
    let file = file();
    write_calls(&file.path, 3);
    let whole = lines(&file.path);
    // The program died between intent and outcome of the last call, while writing.
    put(&file.path, &whole[..5]);
    let mut torn = std::fs::OpenOptions::new()
        .append(true)
        .open(&file.path)
        .unwrap();
    torn.write_all(&whole[5].as_bytes()[..40]).unwrap();
    drop(torn);
    assert_eq!(
        check(&file.path, None),
        Err(6),
        "cut off in the middle of a line"
    );

    let journal = open(&file.path);
    assert_eq!(journal.head().sequence, 6);
    drop(journal);
    let entry: serde_json::Value = serde_json::from_str(&lines(&file.path)[5]).unwrap();
    let entry: JournalEntry = serde_json::from_value(entry["entry"].clone()).unwrap();
    assert_eq!(entry.call_id, "c2");
    let Record::Outcome(outcome) = entry.record else {
        panic!("an outcome")
    };
    assert_eq!((outcome.ran, outcome.result), (true, CallResult::Unknown));
    // And only once.
    assert_eq!(open(&file.path).head().sequence, 6);
}

#[test]
fn two_programs_do_not_share_a_file() {
    let file = file();
    let first = open(&file.path);
    assert!(matches!(
        FileJournal::open(&file.path, &clock()),
        Err(JournalError::Busy)
    ));
    drop(first);
    open(&file.path);
}

#[test]
fn a_call_that_is_given_up_is_unknown() {
    let file = file();
    let journal = Arc::new(open(&file.path));
    let log = Log::default();
    let registry = Registry::builder(NoAuthz)
        .journal(Arc::clone(&journal) as Arc<dyn Journal>)
        .dyn_tool(
            Provenance::Builtin,
            contract(json!({})),
            Fake::new(Does::Hang, &log),
        )
        .build()
        .unwrap();
    wait(async {
        let caller = caller();
        tokio::select! {
            biased;
            report = registry.call("probe", json!({}), &caller) => panic!("{report:?}"),
            () = tokio::task::yield_now() => {}
        }
    });
    assert_eq!(log.count("tool"), 1);
    assert_eq!(journal.head().sequence, 2);
    assert!(lines(&file.path)[1].contains(r#""status":"unknown""#));
}

fn entry(session: &str, call: &str, event: u64) -> Entry {
    Entry {
        timestamp: "2026-08-10T12:00:00.000Z".to_owned(),
        session_id: session.to_owned(),
        call_id: call.to_owned(),
        record: Record::Outcome(Outcome {
            ran: false,
            result: CallResult::Ok,
            duration_ms: None,
            events_emitted: event,
            events_dropped: 0,
        }),
    }
}

#[test]
fn many_tasks_lose_and_reorder_nothing() {
    let file = file();
    let journal = open(&file.path);
    std::thread::scope(|scope| {
        for task in 0..8 {
            let journal = &journal;
            scope.spawn(move || {
                for place in 0..50 {
                    journal
                        .append(entry(&format!("s{task}"), "c", place))
                        .unwrap();
                }
            });
        }
    });
    let head = journal.head();
    assert_eq!(head.sequence, 400);
    assert_eq!(check(&file.path, Some(&head)), Ok(head));
    let mut last = [0; 8];
    for line in lines(&file.path) {
        let line: serde_json::Value = serde_json::from_str(&line).unwrap();
        let task: usize = line["entry"]["session_id"].as_str().unwrap()[1..]
            .parse()
            .unwrap();
        assert_eq!(line["entry"]["events_emitted"], json!(last[task]));
        last[task] += 1;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn whatever_is_in_it_an_entry_is_one_line(
        entries in prop::collection::vec((any::<String>(), any::<String>()), 1..4)
    ) {
        let file = file();
        let journal = open(&file.path);
        for (session, call) in &entries {
            journal.append(entry(&format!("{session}\n\u{2028}"), call, 0)).unwrap();
        }
        prop_assert_eq!(lines(&file.path).len(), entries.len());
        prop_assert_eq!(check(&file.path, None), Ok(journal.head()));
    }
}
