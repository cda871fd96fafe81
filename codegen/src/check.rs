//! The check as a function, so that it is one `#[test]` in anybody's repository.

use std::{fmt, path::Path};

use crate::cli::{CheckArgs, Command, Exit, Global, Io, Program, run};

/// What a check said, when it had something to say.
pub struct Drift {
    /// How the command would have ended.
    pub exit: Exit,
    /// The screen.
    pub text: String,
}

/// A test that unwraps it shows the screen as it is.
impl fmt::Debug for Drift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{}", self.text)
    }
}

impl fmt::Display for Drift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text.trim_end())
    }
}

impl std::error::Error for Drift {}

/// Compares what is generated in the project at `root` with what its manifests give. Writes nothing.
///
/// ```no_run
/// # fn project() -> &'static std::path::Path { std::path::Path::new(".") }
/// #[test]
/// fn generated_files_are_fresh() {
///     toolcontract_codegen::check(project()).unwrap();
/// }
/// ```
///
/// # Errors
/// When a file is missing, stale or left over, when a manifest has errors, or when the check
/// could not run.
pub fn check(root: &Path) -> Result<(), Drift> {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let global = Global {
        root: Some(root.to_owned()),
    };
    let mut io = Io {
        out: &mut out,
        err: &mut err,
        colour: false,
        progress: false,
    };
    let command = Command::Check(CheckArgs::default());
    let exit = run(Program::Toolcontract, &global, &command, &mut io);
    if exit == Exit::Clean {
        return Ok(());
    }
    out.extend(err);
    Err(Drift {
        exit,
        text: String::from_utf8_lossy(&out).into_owned(),
    })
}
