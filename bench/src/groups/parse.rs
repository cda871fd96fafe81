//! `parse` of a typical input, validator and deserialization, beside deserialization alone and
//! beside the same call in zod.

use std::{fs, hint::black_box, process::Command, time::Instant};

use serde_json::{Value, json};
use stella_contracts::grep;

use super::Group;
use crate::{
    Failure,
    baseline::packages,
    measure::{self, repository},
    row::{Row, Unit},
};

pub const GROUP: Group = Group {
    name: "parse",
    about: "one input of `grep`, from a value to a typed one",
    run,
};

/// Calls of one measurement.
const CALLS: u32 = 100_000;

fn run() -> Result<Vec<Row>, Failure> {
    let input = json!({
        "pattern": "impl AuthzGate for",
        "path": "crates/runtime",
        "output_mode": "content",
        "context_after": 3,
    });
    grep::parse(input.clone())?;
    let alone = call(&input, |value| {
        serde_json::from_value::<grep::Input>(value).is_ok()
    });
    let ours = call(&input, |value| grep::parse(value).is_ok());
    let zod = zod(&input)?;

    let alone = Row::new("serde_json::from_value alone", alone, Unit::Microseconds);
    let zod = Row::new("zod safeParse", zod, Unit::Microseconds);
    Ok(vec![
        Row::new("parse: bounds, validator, type", ours, Unit::Microseconds).beside(&alone),
        Row::new("the same", ours, Unit::Microseconds).beside(&zod),
        alone,
        zod,
    ])
}

/// Microseconds of one call, the least of several measurements. Each call takes a value of its own.
fn call(input: &Value, take: impl Fn(Value) -> bool) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..5 {
        let values: Vec<Value> = (0..CALLS).map(|_| input.clone()).collect();
        let start = Instant::now();
        for value in values {
            black_box(take(black_box(value)));
        }
        least = least.min(start.elapsed().as_secs_f64() * 1e6 / f64::from(CALLS));
    }
    least
}

/// The same in Node, on the generated package.
fn zod(input: &Value) -> Result<f64, Failure> {
    let scratch = measure::scratch()?;
    let package = scratch.path().join("typescript");
    copy(&repository().join("generated/typescript"), &package)?;
    packages::build(&package)?;
    let output = Command::new("node")
        .arg(repository().join("bench/js/parse.mjs"))
        .arg(package.join("dist/tools/grep.js"))
        .arg(input.to_string())
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(String::from_utf8(output.stdout)?.trim().parse()?)
}

fn copy(from: &std::path::Path, to: &std::path::Path) -> Result<(), Failure> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
