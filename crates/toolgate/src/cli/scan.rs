//! `toolgate scan`: what a person should look at before the tools of an MCP server are let in. Starts
//! the server, or reads what `tools/list` answered; calls no tool.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::Args;
use toolcontract_manifest::{
    has_error,
    import::{self, Imported, Origin},
    print::{self, Settings},
};
use toolcontract_runtime::{
    mcp::{
        client::Connection,
        scan::{Listed, Pins, about, folded, scan},
    },
    process::Environment,
};

use super::{
    Exit, Failure, Io, new_file,
    policy::Screen,
    upstream::{Asked, Place, ServerArgs, ask},
};

/// The largest file that is read, in bytes.
const MAX_FILE: u64 = 64 << 20;

/// Arguments of `scan`.
#[derive(Debug, Args)]
pub struct Scan {
    /// Files of what `tools/list` answered
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What findings call the server
    #[arg(long, default_value = "server", conflicts_with = "servers")]
    name: String,
    #[command(flatten)]
    servers: ServerArgs,
    /// A variable that the server may see beside the ordinary ones; may be given more than once
    #[arg(long, value_name = "NAME")]
    pass_env: Vec<String>,
    /// Tell what is not as in this file of pins
    #[arg(long, value_name = "FILE")]
    pins: Option<PathBuf>,
    /// Write the definitions, as they are now, to a new file of pins
    #[arg(long, value_name = "FILE")]
    write_pins: Option<PathBuf>,
    /// How findings are printed
    #[arg(long, value_enum, default_value_t = Screen::Human)]
    format: Screen,
}

impl Scan {
    pub(super) fn run(&self, io: &mut Io<'_>) -> Result<Exit, Failure> {
        let mut lists = Vec::new();
        for path in &self.files {
            lists.push(read(path)?);
        }
        let mut failed = Vec::new();
        if lists.is_empty() || !self.servers.is_empty() {
            let asked = self.asked()?;
            let of_others = !lists.is_empty();
            let asked = if of_others { asked } else { asked.some()? };
            failed = asked.failed;
            lists.extend(asked.answers.into_iter().map(listed));
        }
        let pins = match &self.pins {
            Some(path) => Some(pins(path)?),
            None => None,
        };
        let findings = scan(&lists, pins.as_ref());
        let settings = Settings {
            format: self.format.format(),
            colors: io.colour,
            about,
        };
        if self.format == Screen::Human {
            print::print(&folded(findings.clone()), settings, &mut *io.out)?;
            let tools: usize = lists.iter().map(|list| list.imported.tools.len()).sum();
            let count = findings.len();
            writeln!(io.out, "{tools} tools, {count} findings")?;
        } else {
            print::print(&findings, settings, &mut *io.out)?;
        }
        for failure in &failed {
            io.error(failure);
        }
        if let Some(path) = &self.write_pins {
            if !failed.is_empty() {
                return Err("no pins are written, since not every server has told its list".into());
            }
            new_file::write(path, &Pins::of(&lists).text())?;
        }
        Ok(match has_error(&findings) {
            _ if !failed.is_empty() => Exit::Failed,
            true => Exit::Findings,
            false => Exit::Clean,
        })
    }

    /// What servers list now.
    fn asked(&self) -> Result<Asked<(String, Imported)>, Failure> {
        let place = Place {
            folder: None,
            environment: Environment::inherited(self.pass_env.iter().map(String::as_str)),
        };
        let servers = self.servers.configured(&self.name, place)?;
        ask(servers, |server: Arc<Connection>| async move {
            server.listed().await
        })
    }
}

fn listed((name, (text, imported)): (String, (String, Imported))) -> Listed {
    Listed {
        name,
        text,
        imported,
        is_live: true,
    }
}

fn read(path: &Path) -> Result<Listed, Failure> {
    let fault = |error: &dyn std::fmt::Display| format!("`{}`: {error}", path.display());
    let size = fs::metadata(path).map_err(|error| fault(&error))?.len();
    if size > MAX_FILE {
        return Err(fault(&format!("more than {MAX_FILE} bytes")).into());
    }
    let bytes = fs::read(path).map_err(|error| fault(&error))?;
    let name = path.to_string_lossy().replace('\\', "/");
    let origin = Origin {
        file: &name,
        server: None,
    };
    let imported = import::mcp(&bytes, &origin).map_err(|error| fault(&error))?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(Listed {
        text: text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned(),
        name,
        imported,
        is_live: false,
    })
}

fn pins(path: &Path) -> Result<Pins, Failure> {
    let fault = |error: &dyn std::fmt::Display| format!("`{}`: {error}", path.display());
    let text = fs::read_to_string(path).map_err(|error| fault(&error))?;
    Ok(Pins::read(&text).map_err(|error| fault(&error))?)
}
