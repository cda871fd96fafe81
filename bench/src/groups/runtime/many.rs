//! Many tools, and many calls: registration, look-up, memory, and a journal that has every entry.

use std::{
    fs::File,
    hint::black_box,
    io::BufReader,
    sync::Arc,
    time::{Duration, Instant},
};

use toolcontract_protocol::{Principal, Provenance};
use toolcontract_runtime::{
    authz::NoAuthz,
    caller::{Caller, Session},
    clock::{Clock, SystemClock},
    journal::{FileJournal, MemoryJournal, verify},
    registry::Registry,
};

use super::{
    call::{INPUT, Nothing, contract, with_tool},
    percentile::Times,
};
use crate::{
    Failure,
    row::{Row, Unit},
};

const TOOLS: usize = 10_000;
const TASKS: usize = 64;
const CALLS: usize = 1_000_000;
/// Calls after which memory has its full size.
const WARM: usize = 100_000;
/// How much memory may grow after that, in megabytes: less than one byte in ten calls.
const GROWTH: f64 = 8.0;

/// Memory of this process, in megabytes.
fn resident() -> Result<f64, Failure> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
    Ok(kilobytes.ok_or("the system does not tell the memory of this process")? / 1e3)
}

fn registry_of(tools: usize) -> Result<Registry, Failure> {
    let builder = Registry::builder(NoAuthz).journal(Arc::new(MemoryJournal::last(1)));
    let builder = (0..tools).fold(builder, |builder, tool| {
        builder.dyn_tool(
            Provenance::Builtin,
            contract(&format!("tool_{tool}")),
            Nothing,
        )
    });
    Ok(builder.build()?)
}

fn look_up(registry: &Registry, name: &str) -> Row {
    let mut times = Times::with_room(100_000);
    for round in 0..100_000 {
        let tool = format!("tool_{}", round % 100);
        let start = Instant::now();
        black_box(registry.contract(black_box(&tool)));
        times.push(start.elapsed());
    }
    times.rows(name).0
}

fn registration() -> Result<Vec<Row>, Failure> {
    let before = resident()?;
    let start = Instant::now();
    let many = registry_of(TOOLS)?;
    let seconds = start.elapsed().as_secs_f64();
    let memory = (resident()? - before).max(0.0);
    let few = look_up(&registry_of(100)?, "look-up among 100");
    let among = look_up(&many, "look-up among 10,000");
    Ok(vec![
        Row::new("registration of 10,000 contracts", seconds, Unit::Seconds).at_most(2.0),
        Row::new("memory that they take", memory, Unit::Megabytes),
        // Nothing but a hash; three times is the coarseness of so short a time.
        among.beside(&few).at_most_of_baseline(3.0),
    ])
}

async fn calls(registry: &Registry, calls: usize, from: usize) -> Result<(), Failure> {
    let tasks: Vec<_> = (0..TASKS)
        .map(|task| {
            let registry = registry.clone();
            tokio::spawn(async move {
                let session = Session::new(format!("s{from}-{task}"));
                for call in 0..calls / TASKS {
                    let caller = Caller::in_process(Principal::User, &session, format!("c{call}"));
                    let report = registry.call("read_file", INPUT, &caller).await;
                    if !report.ran {
                        return Err(format!("{report:?}"));
                    }
                }
                Ok(())
            })
        })
        .collect();
    for task in tasks {
        task.await??;
    }
    Ok(())
}

fn million() -> Result<Vec<Row>, Failure> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("journal.jsonl");
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::default());
    let journal = Arc::new(FileJournal::open(&path, &clock)?);
    let registry = with_tool(Registry::builder(NoAuthz))
        .journal(journal.clone())
        .build()?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(calls(&registry, WARM, 0))?;
    let before = resident()?;
    let start = Instant::now();
    runtime.block_on(calls(&registry, CALLS - WARM, 1))?;
    let took: Duration = start.elapsed();
    let growth = (resident()? - before).max(0.0);
    let head = journal.head();
    let verified = verify(BufReader::new(File::open(&path)?), Some(&head))?;
    // Every call has an intent and an outcome, in a chain that is whole.
    let calls = (WARM / TASKS + (CALLS - WARM) / TASKS) * TASKS;
    let written = usize::try_from(verified.head.sequence)?;
    let lost = (2 * calls).abs_diff(written) + verified.unfinished.len();
    #[expect(clippy::cast_precision_loss, reason = "counts of millions")]
    let (calls, lost, timed) = (calls as f64, lost as f64, (CALLS - WARM) as f64);
    Ok(vec![
        Row::new("calls of 64 tasks with a file journal", calls, Unit::Count),
        Row::new(
            "of these, time for each",
            took.as_secs_f64() * 1e6 / timed,
            Unit::Microseconds,
        ),
        Row::new(
            "growth of memory over 900,000 of them",
            growth,
            Unit::Megabytes,
        )
        .at_most(GROWTH),
        Row::new(
            "journal entries lost, reordered or unfinished",
            lost,
            Unit::Count,
        )
        .at_most(0.0),
    ])
}

pub fn rows() -> Result<Vec<Row>, Failure> {
    let mut rows = registration()?;
    rows.extend(million()?);
    Ok(rows)
}
