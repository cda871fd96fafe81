//! A run that fails, or is killed, after any number of changes: nothing is lost, and the next run
//! finishes the work.

use toolcontract_codegen::write::{Disk, LocalDisk, Wanted, WriteError, write as write_by_surface};

use super::{
    before,
    failing::{Failing, How},
    generated, look, surface, wanted, write,
};
use crate::project::Project;

/// Changed, new and left-over files; a file that becomes a folder and the other way round; a
/// surface that goes away and one that comes.
fn after() -> Wanted {
    wanted(vec![
        surface(
            "docs",
            &[
                ("index.md", "# All tools\n"),
                ("tools/a.md/more.md", "a\n"),
                ("tools/c.md", "c\n"),
            ],
        ),
        surface("mcp", &[("tools.json", "[]\n")]),
    ])
}

/// Runs into `how` after each number of changes, and calls `check` with what that left and the
/// error; then sees that a second run heals it.
fn after_each_change(how: How, check: impl Fn(&Project, &WriteError)) {
    for way in WAYS {
        after_each_change_of(way, how, &check);
    }
}

/// The two ways to write: with all bytes in memory, and surface by surface.
const WAYS: [Way; 2] = [
    |project, wanted, disk| look(project, wanted)?.apply(disk),
    |project, wanted, disk| write_by_surface(project.root(), wanted, disk).map(drop),
];

type Way = fn(&Project, &Wanted, &dyn Disk) -> Result<(), WriteError>;

fn after_each_change_of(way: Way, how: How, check: &impl Fn(&Project, &WriteError)) {
    let whole = generated();
    write(&whole, &after());
    let finished = whole.tree();
    for changes in 0.. {
        let project = generated();
        project.put("generated/docs/notes.txt", "mine\n");
        let disk = Failing::after(changes, how);
        let Err(error) = way(&project, &after(), &disk) else {
            assert!(
                !disk.failed(),
                "a failure after {changes} changes was swallowed"
            );
            assert!(changes > 10, "there were only {changes} changes");
            return;
        };
        check(&project, &error);
        assert_eq!(project.text("generated/docs/notes.txt"), "mine\n");

        write(&project, &after());
        assert!(look(&project, &after()).unwrap().is_clean());
        project.remove("generated/docs/notes.txt");
        assert_eq!(project.tree(), finished, "after {changes} changes");
    }
}

/// What is wanted before and after has the one or the other bytes; what the workspace needs stays.
fn loses_nothing(project: &Project, _: &WriteError) {
    let index = project.text("generated/docs/index.md");
    assert!(
        ["# Tools\n", "# All tools\n"].contains(&index.as_str()),
        "{index}"
    );
    assert!(project.has("generated/rust/Cargo.toml"));
    assert!(project.has("generated/rust/src/lib.rs"));
}

#[test]
fn a_run_that_is_refused_loses_nothing_and_the_next_heals_it() {
    after_each_change(How::Refuse, loses_nothing);
}

#[test]
fn a_run_that_is_killed_loses_nothing_and_the_next_heals_it() {
    after_each_change(How::CutOff, loses_nothing);
}

#[test]
fn a_refusal_while_staging_leaves_files_as_they_were_and_later_ones_name_what_changed() {
    let untouched = generated();
    untouched.put("generated/docs/notes.txt", "mine\n");
    let as_before = untouched.tree();
    after_each_change(How::Refuse, |project, error| {
        let WriteError::Io { changed, .. } = error else {
            panic!("{error}");
        };
        let said = error.to_string();
        if changed.is_empty() {
            assert!(said.ends_with("every file is as it was"), "{said}");
            assert_eq!(project.tree(), as_before, "{said}");
        } else {
            assert!(said.contains(&format!("`{}`", changed[0])), "{said}");
        }
    });
}

#[test]
fn a_first_run_that_is_refused_leaves_no_folder_behind() {
    for (changes, way) in (0..5).flat_map(|changes| WAYS.map(|way| (changes, way))) {
        let project = Project::with(&[("manifests/toolcontract.toml", "")]);
        let as_before = project.tree();
        let disk = Failing::after(changes, How::Refuse);
        way(&project, &before(), &disk).unwrap_err();
        assert_eq!(project.tree(), as_before, "after {changes} changes");
    }
}

/// The last surface may not be written, which is known when the others wait on the disk already.
#[test]
fn a_surface_that_is_refused_leaves_no_trace_of_those_before_it() {
    let project = Project::with(&[("manifests/toolcontract.toml", "")]);
    let as_before = project.tree();
    let mut both = before();
    both.surfaces.push(surface("wire", &[("../x", "out\n")]));
    let refused = write_by_surface(project.root(), &both, &LocalDisk);
    assert!(
        matches!(refused, Err(WriteError::Path { .. })),
        "{refused:?}"
    );
    assert_eq!(project.tree(), as_before);

    both.surfaces.pop();
    let plan = write_by_surface(project.root(), &both, &LocalDisk).unwrap();
    assert_eq!(project.text("generated/docs/tools/a.md"), "a\n");
    let kept = plan.entries.iter().filter(|entry| !entry.new.is_empty());
    let kept: Vec<&str> = kept.map(|entry| entry.path.as_str()).collect();
    // The lists and the lock: of all else the bytes are forgotten.
    let lists = [
        "generated/docs/.generated",
        "generated/rust/.generated",
        "manifests/contracts.lock",
    ];
    assert_eq!(kept, lists);
    assert!(look(&project, &both).unwrap().is_clean());
}

#[test]
fn what_a_killed_run_left_is_cleared_and_nothing_else_is() {
    let project = generated();
    let killed = Failing::after(3, How::CutOff);
    look(&project, &after())
        .unwrap()
        .apply(&killed)
        .unwrap_err();
    let left = |p: &Project| p.tree().keys().any(|path| path.ends_with(".tmp"));
    assert!(left(&project), "the disk of this test leaves nothing");
    project.put("generated/docs/keep.tmp", "mine\n");
    write(&project, &before());
    assert_eq!(project.text("generated/docs/keep.tmp"), "mine\n");
    project.remove("generated/docs/keep.tmp");
    assert!(!left(&project));
    look(&project, &before())
        .unwrap()
        .apply(&LocalDisk)
        .unwrap();
}
