//! Calls of the file, search and state tools on real files, one folder of files a fact. What is
//! expected is the whole screen: the result, what a model reads of it, the events.

use std::{fmt::Write as _, fs, path::PathBuf};

use serde_json::Value;
use toolcontract_manifest::text::escape;
use toolcontract_protocol::ToolOutput;

use super::lab::{Lab, make};
use crate::expect_folder::ExpectFolder;

/// The screen of one case: each call, what came of it, what was heard.
fn screen(case: &Value) -> String {
    let mut lab = Lab::new();
    for entry in case["files"].as_array().into_iter().flatten() {
        make(&lab, entry);
    }
    let mut screen = format!("{}\n", case["about"].as_str().unwrap());
    let mut refused = 0;
    let mut done = 0;
    for call in case["calls"].as_array().unwrap() {
        let (tool, input) = (call["tool"].as_str().unwrap(), &call["input"]);
        let _ = writeln!(screen, "\n> {tool} {input}");
        match lab.call(tool, input).output {
            ToolOutput::Ok { content, data } => {
                done += 1;
                let _ = writeln!(screen, "{}", content.trim_end_matches('\n'));
                if let Some(data) = data
                    .map(|data| data.to_string())
                    .filter(|data| *data != content)
                {
                    let _ = writeln!(screen, "data: {data}");
                }
            }
            ToolOutput::Error { message, class, .. } => {
                refused += 1;
                let _ = writeln!(screen, "{class}: {message}");
            }
        }
        for (name, payload) in lab.events() {
            let _ = writeln!(screen, "event {name} {payload}");
        }
    }
    assert!(done > 0, "no call of the case succeeds: {screen}");
    assert_eq!(refused > 0, case["refuses"].as_bool().unwrap(), "{screen}");
    let root = lab.root();
    assert!(!screen.contains(root.to_str().unwrap()), "{screen}");
    // Git and a reader keep what is escaped.
    escape(&screen).into_owned()
}

#[test]
fn calls_on_real_files() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/toolgate/cases");
    let mut expect = ExpectFolder::of("toolgate/screens");
    let mut cases = 0;
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let case: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        expect.text(&path.file_stem().unwrap().to_string_lossy(), screen(&case));
        cases += 1;
    }
    assert!(cases > 10);
    expect.finish();
}
