//! Which manifests of script tools are sound, and what is told of the others: the whole screen,
//! with places. Each case has a control that is sound.

use std::{fmt::Write as _, fs, path::PathBuf};

use serde_json::Value;
use toolcontract_runtime::script::{FolderError, ToolFolder, discover};

use super::{
    lab::make_in,
    yard::{Yard, screen},
};
use crate::expect_folder::ExpectFolder;

fn shown(case: &Value) -> String {
    let yard = Yard::new();
    for entry in case["files"].as_array().unwrap() {
        make_in(&yard.root(), entry);
    }
    let found = yard.discover();
    let mut text = format!(
        "{}\n\n{}",
        case["about"].as_str().unwrap(),
        screen(&found.findings)
    );
    text.push_str("\ntools\n");
    for script in &found.scripts {
        let contract = &script.contract;
        let _ = writeln!(
            text,
            "  {} from {}: group {}, risk {}, relied on as read-only: {}",
            contract.name,
            script.path,
            contract.group.as_deref().unwrap_or_default(),
            contract.effective_risk(),
            contract.trusted_read_only(),
        );
    }
    assert!(text.contains("zz_control from"), "{text}");
    let (registry, admitted) = yard.open(true);
    for tool in admitted.iter().filter(|tool| !tool.callable) {
        let _ = writeln!(text, "  withheld {}: {}", tool.name, tool.standing);
    }
    let control = super::yard::call(&registry, "zz_control", &serde_json::json!({}));
    assert!(control.ran, "{control:?}");
    assert!(!text.contains("password"), "a secret is shown: {text}");
    text
}

#[test]
fn manifests_of_script_tools() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/toolgate/discovery");
    let mut expect = ExpectFolder::of("toolgate/findings");
    let mut cases = 0;
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let case: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        expect.text(&path.file_stem().unwrap().to_string_lossy(), shown(&case));
        cases += 1;
    }
    assert!(cases > 10);
    expect.finish();
}

#[test]
fn a_folder_that_is_a_link_is_not_read() {
    let yard = Yard::new();
    yard.put("elsewhere/a.toml", "name = \"a_tool\"");
    fs::remove_dir(yard.path(".stella/tools")).unwrap();
    std::os::unix::fs::symlink("../elsewhere", yard.path(".stella/tools")).unwrap();
    let error = ToolFolder::inside(&yard.root(), ".stella/tools").unwrap_err();
    assert!(matches!(error, FolderError::Open { .. }), "{error}");
    for outside in ["../x", "/etc", "a/../../x"] {
        let error = ToolFolder::inside(&yard.root(), outside);
        assert!(!matches!(error, Ok(Some(_))), "{outside}");
    }
    // Controls: one that is there, and one that is not.
    assert!(
        ToolFolder::inside(&yard.root(), "elsewhere")
            .unwrap()
            .is_some()
    );
    assert!(
        ToolFolder::inside(&yard.root(), "nowhere")
            .unwrap()
            .is_none()
    );
}

#[test]
fn the_first_folder_counts_most_whatever_their_names() {
    let yard = Yard::new();
    let text = |from: &str| {
        format!("name = \"same\"\ndescription = \"From {from}.\"\ncommand = [\"true\"]\n")
    };
    yard.put("z_first/tool.toml", &text("first"));
    yard.put("a_second/tool.toml", &text("second"));
    let open = |name| ToolFolder::inside(&yard.root(), name).unwrap().unwrap();
    let found = discover(vec![open("z_first"), open("a_second")], &|_| false).unwrap();
    assert_eq!(found.scripts.len(), 1);
    assert_eq!(found.scripts[0].manifest.description, "From first.");
    assert!(screen(&found.findings).contains("z_first/tool.toml"));
    let found = discover(vec![open("a_second"), open("z_first")], &|_| false).unwrap();
    assert_eq!(found.scripts[0].manifest.description, "From second.");
}
