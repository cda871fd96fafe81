//! What an attack is made of, as its folder writes it down: steps that play it and where each
//! ends. A key that nobody knows is an error, so that no expectation is lost by a slip.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use toolcontract_protocol::{RiskLevel, ToolContract};

/// `attack.toml` of one folder.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Attack {
    /// What somebody tries, in a sentence.
    pub(super) title: String,
    /// How it goes; some step must be refused.
    pub(super) attack: Vec<Step>,
    /// Its harmless neighbour; nothing of it is refused.
    pub(super) control: Vec<Step>,
}

/// One step on a stage of its own for each side. Files are those of the attack's folder.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Step {
    /// An MCP server begins and lists its tools; one of the same name takes the place of another.
    Serve(Serve),
    /// The server changes its list, and says so.
    Change(Change),
    /// The list of a server is scanned, as a person does before letting it in.
    Scan(Scan),
    /// What a person is shown before they adopt a tool of a server.
    Shown(Shown),
    /// The name that a tool of a server gets.
    Named(Named),
    /// A file of servers.
    Servers(Servers),
    /// A file, link or folder appears in the workspace, as [`make_in`](crate::toolgate::lab::make_in) writes it.
    Make(Value),
    /// A text in a file of the workspace becomes another one.
    Edit(Edit),
    /// A file of the workspace goes away.
    Remove(String),
    /// What a file of the workspace holds by now.
    Holds(Holds),
    /// Script tools of the workspace are looked for.
    Discover(Discover),
    /// A project of manifests is checked.
    Lint(Lint),
    /// A tool that is there already, and does what a test wants.
    Fake(FakeTool),
    /// Contracts are registered as the program's own.
    Register(Register),
    /// A role policy is loaded; without a fault it is in force from the next `open` on.
    Policy(PolicyFile),
    /// A person adopts a tool as it is now, and enables it.
    Adopt(Adopt),
    /// Something happens to the ledger.
    Ledger(LedgerBecomes),
    /// A registry is made of everything that is there.
    Open(Open),
    /// What dispatch may rely on.
    Relied(Relied),
    /// A call.
    Call(Call),
    /// Somebody gets at the journal, and it is verified.
    Journal(Journal),
}

fn odd() -> String {
    "odd".to_owned()
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Serve {
    #[serde(default = "odd")]
    pub(super) server: String,
    /// A file for each page.
    #[serde(default)]
    pub(super) pages: Vec<String>,
    /// The pages after the list has changed.
    #[serde(default)]
    pub(super) then: Vec<String>,
    /// Names as served of everything that is taken, in the order of the list.
    pub(super) taken: Option<Vec<String>>,
    /// Name as served of everything that is not, and a part of the reason.
    #[serde(default)]
    pub(super) refused: Vec<(String, String)>,
    /// Parts of what else is told.
    #[serde(default)]
    pub(super) told: Vec<String>,
    /// Why there is no connection at all.
    pub(super) fails: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Change {
    /// A call that waits at the server meanwhile, and where it ends.
    pub(super) during: Option<Call>,
    /// Whether the new list is read at once.
    #[serde(default)]
    pub(super) read: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Scan {
    pub(super) list: String,
    /// Rules that fire, each once.
    pub(super) rules: Vec<String>,
    /// Characters that the screen must not hold raw.
    #[serde(default)]
    pub(super) lacks: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Shown {
    pub(super) tool: String,
    pub(super) has: Vec<String>,
    /// Characters that the screen must not hold raw.
    pub(super) lacks: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Named {
    pub(super) server: String,
    pub(super) tool: String,
    /// None where there is no such name.
    pub(super) becomes: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Servers {
    pub(super) file: String,
    /// A part of what is wrong.
    pub(super) fault: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Edit {
    pub(super) path: String,
    pub(super) from: String,
    pub(super) to: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Holds {
    pub(super) path: String,
    /// None where there is no such file.
    pub(super) text: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Discover {
    /// The sound tools.
    pub(super) sound: Vec<String>,
    /// `FILE[:LINE] RULE` of every error, in the order in which they are shown.
    #[serde(default)]
    pub(super) errors: Vec<String>,
    /// The same of every warning.
    #[serde(default)]
    pub(super) warnings: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Lint {
    /// The folder that holds `manifests`.
    pub(super) project: String,
    /// `FILE[:LINE] RULE` of every error, in the order in which they are shown.
    pub(super) errors: Vec<String>,
}

/// What a fake does.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Does {
    /// It succeeds.
    Succeed,
    /// It panics.
    Panic,
    /// It never comes back.
    Hang,
    /// It comes back with a success after it was told to stop.
    ReturnLate,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FakeTool {
    pub(super) name: String,
    pub(super) does: Does,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Register {
    /// A JSON array of contracts.
    pub(super) contracts: String,
    /// Parts of what is wrong, in order.
    #[serde(default)]
    pub(super) faults: Vec<String>,
}

/// Contracts of a file.
pub(super) type Contracts = Vec<ToolContract>;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PolicyFile {
    pub(super) file: String,
    /// `LINE RULE` of everything that is wrong.
    #[serde(default)]
    pub(super) faults: Vec<String>,
    /// Names of rules that no tool has yet.
    #[serde(default)]
    pub(super) unbound: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Adopt {
    pub(super) tool: String,
    pub(super) risk: RiskLevel,
    #[serde(default)]
    pub(super) read_only: bool,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum LedgerBecomes {
    Gone,
    Empty,
    Garbage,
    /// Cut in the middle.
    CutOff,
    /// The same file, asked on behalf of another workspace.
    OfAnotherWorkspace,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Open {
    /// Whether script tools that nobody has adopted may be called.
    pub(super) unadopted: bool,
    /// Variables of this process that commands may see.
    pub(super) pass_env: Vec<String>,
    /// Every tool that is withheld, and a part of the reason.
    pub(super) withheld: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Relied {
    pub(super) tool: String,
    /// For dispatch.
    pub(super) read_only: bool,
    pub(super) risk: RiskLevel,
}

fn empty() -> Value {
    Value::Object(Default::default())
}

fn user() -> String {
    "user".to_owned()
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Call {
    pub(super) tool: String,
    #[serde(default = "empty")]
    pub(super) input: Value,
    #[serde(default = "user")]
    pub(super) by: String,
    /// `ok`, or class and code.
    pub(super) ends: String,
    /// Parts of what comes back, or of why it is refused.
    #[serde(default)]
    pub(super) has: Vec<String>,
    /// Texts that nobody may see.
    #[serde(default)]
    pub(super) lacks: Vec<String>,
    /// What happens once it runs.
    pub(super) once_running: Option<Interruption>,
    /// What the journal says of the end, where that is not what the caller got.
    pub(super) recorded: Option<String>,
}

/// What happens to a call that runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Interruption {
    /// Its caller cancels it.
    Cancelled,
    /// Its caller goes away.
    GivenUp,
}

/// What somebody does to a journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Tampering {
    Nothing,
    /// `line` is taken out.
    Drop,
    /// `line` and the one after it change places.
    Reorder,
    /// `from` in `line` becomes `to`.
    Edit,
    /// The same, with the hash of the line made to fit.
    Rehash,
    /// `line` is that of another session's journal.
    Splice,
    /// `line` is there twice.
    Repeat,
    /// Everything behind `line` is cut off.
    Cut,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Journal {
    pub(super) tampering: Tampering,
    /// From 1.
    #[serde(default)]
    pub(super) line: usize,
    #[serde(default)]
    pub(super) from: String,
    #[serde(default)]
    pub(super) to: String,
    /// Whether the end was kept elsewhere.
    #[serde(default)]
    pub(super) head_kept: bool,
    /// The first entry that is not what was written.
    pub(super) broken_at: Option<u64>,
    /// How many entries there are, where it is whole.
    pub(super) entries: Option<u64>,
}
