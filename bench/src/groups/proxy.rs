//! What a call pays that goes through the proxy: the same server, asked directly and behind it, over
//! standard streams.

use std::process::Command;

use super::{Group, runtime::percentile::Times};
use crate::{
    Failure,
    mcp::client::Client,
    row::{Row, Unit},
};

pub const GROUP: Group = Group {
    name: "proxy",
    about: "a call through the proxy, with policy, ledger and journal, beside a direct connection to the same server",
    run,
};

const WARM: usize = 2_000;
/// Calls in turns, so that noise of the machine meets both.
const TURNS: usize = 10;
const CALLS: usize = 1_000;

fn run() -> Result<Vec<Row>, Failure> {
    let mut direct = start(&["--mcp", "bare", "1"])?;
    let mut behind = start(&["--front", "1", "1", "0"])?;
    for client in [&mut direct, &mut behind] {
        client.calls(WARM, |_| {})?;
    }
    let mut times = [(); 2].map(|()| Times::with_room(TURNS * CALLS));
    for _ in 0..TURNS {
        for (client, times) in [&mut direct, &mut behind].into_iter().zip(&mut times) {
            client.calls(CALLS, |time| times.push(time))?;
        }
    }
    let [mut of_direct, mut of_behind] = times;
    let (more, more_slow) = of_behind.more_than(&mut of_direct);
    let (direct, direct_slow) = of_direct.rows("a direct connection");
    let (behind, behind_slow) = of_behind.rows("behind the proxy");
    let micros = |name: &str, figure| Row::new(name, figure, Unit::Microseconds);
    Ok(vec![
        behind.beside(&direct),
        behind_slow.beside(&direct_slow),
        direct,
        direct_slow,
        micros("what the proxy adds, p50", more).at_most(500.0),
        micros("what the proxy adds, p99", more_slow),
    ])
}

/// This program once more.
fn start(arguments: &[&str]) -> Result<Client, Failure> {
    Client::start(Command::new(std::env::current_exe()?).args(arguments))
}
