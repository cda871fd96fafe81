//! The arguments of `import`, with their help texts.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use toolcontract_manifest::import::is_server;

use crate::cli::args::{Deny, ListFormat};

/// What to import.
#[derive(Debug, Clone, Subcommand)]
pub enum ImportCommand {
    /// Import what an MCP server answers to `tools/list`
    ///
    /// Takes the result of `tools/list`, the JSON-RPC message around it, a stream of such messages (the pages of one list), an object with `tools`, or the list itself. Each tool becomes `manifests/tools/NAME.json` with its schemas, title and description as served.
    ///
    /// What a server says of itself buys nothing: its hints are kept under `claims`, the risk is `high`, or `destructive` where the server says so, and `read_only` and its kin are false. Contracts with an `origin` are held as declared: findings are told, and stop nothing that can be generated.
    ///
    /// The name as served is kept as `wire_name`. It is the name of the manifest too where it may be one; every other name becomes lower-case words and eight digits of its digest, such as `respond_to_event_3b605f4b`, which depend on no other tool. With `--server` the server's name comes first.
    ///
    /// A tool that no client could call is quarantined with its reason, and takes no other along: no name or input schema, an invalid schema, a key that is there twice, a value of a wrong type, a name with characters beyond ASCII, different definitions with one name. A null where a key could be left out counts as absent, and is told. Icons, `_meta`, `execution` and unknown keys have no place in a manifest, and are told.
    ///
    /// Importing the same definitions again changes nothing. Where a definition changed since, the command stops and names what changed; look at it, then say `--force`. The manifest is made anew then, but for its `version`: what was graded by hand is void, as the thing that was graded is gone. A manifest that was not imported is never replaced.
    #[command(
        after_help = "Examples:\n  import mcp tools.json --server github\n  import mcp tools.json --dry-run --format json\n  my-mcp-client list | import mcp - --server files\n\nExit codes: 0 imported, also when some tools were quarantined; 1 could not run, and nothing was written; 2 usage; 100 nothing could be imported, or with `--deny warnings` something was quarantined or found, and nothing was written"
    )]
    Mcp(ImportMcpArgs),
    /// Import bare JSON Schemas
    ///
    /// A schema with `type: object` at its root becomes the input of a contract, `manifests/tools/NAME.json`, declared and of high risk; every other a shared type, `manifests/types/NAME.json`. NAME comes from the name of the file, in the way of `import mcp`; title and description are those of the schema. A shared type is there for contracts that are written here, so it is held as strictly as those. A schema that is invalid, or refers to another file, is quarantined with its reason.
    #[command(
        after_help = "Examples:\n  import schema schemas/*.json\n  import schema create-issue.schema.json --dry-run\n\nExit codes: as `import mcp` has them"
    )]
    Schema(ImportArgs),
}

/// Arguments of `import mcp`.
#[derive(Debug, Clone, Args)]
pub struct ImportMcpArgs {
    /// Name of the server; it comes first in every manifest's name
    #[arg(long, value_name = "NAME", value_parser = server)]
    pub server: Option<String>,
    /// What every import has
    #[command(flatten)]
    pub import: ImportArgs,
}

/// Arguments of every import.
#[derive(Debug, Clone, Args)]
pub struct ImportArgs {
    /// Files to import, or `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Folder that gets `tools/` and `types/` [default: `manifests/` of the project]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace imported manifests whose definition changed
    #[arg(long)]
    pub force: bool,
    /// Write nothing; say what would be done
    #[arg(long)]
    pub dry_run: bool,
    /// How the report is printed
    #[arg(long, value_enum, default_value_t)]
    pub format: ListFormat,
    /// What else counts as an error
    #[arg(long, value_enum)]
    pub deny: Option<Deny>,
}

fn server(name: &str) -> Result<String, &'static str> {
    if is_server(name) {
        Ok(name.to_owned())
    } else {
        Err("1 to 64 of `A-Z a-z 0-9 _ - .`, a letter or a digit at both ends")
    }
}
