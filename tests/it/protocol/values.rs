//! What follows from one value: a session's caller and limits, a trace's deciding step, an output's class.

use serde_json::{Value, json};
use toolcontract_protocol::{
    AuthzEvalError, Decision, ErrorClass, ErrorCode, Principal, SessionSpec, ToolOutput, Trace,
    TraceStep, Violation, Violations, decision::Verdict, trace::StepOutcome,
};

#[test]
fn a_session_acts_for_its_host_whatever_it_says() {
    let caller = |principal: Option<&str>| {
        SessionSpec {
            principal: principal.map(str::to_owned),
            ..SessionSpec::default()
        }
        .caller()
    };
    assert_eq!(caller(None), Principal::Host("host".into()));
    assert_eq!(caller(Some("")), Principal::Host("host".into()));
    assert_eq!(caller(Some("acct_9")), Principal::Host("acct_9".into()));
    for label in ["user", "role:admin", "subagent:x", "plugin:vera"] {
        assert_eq!(caller(Some(label)), Principal::Host(label.into()));
        assert_ne!(Ok(caller(Some(label))), label.parse::<Principal>());
    }
}

#[test]
fn limits_are_brought_into_their_ranges_and_said() {
    let body = json!({
        "max_steps": 10_001,
        "reverse_request_timeout_ms": 0,
        "approval_timeout_ms": 3_600_000,
    });
    let mut spec: SessionSpec = serde_json::from_value(body).expect("a body");
    let clamped = serde_json::to_value(spec.clamp()).expect("printable");
    assert_eq!(
        clamped,
        json!([
            { "knob": "max_steps", "requested": 10_001, "effective": 10_000 },
            { "knob": "reverse_request_timeout_ms", "requested": 0, "effective": 1 },
        ])
    );
    assert_eq!(spec.approval_timeout_ms, Some(3_600_000));
    assert_eq!(spec.clamp(), []);
    assert_eq!(SessionSpec::default().clamp(), []);
}

#[test]
fn one_step_of_a_trace_decides() {
    let steps = || {
        vec![
            TraceStep::miss("a", "did not match"),
            TraceStep::came_to(StepOutcome::Error, "b", "could not be evaluated"),
            TraceStep::came_to(StepOutcome::Allow, "c", "matched"),
        ]
    };
    let trace = Trace::decided(steps(), 1).expect("there is such a step");
    assert_eq!(&*trace.decided_by.rule, "b");
    let decided: Vec<bool> = trace.steps.iter().map(|step| step.decided).collect();
    assert_eq!(decided, [false, true, false]);
    assert!(trace.steps.contains(&trace.decided_by));
    assert_eq!(Trace::decided(steps(), 3), None);
    assert_eq!(Trace::decided(Vec::new(), 0), None);
}

#[test]
fn a_failed_evaluation_is_no_decision() {
    let error = AuthzEvalError {
        gate: "role-policy".into(),
        detail: "the store is down".into(),
    };
    assert_eq!(Verdict::from(Err(error.clone())), Verdict::Error(error));
    assert_eq!(Verdict::from(Ok(Decision::Allow)), Verdict::Allow);
    let denied = Verdict::from(Ok(Decision::deny("no")));
    assert_eq!(
        denied,
        Verdict::Deny {
            reason: "no".into()
        }
    );
}

#[test]
fn an_output_says_its_class_code_and_faults() {
    for code in ErrorCode::KNOWN {
        let ToolOutput::Error { class, .. } = ToolOutput::coded(code.clone(), "m") else {
            panic!("{code} is an error");
        };
        assert_eq!(class, code.class());
    }
    let violation = |pointer: &str| Violation {
        pointer: pointer.into(),
        keyword: "type".into(),
        expected: "a string".into(),
        got: "number".into(),
    };
    let found = vec![
        violation("/b"),
        violation("/a"),
        violation("/a"),
        violation("/c"),
    ];
    let violations = Violations::new(found, 2);
    let ToolOutput::Error {
        message,
        class,
        data,
        ..
    } = ToolOutput::invalid_input("grep", &violations)
    else {
        panic!("an invalid input is an error");
    };
    assert_eq!(class, ErrorClass::InvalidInput);
    assert_eq!(
        message,
        "input of `grep` does not match its contract: `/a`: expected a string, got number; \
         `/b`: expected a string, got number; and 1 more"
    );
    let data: Value = data.expect("the faults travel");
    assert_eq!(data["violations"][0]["pointer"], "/a");
    assert_eq!(data["truncated"], 1);
    assert!(!Violations::new(Vec::new(), 0).violations.is_empty());
}
