//! `toolgate adopted` and `toolgate withdraw`: which tools are adopted, how they stand, what they
//! did since; and taking one out.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};
use toolcontract_manifest::text::escape;
use toolcontract_runtime::{
    adoption::{Adopted, Pin, Standing, standing},
    mcp::client::split,
    process::Environment,
    script::{Discovery, ScriptTool},
};

use super::{
    Exit, Failure, Io,
    scripts::{FolderArgs, LedgerArgs, tell},
};

/// Arguments of `adopted`.
#[derive(Debug, Args)]
pub struct List {
    /// The workspace
    #[arg(long, value_name = "DIR", default_value = ".")]
    root: PathBuf,
    #[command(flatten)]
    folders: FolderArgs,
    #[command(flatten)]
    ledger: LedgerArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Arguments of `withdraw`.
#[derive(Debug, Args)]
pub struct Withdraw {
    /// The tool
    name: String,
    /// The workspace
    #[arg(long, value_name = "DIR", default_value = ".")]
    root: PathBuf,
    #[command(flatten)]
    ledger: LedgerArgs,
}

impl List {
    pub(super) fn run(&self, io: &mut Io<'_>) -> Result<Exit, Failure> {
        let (ledger, _) = self.ledger.needed(&self.root)?;
        let found = self.folders.discover(&self.root)?;
        tell(&found.findings, io.err)?;
        let entries = ledger.all()?;
        let mut all_stand = true;
        let mut rows = Vec::new();
        for entry in &entries {
            if split(&entry.name).is_some() {
                let stands = "its server was not asked; `toolgate proxy` compares when it starts";
                self.show(entry, stands, &mut rows, io)?;
                continue;
            }
            let stands = self.standing(&found, &ledger, &entry.name);
            all_stand &= matches!(stands, Some(Standing::Adopted(..) | Standing::Disabled));
            let stands = stands.map_or("there is no such tool any more".to_owned(), |stands| {
                stands.to_string()
            });
            self.show(entry, &stands, &mut rows, io)?;
        }
        if self.json {
            serde_json::to_writer_pretty(&mut *io.out, &rows)?;
            writeln!(io.out)?;
        } else if entries.is_empty() {
            writeln!(io.out, "nothing is adopted in this workspace")?;
        }
        Ok(match all_stand {
            true => Exit::Clean,
            false => Exit::Findings,
        })
    }

    fn show(
        &self,
        entry: &Adopted,
        stands: &str,
        rows: &mut Vec<Value>,
        io: &mut Io<'_>,
    ) -> std::io::Result<()> {
        if self.json {
            rows.push(as_json(entry, stands));
            return Ok(());
        }
        print(entry, stands, io)
    }

    /// How the tool `name` stands; none when it is not there.
    fn standing(
        &self,
        found: &Discovery,
        ledger: &toolcontract_runtime::adoption::Ledger,
        name: &str,
    ) -> Option<Standing> {
        let script = found.scripts.iter().find(|s| s.contract.name == name)?;
        let environment = Environment::inherited([]);
        let contract = script.contract.clone();
        Some(
            match ScriptTool::new(script.clone(), contract, &self.root, environment) {
                Ok(tool) => standing(ledger, &script.contract, &Pin::of_script(script, &tool)),
                Err(error) => Standing::Unusable(error.to_string()),
            },
        )
    }
}

fn print(entry: &Adopted, stands: &str, io: &mut Io<'_>) -> std::io::Result<()> {
    let Adopted {
        name,
        grade,
        adopted_by,
        adopted_at,
        calls,
        errors,
        ..
    } = entry;
    let (name, by) = (escape(name), escape(adopted_by));
    let risk = grade.risk;
    writeln!(
        io.out,
        "{name}  {risk}  {calls} calls, {errors} failed  by {by} at {adopted_at}"
    )?;
    for line in escape(stands).lines() {
        writeln!(io.out, "    {line}")?;
    }
    Ok(())
}

fn as_json(entry: &Adopted, stands: &str) -> Value {
    let enabled = entry.enabled.as_ref();
    json!({
        "name": entry.name,
        "digest": entry.digest,
        "grade": entry.grade,
        "adopted": { "by": entry.adopted_by, "at": entry.adopted_at },
        "enabled": enabled.map(|enabled| json!({ "by": enabled.by, "at": enabled.at })),
        "calls": entry.calls,
        "errors": entry.errors,
        "standing": stands,
    })
}

impl Withdraw {
    pub(super) fn run(&self, io: &mut Io<'_>) -> Result<Exit, Failure> {
        let (ledger, _) = self.ledger.needed(&self.root)?;
        let name = escape(&self.name);
        Ok(match ledger.withdraw(&self.name)? {
            true => {
                writeln!(io.out, "`{name}` is withdrawn")?;
                Exit::Clean
            }
            false => {
                writeln!(io.err, "`{name}` is not adopted")?;
                Exit::Findings
            }
        })
    }
}
