//! A client that knows as much of the protocol as it takes to measure a server, and waits for its
//! answers on a thread of its own.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::Value;
use wait4::Wait4 as _;

use crate::Failure;

/// A server process and its streams.
pub struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    line: String,
    next: usize,
    is_reaped: bool,
}

impl Client {
    /// Starts a server and begins with it.
    ///
    /// # Errors
    /// When it does not start, or does not answer.
    pub fn start(command: &mut Command) -> Result<Self, Failure> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (Some(input), Some(output)) = (input, output) else {
            return Err("the server has no streams".into());
        };
        let mut client = Self {
            child,
            input,
            output: BufReader::new(output),
            line: String::new(),
            next: 0,
            is_reaped: false,
        };
        let hello = r#""initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}"#;
        let hello = client.request(hello);
        client.send(&hello)?;
        client.receive()?;
        client.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n")?;
        Ok(client)
    }

    /// Makes calls one after the other, and adds to `times` what each took.
    ///
    /// # Errors
    /// When one fails.
    pub fn calls(&mut self, count: usize, mut took: impl FnMut(Duration)) -> Result<(), Failure> {
        for _ in 0..count {
            let text = self.call();
            let start = Instant::now();
            self.send(&text)?;
            self.receive()?;
            took(start.elapsed());
        }
        Ok(())
    }

    /// Makes calls of which `open` wait for their answers all the time; gives what all took.
    ///
    /// # Errors
    /// When one fails.
    pub fn calls_together(&mut self, count: usize, open: usize) -> Result<Duration, Failure> {
        let start = Instant::now();
        for answered in 0..count + open {
            if answered >= open {
                self.receive()?;
            }
            if answered < count {
                let text = self.call();
                self.send(&text)?;
            }
        }
        Ok(start.elapsed())
    }

    /// Lists the tools; gives the bytes of the answer and how long it took.
    ///
    /// # Errors
    /// When it fails.
    pub fn list(&mut self) -> Result<(usize, Duration), Failure> {
        let text = self.request("\"tools/list\"");
        let start = Instant::now();
        self.send(&text)?;
        let bytes = self.receive()?;
        Ok((bytes, start.elapsed()))
    }

    /// How many tools are listed.
    ///
    /// # Errors
    /// When it fails.
    pub fn tools(&mut self) -> Result<usize, Failure> {
        self.list()?;
        let answer: Value = serde_json::from_str(&self.line)?;
        let tools = answer.pointer("/result/tools").and_then(Value::as_array);
        Ok(tools.map_or(0, Vec::len))
    }

    /// Ends the server, and gives its peak memory in bytes, without that of what it started.
    ///
    /// # Errors
    /// When the system does not tell.
    pub fn end(mut self) -> Result<u64, Failure> {
        self.child.kill()?;
        let used = self.child.wait4()?;
        self.is_reaped = true;
        Ok(used.rusage.maxrss)
    }

    fn request(&mut self, method: &str) -> String {
        self.next += 1;
        let id = self.next;
        format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":{method}}}\n")
    }

    fn call(&mut self) -> String {
        self.request(r#""tools/call","params":{"name":"nothing_0","arguments":{"path":"src/main.rs","pattern":"a pattern","limit":20}}"#)
    }

    fn send(&mut self, text: &str) -> Result<(), Failure> {
        self.input.write_all(text.as_bytes())?;
        Ok(self.input.flush()?)
    }

    /// The length of the next message that is no failure.
    fn receive(&mut self) -> Result<usize, Failure> {
        self.line.clear();
        self.output.read_line(&mut self.line)?;
        if !self.line.contains("\"result\"") || self.line.contains("\"isError\":true") {
            return Err(format!("not an answer: {:.200}", self.line).into());
        }
        Ok(self.line.len())
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if self.is_reaped {
            return;
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
