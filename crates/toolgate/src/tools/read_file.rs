//! `read_file`: lines of one text file with their numbers. Refuses binary files.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read as _},
    sync::Arc,
    time::Duration,
};

use stella_contracts::read_file::{Contract, Input, Output};
use tokio_util::sync::CancellationToken;
use toolcontract_protocol::ErrorClass;
use toolcontract_runtime::{
    ctx::ToolCtx,
    tool::{Tool, ToolError},
};

use super::{
    blocking::blocking,
    stoppable::Stoppable,
    workspace::{Workspace, of_system, shown},
};

/// How long it may take to reach the lines.
const TIME: Duration = Duration::from_secs(60);
/// Bytes of one call; a registry cuts at a little more.
const MAX_TEXT: usize = 96_000;
/// Bytes of one line.
const MAX_LINE: u64 = 4_000;
/// A NUL among so many first bytes means that a file is no text.
const PROBE: usize = 8 << 10;

/// `read_file` in a workspace.
#[derive(Debug)]
pub struct ReadFile(pub Arc<Workspace>);

impl Tool for ReadFile {
    type Contract = Contract;

    async fn call(&self, input: Input, ctx: &ToolCtx) -> Result<Output, ToolError> {
        let workspace = Arc::clone(&self.0);
        blocking(ctx, TIME, move |stop| {
            let (file, _) = workspace.read(&input.path)?;
            Page {
                path: &input.path,
                offset: input.offset_or_default(),
                limit: input.limit_or_default(),
            }
            .read(file, stop)
        })
        .await
    }
}

/// The lines that a call asks for.
struct Page<'a> {
    path: &'a str,
    offset: u64,
    limit: u64,
}

impl Page<'_> {
    fn read(&self, file: File, stop: &CancellationToken) -> Result<String, ToolError> {
        let system = |error: io::Error| of_system(self.path, &error);
        let mut file = BufReader::with_capacity(PROBE, Stoppable { file, stop });
        if file.fill_buf().map_err(system)?.contains(&0) {
            let message = format!("`{}` is a binary file, not text", shown(self.path));
            return Err(ToolError::new(ErrorClass::InvalidInput, message));
        }
        let mut text = String::new();
        let mut line = Vec::new();
        let mut number: u64 = 0;
        loop {
            let cut = next_line(&mut file, &mut line).map_err(system)?;
            if line.is_empty() {
                break;
            }
            number += 1;
            if number < self.offset {
                continue;
            }
            if number - self.offset >= self.limit || text.len() > MAX_TEXT {
                text.push_str(&format!(
                    "[more lines follow; go on with offset {number}]\n"
                ));
                return Ok(text);
            }
            let shown = String::from_utf8_lossy(line.strip_suffix(b"\n").unwrap_or(&line));
            let more = if cut { "… [the line goes on]" } else { "" };
            text.push_str(&format!("{number:>6}\t{shown}{more}\n"));
        }
        match (text.is_empty(), number) {
            (true, 0) => Ok("[the file is empty]\n".to_owned()),
            (true, lines) => {
                let path = shown(self.path);
                let message = format!("`{path}` has {lines} lines; ask for an offset up to that");
                Err(ToolError::new(ErrorClass::InvalidInput, message))
            }
            (false, _) => Ok(text),
        }
    }
}

/// Reads a line with its end into `line`, empty at the end of the file. True when the line is
/// longer than what is kept of it.
fn next_line(file: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    file.by_ref().take(MAX_LINE).read_until(b'\n', line)?;
    let cut = line.len() as u64 == MAX_LINE && !line.ends_with(b"\n");
    if cut {
        file.skip_until(b'\n')?;
        // The last character may have been cut.
        while line.last().is_some_and(|byte| (byte & 0xc0) == 0x80) {
            line.pop();
        }
        if line.last().is_some_and(|byte| *byte >= 0xc0) {
            line.pop();
        }
    }
    Ok(cut)
}
