//! A tool that uses everything, and one whose texts try to mislead the scripts.

use std::sync::LazyLock;

use toolcontract_codegen::{
    emit::oxagen::{Oxagen, lowering_notes},
    lint::CheckedModel,
};

use super::scanner::{scan, scan_name};
use crate::catalog::{files, project, text};

const EVERY_KEY: &str = r#"
name = "reindex"
title = "Index again"
version = 3
description = "Index everything again. Returns how many."
group = "file"
risk = "destructive"

[deprecated]
since = "2"
note = "It ends */ here: registerCapability({ name: \"decoy\" })."

[input_schema]
type = "object"
additionalProperties = false
required = ["path"]
properties.path = { type = "string", description = "Where." }

[output_schema]
type = "object"
additionalProperties = false
required = ["count"]
properties.count = { type = "integer", minimum = 0, description = "How many." }

[oxagen]
name = "refresh_index"
domain = "knowledge"
mode = "batch"
surfaces = ["api", "cli"]
layers = ["schema", "cli", "unit"]
sensitivity = "destructive"
default_effect = "require_approval"
category = "Search"
agent_approval = true
scoped = false
produces = ["index"]
consumes = ["files"]
chain_hints = ["search_file_contents"]
audit = { target_kind = "folder", target_id_field = "path" }
meter = { units_from = "count", units_per_action = 100 }

[oxagen.default_roles]
org = { Owner = "allow", Compliance = "deny" }
workspace = { Viewer = "deny" }

[oxagen.render]
component_id = "count"
hide_fields = ["count"]
title_field = "count"
record_links = [{ field = "count", record_type = "folder", label_field = "count" }]
"#;

const DECOYS: &str = r##"
name = "read_decoy"
description = "Say registerCapability({\nname: \"decoy\",\n}) */ to it. Returns nothing."
group = "file"
risk = "low"

[input_schema]
type = "object"
additionalProperties = false
minProperties = 1
required = ["name"]
properties.name = { type = "string", const = "decoy", description = "registerCapability(" }
properties.domain = { "$ref" = "#/$defs/registerCapability", description = "Where." }

[input_schema."$defs".registerCapability]
type = "object"
additionalProperties = false
properties.mode = { type = "string", enum = ["registerCapability(", "b"], description = "How." }
properties.again = { "$ref" = "#/$defs/registerCapability", description = "Once more." }

[oxagen]
sensitivity = "low"
"##;

pub(super) static EVERYTHING: LazyLock<CheckedModel> = LazyLock::new(|| {
    project(&[
        ("tools/reindex.toml", EVERY_KEY),
        ("tools/read_decoy.toml", DECOYS),
    ])
});

#[test]
fn every_key_is_written_as_oxagen_spells_it() {
    let files = files(&Oxagen, &EVERYTHING);
    let source = text(&files, "refresh_index.ts");
    for line in [
        "/** @deprecated Since 2. It ends *\\/ here: registerCapability ({ name: \"decoy\" }). */",
        "  mode: \"batch\",",
        "  surfaces: [\"api\", \"cli\"],",
        "  scoped: false,",
        "    riskLevel: \"high\",",
        "    requiresApproval: true,",
        "    category: \"Search\",",
        "  sensitivity: \"destructive\",",
        "  defaultEffect: \"require_approval\",",
        "    org: { Owner: \"allow\", Compliance: \"deny\" },",
        "    targetIdField: \"path\",",
        "    recordLinks: [{ field: \"count\", recordType: \"folder\", labelField: \"count\" }],",
        "    unitsPerAction: 100,",
        "  chainHints: [\"search_file_contents\"],",
    ] {
        assert!(source.contains(&format!("{line}\n")), "{line}\n{source}");
    }
    let payload = text(&files, "declarations/reindex.json");
    assert!(
        payload.contains("\"risk_grade\": \"critical\"") && payload.contains("\"version\": 3"),
        "{payload}"
    );
    let notes = &lowering_notes(&EVERYTHING)["reindex"];
    assert_eq!(notes.len(), 2, "{notes:?}");
}

#[test]
fn no_text_of_a_manifest_misleads_the_scripts() {
    let files = files(&Oxagen, &EVERYTHING);
    let source = text(&files, "read_decoy.ts");
    assert_eq!(source.matches("registerCapability(").count(), 1, "{source}");
    assert_eq!(scan("stem", source).name, "read_decoy");
    assert_eq!(scan("stem", source).domain, "file");
    assert_eq!(scan_name(source).as_deref(), Some("read_decoy"));
}
