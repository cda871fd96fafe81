//! A script tool as the registry runs it. Before every call the manifest and every file that the
//! command line names are looked at again; what is no longer what was registered does not run.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    time::Duration,
};

use serde_json::Value;
use toolcontract_protocol::{ErrorClass, ErrorCode, ToolContract, ToolOutput};
use toolcontract_schema::{bounds, digest::digest};

use super::{
    Script,
    discover::load,
    files::{NamedFile, Source},
    program::{Program, ProgramError},
    stage::{Staged, stage},
    variables,
};
use crate::{
    ctx::{AnyEvent, ToolCtx},
    process::{self, Captured, Command, Ended, Environment, Exit, Keep, Streams},
    tool::{BoxFuture, DynTool, ToolError},
};

/// How long a script may run that says nothing of it.
const TIME: Duration = Duration::from_secs(30);
/// Bytes of output that are taken at all.
const MAX_OUTPUT: usize = 8 << 20;
/// Bytes of output that a model reads.
const MAX_SHOWN: usize = 64 << 10;
/// Bytes of what a script says about its failure.
const MAX_FAILURE: usize = 4 << 10;

/// A script tool.
#[derive(Debug)]
pub struct ScriptTool {
    script: Script,
    contract: ToolContract,
    program: Program,
    files: Vec<NamedFile>,
    environment: Environment,
    registered: String,
    /// Where its command runs.
    folder: PathBuf,
}

impl ScriptTool {
    /// `script` in the workspace `root`, under `contract`, which is its own or one that a person
    /// graded. Its command gets `environment`, what its manifest adds, and its input.
    ///
    /// # Errors
    /// When a file that its command line names cannot be used.
    pub fn new(
        script: Script,
        contract: ToolContract,
        root: &Path,
        environment: Environment,
    ) -> Result<Self, ProgramError> {
        Self::with_sources(script, contract, root, environment).map(|(tool, _)| tool)
    }

    /// The same, with the files of the workspace that its command line names, in the order of
    /// [`files`](Self::files): the very bytes that those digests are of, whatever has the names by
    /// now. At most 16 MiB each and 64 MiB in all.
    ///
    /// # Errors
    /// Those of [`new`](Self::new).
    pub fn with_sources(
        script: Script,
        contract: ToolContract,
        root: &Path,
        environment: Environment,
    ) -> Result<(Self, Vec<Source>), ProgramError> {
        let argv = script.manifest.command.clone().unwrap_or_default();
        let path = environment.get("PATH").unwrap_or(OsStr::new(""));
        let program = Program::new(argv, root, path)?;
        let (mut files, mut sources) = (Vec::new(), Vec::new());
        for opened in program.open()? {
            files.push(opened.named.clone());
            sources.extend(opened.copy.map(|bytes| Source {
                file: opened.named,
                bytes,
            }));
        }
        let program_root = program.root().to_owned();
        let registered = digest(&contract).unwrap_or_default();
        let variables = script.manifest.env.iter();
        let environment = variables.fold(environment, |all, (name, value)| all.with(name, value));
        let tool = Self {
            script,
            contract,
            program,
            files,
            environment,
            registered,
            folder: program_root,
        };
        Ok((tool, sources))
    }

    /// The same tool under another contract.
    #[must_use]
    pub fn under(self, contract: ToolContract) -> Self {
        Self {
            registered: digest(&contract).unwrap_or_default(),
            contract,
            ..self
        }
    }

    /// The same tool, whose command runs in `folder`; its files are still those of the workspace.
    #[must_use]
    pub fn working_in(self, folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            ..self
        }
    }

    /// The contract that the tool is to be registered under.
    #[must_use]
    pub fn contract(&self) -> &ToolContract {
        &self.contract
    }

    /// Every file that its command line names, as they were when it was made.
    #[must_use]
    pub fn files(&self) -> &[NamedFile] {
        &self.files
    }

    /// Folders that its command line names. Nothing in them is pinned.
    #[must_use]
    pub fn folders(&self) -> Vec<String> {
        self.program.folders()
    }

    /// Whether the manifest still says what it said.
    fn manifest_is_unchanged(&self) -> bool {
        let Ok(bytes) = self.script.folder.read(&self.script.file) else {
            return false;
        };
        if bytes[..] == self.script.bytes[..] {
            return true;
        }
        let (loaded, _) = load(&self.script.path, bytes);
        loaded.is_some_and(|now| digest(&now.value).is_ok_and(|now| now == self.script.digest))
    }

    /// The command line with the very files that were looked at, when they are the ones.
    fn staged(&self) -> Result<Staged, ToolError> {
        let changed = || self.refused(ErrorCode::DefinitionChanged);
        if !self.manifest_is_unchanged() {
            return Err(changed());
        }
        let opened = self.program.open().map_err(|_| changed())?;
        if !opened.iter().map(|file| &file.named).eq(&self.files) {
            return Err(changed());
        }
        stage(self.program.argv(), opened).map_err(|error| {
            let message = format!("`{}` cannot be prepared: {error}", self.contract.name);
            ToolError::new(ErrorClass::Environment, message)
        })
    }

    fn refused(&self, code: ErrorCode) -> ToolError {
        let message = format!("`{}` did not run. {}", self.contract.name, code.about());
        ToolError::new(code.class(), message).with_code(code)
    }

    async fn run(&self, input: &Value, ctx: &ToolCtx<AnyEvent>) -> ToolOutput {
        let staged = match self.staged() {
            Ok(staged) => staged,
            Err(refused) => return refused.into(),
        };
        let variables = variables::of_input(input).into_iter();
        let environment = self.environment.clone();
        let time = self.script.manifest.timeout_ms;
        let command = Command {
            argv: staged.argv.clone(),
            executable: staged.executable.clone(),
            folder: self.folder.clone(),
            environment: variables.fold(environment, |all, (name, value)| all.with(name, value)),
            input: input.to_string().into_bytes(),
            time: time.map_or(TIME, Duration::from_millis),
            streams: Streams::Apart {
                out: Keep {
                    head: MAX_OUTPUT,
                    tail: 0,
                },
                err: Keep::of(MAX_FAILURE),
            },
        };
        match process::run(&command, ctx.cancellation(), &mut |_| ()).await {
            Ok(ended) => self.output(&ended),
            Err(error) => ToolOutput::error(
                ErrorClass::Environment,
                format!("`{}` did not start: {error}", self.contract.name),
            ),
        }
    }

    fn output(&self, ended: &Ended) -> ToolOutput {
        let name = &self.contract.name;
        let failed = |class, how: String| {
            let said = ended.err.text();
            let said = said.trim_end();
            let colon = if said.is_empty() { "" } else { ":\n" };
            ToolOutput::error(class, format!("`{name}` {how}{colon}{said}"))
        };
        match ended.exit {
            Exit::Code(0) => self.success(&ended.out),
            Exit::Code(code) => failed(
                ErrorClass::Environment,
                format!("ended with exit code {code}"),
            ),
            Exit::Signal(signal) => failed(
                ErrorClass::Environment,
                format!("was ended by signal {signal}"),
            ),
            Exit::TimedOut => failed(ErrorClass::Timeout, "ran past its time limit".to_owned()),
            Exit::Cancelled => self.refused(ErrorCode::Cancelled).into(),
        }
    }

    fn success(&self, out: &Captured) -> ToolOutput {
        let name = &self.contract.name;
        let Some(bytes) = out.whole() else {
            let code = ErrorCode::OutputTooLarge;
            let message = format!("`{name}` wrote more than {MAX_OUTPUT} bytes");
            return ToolOutput::coded(code, message);
        };
        let content = match bytes.is_empty() {
            true => "[no output]".to_owned(),
            false => Captured::of(&bytes, Keep::of(MAX_SHOWN)).text(),
        };
        if self.contract.output_schema.is_none() {
            return ToolOutput::text(content);
        }
        match bounds::read(&bytes, &bounds::Limits::default()) {
            Ok(data) => ToolOutput::with_data(content, data),
            Err(fault) => {
                let message = format!("`{name}` promises JSON and wrote something else: {fault}");
                ToolOutput::error(ErrorClass::InvalidOutput, message)
            }
        }
    }
}

impl DynTool for ScriptTool {
    fn call<'a>(&'a self, input: Value, ctx: &'a ToolCtx<AnyEvent>) -> BoxFuture<'a, ToolOutput> {
        Box::pin(async move { self.run(&input, ctx).await })
    }

    fn current_digest(&self) -> Option<String> {
        let same = self.manifest_is_unchanged()
            && self.program.files().is_ok_and(|files| files == self.files);
        Some(match same {
            true => self.registered.clone(),
            false => "changed".to_owned(),
        })
    }
}
