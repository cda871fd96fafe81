//! Speed and memory, each beside a baseline that is measured in the same run. Run by
//! `cargo xtask bench [NAME]`. Exits with 0 when every limit holds, 1 when something could not
//! run, 4 when a limit does not hold.

#![allow(
    clippy::disallowed_methods,
    reason = "a bench writes inputs and scratch crates, nothing that anybody keeps"
)]

mod baseline;
mod groups;
mod mcp;
mod measure;
mod report;
mod row;
mod served;
mod synthetic;

use std::{path::PathBuf, process::ExitCode};

use clap::Parser;
use groups::{GROUPS, Group};

/// Speed and memory, beside baselines of the same run
#[derive(Debug, Parser)]
struct Arguments {
    /// Only the groups whose name contains this
    #[arg(default_value = "")]
    filter: String,
    /// Inner use: make Rust from a folder of schemas with typify
    #[arg(long, hide = true, num_args = 2, value_names = ["SCHEMAS", "OUT"])]
    typify: Option<Vec<PathBuf>>,
    /// Inner use: read two folders and compare
    #[arg(long, hide = true, num_args = 2, value_names = ["MANIFESTS", "GENERATED"])]
    floor: Option<Vec<PathBuf>>,
    /// Inner use: serve until standard input ends
    #[arg(long, hide = true)]
    served: bool,
    /// Inner use: serve tools that do nothing over standard streams
    #[arg(long, hide = true, num_args = 2, value_names = ["KIND", "TOOLS"])]
    mcp: Option<Vec<String>>,
    /// Inner use: stand in front of such servers, each of which begins so many seconds late
    #[arg(long, hide = true, num_args = 3, value_names = ["SERVERS", "TOOLS", "LATE"])]
    front: Option<Vec<String>>,
    /// Inner use: generate from a schema of a shape and a size
    #[arg(long, hide = true, num_args = 2, value_names = ["SHAPE", "SIZE"])]
    grown: Option<Vec<String>>,
}

/// Why a bench could not run.
type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(4),
        Err(why) => {
            eprintln!("bench: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Whether every limit holds.
fn run(arguments: &Arguments) -> Result<bool, Failure> {
    if let Some([schemas, out]) = arguments.typify.as_deref() {
        return baseline::typify::generate(schemas, out).map(|()| true);
    }
    if let Some([manifests, generated]) = arguments.floor.as_deref() {
        return baseline::floor::read_and_compare(manifests, generated).map(|()| true);
    }
    if arguments.served {
        return served::bed::serve().map(|()| true);
    }
    if let Some([kind, tools]) = arguments.mcp.as_deref() {
        return mcp::serve(kind, tools).map(|()| true);
    }
    if let Some([servers, tools, late]) = arguments.front.as_deref() {
        return mcp::front::serve(servers, tools, late).map(|()| true);
    }
    if let Some([shape, size]) = arguments.grown.as_deref() {
        return groups::growth::generate_often(shape, size).map(|()| true);
    }
    let asked: Vec<&Group> = GROUPS
        .iter()
        .filter(|group| group.name.contains(&arguments.filter))
        .collect();
    if asked.is_empty() {
        let names: Vec<&str> = GROUPS.iter().map(|group| group.name).collect();
        let known = names.join("`, `");
        return Err(format!(
            "there is no group `{}`; there are `{known}`",
            arguments.filter
        )
        .into());
    }
    let _folder = measure::run_folder()?;
    let mut failing = 0;
    for group in asked {
        println!("== {}: {}", group.name, group.about);
        if let Some(load) = measure::load() {
            println!("   ({load})");
        }
        let rows = (group.run)()?;
        report::print(&rows);
        println!();
        failing += rows.iter().filter(|row| row.holds() == Some(false)).count();
    }
    match failing {
        0 => println!("every limit holds"),
        1 => println!("1 limit does not hold"),
        many => println!("{many} limits do not hold"),
    }
    Ok(failing == 0)
}
