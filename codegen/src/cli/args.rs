//! The arguments, with their help texts.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::import::ImportCommand;

/// Arguments of every command.
#[derive(Debug, Clone, Default, Args)]
pub struct Global {
    /// Folder of the project [default: the nearest one from here upwards that has `manifests/toolcontract.toml`]
    #[arg(long, global = true, value_name = "DIR")]
    pub root: Option<PathBuf>,
}

/// What there is to do.
#[derive(Debug, Clone, Subcommand)]
pub enum Command {
    /// Generate every surface from the manifests
    ///
    /// Writes only what differs, removes what is no longer made, and leaves files alone that it did not make. Stops before it writes when the manifests have errors, or when a contract changed and its version did not.
    #[command(
        after_help = "Examples:\n  gen                     write what differs\n  gen --check --diff      write nothing; say what is stale, and how\n  gen --base main         a branch raises each version once, however often it changes a contract\n  gen --only docs         one surface\n\nExit codes: 0 clean, 1 could not run, 2 usage, 4 stale output, 100 findings"
    )]
    Gen(GenArgs),
    /// Check that every surface is as the manifests say; the same as `gen --check`
    #[command(
        after_help = "Exit codes: 0 clean, 1 could not run, 2 usage, 4 stale output, 100 findings"
    )]
    Check(CheckArgs),
    /// Check the manifests against every rule; generate nothing
    #[command(
        after_help = "Examples:\n  lint\n  lint --deny warnings --format github\n\n`explain RULE` prints what a rule checks and why."
    )]
    Lint(LintArgs),
    /// Print the page of a rule, or the list of all rules
    #[command(after_help = "Examples:\n  explain\n  explain undeclared-event")]
    Explain {
        /// Id of the rule, as findings print it
        rule: Option<String>,
    },
    /// Write the manifest of a new tool, with every choice visible
    #[command(after_help = "Example:\n  new read_page --group web")]
    New(NewArgs),
    /// Raise the version of contracts that changed; the manifest keeps its comments and layout
    #[command(
        after_help = "Examples:\n  bump grep               raise `version` of one tool, if it changed\n  bump --all              of every tool that changed\n  bump --all --base main  of every tool that changed since `main`\n  bump --retire old_tool  say that a tool is gone for good; its name cannot return"
    )]
    Bump(BumpArgs),
    /// List the tools and the surfaces
    List(ListArgs),
    /// Make an empty project: choices, one example contract, a lock
    #[command(
        after_help = "Examples:\n  init\n  init ../my-tools --toolcontract-path ../toolcontract/crates\n\nThen run `gen`."
    )]
    Init(InitArgs),
    /// Import tools of MCP servers, or bare JSON Schemas, as declared contracts
    #[command(subcommand)]
    Import(ImportCommand),
}

/// How results are printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Human,
    /// One JSON object a line
    Json,
    /// Annotations of GitHub Actions
    Github,
    /// SARIF 2.1.0
    Sarif,
}

/// What else counts as an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Deny {
    /// Findings of level warning; in a check also files that nobody here made
    Warnings,
}

/// Arguments of `gen`.
#[derive(Debug, Clone, Default, Args)]
pub struct GenArgs {
    /// Write nothing; report what is missing, stale, left over or foreign
    #[arg(long)]
    pub check: bool,
    /// Make `manifests/contracts.lock` when there is none
    #[arg(long)]
    pub init_lock: bool,
    /// What a check has too
    #[command(flatten)]
    pub compare: CheckArgs,
}

/// Arguments of `check`.
#[derive(Debug, Clone, Default, Args)]
pub struct CheckArgs {
    /// Show how stale files differ
    #[arg(long)]
    pub diff: bool,
    /// Only the surface of this id
    #[arg(long, value_name = "ID")]
    pub only: Option<String>,
    /// Compare with the lock of this git revision, so that a branch raises each version once
    #[arg(long, value_name = "REV")]
    pub base: Option<String>,
    /// How findings are printed
    #[command(flatten)]
    pub findings: FindingArgs,
}

/// How findings are printed and weighed.
#[derive(Debug, Clone, Default, Args)]
pub struct FindingArgs {
    /// How findings are printed
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// What else counts as an error
    #[arg(long, value_enum)]
    pub deny: Option<Deny>,
}

/// Arguments of `lint`.
#[derive(Debug, Clone, Default, Args)]
pub struct LintArgs {
    /// How findings are printed
    #[command(flatten)]
    pub findings: FindingArgs,
}

/// Arguments of `new`.
#[derive(Debug, Clone, Args)]
pub struct NewArgs {
    /// Name of the tool: lower-case letters, digits and `_`, at most 64
    pub name: String,
    /// Its policy group [default: the first that the project declares]
    #[arg(long)]
    pub group: Option<String>,
}

/// Arguments of `bump`.
#[derive(Debug, Clone, Args)]
pub struct BumpArgs {
    /// Names of tools
    #[arg(required_unless_present_any = ["all", "retire"])]
    pub names: Vec<String>,
    /// Every tool that changed
    #[arg(long, conflicts_with = "names")]
    pub all: bool,
    /// Compare with the lock of this git revision
    #[arg(long, value_name = "REV")]
    pub base: Option<String>,
    /// Say that a tool whose manifest is gone is gone for good
    #[arg(long, value_name = "NAME", conflicts_with_all = ["names", "all", "base"])]
    pub retire: Vec<String>,
}

/// Arguments of `list`.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct ListArgs {
    /// How the list is printed
    #[arg(long, value_enum, default_value_t)]
    pub format: ListFormat,
}

/// How lists are printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    /// For people
    #[default]
    Human,
    /// One JSON document
    Json,
}

/// Arguments of `init`.
#[derive(Debug, Clone, Default, Args)]
pub struct InitArgs {
    /// Where [default: here]
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// What the catalog is called [default: the folder's name]
    #[arg(long)]
    pub name: Option<String>,
    /// How the generated crate finds the crates that it needs
    #[command(flatten)]
    pub source: SourceArgs,
}

/// How the generated crate finds the crates that it needs.
#[derive(Debug, Clone, Default, Args)]
#[group(multiple = false)]
pub struct SourceArgs {
    /// In this folder, which holds `protocol` and `schema`
    #[arg(long, value_name = "DIR")]
    pub toolcontract_path: Option<PathBuf>,
    /// In a git repository; a revision may follow after `#`
    #[arg(long, value_name = "URL")]
    pub toolcontract_git: Option<String>,
    /// In the registry, in this version [default: the version of this program]
    #[arg(long, value_name = "VERSION")]
    pub toolcontract_version: Option<String>,
}
