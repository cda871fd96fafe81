//! How long it takes until a proxy in front of many servers lists what they offer, and what it
//! weighs then.

use std::{process::Command, time::Instant};

use super::Group;
use crate::{
    Failure,
    mcp::client::Client,
    row::{Row, Unit},
};

pub const GROUP: Group = Group {
    name: "start",
    about: "a proxy that starts 20 servers with 1,000 tools together, until it lists them",
    run,
};

const TOGETHER: usize = 1_000;

fn run() -> Result<Vec<Row>, Failure> {
    let (alone, alone_peak) = start("1", "50", "0", 50)?;
    let (all, peak) = start("20", "50", "0", TOGETHER)?;
    let (slow, _) = start("20", "50", "0.3", TOGETHER)?;
    let seconds = |name: &str, figure| Row::new(name, figure, Unit::Seconds);
    let megabytes = |name: &str, bytes: u64| Row::new(name, bytes as f64 / 1e6, Unit::Megabytes);
    let alone = seconds("1 server, 50 tools", alone);
    let alone_peak = megabytes("peak of that proxy", alone_peak);
    Ok(vec![
        seconds("20 servers, 1,000 tools", all)
            .beside(&alone)
            .at_most(3.0),
        megabytes("peak of that proxy", peak)
            .beside(&alone_peak)
            .at_most(150.0),
        // One after the other they would take 6 s to begin.
        seconds("the same, each 0.3 s late", slow).at_most(3.3),
        alone,
        alone_peak,
    ])
}

/// Seconds until a proxy in front of so many servers has listed `expected` tools, and its peak.
fn start(servers: &str, tools: &str, late: &str, expected: usize) -> Result<(f64, u64), Failure> {
    let begun = Instant::now();
    let front = ["--front", servers, tools, late];
    let mut client = Client::start(Command::new(std::env::current_exe()?).args(front))?;
    let found = client.tools()?;
    let time = begun.elapsed().as_secs_f64();
    let peak = client.end()?;
    match found == expected {
        true => Ok((time, peak)),
        false => Err(format!("{found} tools are listed, not {expected}").into()),
    }
}
