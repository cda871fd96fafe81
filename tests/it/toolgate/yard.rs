//! A workspace with script tools and a ledger beside it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;
use tempfile::TempDir;
use toolcontract_manifest::{
    Diagnostic,
    print::{Format, Settings, print},
};
use toolcontract_protocol::{Principal, RiskLevel, ToolOutput};
use toolcontract_runtime::{
    adoption::{Admitted, Grade, Ledger, Pin, Terms, admit},
    authz::NoAuthz,
    call::CallReport,
    caller::{Caller, Session},
    process::Environment,
    registry::Registry,
    script::{Discovery, ScriptTool, ToolFolder, discover},
};

use super::lab::run;

pub(crate) struct Yard {
    folder: TempDir,
}

impl Yard {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("workspace/.stella/tools")).unwrap();
        Self { folder }
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("workspace")
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    pub(crate) fn ledger_path(&self) -> PathBuf {
        self.folder.path().join("state/ledger.sqlite")
    }

    pub(crate) fn ledger(&self) -> Ledger {
        Ledger::new(&self.ledger_path(), &self.root()).unwrap()
    }

    #[expect(clippy::disallowed_methods, reason = "a test makes its own files")]
    pub(crate) fn put(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A file that nobody but its owner can use, as a token must be.
    pub(super) fn put_secret(&self, path: &str, text: &str) {
        self.put(path, text);
        self.mode(path, 0o600);
    }

    /// An operator's token at `kept`, and where the operator has the same.
    pub(crate) fn token(&self, kept: &str) -> String {
        for path in [kept, "../mine"] {
            self.put_secret(path, "a token of sixteen bytes and more");
        }
        self.path("../mine").to_str().unwrap().to_owned()
    }

    pub(super) fn mode(&self, path: &str, mode: u32) {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(self.path(path), fs::Permissions::from_mode(mode)).unwrap();
    }

    /// A sound tool of that name whose script is `script`.
    pub(crate) fn tool(&self, name: &str, script: &str, more: &str) {
        self.put(&format!(".stella/tools/{name}.sh"), script);
        let manifest = format!(
            "name = \"{name}\"\ndescription = \"A tool of a test.\"\ncommand = [\"sh\", \".stella/tools/{name}.sh\"]\n{more}"
        );
        self.put(&format!(".stella/tools/{name}.toml"), &manifest);
    }

    pub(crate) fn discover(&self) -> Discovery {
        let folder = ToolFolder::inside(&self.root(), ".stella/tools").unwrap();
        let catalog = stella_contracts::catalog();
        let is_taken = |name: &str| catalog.iter().any(|contract| contract.name == name);
        discover(Vec::from_iter(folder), &is_taken).unwrap()
    }

    /// A registry as the program makes it, and how each script tool stands.
    pub(crate) fn open(&self, unadopted: bool) -> (Registry, Vec<Admitted>) {
        self.open_with(unadopted, Environment::inherited([]))
    }

    pub(crate) fn open_with(
        &self,
        unadopted: bool,
        environment: Environment,
    ) -> (Registry, Vec<Admitted>) {
        let terms = Terms {
            root: &self.root(),
            environment,
            ledger: Some(self.ledger()),
            unadopted,
        };
        let admission = admit(self.discover().scripts, &terms);
        let admitted = admission.tools().to_vec();
        let builder = admission.add_to(Registry::builder(NoAuthz));
        (builder.build().unwrap(), admitted)
    }

    /// Adopts the tool as it is now, as a person would.
    pub(crate) fn adopt(&self, name: &str, grade: &Grade) -> String {
        let found = self.discover();
        let script = found.scripts.into_iter().find(|s| s.contract.name == name);
        let script = script.expect("a sound tool");
        let environment = Environment::inherited([]);
        let contract = script.contract.clone();
        let tool = ScriptTool::new(script.clone(), contract, &self.root(), environment).unwrap();
        let pin = Pin::of_script(&script, &tool);
        let ledger = self.ledger();
        let at = "2026-11-30T00:00:00.000Z";
        let digest = ledger.adopt(name, &pin, grade, "ada", at).unwrap();
        ledger.enable(name, &digest, "ada", at).unwrap();
        digest
    }
}

pub(crate) fn harmless() -> Grade {
    Grade {
        risk: RiskLevel::Low,
        read_only: true,
        speculation_safe: true,
        idempotent: true,
        open_world: false,
        ..Grade::default()
    }
}

pub(crate) fn call(registry: &Registry, tool: &str, input: &Value) -> CallReport {
    let caller = Caller::in_process(Principal::User, &Session::new("yard"), "c1");
    run(registry.call(tool, input.clone(), &caller))
}

/// What a call came to, in a word or two.
pub(crate) fn outcome(report: &CallReport) -> String {
    match &report.output {
        ToolOutput::Ok { content, .. } => format!("ok {}", content.trim_end()),
        ToolOutput::Error {
            class,
            code: Some(code),
            ..
        } => format!("{class} {code}"),
        ToolOutput::Error { class, .. } => class.to_string(),
    }
}

pub(crate) fn screen(findings: &[Diagnostic]) -> String {
    let settings = Settings {
        format: Format::Human,
        colors: false,
        about: |_| None,
    };
    let mut screen = Vec::new();
    print(findings, settings, &mut screen).unwrap();
    String::from_utf8(screen).unwrap()
}

/// Changes a file in place.
#[expect(clippy::disallowed_methods, reason = "a test changes its own files")]
pub(crate) fn overwrite(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
}

#[expect(clippy::disallowed_methods, reason = "a test removes its own files")]
pub(crate) fn remove(path: &Path) {
    fs::remove_file(path).unwrap();
}
