//! What a model is shown.

use serde_json::{Value, json};
use toolcontract_protocol::{
    AuthzEvalError, Decision, Dialect, Principal, Provenance, RiskLevel, ToolContract, ToolOutput,
};
use toolcontract_runtime::{
    authz::{AuthzGate, DenyAll, Enforcement, NoAuthz, RiskCeiling},
    caller::{Caller, Session},
    registry::{Builder, Registry},
};

use super::fakes::{Does, Fake, Log, caller, contract, wait};

fn add(builder: Builder, facts: Value) -> Builder {
    let fake = Fake::new(Does::Return(ToolOutput::text("done")), &Log::default());
    builder.dyn_tool(Provenance::Builtin, contract(facts), fake)
}

fn tools(builder: Builder) -> Registry {
    let builder = add(builder, json!({ "name": "zap", "risk": "destructive" }));
    let builder = add(builder, json!({ "name": "peek" }));
    add(
        builder,
        json!({ "name": "poke", "risk": "high", "requires_approval": true }),
    )
    .build()
    .unwrap()
}

fn names(registry: &Registry, caller: &Caller) -> Vec<String> {
    registry
        .advertise(Dialect::Anthropic, caller)
        .tools
        .into_iter()
        .map(|offer| offer.name)
        .collect()
}

/// Keeps one tool from one principal.
struct Withholds(&'static str, Principal);

impl AuthzGate for Withholds {
    fn name(&self) -> &str {
        "withholds"
    }

    fn check(
        &self,
        contract: &ToolContract,
        principal: &Principal,
        _: &Value,
    ) -> Result<Decision, AuthzEvalError> {
        Ok(match self.withholds(contract, principal) {
            true => Decision::deny("off"),
            false => Decision::Allow,
        })
    }

    fn is_pure(&self) -> bool {
        true
    }

    fn withholds(&self, contract: &ToolContract, principal: &Principal) -> bool {
        assert_ne!(self.0, "panic", "as the test asks it to");
        contract.name == self.0 && *principal == self.1
    }
}

#[test]
fn what_could_never_run_is_not_shown() {
    let user = caller();
    let helper = Caller::in_process(Principal::User.spawn("helper"), &Session::new("s1"), "c1");
    assert_eq!(
        names(&tools(Registry::builder(NoAuthz)), &user),
        ["peek", "poke", "zap"]
    );
    assert_eq!(names(&tools(Registry::builder(DenyAll)), &user), [""; 0]);
    let ceiling = tools(Registry::builder(RiskCeiling(RiskLevel::High)));
    assert_eq!(names(&ceiling, &user), ["peek", "poke"]);
    let off = tools(Registry::builder(NoAuthz).operator(Withholds("poke", Principal::User)));
    assert_eq!(names(&off, &user), ["peek", "zap"]);
    assert_eq!(names(&off, &helper), ["peek", "poke", "zap"]);
    // What is not shown is refused as well.
    let report = wait(off.call("poke", json!({}), &user));
    assert_eq!(report.code().map(|c| c.as_str()), Some("tool_disabled"));
    // A gate that cannot tell shows nothing.
    let broken = tools(Registry::builder(NoAuthz).and_gate(Withholds("panic", Principal::User)));
    assert_eq!(names(&broken, &user), [""; 0]);
}

#[test]
fn a_denial_that_only_warns_hides_nothing_but_the_operator_does() {
    let warn = |builder: Builder| tools(builder.enforcement(Enforcement::Warn));
    assert_eq!(
        names(&warn(Registry::builder(DenyAll)), &caller()),
        ["peek", "poke", "zap"]
    );
    assert_eq!(
        names(
            &warn(Registry::builder(NoAuthz).operator(DenyAll)),
            &caller()
        ),
        [""; 0]
    );
}

#[test]
fn the_same_tools_give_the_same_bytes_and_no_governance() {
    let bytes = |registry: &Registry, dialect| {
        let shown = registry.advertise(dialect, &caller());
        let tools: Vec<Value> = shown.tools.iter().map(|offer| offer.definition()).collect();
        serde_json::to_string(&tools).unwrap()
    };
    let registry = tools(Registry::builder(NoAuthz));
    let other = {
        let builder = add(Registry::builder(NoAuthz), json!({ "name": "peek" }));
        let builder = add(builder, json!({ "name": "zap" }));
        add(
            builder,
            json!({ "name": "poke", "read_only": true, "idempotent": true }),
        )
        .build()
        .unwrap()
    };
    for dialect in Dialect::ALL {
        let shown = bytes(&registry, dialect);
        assert_eq!(shown, bytes(&registry, dialect));
        assert_eq!(
            shown,
            bytes(&other, dialect),
            "neither order nor governance is in it"
        );
        for word in ["risk", "approval", "destructive", "provenance", "read_only"] {
            assert!(!shown.contains(word), "{shown}");
        }
    }
}

#[test]
fn a_model_is_shown_what_a_description_hides() {
    let builder = Registry::builder(NoAuthz);
    let fake = Fake::new(Does::Return(ToolOutput::text("done")), &Log::default());
    let hides = "Adds.\u{202e}\u{e0041}";
    let registry = builder
        .dyn_tool(
            Provenance::Declared,
            contract(json!({
                "name": "add",
                "description": hides,
                "input_schema": { "type": "object", "properties": { "a": { "type": "string", "description": hides } } },
            })),
            fake,
        )
        .build()
        .unwrap();
    for dialect in Dialect::ALL {
        let shown = registry.advertise(dialect, &caller()).tools[0].definition();
        let shown = shown.to_string();
        assert!(!shown.contains(['\u{202e}', '\u{e0041}']), "{shown}");
        let escaped = r"Adds.\\u{202e}\\u{e0041}";
        assert_eq!(shown.matches(escaped).count(), 2, "{dialect:?}: {shown}");
    }
}

#[test]
fn a_provider_speaks_its_own_form_and_finds_back() {
    let builder = Registry::builder(NoAuthz);
    let fake = || Fake::new(Does::Return(ToolOutput::text("done")), &Log::default());
    let registry = builder
        .dyn_tool(
            Provenance::Declared,
            contract(json!({
                "name": "mcp__cal__event.create",
                "input_schema": { "type": "object", "properties": { "at": { "type": "string" }, "why": { "type": "string" } }, "required": ["at"], "additionalProperties": false },
            })),
            fake(),
        )
        .build()
        .unwrap();
    let shown = registry.advertise(Dialect::OpenaiStrict, &caller());
    let offer = &shown.tools[0];
    assert!(!offer.alias.contains('.') && offer.alias != offer.name);
    assert_eq!(
        shown.by_alias(&offer.alias).map(|o| o.name.as_str()),
        Some("mcp__cal__event.create")
    );
    assert_eq!(shown.by_alias("mcp__cal__event.create"), None);
    assert!(offer.lowered.strict);
    assert_eq!(offer.lowered.schema["required"], json!(["at", "why"]));
    // Strict mode demands every property; null stands for "left out".
    let sent = json!({ "at": "noon", "why": null });
    let restored = offer.restore(&sent);
    assert_eq!(restored, json!({ "at": "noon" }));
    assert!(
        wait(registry.call(&offer.name, restored, &caller()))
            .output
            .is_ok()
    );
    assert!(
        !wait(registry.call(&offer.name, sent, &caller()))
            .output
            .is_ok()
    );
}
