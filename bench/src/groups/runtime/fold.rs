//! The parts of a call: the decision over a policy of 100 rules, the validation of an input, the
//! journal's line.

use std::{fmt::Write as _, hint::black_box, sync::Arc, time::Instant};

use serde_json::Value;
use toolcontract_manifest::Source;
use toolcontract_protocol::{
    Principal, ToolContract,
    journal::{CallResult, Outcome, Record},
};
use toolcontract_runtime::{
    authz::{Answer, AuthzGate as _, Enforcement, Source as From, fold},
    clock::{Clock, SystemClock},
    journal::{Entry, FileJournal, Journal as _},
    policy::role::RolePolicy,
};
use toolcontract_schema::{Formats, Validator};

use super::{
    call::{INPUT, contract},
    percentile::Times,
};
use crate::{Failure, row::Row};

const ROUNDS: usize = 50_000;

/// 100 rules: 80 select by tool or group, 20 test an argument of the tool that is called.
pub fn policy() -> Result<RolePolicy, Failure> {
    let mut text = String::from(
        "[[role]]\nname = \"all\"\nrisk_ceiling = \"high\"\nprincipals = [\"user\", \"host:*\"]\n\
         [[rule]]\nid = \"files\"\neffect = \"allow\"\nroles = [\"all\"]\ngroups = [\"file\"]\nreason = \"r\"\n",
    );
    let tools: Vec<&str> = stella_contracts::catalog()
        .iter()
        .map(|c| c.name.as_str())
        .collect();
    let groups = ["search", "context", "build", "repo"];
    for rule in 0..79 {
        let about = match tools.get(rule % tools.len()) {
            Some(tool) if rule % 2 == 0 => format!("tools = [\"{tool}\"]"),
            _ => format!(
                "groups = [\"{}\"]",
                groups.get(rule % groups.len()).unwrap_or(&"file")
            ),
        };
        // A host of its own each, so that no rule hides another.
        let _ = write!(
            text,
            "[[rule]]\nid = \"host-{rule}\"\neffect = \"deny\"\nprincipals = [\"host:h{rule}\"]\n{about}\nreason = \"r\"\n"
        );
    }
    for rule in 0..20 {
        let test = match rule % 3 {
            0 => format!("pointer = \"/path\", glob = \"**/secret-{rule}/**\""),
            1 => format!("pointer = \"/reason\", prefix = \"vendor-{rule} \""),
            _ => format!("pointer = \"/reason\", equals = \"reason-{rule}\""),
        };
        let _ = write!(
            text,
            "[[rule]]\nid = \"path-{rule}\"\neffect = \"deny\"\ntools = [\"read_file\"]\n\
             when = {{ {test} }}\nreason = \"r\"\n"
        );
    }
    let source = Source {
        path: "policy.toml".to_owned(),
        bytes: text.into_bytes(),
    };
    let (policy, findings) =
        RolePolicy::parse(&source, stella_contracts::catalog().iter().copied());
    policy.ok_or_else(|| {
        let told: Vec<&str> = findings
            .iter()
            .map(|finding| finding.message.as_str())
            .collect();
        format!("the policy is not whole: {told:?}").into()
    })
}

/// What `each` takes, time by time.
fn times(mut each: impl FnMut()) -> Times {
    let mut times = Times::with_room(ROUNDS);
    for _ in 0..ROUNDS / 10 {
        each();
    }
    for _ in 0..ROUNDS {
        let start = Instant::now();
        each();
        times.push(start.elapsed());
    }
    times
}

pub fn rows() -> Result<Vec<Row>, Failure> {
    let contract: ToolContract = contract("read_file");
    let input: Value = serde_json::from_str(INPUT)?;
    let policy = policy()?;
    let (decision, decision_slow) = times(|| {
        let evaluation = policy.check_traced(&contract, &Principal::User, black_box(&input));
        let answer = Answer {
            source: From::Gate,
            name: "role-policy".to_owned(),
            evaluation,
        };
        black_box(fold(vec![answer], Enforcement::Enforce));
    })
    .rows("fold with trace over 100 rules");

    let validator = Validator::compile(&contract.input_schema, Formats::Assert)?;
    let (validation, validation_slow) = times(|| {
        let _ = black_box(validator.validate(black_box(&input), 32));
    })
    .rows("validation of a typical input");

    let folder = tempfile::tempdir()?;
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::default());
    let journal = FileJournal::open(&folder.path().join("journal.jsonl"), &clock)?;
    let entry = Entry {
        timestamp: "2026-08-10T12:00:00.000Z".to_owned(),
        session_id: "bench".to_owned(),
        call_id: "call".to_owned(),
        record: Record::Outcome(Outcome {
            ran: true,
            result: CallResult::Ok,
            duration_ms: Some(1),
            events_emitted: 0,
            events_dropped: 0,
        }),
    };
    let mut failed = None;
    let (append, append_slow) = times(|| {
        if let Err(error) = journal.append(entry.clone()) {
            failed = Some(error);
        }
    })
    .rows("journal append, not synced");
    if let Some(error) = failed {
        return Err(error.into());
    }
    Ok(vec![
        decision.at_most(5.0),
        decision_slow,
        validation.at_most(2.0),
        validation_slow,
        append.at_most(20.0),
        append_slow,
    ])
}
