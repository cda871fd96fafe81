//! What a screen does not show of the file tools: that nothing outside changes, and what becomes
//! of what was there.

use std::{fs, os::unix::fs::PermissionsExt as _, time::Duration};

use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::lab::{Lab, make, run};

#[test]
fn nothing_outside_is_read_written_or_deleted() {
    let mut lab = Lab::new();
    lab.put("../outside/secret.txt", "canary\n");
    std::os::unix::fs::symlink("../outside", lab.path("out")).unwrap();
    std::os::unix::fs::symlink("../outside/secret.txt", lab.path("secret")).unwrap();
    let absolute = lab.path("../outside/secret.txt");
    let absolute = absolute.to_str().unwrap();
    for path in [
        "../outside/secret.txt",
        "out/secret.txt",
        "out/../out/secret.txt",
        absolute,
    ] {
        for (tool, input) in [
            ("read_file", json!({ "path": path })),
            ("write_file", json!({ "path": path, "content": "mine" })),
            (
                "edit_file",
                json!({ "path": path, "old_string": "canary", "new_string": "mine" }),
            ),
            ("delete_file", json!({ "path": path })),
            (
                "grep",
                json!({ "pattern": "canary", "path": path, "output_mode": "content" }),
            ),
        ] {
            let (class, message) = lab.error(tool, &input);
            assert!(
                ["permission_denied", "invalid_input"].contains(&class.as_str()),
                "{tool} {message}"
            );
            assert!(!message.contains("canary"), "{message}");
        }
    }
    // The link as the last part: followed and refused, but for what removes the link itself.
    lab.error("read_file", &json!({ "path": "secret" }));
    lab.error(
        "write_file",
        &json!({ "path": "secret", "content": "mine" }),
    );
    lab.error(
        "write_file",
        &json!({ "path": "out/new.txt", "content": "mine" }),
    );
    // Nor does a walk lead out.
    let (found, _) = lab.ok("grep", &json!({ "pattern": "canary" }));
    assert_eq!(found, "[nothing matches]\n");
    let (_, data) = lab.ok("glob", &json!({ "pattern": "**" }));
    assert_eq!(data["paths"], json!([]));
    assert_eq!(lab.events(), []);
    lab.ok("delete_file", &json!({ "path": "secret" }));
    assert_eq!(lab.text("../outside/secret.txt"), "canary\n");
    assert_eq!(fs::read_dir(lab.path("../outside")).unwrap().count(), 1);
    // Control: the same inside.
    lab.put("inside/secret.txt", "canary\n");
    let (found, _) = lab.ok("grep", &json!({ "pattern": "canary" }));
    assert_eq!(found, "inside/secret.txt\n");
}

#[test]
fn dots_behind_a_part_lead_where_a_policy_says_whatever_is_on_the_disk() {
    let lab = Lab::new();
    lab.put("secret/b/kept.txt", "kept\n");
    lab.put("secret/key", "canary\n");
    std::os::unix::fs::symlink("secret/b", lab.path("docs")).unwrap();
    // For a policy that is `key`; by the link it would be `secret/key`.
    for tool in ["read_file", "delete_file"] {
        let (class, _) = lab.error(tool, &json!({ "path": "docs/../key" }));
        assert_eq!(class, "not_found", "{tool}");
    }
    let (_, data) = lab.ok(
        "write_file",
        &json!({ "path": "docs/../key", "content": "mine" }),
    );
    assert_eq!(data["path"], "key");
    assert_eq!(lab.text("key"), "mine");
    assert_eq!(lab.text("secret/key"), "canary\n");
    // No folder is made on the way.
    let input = json!({ "path": "secret/made/../../new/file", "content": "mine" });
    lab.ok("write_file", &input);
    assert!(!lab.path("secret/made").exists());
    // Control: without dots the link is followed.
    lab.ok("read_file", &json!({ "path": "docs/kept.txt" }));
}

#[test]
fn a_replaced_file_keeps_its_mode_and_other_names_keep_their_content() {
    let lab = Lab::new();
    lab.put("../other.txt", "old\n");
    fs::hard_link(lab.path("../other.txt"), lab.path("linked.txt")).unwrap();
    lab.put("run.sh", "echo a\n");
    fs::set_permissions(lab.path("run.sh"), fs::Permissions::from_mode(0o750)).unwrap();
    lab.ok(
        "write_file",
        &json!({ "path": "linked.txt", "content": "new\n" }),
    );
    lab.ok(
        "edit_file",
        &json!({ "path": "run.sh", "old_string": "a", "new_string": "b" }),
    );
    assert_eq!(lab.text("../other.txt"), "old\n");
    assert_eq!(lab.text("linked.txt"), "new\n");
    let mode = fs::metadata(lab.path("run.sh"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o750);
    // Nothing is left beside what was written.
    let mut names: Vec<_> = fs::read_dir(lab.path(""))
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["linked.txt", "run.sh"]);
}

#[test]
fn a_file_that_cannot_be_written_is_as_it_was() {
    let lab = Lab::new();
    lab.put("kept/file.txt", "old\n");
    lab.put("file", "no folder\n");
    let (class, message) = lab.error(
        "write_file",
        &json!({ "path": "file/below.txt", "content": "x" }),
    );
    assert_eq!(class, "environment", "{message}");
    assert_eq!(lab.text("file"), "no folder\n");
    lab.ok(
        "write_file",
        &json!({ "path": "kept/file.txt", "content": "new\n" }),
    );
    assert_eq!(lab.text("kept/file.txt"), "new\n");
}

#[test]
fn many_edits_at_once_lose_none() {
    let lab = Lab::new();
    let lines: String = (0..20).map(|n| format!("item {n} open\n")).collect();
    lab.put("list.txt", lines);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let calls: Vec<_> = (0..20)
            .map(|n| {
                let (registry, caller) = (lab.registry.clone(), lab.caller());
                let (old, new) = (format!("item {n} open\n"), format!("item {n} done\n"));
                tokio::spawn(async move {
                    let input = json!({ "path": "list.txt", "old_string": old, "new_string": new });
                    registry.call("edit_file", input, &caller).await
                })
            })
            .collect();
        for call in calls {
            assert!(call.await.unwrap().output.is_ok());
        }
    });
    assert_eq!(lab.text("list.txt").matches("done").count(), 20);
}

#[test]
fn results_are_capped_and_the_rest_is_told() {
    let lab = Lab::new();
    for n in 0..501 {
        lab.put(&format!("many/{n:03}.txt"), "a line\nanother line\n");
    }
    for (mode, first, results) in [
        ("content", "many/000.txt:1:a line", 200),
        ("files_with_matches", "many/000.txt", 200),
        ("count", "many/000.txt:2", 200),
    ] {
        let input = json!({ "pattern": "line", "output_mode": mode });
        let (text, _) = lab.ok("grep", &input);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines[0], lines.len()), (first, results + 1));
        assert_eq!(
            lines[results],
            "[200 results are shown and there are more; narrow the search]"
        );
    }
    let (_, data) = lab.ok("glob", &json!({ "pattern": "**/*.txt" }));
    assert_eq!(data["paths"].as_array().unwrap().len(), 500);
    assert_eq!(data["truncated"], true);
    // Control: what fits is whole.
    let (_, data) = lab.ok("glob", &json!({ "pattern": "many/4*.txt" }));
    assert_eq!(data["paths"].as_array().unwrap().len(), 100);
    assert_eq!(data["truncated"], false);
}

#[test]
fn a_fifo_where_an_ignore_file_should_be_stops_no_search() {
    let lab = Lab::new();
    lab.put("a.txt", "text\n");
    for name in [".gitignore", ".ignore"] {
        make(&lab, &json!({ "path": name, "fifo": true }));
    }
    let (text, _) = lab.ok("grep", &json!({ "pattern": "text" }));
    assert_eq!(text, "a.txt\n");
}

#[test]
fn hostile_patterns_are_refused_in_a_few_words() {
    let lab = Lab::new();
    lab.put("a.txt", "text\n");
    let nested = format!("{}a{}", "{a,".repeat(50_000), "}".repeat(50_000));
    let grouped = format!("{}a{}", "(".repeat(50_000), ")".repeat(50_000));
    for (tool, input) in [
        ("glob", json!({ "pattern": nested })),
        ("grep", json!({ "pattern": "x", "glob": nested })),
        ("grep", json!({ "pattern": grouped })),
        ("grep", json!({ "pattern": "a".repeat(900_000) })),
        ("grep", json!({ "pattern": "((a{100}){100}){100}" })),
    ] {
        let (class, message) = lab.error(tool, &input);
        assert_eq!(class, "invalid_input");
        assert!(message.len() < 700, "{tool}: {} bytes", message.len());
    }
    // What would burn time in a backtracking engine does not here; control: it matches.
    lab.put("b.txt", format!("{}!\n", "a".repeat(50_000)));
    let (text, _) = lab.ok("grep", &json!({ "pattern": "^(a|a)*(a|aa)+!$" }));
    assert_eq!(text, "b.txt\n");
    let (_, data) = lab.ok("glob", &json!({ "pattern": "{a,b,{c,d}}.txt" }));
    assert_eq!(data["paths"], json!(["a.txt", "b.txt"]));
}

#[test]
fn a_replaced_file_gives_no_rights_away() {
    let lab = Lab::new();
    lab.put("run", "old\n");
    fs::set_permissions(lab.path("run"), fs::Permissions::from_mode(0o4755)).unwrap();
    lab.ok("write_file", &json!({ "path": "run", "content": "new\n" }));
    let mode = fs::metadata(lab.path("run")).unwrap().permissions().mode();
    assert_eq!(mode & 0o7777, 0o755);
}

#[test]
fn a_read_that_nobody_waits_for_ends() {
    let lab = Lab::new();
    // Text at first, then one line that never ends.
    lab.put("endless.txt", "text\n".repeat(4_000));
    let file = fs::OpenOptions::new()
        .write(true)
        .open(lab.path("endless.txt"))
        .unwrap();
    file.set_len(1 << 40).unwrap();
    let input = json!({ "path": "endless.txt", "offset": 5_000 });
    let stop = CancellationToken::new();
    let caller = lab.caller().cancelled_by(stop.clone());
    let report = run(async {
        let stopper = async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            stop.cancel();
        };
        tokio::join!(lab.registry.call("read_file", input, &caller), stopper).0
    });
    let code = report.code().expect("it is stopped").to_string();
    assert_eq!((code.as_str(), report.ran), ("cancelled", true));
    // Control: what is there is read.
    let (text, _) = lab.ok("read_file", &json!({ "path": "endless.txt", "limit": 1 }));
    assert_eq!(
        text,
        "     1\ttext\n[more lines follow; go on with offset 2]\n"
    );
}
