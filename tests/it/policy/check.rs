//! `check/faults/<id>/{bad.toml, bad.diag, ok.toml}`: every fault of a policy fires once and stays
//! silent once. `check/spellings/<fact>.{toml,diag}`: other ways to get there.

use std::collections::BTreeSet;

use toolcontract_protocol::ToolContract;
use toolcontract_runtime::policy::role::{IDS, PolicyError, RolePolicy};

use super::{data, entries, parse, parse_bytes, policy, screen};
use crate::expect::Expect;

#[test]
fn every_fault_fires_once_and_stays_silent_once() {
    let mut expect = Expect::default();
    let folders = entries(&data().join("check/faults"));
    let mut ids = BTreeSet::new();
    for folder in &folders {
        let id = folder.file_name().unwrap().to_str().unwrap();
        ids.insert(id.to_owned());
        let (bad, findings) = parse(&folder.join("bad.toml"));
        assert!(bad.is_none(), "{id}: a policy with a fault is in force");
        if !findings.iter().any(|finding| finding.rule == id) {
            expect.fail(format_args!("{id} does not fire:\n{}", screen(&findings)));
        }
        expect.file(&folder.join("bad.diag"), &screen(&findings));
        let (ok, findings) = parse(&folder.join("ok.toml"));
        if ok.is_none() || !findings.is_empty() {
            expect.fail(format_args!(
                "{id}/ok.toml is not clean:\n{}",
                screen(&findings)
            ));
        }
        assert_eq!(entries(folder).len(), 3, "{id} has other files");
    }
    let all: BTreeSet<String> = IDS.iter().map(|id| (*id).to_owned()).collect();
    assert_eq!(ids, all, "a folder for every fault");
    expect.finish();
}

#[test]
fn no_other_spelling_slips_through() {
    let mut expect = Expect::default();
    let files = entries(&data().join("check/spellings"));
    let policies = files
        .iter()
        .filter(|file| file.extension().is_some_and(|e| e == "toml"));
    let mut seen = 0;
    for file in policies {
        let (policy, findings) = parse(file);
        assert!(
            policy.is_none() && !findings.is_empty(),
            "{}",
            file.display()
        );
        expect.file(&file.with_extension("diag"), &screen(&findings));
        seen += 2;
    }
    assert_eq!(seen, entries(&data().join("check/spellings")).len());
    expect.finish();
}

#[test]
fn a_file_that_is_not_there_or_cut_off_is_no_policy() {
    let missing = RolePolicy::load("no/such/policy.toml", super::catalog());
    assert!(matches!(missing, Err(PolicyError::Read { .. })));
    let ok = data().join("check/faults/unknown-role/ok.toml");
    let whole = std::fs::read(&ok).unwrap();
    assert!(RolePolicy::load(&ok, super::catalog()).is_ok());
    // Wherever a file is cut, what is left is refused or says the same as the whole.
    let revision = |bytes: &[u8]| {
        use toolcontract_runtime::authz::AuthzGate as _;
        parse_bytes(bytes).0.map(|policy| policy.revision())
    };
    let of_whole = revision(&whole).expect("a policy");
    for end in 0..whole.len() {
        let cut = revision(&whole[..end]);
        assert!(cut.is_none_or(|cut| cut == of_whole), "cut at {end}");
    }
    // A folder is no file, and a FIFO is not waited for.
    let folder = RolePolicy::load(data(), super::catalog());
    assert!(matches!(folder, Err(PolicyError::Read { .. })));
    let folder = tempfile::tempdir().unwrap();
    let fifo = folder.path().join("policy.toml");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.unwrap().success());
    let read = RolePolicy::load(&fifo, super::catalog());
    assert!(matches!(read, Err(PolicyError::Read { .. })));
    let settings = toolcontract_runtime::policy::Settings::load(&fifo);
    assert!(settings.is_err());
    // A link to a file is one.
    let link = folder.path().join("link.toml");
    std::os::unix::fs::symlink(&ok, &link).unwrap();
    assert!(RolePolicy::load(&link, super::catalog()).is_ok());
}

#[test]
fn rules_on_served_tools_wait_for_them() {
    let text = "[[role]]\nname = \"all\"\nrisk_ceiling = \"high\"\nprincipals = [\"user\"]\n\n\
        [[rule]]\nid = \"forge\"\neffect = \"deny\"\ntools = [\"mcp__forge__delete\", \"mcp__forge__*\"]\nreason = \"no\"\n";
    let unbound = |policy: &RolePolicy| {
        let all = policy.unbound().iter();
        all.map(|u| (u.tool.clone(), u.line)).collect::<Vec<_>>()
    };
    let before = policy(text);
    let names = ["mcp__forge__delete", "mcp__forge__*"].map(|name| (name.to_owned(), 7));
    assert_eq!(unbound(&before), names);
    let served = ToolContract::declared(
        "mcp__forge__delete",
        "Deletes.",
        serde_json::json!({ "type": "object" }),
    );
    let source = toolcontract_manifest::Source {
        path: "policy.toml".to_owned(),
        bytes: text.into(),
    };
    let mut contracts: Vec<&ToolContract> = super::catalog().collect();
    contracts.push(&served);
    let (after, _) = RolePolicy::parse(&source, contracts);
    assert_eq!(unbound(&after.expect("a policy")), []);
}

#[test]
fn hostile_files_are_refused_and_nothing_panics() {
    for text in [
        "\u{feff}",
        "role = 1",
        "rule = [[1]]",
        "[[rule]]\nwhen = { not = { not = {} } }",
        "x = \"\\u0000\"",
    ] {
        assert!(parse_bytes(text).0.is_none(), "{text}");
    }
    let deep = format!("rule = {}1{}", "[".repeat(5_000), "]".repeat(5_000));
    assert!(parse_bytes(deep).0.is_none());
    assert!(parse_bytes(vec![0xff; 100]).0.is_none());
    assert!(parse_bytes(vec![b'#'; 2 << 20]).0.is_none());
}
