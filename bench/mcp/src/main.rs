//! Calls of a tool that does nothing, over standard streams: the governed server beside a bare
//! `rmcp` server and the official TypeScript SDK's, and through `toolgate proxy`. Run it with
//! `cargo run --release` in this folder; `TOOLGATE` names a release build for the proxy.
//!
//! Exits with 0 when every limit holds, 1 when something could not run, 4 when one does not hold.

use std::{
    error::Error,
    io::{BufRead as _, BufReader, Write as _},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio},
    time::{Duration, Instant},
};

/// Calls one after the other, after so many that are not counted.
const CALLS: usize = 20_000;
const WARM: usize = 3_000;
/// Calls that are open at once.
const OPEN: usize = 32;
/// Lists of so many tools.
const TOOLS: &str = "1000";

/// A server process and its streams.
struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    line: String,
    next: usize,
}

/// What was measured of one server.
struct Figures {
    p50: Duration,
    p99: Duration,
    /// Calls a second, many at once.
    together: f64,
}

impl Server {
    fn start(command: &[String]) -> Result<Self, Box<dyn Error>> {
        let (program, arguments) = command.split_first().ok_or("no program")?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let input = child.stdin.take().ok_or("no input")?;
        let output = BufReader::new(child.stdout.take().ok_or("no output")?);
        let mut server = Self {
            child,
            input,
            output,
            line: String::new(),
            next: 0,
        };
        let hello = r#""initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}"#;
        let text = server.request(hello);
        server.send(&text)?;
        server.receive()?;
        server.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n")?;
        Ok(server)
    }

    fn request(&mut self, method: &str) -> String {
        self.next += 1;
        format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":{method}}}\n",
            self.next
        )
    }

    fn call(&mut self) -> String {
        self.request(r#""tools/call","params":{"name":"nothing_0","arguments":{"path":"src/main.rs","pattern":"a pattern","limit":20}}"#)
    }

    fn send(&mut self, text: &str) -> Result<(), Box<dyn Error>> {
        self.input.write_all(text.as_bytes())?;
        Ok(self.input.flush()?)
    }

    /// The length of the next message that is no failure.
    fn receive(&mut self) -> Result<usize, Box<dyn Error>> {
        self.line.clear();
        self.output.read_line(&mut self.line)?;
        if !self.line.contains("\"result\"") || self.line.contains("\"isError\":true") {
            return Err(format!("not an answer: {}", self.line).into());
        }
        Ok(self.line.len())
    }

    fn measure(&mut self) -> Result<Figures, Box<dyn Error>> {
        let mut times = Vec::with_capacity(CALLS);
        for round in 0..WARM + CALLS {
            let text = self.call();
            let start = Instant::now();
            self.send(&text)?;
            self.receive()?;
            if round >= WARM {
                times.push(start.elapsed());
            }
        }
        times.sort_unstable();
        let start = Instant::now();
        for _ in 0..CALLS / OPEN {
            let text: String = (0..OPEN).map(|_| self.call()).collect();
            self.send(&text)?;
            for _ in 0..OPEN {
                self.receive()?;
            }
        }
        let together = (CALLS / OPEN * OPEN) as f64 / start.elapsed().as_secs_f64();
        Ok(Figures {
            p50: times[CALLS / 2],
            p99: times[CALLS / 100 * 99],
            together,
        })
    }

    /// Bytes of a list, and the median time that it takes.
    fn list(&mut self) -> Result<(usize, Duration), Box<dyn Error>> {
        let mut times = Vec::new();
        let mut bytes = 0;
        for _ in 0..21 {
            let text = self.request("\"tools/list\"");
            let start = Instant::now();
            self.send(&text)?;
            bytes = self.receive()?;
            times.push(start.elapsed());
        }
        times.sort_unstable();
        Ok((bytes, times[10]))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(4),
        Err(why) => {
            eprintln!("bench: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<bool, Box<dyn Error>> {
    let beside = std::env::current_exe()?.with_file_name("");
    let own = |name: &str| vec![path(&beside.join(name))];
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("server.mjs");
    let node = vec!["node".to_owned(), path(&script)];
    println!(
        "{:24} {:>10} {:>10} {:>14}",
        "calls", "p50", "p99", "at once"
    );
    let governed = show("governed", &own("governed"))?;
    let bare = show("bare rmcp", &own("bare"))?;
    let typescript = show("TypeScript SDK", &node)?;
    let ratio = governed.p50.as_secs_f64() / bare.p50.as_secs_f64();
    let mut holds = check(
        &format!("governed within 1.5 of bare rmcp: {ratio:.2}"),
        ratio <= 1.5,
    );
    let ratio = bare.together / governed.together;
    holds &= check(
        &format!("the same with {OPEN} at once: {ratio:.2}"),
        ratio <= 1.5,
    );
    let ratio = governed.p50.as_secs_f64() / typescript.p50.as_secs_f64();
    holds &= check(
        &format!("governed ahead of TypeScript: {ratio:.2}"),
        ratio < 1.0,
    );
    for (name, command) in [
        ("governed", own("governed")),
        ("bare rmcp", own("bare")),
        ("TypeScript SDK", node),
    ] {
        let command = [command, vec![TOOLS.to_owned()]].concat();
        let (bytes, time) = Server::start(&command)?.list()?;
        println!(
            "{name:24} {TOOLS} tools: {bytes} bytes in {:.2} ms",
            time.as_secs_f64() * 1e3
        );
    }
    let Some(toolgate) = std::env::var_os("TOOLGATE").map(PathBuf::from) else {
        println!("not run: `TOOLGATE` names no release build of the proxy");
        return Ok(holds);
    };
    let proxy = ["proxy", "--no-authz", "--"].map(str::to_owned);
    let command = [vec![path(&toolgate)], proxy.to_vec(), own("bare")].concat();
    let proxied = show("bare behind the proxy", &command)?;
    let more = proxied.p50.saturating_sub(bare.p50);
    let text = format!(
        "the proxy adds at most 0.5 ms: {:.3} ms",
        more.as_secs_f64() * 1e3
    );
    Ok(holds & check(&text, more <= Duration::from_micros(500)))
}

fn show(name: &str, command: &[String]) -> Result<Figures, Box<dyn Error>> {
    let figures = Server::start(command)?.measure()?;
    let micros = |time: Duration| format!("{:.1} us", time.as_secs_f64() * 1e6);
    println!(
        "{name:24} {:>10} {:>10} {:>12.0}/s",
        micros(figures.p50),
        micros(figures.p99),
        figures.together
    );
    Ok(figures)
}

fn check(text: &str, holds: bool) -> bool {
    println!("{text}: {}", if holds { "holds" } else { "FAILS" });
    holds
}

fn path(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
