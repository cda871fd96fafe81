//! Time and peak memory of a command, and the table that shows them beside a baseline.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use wait4::Wait4 as _;

use crate::Failure;

/// What a command cost.
#[derive(Debug, Clone, Copy)]
pub struct Cost {
    /// Wall time.
    pub wall: Duration,
    /// Processor time, user and system.
    pub cpu: Duration,
    /// Peak resident memory in bytes.
    pub peak: u64,
}

/// Runs `command` and measures it. Its output goes nowhere.
///
/// # Errors
/// When it cannot run or exits with something else than `expect`.
pub fn once(command: &mut Command, expect: i32) -> Result<Cost, Failure> {
    let start = Instant::now();
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| format!("{command:?}: {e}"))?;
    let used = child.wait4()?;
    let wall = start.elapsed();
    if used.status.code() != Some(expect) {
        return Err(format!("{command:?} ended with {}, not {expect}", used.status).into());
    }
    Ok(Cost {
        wall,
        cpu: used.rusage.utime + used.rusage.stime,
        peak: used.rusage.maxrss,
    })
}

/// The fastest of `times` runs.
///
/// # Errors
/// As [`once`].
pub fn best(
    times: usize,
    expect: i32,
    mut command: impl FnMut() -> Result<Command, Failure>,
) -> Result<Cost, Failure> {
    let mut best: Option<Cost> = None;
    for _ in 0..times {
        let cost = once(&mut command()?, expect)?;
        best = Some(best.filter(|b| b.wall <= cost.wall).unwrap_or(cost));
    }
    best.ok_or_else(|| "nothing was measured".into())
}

/// Prints costs as a table; the ratio is to the first row.
pub fn print(rows: &[(String, Cost)]) {
    let first = rows
        .first()
        .map_or(1.0, |(_, cost)| cost.wall.as_secs_f64());
    println!(
        "{:<52} {:>9} {:>9} {:>9} {:>7}",
        "", "wall", "cpu", "peak", "ratio"
    );
    for (name, cost) in rows {
        println!(
            "{name:<52} {:>7.3} s {:>7.3} s {:>6.0} MB {:>6.2}x",
            cost.wall.as_secs_f64(),
            cost.cpu.as_secs_f64(),
            cost.peak as f64 / 1e6,
            cost.wall.as_secs_f64() / first,
        );
    }
}

/// The root of the repository.
pub fn repository() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// A folder for this bench below `target/bench`, emptied.
///
/// # Errors
/// When the disk fails.
pub fn scratch(name: &str) -> Result<PathBuf, Failure> {
    let folder = repository().join("target/bench").join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// The release build of `toolcontract`.
///
/// # Errors
/// When it does not build.
pub fn toolcontract() -> Result<PathBuf, Failure> {
    let built = Command::new("cargo")
        .args([
            "build",
            "--quiet",
            "--release",
            "--locked",
            "--package",
            "toolcontract-codegen",
        ])
        .current_dir(repository())
        .status()?;
    if !built.success() {
        return Err("the release build of `toolcontract` failed".into());
    }
    Ok(repository().join("target/release/toolcontract"))
}
