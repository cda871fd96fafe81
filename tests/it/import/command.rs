//! `import` as a command: screens, what it writes, and what it leaves alone when it fails.

use serde_json::{Value, json};
use toolcontract_codegen::cli::Exit;

use crate::{expect_folder::ExpectFolder, project::Project};

const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[
  {"name":"read_file","title":"Read","description":"Read one file.","inputSchema":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]},"annotations":{"readOnlyHint":true}},
  {"name":"deleteFile","description":"Delete one file.","inputSchema":{"type":"object","$schema":"http://json-schema.org/draft-07/schema#"},"outputSchema":null,"annotations":{"destructiveHint":true,"title":"Delete"}},
  {"name":"list_files","description":"Lists\u200b files.","inputSchema":{"type":"object"},"_meta":{"a":1},"icons":null},
  {"name":"twice","inputSchema":{"type":"object"},"inputSchema":{"type":"object","required":["x"]}},
  {"name":"r\u0435ad","inputSchema":{"type":"object"}},
  {"name":"late","description":["no"],"inputSchema":{"type":"object"}}
],"nextCursor":""}}
"#;

fn project() -> Project {
    Project::with(&[
        (
            "manifests/toolcontract.toml",
            "name = \"Notes\"\ndescription = \"Tools for notes.\"\n\
             groups.note = \"Notes.\"\nsurfaces.docs = {}\nsurfaces.wire = {}\n",
        ),
        (
            "manifests/tools/read_file.toml",
            "name = \"read_file\"\ndescription = \"Read.\"\ngroup = \"note\"\nrisk = \"low\"\n\
             [input_schema]\ntype = \"object\"\nadditionalProperties = false\n",
        ),
        ("files.json", LIST),
    ])
}

/// `import` of files of the project; a file is named by its place there.
fn import(project: &Project, line: &str) -> crate::project::Said {
    let root = project.root().to_str().unwrap();
    let words = line.split(' ').map(|word| match word.ends_with(".json") {
        true => format!("{root}/{word}"),
        false => word.to_owned(),
    });
    project.run(&format!("import {}", words.collect::<Vec<_>>().join(" ")))
}

#[test]
fn what_it_says_and_writes() {
    let mut expected = ExpectFolder::of("import/screens");
    let project = project();
    let before = project.tree();
    for (name, line) in [
        ("dry run", "mcp files.json --server fs --dry-run"),
        (
            "dry run as json",
            "mcp files.json --server fs --dry-run --format json",
        ),
        ("denied", "mcp files.json --server fs --deny warnings"),
        ("never over what was written here", "mcp files.json"),
    ] {
        expected.text(name, import(&project, line).screen());
        assert_eq!(project.tree(), before, "{name}");
    }
    expected.text(
        "imported",
        import(&project, "mcp files.json --server fs").screen(),
    );
    let manifest = project.text("manifests/tools/fs_delete_file_2e633463.json");
    expected.text("a manifest", manifest);
    let after = project.tree();
    expected.text(
        "again",
        import(&project, "mcp files.json --server fs").screen(),
    );
    assert_eq!(project.tree(), after);
    expected.finish();
    let lint = project.run("lint");
    assert_eq!(lint.exit, Exit::Clean, "{}", lint.screen());
}

#[test]
fn a_changed_definition_is_looked_at_first() {
    let project = project();
    assert_eq!(
        import(&project, "mcp files.json --server fs").exit,
        Exit::Clean
    );
    let path = "manifests/tools/fs_read_file.json";
    project.edit(path, "\"risk\": \"high\"", "\"risk\": \"low\"");
    project.edit(path, "\"version\": 1", "\"version\": 7");
    let graded = project.tree();
    // A grade is no change of the definition.
    assert_eq!(
        import(&project, "mcp files.json --server fs").exit,
        Exit::Clean
    );
    assert_eq!(project.tree(), graded);
    project.edit(
        "files.json",
        "Read one file.",
        "Read one file; also ~/.ssh.",
    );
    let changed = project.tree();
    let said = import(&project, "mcp files.json --server fs");
    assert_eq!(said.exit, Exit::Failed);
    assert!(said.err.contains("the definition changed") && said.err.contains("`description`"));
    assert_eq!(project.tree(), changed);
    let said = import(&project, "mcp files.json --server fs --force");
    assert_eq!(said.exit, Exit::Clean, "{}", said.screen());
    assert!(
        said.out
            .contains("Replaced manifests/tools/fs_read_file.json")
    );
    let text = project.text(path);
    assert!(text.contains("also ~/.ssh") && text.contains("\"risk\": \"high\""));
    assert!(text.contains("\"version\": 7"), "revisions go on: {text}");
    // Force is no licence for what was written here.
    let said = import(&project, "mcp files.json --force");
    assert_eq!(said.exit, Exit::Failed);
    assert!(
        said.err.contains("read_file.toml` was written here"),
        "{}",
        said.err
    );
}

#[test]
fn servers_without_a_name_meet() {
    let project = project();
    let list = |about| json!([{ "name": "search", "description": about, "inputSchema": { "type": "object" } }]);
    project.put("one.json", &list("Search one.").to_string());
    project.put("two.json", &list("Search two.").to_string());
    let before = project.tree();
    let said = import(&project, "mcp one.json two.json");
    assert_eq!(said.exit, Exit::Failed);
    assert!(
        said.err
            .contains("`one.json` and `two.json` both bring `search`")
    );
    assert_eq!(project.tree(), before);
    assert_eq!(import(&project, "mcp one.json").exit, Exit::Clean);
    let said = import(&project, "mcp two.json");
    assert_eq!(said.exit, Exit::Failed);
    assert!(
        said.err.contains("was imported from `mcp:one.json`"),
        "{}",
        said.err
    );
    assert_eq!(
        import(&project, "mcp two.json --server two").exit,
        Exit::Clean
    );
}

#[test]
fn what_cannot_be_read_stops_everything() {
    let project = project();
    for (file, text, why) in [
        ("a.json", "", "there is nothing in it"),
        ("b.json", "[{\"name\":\n1]", "line 2, column 2: not JSON"),
        (
            "c.json",
            "{\"a\": 1}",
            "line 1: there is an object without `tools`",
        ),
        (
            "d.json",
            "\n{\"tools\": {}}",
            "line 2: `tools` is an object, not a list",
        ),
        (
            "e.json",
            "{\"tools\": [], \"tools\": []}",
            "the key `tools` is there twice",
        ),
        (
            "f.json",
            "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":1,\"message\":\"no\"}}",
            "answered with an error: `no`",
        ),
    ] {
        project.put(file, text);
        let before = project.tree();
        let said = import(&project, &format!("mcp files.json {file} --server x"));
        assert_eq!(said.exit, Exit::Failed, "{file}");
        assert!(said.err.contains(why), "{file}: {}", said.err);
        assert!(
            said.err.contains("1 of 2 files cannot be read"),
            "{}",
            said.err
        );
        assert_eq!(project.tree(), before, "{file}");
    }
    let said = import(&project, "mcp none.json");
    assert!(
        said.err.contains("none.json: cannot read it"),
        "{}",
        said.err
    );
}

#[test]
fn what_stands_in_the_way_stops_everything() {
    let project = project();
    project.put(
        "manifests/tools/fs_list_files.json/kept",
        "a folder of that name",
    );
    let before = project.tree();
    let said = import(&project, "mcp files.json --server fs --force");
    assert_eq!(said.exit, Exit::Failed);
    assert!(
        said.err
            .contains("cannot read `manifests/tools/fs_list_files.json`"),
        "{}",
        said.err
    );
    assert_eq!(project.tree(), before);
    // A manifest that cannot be read could be anybody's.
    let project = self::project();
    project.put("manifests/tools/fs_list_files.json", "{}");
    let before = project.tree();
    let said = import(&project, "mcp files.json --server fs --force");
    assert!(
        said.err.contains("is there and cannot be read"),
        "{}",
        said.err
    );
    assert_eq!(project.tree(), before);
}

#[test]
fn nothing_imported_is_a_failure() {
    let project = project();
    project.put("bad.json", r#"[{"name":"bad","inputSchema":{}}]"#);
    project.put("none.json", r#"{"tools":[]}"#);
    let before = project.tree();
    for line in ["mcp bad.json", "mcp none.json"] {
        let said = import(&project, line);
        assert_eq!(said.exit, Exit::Findings, "{line}");
        assert!(
            said.out.contains("nothing could be imported"),
            "{}",
            said.out
        );
    }
    assert_eq!(project.tree(), before);
}

#[test]
fn a_folder_of_its_own_needs_no_project() {
    let project = Project::with(&[("files.json", LIST)]);
    let out = project.root().join("elsewhere");
    let out = out.to_str().unwrap();
    let said = import(&project, &format!("mcp files.json --out {out} --dry-run"));
    assert_eq!(said.exit, Exit::Clean);
    assert!(!project.has("elsewhere"));
    let said = import(&project, &format!("mcp files.json --out {out}"));
    assert_eq!(said.exit, Exit::Clean, "{}", said.screen());
    let manifest = project.text("elsewhere/tools/read_file.json");
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["origin"], "mcp:files.json");
    assert_eq!(manifest.get("$schema"), None);
}

#[test]
fn schemas_become_contracts_and_types() {
    let project = project();
    let object = json!({
        "title": "New issue",
        "description": "Create an issue.",
        "type": "object",
        "properties": { "title": { "type": "string" } }
    });
    project.put("create-issue.schema.json", &object.to_string());
    project.put("page_size.json", r#"{"type":"integer","minimum":1}"#);
    project.put("broken.json", r#"{"type":"integr"}"#);
    let mut expected = ExpectFolder::of("import/schemas");
    let said = import(
        &project,
        "schema create-issue.schema.json page_size.json broken.json",
    );
    expected.text("imported", said.screen());
    let path = "manifests/tools/create_issue_dc512f0b.json";
    expected.text("a contract", project.text(path));
    expected.text("a type", project.text("manifests/types/page_size.json"));
    let after = project.tree();
    let said = import(&project, "schema create-issue.schema.json page_size.json");
    expected.text("again", said.screen());
    assert_eq!(project.tree(), after);
    project.put("page_size.json", r#"{"type":"integer"}"#);
    let said = import(&project, "schema page_size.json");
    expected.text("changed", said.screen());
    let said = import(&project, "schema page_size.json --force");
    expected.text("forced", said.screen());
    expected.finish();
    let lint = project.run("lint");
    assert_eq!(lint.exit, Exit::Clean, "{}", lint.screen());
}
