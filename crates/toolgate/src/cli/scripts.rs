//! Which script tools a command has, and on which terms: their folders, the ledger of adopted
//! ones. Every finding about a manifest is told; none stops the tools that are sound.

use std::{env, io, io::Write, path::Path, path::PathBuf};

use clap::Args;
use toolcontract_manifest::{
    Diagnostic,
    print::{Format, Settings, print},
};
use toolcontract_runtime::{
    adoption::{Admission, Admitted, Ledger, Standing, Terms, admit},
    process::Environment,
    script::{Discovery, ToolFolder, discover},
};

use super::Failure;

/// Where script tools are, below the workspace and below the user's home.
const FOLDER: &str = ".stella/tools";

/// Arguments about script tools that are let into a registry.
#[derive(Debug, Clone, Args)]
pub struct ScriptArgs {
    #[command(flatten)]
    pub(super) folders: FolderArgs,
    #[command(flatten)]
    pub(super) ledger: LedgerArgs,
    /// Let script tools be called that nobody has adopted, at risk `high` and relied on for nothing
    #[arg(long)]
    unadopted: bool,
}

/// Where script tools are.
#[derive(Debug, Clone, Args)]
pub(super) struct FolderArgs {
    /// A folder of script tools, relative to the workspace or absolute; may be given more than
    /// once, the first counts most. Without it: `.stella/tools` in the workspace, then in the home
    #[arg(long, value_name = "DIR")]
    script_tools: Vec<String>,
}

/// Where it is written down what is adopted.
#[derive(Debug, Clone, Args)]
pub(super) struct LedgerArgs {
    /// The ledger of adopted tools, a file outside the workspace. Without it: one for the user
    #[arg(long, value_name = "FILE")]
    ledger: Option<PathBuf>,
}

impl FolderArgs {
    /// The script tools of the workspace `root`.
    pub(super) fn discover(&self, root: &Path) -> Result<Discovery, Failure> {
        let is_taken = |name: &str| {
            let mut catalog = stella_contracts::catalog().iter();
            catalog.any(|contract| contract.name.eq_ignore_ascii_case(name))
        };
        Ok(discover(self.folders(root)?, &is_taken)?)
    }

    fn folders(&self, root: &Path) -> Result<Vec<ToolFolder>, Failure> {
        let mut folders = Vec::new();
        for folder in &self.script_tools {
            folders.extend(match Path::new(folder).is_absolute() {
                true => ToolFolder::at(Path::new(folder), folder)?,
                false => ToolFolder::inside(root, folder)?,
            });
        }
        if self.script_tools.is_empty() {
            folders.extend(ToolFolder::inside(root, FOLDER)?);
            if let Some(home) = env::home_dir().filter(|home| *home != *root) {
                folders.extend(ToolFolder::at(&home.join(FOLDER), &format!("~/{FOLDER}"))?);
            }
        }
        Ok(folders)
    }
}

impl LedgerArgs {
    /// The ledger's part about the workspace `root`. None when no place for it is known.
    pub(super) fn open(&self, root: &Path) -> Result<Option<Ledger>, Failure> {
        let path = self.path();
        Ok(path.map(|path| Ledger::new(&path, root)).transpose()?)
    }

    /// The same and where it is, for whoever can do nothing without it.
    pub(super) fn needed(&self, root: &Path) -> Result<(Ledger, PathBuf), Failure> {
        let needed = self.open(root)?.zip(self.path());
        Ok(needed.ok_or("no place for a ledger is known; name one with `--ledger`")?)
    }

    /// Where the ledger is.
    pub(super) fn path(&self) -> Option<PathBuf> {
        let state = || match env::var_os("XDG_STATE_HOME").map(PathBuf::from) {
            Some(state) if state.is_absolute() => Some(state),
            _ => Some(env::home_dir()?.join(".local/state")),
        };
        let user = || Some(state()?.join("toolgate/ledger.sqlite"));
        self.ledger.clone().or_else(user)
    }
}

impl ScriptArgs {
    /// The script tools of the workspace `root` on these terms. Tells `err` what is wrong with
    /// which, and which are withheld.
    pub(super) fn admit(
        &self,
        root: &Path,
        environment: &Environment,
        err: &mut dyn Write,
    ) -> Result<Admission, Failure> {
        let Discovery { scripts, findings } = self.folders.discover(root)?;
        tell(&findings, err)?;
        let terms = Terms {
            root,
            environment: environment.clone(),
            // Whoever has no script tools needs no ledger.
            ledger: match scripts.is_empty() {
                true => None,
                false => self.ledger.open(root)?,
            },
            unadopted: self.unadopted,
        };
        let admission = admit(scripts, &terms);
        let withheld = admission.tools().iter().filter(|tool| !tool.callable);
        for Admitted { name, standing, .. } in withheld {
            writeln!(err, "withheld: `{name}`: {standing}")?;
            if let Standing::Changed(_) = standing {
                writeln!(err, "`toolgate adopt {name}` shows it as it is now")?;
            }
        }
        Ok(admission)
    }
}

/// Shows findings to a person.
pub(super) fn tell(findings: &[Diagnostic], err: &mut dyn Write) -> io::Result<()> {
    let settings = Settings {
        format: Format::Human,
        colors: false,
        about: |_| None,
    };
    match findings.is_empty() {
        true => Ok(()),
        false => print(findings, settings, err),
    }
}
