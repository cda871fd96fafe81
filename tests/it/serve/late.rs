//! A policy that names tools which only a session brings. Its rules wait for them; where the tools
//! are known and a denial still waits, the session is not opened, and the line is told.

use serde_json::{Value, json};
use toolcontract_runtime::policy::role::RolePolicy;

use super::host::{Bed, Host, output, text};
use crate::policy::policy;

const POLICY: &str = r#"late_tools = ["crm_*"]

[[role]]
name = "hosts"
risk_ceiling = "high"
principals = ["host:*"]

[[role]]
name = "other"
risk_ceiling = "high"
principals = ["host:other"]

[[rule]]
id = "crm"
effect = "allow"
roles = ["hosts"]
tools = ["crm_find", "crm_delete"]
reason = "the host's own tools"

[[rule]]
id = "no-delete"
effect = "deny"
tools = ["crm_delete"]
reason = "nothing is deleted"

[[rule]]
id = "no-vip"
effect = "deny"
tools = ["crm_find"]
when = { pointer = "/customer", equals = "vip" }
reason = "some are left alone"

[[rule]]
id = "of-another-host"
effect = "deny"
roles = ["other"]
tools = ["crm_export"]
reason = "only that host has it"
"#;

fn whole() -> RolePolicy {
    policy(POLICY)
}

fn tool(name: &str, argument: &str) -> Value {
    json!({
        "name": name,
        "description": "Does.",
        "input_schema": { "type": "object", "properties": { argument: { "type": "string" } } },
    })
}

fn body(tools: &[Value], script: Value) -> Value {
    json!({ "principal": "acct_9", "tools": tools, "script": [script] })
}

async fn refusal(host: &Host, path: &str, body: &Value) -> String {
    let answer = host.post(path, body).await;
    assert_eq!(answer.refused(400), "policy_unbound");
    answer.body["error"].as_str().unwrap_or_default().to_owned() + &answer.body.to_string()
}

#[tokio::test]
async fn rules_wait_for_the_tools_of_a_session_and_hold_there() {
    let bed = Bed::new(whole()).await;
    let tools = [tool("crm_find", "customer"), tool("crm_delete", "customer")];
    let call = |name: &str, customer: &str| {
        body(
            &tools,
            json!({ "tool": name, "input": { "customer": customer } }),
        )
    };
    let ran = |body: Value| {
        let host = bed.host();
        async move { host.one_call(body, |_| text("ran")).await.1 }
    };
    assert_eq!(output(&ran(call("crm_find", "a")).await), &text("ran"));
    for denied in [call("crm_find", "vip"), call("crm_delete", "a")] {
        let outcome = ran(denied).await;
        let code = &output(&outcome)["error"]["code"];
        assert_eq!(code, "denied_by_policy", "{outcome}");
    }
}

#[tokio::test]
async fn a7_a_denial_that_cannot_bind_opens_no_session() {
    let bed = Bed::new(whole()).await;
    let host = bed.host();
    let script = json!({ "tool": "crm_find", "input": {} });
    let without = body(&[tool("crm_find", "customer")], script.clone());
    for path in ["/v1/sessions", "/v1/turns"] {
        let told = refusal(&host, path, &without).await;
        assert!(
            told.contains("line 21 of the policy: rule `no-delete` denies `crm_delete`"),
            "{told}"
        );
        assert!(!told.contains("of-another-host"), "{told}");
    }
    let tools = [tool("crm_find", "id"), tool("crm_delete", "id")];
    let told = refusal(&host, "/v1/turns", &body(&tools, script.clone())).await;
    assert!(
        told.contains("line 27 of the policy: rule `no-vip` tests `/customer`"),
        "{told}"
    );
    // Whom the rule is not for is not kept out; whom it is for is.
    let tools = [tool("crm_find", "customer"), tool("crm_delete", "customer")];
    let mut other = body(&tools, script);
    host.post("/v1/sessions", &other).await.ok("SessionCreated");
    other["principal"] = json!("other");
    let told = refusal(&host, "/v1/sessions", &other).await;
    assert!(told.contains("denies `crm_export`"), "{told}");
}

#[tokio::test]
async fn a_session_without_tools_is_looked_at_when_a_turn_brings_them() {
    let bed = Bed::new(whole()).await;
    let host = bed.host();
    let opened = host
        .post("/v1/sessions", &json!({ "principal": "acct_9" }))
        .await;
    let opened = opened.ok("SessionCreated");
    let turns = format!(
        "/v1/sessions/{}/turns",
        opened["session_id"].as_str().unwrap()
    );
    let turn = json!({
        "tools": [tool("crm_find", "customer")],
        "script": [{ "tool": "crm_find", "input": {} }],
    });
    let told = refusal(&host, &turns, &turn).await;
    assert!(told.contains("no-delete"), "{told}");
}
