//! Time and peak memory of a command, and where commands of a bench run.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::OnceLock,
    time::{Duration, Instant},
};

use tempfile::TempDir;
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
/// When it cannot run or does not succeed.
pub fn once(command: &mut Command) -> Result<Cost, Failure> {
    let start = Instant::now();
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| format!("{command:?}: {e}"))?;
    let used = child.wait4()?;
    let wall = start.elapsed();
    if !used.status.success() {
        return Err(format!("{command:?} ended with {}", used.status).into());
    }
    Ok(Cost {
        wall,
        cpu: used.rusage.utime + used.rusage.stime,
        peak: used.rusage.maxrss,
    })
}

/// The least of each figure over `times` runs: what is above it is the machine's noise.
///
/// # Errors
/// As [`once`].
pub fn best(
    times: usize,
    mut command: impl FnMut() -> Result<Command, Failure>,
) -> Result<Cost, Failure> {
    let mut best: Option<Cost> = None;
    for _ in 0..times {
        let cost = once(&mut command()?)?;
        best = Some(best.map_or(cost, |best| Cost {
            wall: best.wall.min(cost.wall),
            cpu: best.cpu.min(cost.cpu),
            peak: best.peak.min(cost.peak),
        }));
    }
    best.ok_or_else(|| "nothing was measured".into())
}

/// `program` with arguments that are separated by single spaces, in `folder`.
pub fn command(program: &Path, arguments: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(arguments.split(' ')).current_dir(folder);
    command
}

/// The root of the repository.
pub fn repository() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// Where the folders of this run stand.
static RUN: OnceLock<PathBuf> = OnceLock::new();

/// Makes the folder of this run below `target/bench`, on the disk that builds use. It goes, with
/// all that [`scratch`] made in it, when what is given is dropped: at the end of the run, since a
/// file system is slow to give out again what was deleted in the last minutes, and the next group
/// would pay for it.
///
/// # Errors
/// When the disk fails.
pub fn run_folder() -> Result<TempDir, Failure> {
    let above = repository().join("target/bench");
    fs::create_dir_all(&above)?;
    let folder = TempDir::new_in(above)?;
    RUN.get_or_init(|| folder.path().to_owned());
    Ok(folder)
}

/// An empty folder in the folder of this run.
///
/// # Errors
/// When the disk fails, or before [`run_folder`].
pub fn scratch() -> Result<TempDir, Failure> {
    let above = RUN.get().ok_or("the run has no folder yet")?;
    let mut folder = TempDir::new_in(above)?;
    folder.disable_cleanup(true);
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
        // Where it is looked for below, also when this bench was told to build elsewhere.
        .env_remove("CARGO_TARGET_DIR")
        .status()?;
    if !built.success() {
        return Err("the release build of `toolcontract` failed".into());
    }
    Ok(repository().join("target/release/toolcontract"))
}

/// How busy the machine is, where it says so: wall times of a busy one are not worth much.
pub fn load() -> Option<String> {
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    let load = text.split(' ').next()?.to_owned();
    let cores = std::thread::available_parallelism().ok()?;
    Some(format!("load {load} on {cores} cores"))
}
