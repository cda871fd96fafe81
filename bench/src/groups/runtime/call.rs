//! One call of a tool that does nothing, through everything that governs it.

use std::{hint::black_box, sync::Arc, time::Instant};

use serde::Deserialize;
use serde_json::{Value, json};
use toolcontract_protocol::{Principal, Provenance, RiskLevel, ToolContract, ToolOutput};
use toolcontract_runtime::{
    authz::{AuthzGate, NoAuthz},
    caller::{Caller, Session},
    ctx::{AnyEvent, ToolCtx},
    journal::MemoryJournal,
    registry::{Builder, Registry},
    tool::{BoxFuture, DynTool},
};

use super::{fold, percentile::Times, rmcp};
use crate::{Failure, row::Row};

/// A typical input: as `read_file` takes it.
pub const INPUT: &str =
    r#"{"path":"crates/runtime/src/registry/mod.rs","offset":1,"limit":200,"reason":"a look"}"#;

/// Calls before anything is counted, and calls that are.
const WARM: usize = 2_000;
const CALLS: usize = 50_000;

/// Does nothing.
pub struct Nothing;

impl DynTool for Nothing {
    fn call<'a>(&'a self, input: Value, _: &'a ToolCtx<AnyEvent>) -> BoxFuture<'a, ToolOutput> {
        Box::pin(async move {
            black_box(input);
            ToolOutput::text("done")
        })
    }
}

/// The contract of `read_file`, under this name.
pub fn contract(name: &str) -> ToolContract {
    let catalog = stella_contracts::catalog().iter();
    let found = catalog
        .copied()
        .find(|contract| contract.name == "read_file");
    let mut contract = found
        .cloned()
        .unwrap_or_else(|| ToolContract::declared(name, "Reads.", json!({ "type": "object" })));
    contract.name = name.to_owned();
    contract.risk = RiskLevel::Low;
    contract
}

pub fn with_tool(builder: Builder) -> Builder {
    builder.dyn_tool(Provenance::Builtin, contract("read_file"), Nothing)
}

/// What every host has to do in any case: read the JSON and call the function.
fn bare() -> Times {
    #[derive(Deserialize)]
    struct Input {
        path: String,
        offset: Option<u64>,
        limit: Option<u64>,
        reason: Option<String>,
    }
    fn function(input: &Input) -> usize {
        let lengths = input.path.len() + input.reason.as_ref().map_or(0, String::len);
        lengths + usize::from(input.offset < input.limit)
    }
    let mut times = Times::with_room(CALLS);
    for round in 0..WARM + CALLS {
        let start = Instant::now();
        if let Ok(input) = serde_json::from_str::<Input>(black_box(INPUT)) {
            black_box(function(&input));
        }
        if round >= WARM {
            times.push(start.elapsed());
        }
    }
    times
}

async fn governed(gate: impl AuthzGate + 'static) -> Result<Times, Failure> {
    let registry = with_tool(Registry::builder(gate))
        .journal(Arc::new(MemoryJournal::last(10_000)))
        .build()?;
    let session = Session::new("bench");
    let mut times = Times::with_room(CALLS);
    for round in 0..WARM + CALLS {
        let caller = Caller::in_process(Principal::User, &session, "call");
        let start = Instant::now();
        let report = registry.call("read_file", black_box(INPUT), &caller).await;
        let time = start.elapsed();
        if !report.ran {
            return Err(format!("the call did not run: {report:?}").into());
        }
        if round >= WARM {
            times.push(time);
        }
    }
    Ok(times)
}

pub fn rows() -> Result<Vec<Row>, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let (bare, bare_slow) = bare().rows("serde_json and the function");
    let (rmcp, rmcp_slow) = runtime
        .block_on(rmcp::calls(WARM, CALLS / 5))?
        .rows("rmcp in process");
    let (call, call_slow) = runtime.block_on(governed(NoAuthz))?.rows("a governed call");
    let policy = fold::policy()?;
    let (ruled, ruled_slow) = runtime
        .block_on(governed(policy))?
        .rows("the same under 100 rules");
    Ok(vec![
        call.clone().beside(&rmcp).at_most(15.0),
        call_slow,
        ruled,
        ruled_slow,
        call.beside(&bare),
        bare,
        bare_slow,
        rmcp,
        rmcp_slow,
    ])
}
