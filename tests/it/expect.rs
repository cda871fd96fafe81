//! Compares a text with the file that says what it should be. `UPDATE_EXPECT=1` rewrites the
//! files instead.

use std::{fmt::Write as _, fs, path::Path};

/// Collects what differs, so that one run shows all of it.
#[derive(Debug, Default)]
pub(crate) struct Expect {
    failures: String,
}

impl Expect {
    /// Compares `actual` with the file at `path`.
    pub(crate) fn file(&mut self, path: &Path, actual: &str) {
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            write(path, actual);
            return;
        }
        match fs::read_to_string(path) {
            Ok(expected) if expected == actual => {}
            Ok(expected) => {
                let diff = similar::TextDiff::from_lines(expected.as_str(), actual);
                let diff = diff.unified_diff().header("expected", "actual").to_string();
                self.fail(format_args!("{} differs:\n{diff}", path.display()));
            }
            Err(error) => self.fail(format_args!("{}: {error}\n{actual}", path.display())),
        }
    }

    /// Records anything else that is wrong.
    pub(crate) fn fail(&mut self, what: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.failures, "{what}");
    }

    /// Fails the test when anything differed.
    #[track_caller]
    pub(crate) fn finish(self) {
        assert!(
            self.failures.is_empty(),
            "{}run again with UPDATE_EXPECT=1 where this is meant",
            self.failures
        );
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "expectations are written on request, by hand"
)]
fn write(path: &Path, text: &str) {
    fs::write(path, text).expect("the expectation can be written");
}
