//! A workspace of its own with every tool of the program, and somebody who listens.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::mpsc::Receiver;
use toolcontract_protocol::{Principal, ToolOutput};
use toolcontract_runtime::{
    authz::NoAuthz,
    call::CallReport,
    caller::{Caller, Session},
    ctx::{Event, channel},
    process::Environment,
    registry::Registry,
};
use toolgate::tools::{self, Workspace};

/// A workspace and what is around it.
pub(crate) struct Lab {
    folder: TempDir,
    pub(crate) registry: Registry,
    pub(crate) session: Arc<Session>,
    heard: Receiver<Event>,
}

impl Lab {
    pub(crate) fn new() -> Self {
        Self::with(Environment::inherited([]))
    }

    pub(crate) fn with(environment: Environment) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("workspace");
        fs::create_dir(&root).unwrap();
        let (sink, heard) = channel(1 << 16);
        let workspace = Workspace::open(&root).unwrap();
        let builder = Registry::builder(NoAuthz).events(sink);
        let registry = tools::add(builder, workspace, environment).build().unwrap();
        Self {
            folder,
            registry,
            session: Session::new("lab"),
            heard,
        }
    }

    /// A path relative to the workspace; `../x` is beside it.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join("workspace").join(path)
    }

    pub(crate) fn put(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        write(&path, bytes);
    }

    pub(crate) fn text(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    pub(crate) fn caller(&self) -> Caller {
        Caller::in_process(Principal::User, &self.session, "c1")
    }

    pub(crate) fn call(&self, tool: &str, input: &Value) -> CallReport {
        run(self.registry.call(tool, input.clone(), &self.caller()))
    }

    /// What a call gives, where it must succeed.
    pub(crate) fn ok(&self, tool: &str, input: &Value) -> (String, Value) {
        match self.call(tool, input).output {
            ToolOutput::Ok { content, data } => (content, data.unwrap_or(Value::Null)),
            error @ ToolOutput::Error { .. } => panic!("{tool} {input}: {error:?}"),
        }
    }

    /// The class and the message of a call that must fail.
    pub(crate) fn error(&self, tool: &str, input: &Value) -> (String, String) {
        match self.call(tool, input).output {
            ToolOutput::Error { class, message, .. } => (class.to_string(), message),
            ok @ ToolOutput::Ok { .. } => panic!("{tool} {input}: {ok:?}"),
        }
    }

    /// The events that were heard since this was asked last.
    pub(crate) fn events(&mut self) -> Vec<(String, Value)> {
        let mut events = Vec::new();
        while let Ok(event) = self.heard.try_recv() {
            events.push((event.envelope.name, json!(event.envelope.payload)));
        }
        events
    }

    /// The absolute path of the workspace, for taking it out of screens.
    pub(crate) fn root(&self) -> PathBuf {
        self.path("").canonicalize().unwrap()
    }
}

/// Runs a call that may start processes.
pub(crate) fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(future)
}

/// Makes what a case asks for in the workspace.
pub(crate) fn make(lab: &Lab, entry: &Value) {
    make_in(&lab.path(""), entry);
}

/// Makes what a case asks for, relative to `root`.
pub(crate) fn make_in(root: &Path, entry: &Value) {
    let at = root.join(entry["path"].as_str().unwrap());
    fs::create_dir_all(at.parent().unwrap()).unwrap();
    if let Some(text) = entry["text"].as_str() {
        write(&at, text);
    } else if let Some(lines) = entry["lines"].as_u64() {
        let lines: String = (1..=lines).map(|n| format!("line {n}\n")).collect();
        write(&at, lines);
    } else if let Some(bytes) = entry["bytes"].as_array() {
        let bytes = bytes
            .iter()
            .map(|b| u8::try_from(b.as_u64().unwrap()).unwrap());
        write(&at, bytes.collect::<Vec<_>>());
    } else if let Some(size) = entry["size"].as_u64() {
        write(&at, "");
        let file = fs::OpenOptions::new().write(true).open(at).unwrap();
        file.set_len(size).unwrap();
    } else if let Some(target) = entry["link"].as_str() {
        std::os::unix::fs::symlink(target, at).unwrap();
    } else if let Some(other) = entry["hard_link"].as_str() {
        fs::hard_link(root.join(other), at).unwrap();
    } else if entry["fifo"].as_bool() == Some(true) {
        let status = std::process::Command::new("mkfifo").arg(at).status();
        assert!(status.unwrap().success());
    } else if entry["folder"].as_bool() == Some(true) {
        fs::create_dir_all(at).unwrap();
    } else {
        panic!("nothing to make of {entry}");
    }
}

#[expect(clippy::disallowed_methods, reason = "a test makes its own files")]
fn write(path: &Path, bytes: impl AsRef<[u8]>) {
    fs::write(path, bytes).unwrap();
}
