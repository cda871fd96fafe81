//! The serve wire on loopback: a thousand requests that wait for hosts at once, and hosts that read
//! slowly or not at all.

use std::{
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tokio::{
    io::AsyncWriteExt as _,
    net::TcpStream,
    sync::Barrier,
    task::JoinSet,
    time::{sleep, timeout},
};

use super::Group;
use crate::{
    Failure,
    row::{Row, Unit},
    served::{
        bed::{Bed, TOKEN},
        host::{Fault, Host, run as with_hosts},
    },
};

pub const GROUP: Group = Group {
    name: "serve",
    about: "the serve wire on loopback: many outstanding requests, slow and dead readers",
    run,
};

const TURNS: usize = 100;
const REQUESTS: usize = 10;
/// Events of a kilobyte that an engine says to a host that does not keep up.
const FLOOD: u64 = 100_000;

fn run() -> Result<Vec<Row>, Failure> {
    let idle = Bed::start()?.end()?;
    let idle = Row::new("peak of an idle server", megabytes(idle), Unit::Megabytes);
    let mut rows = outstanding(&idle)?;
    rows.extend(not_keeping_up("slow", &idle, Pace::Slow)?);
    rows.extend(not_keeping_up("dead", &idle, Pace::Dead)?);
    rows.insert(0, idle);
    Ok(rows)
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// A hundred turns with ten requests each, answered only when all thousand are out.
fn outstanding(idle: &Row) -> Result<Vec<Row>, Failure> {
    let bed = Bed::start()?;
    let address = bed.address;
    let start = Instant::now();
    let lost = with_hosts(async move {
        let all_are_out = Arc::new(Barrier::new(TURNS));
        let mut hosts = JoinSet::new();
        for _ in 0..TURNS {
            hosts.spawn(one_turn(address, Arc::clone(&all_are_out)));
        }
        let mut lost = 0;
        while let Some(host) = hosts.join_next().await {
            lost += host??;
        }
        Ok(lost)
    })?;
    let wall = start.elapsed().as_secs_f64();
    let peak = bed.end()?;
    Ok(vec![
        Row::new(
            "1,000 requests, all out at once, all answered",
            wall,
            Unit::Seconds,
        )
        .at_most(5.0),
        Row::new("outputs lost or mixed up", lost as f64, Unit::Count).at_most(0.0),
        Row::new("peak of that server", megabytes(peak), Unit::Megabytes)
            .beside(idle)
            .at_most(100.0),
    ])
}

/// How many of its outputs are not what the host gave.
async fn one_turn(address: SocketAddr, all_are_out: Arc<Barrier>) -> Result<usize, Fault> {
    let mut host = Host::connect(address).await?;
    let script: Vec<Value> = (0..REQUESTS)
        .map(|n| json!({ "tool": "probe", "input": { "n": n } }))
        .collect();
    let turn = host
        .turn(json!({ "together": true, "script": script }))
        .await?;
    let mut frames = host.frames(&turn).await?;
    let mut open = Vec::new();
    while open.len() < REQUESTS {
        let frame = frames.next().await?;
        if frame["type"] == "tool_request" {
            open.push(frame);
        }
    }
    all_are_out.wait().await;
    for frame in open.iter().rev() {
        let content = frame["input"]["n"].to_string();
        host.answer(&turn, frame, &content).await?;
    }
    let outputs = loop {
        let frame = frames.next().await?;
        if frame["type"] == "turn_complete" {
            break frame["outcome"]["outputs"].clone();
        }
    };
    let is_right = |n: &usize| outputs[*n]["output"]["ok"]["content"] == n.to_string();
    Ok(REQUESTS - (0..REQUESTS).filter(is_right).count())
}

#[derive(Debug, Clone, Copy)]
enum Pace {
    /// Reads now and then, and all of it in the end.
    Slow,
    /// Reads nothing.
    Dead,
}

/// An engine says much more than the host reads.
fn not_keeping_up(name: &str, idle: &Row, pace: Pace) -> Result<Vec<Row>, Failure> {
    let bed = Bed::start()?;
    let address = bed.address;
    let (kept, gaps) = with_hosts(async move {
        let mut host = Host::connect(address).await?;
        let turn = host.turn(json!({ "flood": FLOOD })).await?;
        match pace {
            Pace::Slow => slow(host, &turn).await,
            Pace::Dead => dead(host, &turn, address).await,
        }
    })?;
    let peak = bed.end()?;
    let mut rows = vec![
        Row::new(
            format!("kept for a {name} reader of 100 MB"),
            megabytes(kept),
            Unit::Megabytes,
        )
        .at_most(17.0),
        Row::new("peak of that server", megabytes(peak), Unit::Megabytes)
            .beside(idle)
            .at_most(100.0),
    ];
    if let Some(gaps) = gaps {
        rows.push(
            Row::new(
                "gaps in its numbers, its request lost",
                gaps as f64,
                Unit::Count,
            )
            .at_most(0.0),
        );
    }
    Ok(rows)
}

/// The most that was kept, and how many numbers the host missed, its request counted as one.
async fn slow(mut host: Host, turn: &str) -> Result<(u64, Option<u64>), Fault> {
    let mut frames = host.frames(turn).await?;
    let (mut kept, mut gaps, mut requests) = (0, 0, 0);
    for expected in 1.. {
        if expected % 20 == 0 && expected < 2_000 {
            sleep(Duration::from_millis(1)).await;
            kept = kept.max(kept_now(&mut host).await?);
        }
        let frame = frames.next().await?;
        gaps += u64::from(frame["seq"] != expected);
        if frame["type"] == "tool_request" {
            requests += 1;
            host.answer(turn, &frame, "ran").await?;
        } else if frame["type"] == "turn_complete" {
            break;
        }
    }
    Ok((kept, Some(gaps + u64::from(requests != 1))))
}

/// The most that was kept until the engine had said everything.
async fn dead(
    mut host: Host,
    turn: &str,
    address: SocketAddr,
) -> Result<(u64, Option<u64>), Fault> {
    let mut stream = TcpStream::connect(address).await?;
    let head = format!(
        "GET /v1/turns/{turn}/events HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {TOKEN}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await?;
    let mut kept = 0;
    let all_said = async {
        loop {
            kept = kept.max(kept_now(&mut host).await?);
            let metrics = host.send("GET", "/v1/metrics", &json!(null)).await?;
            // The engine makes its call when all is said.
            if metrics["counts"]["requests_sent"] == 1 {
                return Ok::<(), Fault>(());
            }
            sleep(Duration::from_millis(1)).await;
        }
    };
    timeout(Duration::from_secs(60), all_said).await??;
    drop(stream);
    Ok((kept, None))
}

async fn kept_now(host: &mut Host) -> Result<u64, Fault> {
    let metrics = host.send("GET", "/v1/metrics", &json!(null)).await?;
    Ok(metrics["frame_bytes_kept"].as_u64().unwrap_or(u64::MAX))
}
