//! Servers of an attack: what they list, what of it is taken, and what they change.

use std::time::Duration;

use serde_json::{Value, json};
use toolcontract_runtime::mcp::client::{configured, qualified, split};
use toolgate::cli::Exit;

use super::{
    attack::{Change, Named, Scan, Serve, Servers, Shown},
    stage::{Seen, Stage, Told},
};
use crate::{mcp_client::Odd, toolgate::program::toolgate};

impl Stage<'_> {
    pub(super) fn serve(&mut self, serve: &Serve) -> Told {
        let script =
            json!({ "pages": self.pages(&serve.pages), "changed": self.pages(&serve.then) });
        let begun = self.tokio.block_on(Odd::begin(&serve.server, &script));
        let odd = match (begun, &serve.fails) {
            (Ok(odd), None) => odd,
            (Err(error), Some(part)) if error.to_string().contains(part.as_str()) => {
                return Ok(Seen::Refused);
            }
            (Err(error), _) => return Err(error.to_string()),
            (Ok(_), Some(_)) => return Err("there is a connection".to_owned()),
        };
        let offered = self.tokio.block_on(odd.offered());
        let taken: Vec<&String> = offered.tools.iter().map(|tool| &tool.wire_name).collect();
        if serve
            .taken
            .as_ref()
            .is_some_and(|names| names.iter().ne(taken.iter().copied()))
        {
            return Err(format!("taken are {taken:?}"));
        }
        let refused: Vec<(String, String)> = offered
            .refused
            .iter()
            .map(|r| {
                (
                    r.wire_name.clone().unwrap_or_default(),
                    r.reason.to_string(),
                )
            })
            .collect();
        let fits = |(found, part): (&(String, String), &(String, String))| {
            found.0 == part.0 && found.1.contains(part.1.as_str())
        };
        if refused.len() != serve.refused.len() || !refused.iter().zip(&serve.refused).all(fits) {
            return Err(format!("refused are {refused:#?}"));
        }
        let told: Vec<String> = offered
            .findings
            .iter()
            .map(|f| f.what.to_string())
            .collect();
        let is_told = |part: &String| told.iter().any(|line| line.contains(part.as_str()));
        if !serve.told.iter().all(is_told) {
            return Err(format!("told is {told:#?}"));
        }
        let contracts = offered.tools.iter().map(|tool| tool.contract.clone());
        self.offered
            .insert(serve.server.clone(), contracts.collect());
        self.servers.insert(serve.server.clone(), odd);
        Ok(match refused.is_empty() {
            true => Seen::Passed,
            false => Seen::Refused,
        })
    }

    /// The results of `tools/list` that the files hold, each with a cursor to the next.
    fn pages(&self, files: &[String]) -> Vec<Value> {
        let pages = files.iter().enumerate().map(|(at, file)| {
            let mut page: Value = serde_json::from_str(&self.text(file)).unwrap();
            if at + 1 < files.len() {
                page["nextCursor"] = json!((at + 1).to_string());
            }
            page
        });
        pages.collect()
    }

    /// The list changes while a call waits, or while none does.
    pub(super) fn change(&mut self, change: &Change) -> Told {
        self.calls += 1;
        let turn = self.caller("user");
        self.calls += u64::from(change.during.is_some());
        let waiting = self.caller("user");
        let odd = self.servers.get("odd").expect("a server `odd`");
        let mut changes = odd.connection.changes();
        let registry = self.registry();
        let heard = async { changes.changed().await.map_err(|error| error.to_string()) };
        let turned = async {
            let report = registry.call("mcp__odd__change", json!({}), &turn).await;
            match report.output.is_ok() {
                true => heard.await,
                false => Err(format!("it does not change: {report:#?}")),
            }
        };
        let during = self.tokio.block_on(async {
            let Some(during) = &change.during else {
                return turned.await.map(|()| None);
            };
            let running = registry.call(&during.tool, during.input.clone(), &waiting);
            let then = async {
                while !odd.holds_a_call() {
                    tokio::time::sleep(Duration::from_millis(2)).await;
                }
                turned.await
            };
            let (report, then) = tokio::join!(running, then);
            then.map(|()| Some((during, report)))
        })?;
        let seen = match &during {
            Some((during, report)) => self.judge(during, Some(report))?,
            None => Seen::Done,
        };
        if change.read {
            self.tokio.block_on(odd.offered());
        }
        Ok(seen)
    }

    pub(super) fn scan(&self, scan: &Scan) -> Told {
        let list = self.folder.join(&scan.list);
        let list = list.to_str().unwrap();
        let (_, text, err) = toolgate(&["scan", list, "--format", "json"]);
        let found = text.lines().map(|line| serde_json::from_str(line).unwrap());
        let rules: Vec<String> = found
            .map(|finding: Value| finding["rule"].as_str().unwrap().to_owned())
            .collect();
        if rules != scan.rules {
            return Err(format!("it finds {rules:?}: {text}{err}"));
        }
        let (exit, screen, _) = toolgate(&["scan", list]);
        if let Some(raw) = screen.chars().find(|c| scan.lacks.contains(*c)) {
            return Err(format!("{raw:?} is on the screen"));
        }
        let is_clean = exit == Exit::Clean;
        match is_clean == rules.is_empty() {
            true => Ok(Seen::refused_if(!is_clean)),
            false => Err(format!("it ends with {exit:?}")),
        }
    }

    pub(super) fn shown(&self, shown: &Shown) -> Told {
        let (server, _) = split(&shown.tool).ok_or("no name of a served tool")?;
        let command = self.servers.get(server).ok_or("no such server")?.command();
        let (root, ledger) = (self.yard.root(), self.yard.ledger_path());
        let mut words = vec!["adopt", &shown.tool, "--risk", "high"];
        words.extend(["--root", root.to_str().unwrap()]);
        words.extend(["--ledger", ledger.to_str().unwrap(), "--"]);
        words.extend(command.iter().map(String::as_str));
        // Nobody is there to say the word, so it is shown and not enabled.
        let (exit, screen, err) = toolgate(&words);
        if exit == Exit::Clean {
            return Err("it is adopted without a person".to_owned());
        }
        let missing = shown
            .has
            .iter()
            .find(|part| !screen.contains(part.as_str()));
        let raw = screen.chars().find(|c| shown.lacks.contains(*c));
        match (missing, raw) {
            (None, None) => Ok(Seen::Passed),
            (missing, raw) => Err(format!("{missing:?} {raw:?} in {screen}{err}")),
        }
    }

    pub(super) fn servers_file(&self, servers: &Servers) -> Told {
        let found = configured(&self.text(&servers.file), self.folder);
        match (found, &servers.fault) {
            (Ok(_), None) => Ok(Seen::Passed),
            (Err(error), Some(part)) if error.to_string().contains(part.as_str()) => {
                Ok(Seen::Refused)
            }
            (found, _) => Err(format!("{found:?}")),
        }
    }

    /// The text of a file of the attack's folder.
    pub(super) fn text(&self, file: &str) -> String {
        let path = self.folder.join(file);
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }
}

pub(super) fn named(named: &Named) -> Told {
    let name = qualified(&named.server, &named.tool);
    if name != named.becomes {
        return Err(format!("it becomes {name:?}"));
    }
    let Some(name) = name else {
        return Ok(Seen::Refused);
    };
    match split(&name) == Some((named.server.as_str(), named.tool.as_str())) {
        true => Ok(Seen::Passed),
        false => Err(format!("`{name}` leads back to {:?}", split(&name))),
    }
}
