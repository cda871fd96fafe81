//! Calls of a tool that does nothing, over standard streams: the governed server beside bare `rmcp`,
//! which validates, decides and writes down nothing, and beside the official TypeScript SDK's
//! server, which validates input and output with zod. Then the list of a thousand tools.

use std::process::Command;

use super::{Group, runtime::percentile::Times};
use crate::{
    Failure,
    baseline::packages,
    mcp::client::Client,
    measure::repository,
    row::{Row, Unit},
};

pub const GROUP: Group = Group {
    name: "mcp",
    about: "calls and lists over standard streams, governed beside bare rmcp and the TypeScript SDK",
    run,
};

/// The servers take turns, so that what the machine does meanwhile hits all of them.
const ROUNDS: usize = 10;
/// Calls of one turn, after so many that are not counted.
const CALLS: usize = 2_000;
const WARM: usize = 500;
/// Calls that wait for their answers at the same time.
const OPEN: usize = 8;
const TOOLS: &str = "1000";
const LISTS: usize = 20;

/// A server under measurement.
struct Server {
    name: &'static str,
    client: Client,
    times: Times,
    /// Microseconds a call, many at once; a figure a turn.
    together: Vec<f64>,
}

fn run() -> Result<Vec<Row>, Failure> {
    let mut servers = servers("1")?;
    for server in &mut servers {
        server.client.calls(10 * WARM, |_| {})?;
    }
    for _ in 0..ROUNDS {
        for server in &mut servers {
            let Server { client, times, .. } = server;
            client.calls(WARM, |_| {})?;
            client.calls(CALLS, |time| times.push(time))?;
            let all = client.calls_together(CALLS, OPEN)?;
            server.together.push(all.as_secs_f64() * 1e6 / CALLS as f64);
        }
    }
    let mut rows = calls(servers);
    rows.extend(lists()?);
    Ok(rows)
}

fn servers(tools: &str) -> Result<[Server; 4], Failure> {
    let own = |name, kind: &str| -> Result<Server, Failure> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["--mcp", kind, tools]);
        server(name, command)
    };
    packages::modules()?;
    let mut node = Command::new("node");
    node.arg(repository().join("bench/js/server.mjs"))
        .arg(tools);
    Ok([
        own("governed", "governed")?,
        own("bare rmcp", "bare")?,
        own("bare rmcp on one thread", "bare-one")?,
        server("TypeScript SDK", node)?,
    ])
}

fn server(name: &'static str, mut command: Command) -> Result<Server, Failure> {
    Ok(Server {
        name,
        client: Client::start(&mut command)?,
        times: Times::with_room(ROUNDS * CALLS),
        together: Vec::new(),
    })
}

/// What is said of one server.
struct Told {
    p50: Row,
    p99: Row,
    together: Row,
    rate: Row,
}

fn calls(servers: [Server; 4]) -> Vec<Row> {
    let [governed, bare, one, typescript] = servers.map(told);
    // The faster of the two is what a program without governance would run.
    let fastest = |a: &Row, b: &Row| {
        if a.figure() <= b.figure() {
            a.clone()
        } else {
            b.clone()
        }
    };
    let bare_p50 = fastest(&bare.p50, &one.p50);
    let bare_together = fastest(&bare.together, &one.together);
    let mut rows = vec![
        governed
            .p50
            .clone()
            .beside(&bare_p50)
            .at_most_of_baseline(1.5),
        governed
            .p50
            .clone()
            .beside(&typescript.p50)
            .at_most_of_baseline(1.0),
        governed.p99.clone().beside(&typescript.p99),
        governed
            .together
            .clone()
            .beside(&bare_together)
            .at_most_of_baseline(1.5),
        governed
            .together
            .clone()
            .beside(&typescript.together)
            .at_most_of_baseline(1.0),
        governed.rate,
    ];
    for Told {
        p50,
        p99,
        together,
        rate,
    } in [bare, one, typescript]
    {
        rows.extend([p50, p99, together, rate]);
    }
    rows
}

fn told(server: Server) -> Told {
    let Server {
        name,
        times,
        mut together,
        ..
    } = server;
    let (p50, p99) = times.rows(name);
    together.sort_by(f64::total_cmp);
    let middle = together
        .get(together.len() / 2)
        .copied()
        .unwrap_or(f64::NAN);
    let of = |what: &str| format!("{name}, {OPEN} at once, {what}");
    Told {
        p50,
        p99,
        together: Row::new(of("a call"), middle, Unit::Microseconds),
        rate: Row::new(of("calls a second"), 1e6 / middle, Unit::Count),
    }
}

fn lists() -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    let mut further = Vec::new();
    for mut server in servers(TOOLS)? {
        let of = |what: &str| format!("{}, {TOOLS} tools, {what}", server.name);
        let (bytes, first) = server.client.list()?;
        for _ in 0..LISTS {
            server.times.push(server.client.list()?.1);
        }
        rows.extend([
            Row::new(of("bytes"), bytes as f64, Unit::Count),
            Row::new(
                of("the first list"),
                first.as_secs_f64() * 1e6,
                Unit::Microseconds,
            ),
        ]);
        further.push(server.times.rows(&of("a further list")).0);
    }
    if let (Some(governed), Some(typescript)) = (further.first(), further.last()) {
        let governed = governed.clone().beside(typescript);
        further.push(governed.at_most_of_baseline(1.0));
    }
    rows.extend(further);
    Ok(rows)
}
