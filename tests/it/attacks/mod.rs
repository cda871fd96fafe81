//! What somebody on the other side of the trust boundary would try. A folder of `data/attacks` is
//! one attack: `attack.toml` says how it goes and where it ends, the other files play it, and a
//! harmless neighbour in the same folder passes. Each side has a stage of its own.
//!
//! Whatever the attack, a call that is refused did not run and stands in the journal with its
//! trace, and no two tools have one alias for any provider.

mod attack;
mod call;
mod journal;
mod names;
mod served;
mod stage;
mod texts;
mod workspace;

use std::{
    collections::BTreeSet,
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
};

use attack::{Attack, Step};
use stage::{Seen, Stage};

use crate::expect::Expect;

/// Every attack that has a folder, by its number in the list that they are from.
const ALL: [&str; 26] = [
    "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "b1", "b10", "b2", "b3", "b4", "b5", "b6",
    "b7", "b8", "b9", "g10", "g11", "g12", "g13", "g14", "g15", "g8", "g9",
];

#[test]
fn every_attack_fails_and_its_neighbour_passes() {
    let folders = folders();
    let mut expect = Expect::default();
    // Most of the time is waited for processes.
    let told: Vec<Result<(), String>> = std::thread::scope(|scope| {
        let halves = folders.chunks(folders.len().div_ceil(2).max(1));
        let running: Vec<_> = halves
            .map(|half| scope.spawn(move || half.iter().map(|f| check(f)).collect::<Vec<_>>()))
            .collect();
        let ended = running.into_iter().flat_map(|half| half.join().unwrap());
        ended.collect()
    });
    for wrong in told.into_iter().filter_map(Result::err) {
        expect.fail(format_args!("{wrong}"));
    }
    expect.finish();
}

#[test]
fn no_attack_is_left_out() {
    let ids: BTreeSet<String> = folders().iter().map(|folder| id(folder)).collect();
    let all = ALL.iter().map(|id| (*id).to_owned());
    assert_eq!(ids, all.collect(), "one folder for each attack");
    assert_eq!(folders().len(), ALL.len(), "no attack has two folders");
}

/// The folders of the attacks, sorted.
fn folders() -> Vec<PathBuf> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/attacks");
    let entries = fs::read_dir(data).unwrap();
    let mut all: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all
}

fn id(folder: &Path) -> String {
    let name = folder.file_name().unwrap().to_str().unwrap();
    name.split('-').next().unwrap().to_owned()
}

/// Plays both sides of one attack; else says where it went otherwise.
fn check(folder: &Path) -> Result<(), String> {
    let name = folder.file_name().unwrap().to_string_lossy().into_owned();
    let text = fs::read_to_string(folder.join("attack.toml")).unwrap_or_default();
    let attack: Attack =
        toml_edit::de::from_str(&text).map_err(|error| format!("{name}/attack.toml: {error}"))?;
    let sides = [("attack", &attack.attack), ("control", &attack.control)];
    for (side, steps) in sides {
        let place = |at: usize| format!("{name} ({}), {side}, step {}", attack.title, at + 1);
        // A fault of the test itself is told with its place too.
        let seen = catch_unwind(AssertUnwindSafe(|| play(folder, steps)))
            .unwrap_or_else(|_| Err((steps.len(), "it panics".to_owned())))
            .map_err(|(at, why)| format!("{}: {why}", place(at)))?;
        match side {
            "attack" if !seen.contains(&Seen::Refused) => {
                return Err(format!("{name}: nothing of the attack is refused"));
            }
            "control" if seen.contains(&Seen::Refused) || !seen.contains(&Seen::Passed) => {
                return Err(format!("{name}: the neighbour does not pass: {seen:?}"));
            }
            _ => {}
        }
    }
    unused(folder, &text).map_err(|file| format!("{name}: `{file}` plays no part"))
}

fn play(folder: &Path, steps: &[Step]) -> Result<Vec<Seen>, (usize, String)> {
    let mut stage = Stage::new(folder);
    let mut seen = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        seen.push(stage.step(step).map_err(|why| (at, why))?);
    }
    stage.end().map_err(|why| (steps.len(), why))?;
    Ok(seen)
}

/// The first file of the folder that no step names; what lies in `workspace` is there anyhow.
fn unused(folder: &Path, text: &str) -> Result<(), String> {
    for entry in fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let named = text.contains(&format!("\"{name}\""));
        if !named && !["attack.toml", "workspace"].contains(&name.as_str()) {
            return Err(name);
        }
    }
    Ok(())
}
