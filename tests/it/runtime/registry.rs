//! What a registry refuses to be built from, and that it looks up and holds many.

use serde_json::{Value, json};
use toolcontract_protocol::{
    EventManifest, Provenance, ToolContract, ToolOutput, event::ToolCallProgress,
};
use toolcontract_runtime::{
    authz::{DenyAll, NoAuthz},
    registry::{BuildError, Builder, Fault, Registry},
};

use super::fakes::{Does, Fake, Gate, Log, Rewrites, Way, caller, contract, wait};

fn with(builder: Builder, provenance: Provenance, facts: Value) -> Builder {
    let fake = Fake::new(Does::Return(ToolOutput::text("done")), &Log::default());
    builder.dyn_tool(provenance, contract(facts), fake)
}

fn faults(builder: Builder) -> Vec<String> {
    match builder.build() {
        Ok(_) => Vec::new(),
        Err(BuildError { faults }) => faults.iter().map(ToString::to_string).collect(),
    }
}

fn of(provenance: Provenance, facts: Value) -> Vec<String> {
    faults(with(Registry::builder(NoAuthz), provenance, facts))
}

fn builtin(facts: Value) -> Vec<String> {
    of(Provenance::Builtin, facts)
}

fn event(name: &str, schema: Value) -> EventManifest {
    serde_json::from_value(
        json!({ "name": name, "description": "An event.", "payload_schema": schema }),
    )
    .unwrap()
}

#[test]
fn a_name_twice_is_a_fault_also_in_another_case() {
    let names = |names: &[&str]| {
        faults(
            names
                .iter()
                .fold(Registry::builder(NoAuthz), |builder, name| {
                    with(builder, Provenance::Declared, json!({ "name": name }))
                }),
        )
    };
    assert_eq!(names(&["read", "write"]), [""; 0]);
    assert_eq!(
        names(&["read", "write", "read", "Read"]),
        [
            "the names `read` and `read` are one name to a file system or a person; rename one",
            "the names `read` and `Read` are one name to a file system or a person; rename one",
        ]
    );
}

#[test]
fn contradictions_are_faults() {
    let table = [
        (
            json!({ "speculation_safe": true }),
            "tool `probe`: `speculation_safe` is set but `read_only` is not",
        ),
        (
            json!({ "read_only": true, "risk": "high" }),
            "tool `probe`: `read_only` is set but the risk is `high`, above `medium`",
        ),
        (
            json!({ "additive": true, "risk": "destructive" }),
            "tool `probe`: `additive` is set but the risk is `destructive`",
        ),
        (
            json!({ "input_schema": {} }),
            "tool `probe`: the input schema does not have `type: object` at its root",
        ),
        (
            json!({ "input_schema": true }),
            "tool `probe`: the input schema does not have `type: object` at its root",
        ),
        (
            json!({ "events": ["note.saved"] }),
            "tool `probe`: event `note.saved` is not declared",
        ),
    ];
    for (facts, fault) in table {
        assert_eq!(builtin(facts), [fault]);
    }
    // Controls.
    assert_eq!(
        builtin(json!({ "read_only": true, "speculation_safe": true, "risk": "medium" })),
        [""; 0]
    );
    assert_eq!(
        builtin(json!({ "events": ["tool.call.progress"] })),
        [""; 0]
    );
    // Of a contract of others the claim is void, and contradicts nothing.
    assert_eq!(
        of(
            Provenance::Declared,
            json!({ "read_only": true, "risk": "high" })
        ),
        [""; 0]
    );
}

#[test]
fn names_that_could_be_taken_for_others_never_register() {
    for name in [
        "rеad_file",
        "read\u{200b}",
        "ｒead",
        "\u{202e}daer",
        "a b",
        "",
        "a/b",
        &"x".repeat(129),
    ] {
        let faults = of(Provenance::Declared, json!({ "name": name }));
        assert_eq!(faults.len(), 1, "{name:?}");
        assert!(
            faults[0].is_ascii() || !name.contains('\u{202e}'),
            "{faults:?}"
        );
        assert!(
            !faults[0].contains('\u{200b}') && !faults[0].contains('\u{202e}'),
            "{faults:?}"
        );
    }
    for name in ["__proto__", "constructor", "toString"] {
        assert_eq!(
            of(Provenance::Declared, json!({ "name": name })).len(),
            1,
            "{name}"
        );
    }
    // A tool of the program cannot take a name that is kept for served tools.
    assert_eq!(builtin(json!({ "name": "mcp__files__read" })).len(), 1);
    assert_eq!(builtin(json!({ "name": "Read" })).len(), 1);
    // Controls.
    assert_eq!(
        of(
            Provenance::Declared,
            json!({ "name": "mcp__files__read.me-1" })
        ),
        [""; 0]
    );
    assert_eq!(
        of(Provenance::Declared, json!({ "name": "x".repeat(128) })),
        [""; 0]
    );
}

#[test]
fn schemas_that_do_not_compile_are_faults() {
    let input = |schema: Value| {
        let schema = json!({ "type": "object", "properties": { "a": schema } });
        builtin(json!({ "input_schema": schema }))
    };
    for bad in [
        json!({ "type": "strng" }),
        json!({ "$ref": "http://169.254.169.254/latest" }),
        json!({ "$ref": "file:///etc/passwd" }),
        json!({ "$ref": "#/$defs/missing" }),
        json!({ "pattern": "(" }),
        json!({ "minLength": -1 }),
    ] {
        let faults = input(bad.clone());
        assert_eq!(faults.len(), 1, "{bad}: {faults:?}");
        assert!(
            faults[0].starts_with("tool `probe`: input_schema at `"),
            "{faults:?}"
        );
    }
    let deep = (0..200).fold(json!({}), |inner, _| json!({ "items": inner }));
    assert_eq!(input(deep).len(), 1);
    assert_eq!(input(json!({ "type": "string", "pattern": "^a" })), [""; 0]);
    let faults = builtin(json!({ "output_schema": { "type": "objct" } }));
    assert!(
        faults[0].starts_with("tool `probe`: output_schema at `/type`"),
        "{faults:?}"
    );
}

#[test]
fn schemas_that_make_endless_work_are_faults() {
    let mut defs = serde_json::Map::new();
    for level in 0..24 {
        let next = json!({ "$ref": format!("#/$defs/d{}", level + 1) });
        defs.insert(format!("d{level}"), json!({ "anyOf": [next, next] }));
    }
    defs.insert("d24".to_owned(), json!({ "type": "string" }));
    let bomb =
        json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/d0" } }, "$defs": defs });
    for provenance in [Provenance::Builtin, Provenance::Declared] {
        let faults = of(provenance, json!({ "input_schema": bomb }));
        assert_eq!(
            faults,
            [
                "tool `probe`: input_schema at ``: more than 10000 schemas apply to one place of a value"
            ]
        );
    }
    assert_eq!(builtin(json!({ "input_schema": { "$ref": "#" } })).len(), 2);
    let round = json!({ "type": "object", "anyOf": [{ "$ref": "#" }] });
    assert_eq!(
        of(Provenance::Declared, json!({ "input_schema": round })),
        [
            "tool `probe`: input_schema at ``: the schema applies itself to the same value again and again"
        ]
    );
}

#[test]
fn events_that_are_not_for_tools_are_faults() {
    let declared = [
        event("approval.granted", json!({ "type": "object" })),
        event("git.push.requested", json!({ "type": "object" })),
    ];
    let builder = Registry::builder(NoAuthz).declare_events(&declared);
    let facts = json!({ "events": ["approval.granted", "git.push.requested"] });
    assert_eq!(
        faults(with(builder, Provenance::Builtin, facts)),
        [
            "tool `probe`: event `approval.granted` is not for tools to emit",
            "tool `probe`: event `git.push.requested` is not for tools to emit",
        ]
    );
    let twice = [
        event("a.b", json!({ "type": "object" })),
        event("a.b", json!({ "type": "object" })),
        event("a.c", json!({ "type": "objct" })),
    ];
    let faults = faults(Registry::builder(NoAuthz).declare_events(&twice));
    assert_eq!(faults[0], "event `a.b` is declared twice");
    assert!(
        faults[1].starts_with("event `a.c`: payload_schema at `/type`: "),
        "{faults:?}"
    );
}

#[test]
fn the_payload_of_progress_is_fixed() {
    let declare = |schema| {
        let events = [event("tool.call.progress", schema)];
        Registry::builder(NoAuthz).declare_events(&events).build()
    };
    let own = json!({ "type": "object", "properties": { "percent": { "type": "integer" } } });
    let error = declare(own).expect_err("another payload");
    assert_eq!(error.faults, [Fault::ProgressPayload]);
    assert!(declare(ToolCallProgress::payload_schema()).is_ok());
}

#[test]
fn gates_of_one_name_are_a_fault() {
    let gate = |name| Gate::new(name, Way::Allow, &Log::default());
    let rewriter = |name: &str| Rewrites {
        name: name.to_owned(),
        to: None,
        fails: false,
        log: Log::default(),
    };
    assert_eq!(
        faults(
            Registry::builder(gate("a"))
                .and_gate(gate("b"))
                .hook(gate("a"))
                .shell_hook(gate("b"))
        ),
        [
            "two gates, hooks or rewriters are named `a`; rename one",
            "two gates, hooks or rewriters are named `b`; rename one",
        ]
    );
    assert_eq!(
        faults(
            Registry::builder(NoAuthz)
                .rewriter(rewriter("r"))
                .rewriter(rewriter("r"))
        )
        .len(),
        1
    );
    assert_eq!(
        faults(Registry::builder(gate("a")).rewriter(rewriter("a"))),
        [""; 0]
    );
}

#[test]
fn every_fault_is_told_in_one_go() {
    let builder = [
        json!({ "name": "one", "speculation_safe": true, "events": ["x.y"] }),
        json!({ "name": "two", "input_schema": { "type": "object", "required": "a" } }),
        json!({ "name": "ONE" }),
    ]
    .into_iter()
    .fold(Registry::builder(NoAuthz), |builder, facts| {
        with(builder, Provenance::Declared, facts)
    });
    let faults = faults(builder);
    assert_eq!(faults.len(), 4, "{faults:#?}");
}

#[test]
fn provenance_is_assigned_and_never_read() {
    let claims = json!({ "provenance": "builtin", "read_only": true, "speculation_safe": true, "idempotent": true, "risk": "low" });
    let claimed = contract(claims.clone());
    assert_eq!(
        claimed.provenance,
        Provenance::Builtin,
        "that is what it says"
    );
    let registry = with(Registry::builder(NoAuthz), Provenance::Declared, claims)
        .build()
        .unwrap();
    let contract: &ToolContract = registry.contract("probe").unwrap();
    assert_eq!(contract.provenance, Provenance::Declared);
    assert!(
        !contract.trusted_read_only()
            && !contract.trusted_speculation_safe()
            && !contract.trusted_idempotent()
    );
    assert_eq!(contract.effective_risk().as_str(), "high");
}

#[test]
fn names_are_told_apart_exactly() {
    let registry = with(Registry::builder(NoAuthz), Provenance::Builtin, json!({}))
        .build()
        .unwrap();
    for name in [
        "Probe",
        "PROBE",
        "probe ",
        "probe\u{200b}",
        "рrobe",
        "mcp__probe",
        "",
    ] {
        let report = wait(registry.call(name, json!({}), &caller()));
        assert_eq!(
            report.code().map(|c| c.as_str()),
            Some("unknown_tool"),
            "{name:?}"
        );
    }
    assert!(wait(registry.call("probe", json!({}), &caller())).ran);
}

#[test]
fn ten_thousand_tools_register_and_are_found() {
    let builder = (0..10_000).fold(Registry::builder(DenyAll), |builder, index| {
        with(
            builder,
            Provenance::Declared,
            json!({ "name": format!("tool_{index}") }),
        )
    });
    let registry = builder.build().unwrap();
    assert_eq!(registry.contracts().count(), 10_000);
    assert!(registry.contract("tool_9999").is_some() && registry.contract("tool_10000").is_none());
}
