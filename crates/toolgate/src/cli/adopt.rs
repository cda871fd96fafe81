//! `toolgate adopt`: shows a script tool whole, lets it run once in an empty folder when that is
//! asked for, and writes down the grade that a person gives it. Without a person nothing is
//! written.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
};

use clap::Args;
use serde_json::Value;
use toolcontract_manifest::text::escape;
use toolcontract_protocol::{
    RiskLevel, ToolContract, ToolOutput, contradiction::contradictions, manifest::Manifest,
};
use toolcontract_runtime::{
    adoption::{Grade, Ledger, Pin, standing},
    authz::NoAuthz,
    caller::{Caller, Session},
    clock::{Clock as _, SystemClock, timestamp},
    process::Environment,
    registry::Registry,
    script::ScriptTool,
};

use super::{
    Exit, Failure, Io,
    adopt_script::{Screen, seen_whole},
    adopt_served as served,
    governance::risk,
    person::{Consent, PersonArgs},
    scripts::{FolderArgs, LedgerArgs, tell},
    upstream::{Place, ServerArgs},
};

/// Arguments of `adopt`.
#[derive(Debug, Args)]
pub struct Adopt {
    /// The tool
    name: String,
    /// The workspace
    #[arg(long, value_name = "DIR", default_value = ".")]
    root: PathBuf,
    #[command(flatten)]
    grade: GradeArgs,
    /// First run it in an empty folder, with this input or that of the manifest, and show what
    /// came of it. It runs with all that the user of this program may do, so read it before
    #[arg(long, value_name = "JSON", num_args = 0..=1, default_missing_value = "")]
    witness: Option<String>,
    /// Show scripts of more than 64 KiB, too. Without it a tool that has one is not adopted
    #[arg(long)]
    whole: bool,
    #[command(flatten)]
    folders: FolderArgs,
    #[command(flatten)]
    ledger: LedgerArgs,
    #[command(flatten)]
    person: PersonArgs,
    #[command(flatten)]
    server: ServerArgs,
    /// A variable that the server may see beside the ordinary ones; may be given more than once
    #[arg(long, value_name = "NAME")]
    pass_env: Vec<String>,
}

/// The grade that a person gives. What is not said does not hold.
#[derive(Debug, Args)]
struct GradeArgs {
    /// How bad one honest call can be: `low`, `medium`, `high` or `destructive`
    #[arg(long, value_name = "LEVEL", value_parser = risk)]
    risk: RiskLevel,
    /// It cannot change state
    #[arg(long)]
    read_only: bool,
    /// It may run twice before its step commits
    #[arg(long)]
    speculation_safe: bool,
    /// The same call twice has the effect of one
    #[arg(long)]
    idempotent: bool,
    /// What it changes, it only adds
    #[arg(long)]
    additive: bool,
    /// It does not reach beyond the workspace
    #[arg(long)]
    closed_world: bool,
    /// A person must say yes to each call
    #[arg(long)]
    requires_approval: bool,
}

impl GradeArgs {
    fn grade(&self) -> Grade {
        Grade {
            risk: self.risk,
            read_only: self.read_only,
            speculation_safe: self.speculation_safe,
            idempotent: self.idempotent,
            additive: self.additive,
            open_world: !self.closed_world,
            requires_approval: self.requires_approval,
        }
    }
}

impl Adopt {
    pub(super) fn run(&self, io: &mut Io<'_>) -> Result<Exit, Failure> {
        if !self.server.is_empty() {
            return self.served(io);
        }
        let found = self.folders.discover(&self.root)?;
        tell(&found.findings, io.err)?;
        let mut scripts = found.scripts.into_iter();
        let Some(script) = scripts.find(|script| script.manifest.name == self.name) else {
            return Err(format!("there is no sound script tool `{}`", escape(&self.name)).into());
        };
        let (ledger, path) = self.ledger.needed(&self.root)?;
        let environment = Environment::inherited([]);
        let contract = script.contract.clone();
        let (tool, sources) =
            ScriptTool::with_sources(script.clone(), contract, &self.root, environment)?;
        seen_whole(&sources, self.whole)?;
        let pin = Pin::of_script(&script, &tool);
        let grade = self.grade.grade();
        check(&grade, &script.contract)?;
        let stands = standing(&ledger, &script.contract, &pin);
        let folders = tool.folders();
        let input = self.input(&script.manifest)?;
        let ran = input.map(|input| run(tool, &input)).transpose()?;
        let shown = Screen {
            script: &script,
            pin: &pin,
            sources: &sources,
            folders: &folders,
            grade: &grade,
            stands: &stands,
            ran: ran.as_deref(),
        }
        .text();
        self.write_down(&ledger, &path, &shown, &pin, io)
    }

    /// Adopts a tool of a server.
    fn served(&self, io: &mut Io<'_>) -> Result<Exit, Failure> {
        if self.witness.is_some() {
            return Err("a tool of a server has no run in an empty folder".into());
        }
        let place = Place {
            folder: Some(self.root.clone()),
            environment: Environment::inherited(self.pass_env.iter().map(String::as_str)),
        };
        let tool = served::find(&self.name, &self.server, place)?;
        let (ledger, path) = self.ledger.needed(&self.root)?;
        let grade = self.grade.grade();
        check(&grade, &tool.contract)?;
        let stands = standing(&ledger, &tool.contract, &tool.pin());
        let shown = served::screen(&tool, &stands, &grade);
        self.write_down(&ledger, &path, &shown, &tool.pin(), io)
    }

    /// Shows everything to a person, and writes down what they agree to.
    fn write_down(
        &self,
        ledger: &Ledger,
        path: &Path,
        shown: &str,
        pin: &Pin,
        io: &mut Io<'_>,
    ) -> Result<Exit, Failure> {
        write!(io.out, "{shown}")?;
        io.out.flush()?;
        let what = format!("adopt and enable `{}` with this grade", self.name);
        let agreed = match self.person.agrees(shown, &what, path)? {
            Consent::Given(by) => Ok(by),
            Consent::Refused(why) => Err(why),
            Consent::Nobody => Err("a person on a terminal, or the operator's token, must agree"),
        };
        let by = match agreed {
            Ok(by) => by,
            Err(why) => {
                writeln!(io.err, "not adopted: {why}")?;
                return Ok(Exit::Findings);
            }
        };
        let now = timestamp(SystemClock::default().unix_millis());
        let digest = ledger.adopt(&self.name, pin, &self.grade.grade(), by, &now)?;
        ledger.enable(&self.name, &digest, by, &now)?;
        writeln!(io.out, "adopted and enabled")?;
        Ok(Exit::Clean)
    }

    /// The input of the run, when one is asked for.
    fn input(&self, manifest: &Manifest) -> Result<Option<Value>, Failure> {
        match self.witness.as_deref() {
            None => Ok(None),
            Some("") => {
                let of_foundry = manifest.foundry.as_ref();
                let of_foundry = of_foundry.and_then(|foundry| foundry.witness_input.clone());
                let example = manifest.examples.first();
                let input = of_foundry.or_else(|| Some(example?.input.clone()));
                let missing = "the manifest gives no input; write one behind `--witness`";
                input.map(Some).ok_or_else(|| missing.into())
            }
            Some(text) => {
                let input = serde_json::from_str(text);
                Ok(Some(input.map_err(|error| {
                    format!("`--witness` is no JSON: {error}")
                })?))
            }
        }
    }
}

/// A grade that contradicts itself is none.
fn check(grade: &Grade, contract: &ToolContract) -> Result<(), Failure> {
    let graded = grade.apply(contract, "");
    let found = contradictions(&graded, |_| true);
    match found.first() {
        Some(contradiction) => Err(format!("the grade contradicts itself: {contradiction}").into()),
        None => Ok(()),
    }
}

/// Runs the tool once in an empty folder, its input and output checked as in every call.
fn run(tool: ScriptTool, input: &Value) -> Result<String, Failure> {
    let scratch = tempfile::tempdir()?;
    let contract = tool.contract().clone();
    let name = contract.name.clone();
    let tool = tool.working_in(scratch.path());
    let registry = Registry::builder(NoAuthz)
        .dyn_tool(contract.provenance.clone(), contract, tool)
        .build()?;
    let session = Session::new("witness");
    let caller = Caller::in_process(toolcontract_protocol::Principal::User, &session, "witness");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let report = runtime.block_on(registry.call(&name, input.clone(), &caller));
    let mut text = format!("input   {input}\n");
    match &report.output {
        ToolOutput::Ok { content, .. } => text.push_str(content),
        ToolOutput::Error { message, class, .. } => {
            let _ = write!(text, "{class}: {message}");
        }
    }
    let mut left: Vec<String> = std::fs::read_dir(scratch.path())?
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
        .collect();
    left.sort();
    if !left.is_empty() {
        let _ = write!(text, "\nit left behind: {}", left.join(", "));
    }
    Ok(text)
}
