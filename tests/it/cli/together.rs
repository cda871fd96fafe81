//! Two runs in one project.

use std::{io, thread};

use toolcontract_codegen::{
    cli::{self, Exit, Io, Program},
    write::{Hold, LocalDisk},
};

use super::project;

/// Standard error of the second run: the first run ends when the second says something.
struct Heard {
    first: Option<Hold>,
    text: Vec<u8>,
}

impl io::Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.first.take();
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_second_run_says_that_it_waits_and_then_runs() {
    for line in ["gen --init-lock", "check"] {
        let project = project();
        project.run("gen --init-lock");
        let first = Hold::alone(project.root(), &LocalDisk, &mut || {}).unwrap();
        let mut err = Heard {
            first: Some(first),
            text: Vec::new(),
        };
        let mut out = Vec::new();
        let (global, command) = project.command(line);
        let mut io = Io {
            out: &mut out,
            err: &mut err,
            colour: false,
            progress: false,
        };
        let exit = cli::run(Program::Toolcontract, &global, &command, &mut io);
        assert_eq!(exit, Exit::Clean, "{line}");
        let text = String::from_utf8(err.text).unwrap();
        assert_eq!(
            text,
            "     Waiting for another run in this project to end\n"
        );
    }
}

#[test]
fn runs_at_once_end_with_what_one_would_have_made() {
    let alone = project();
    alone.run("gen --init-lock");
    let project = project();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(project.run("gen --init-lock").exit, Exit::Clean));
        }
    });
    assert_eq!(project.tree(), alone.tree());
}

#[test]
fn the_order_in_which_files_came_to_be_changes_no_byte() {
    let one = project();
    let other = crate::project::Project::empty();
    let files = one.tree();
    for (path, bytes) in files.iter().rev() {
        if let Some(bytes) = bytes {
            other.put(path, str::from_utf8(bytes).unwrap());
        }
    }
    one.run("gen --init-lock");
    other.run("gen --init-lock");
    assert_eq!(one.tree(), other.tree());
}
