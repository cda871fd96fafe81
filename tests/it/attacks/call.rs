//! A call of an attack: where it ends, what anybody sees of it, and that a refusal is whole: the
//! tool did not run, and the journal says so with its trace.

use std::time::Duration;

use serde_json::Value;
use tokio_util::sync::CancellationToken;
use toolcontract_protocol::{
    ErrorClass, ToolOutput,
    journal::{CallResult, JournalEntry, Record},
};
use toolcontract_runtime::call::CallReport;

use super::{
    attack::{Call, Interruption},
    stage::{Seen, Stage, Told},
};
use crate::toolgate::yard::outcome;

impl Stage<'_> {
    pub(super) fn call(&mut self, call: &Call) -> Told {
        self.calls += 1;
        let report = match call.once_running {
            None => {
                let caller = self.caller(&call.by);
                let registry = self.registry();
                let running = registry.call(&call.tool, call.input.clone(), &caller);
                Some(self.tokio.block_on(running))
            }
            Some(how) => self.interrupted(call, how)?,
        };
        self.judge(call, report.as_ref())
    }

    /// Holds how a call ended against what was expected; none where its caller went away.
    pub(super) fn judge(&self, call: &Call, report: Option<&CallReport>) -> Told {
        let ended = match report {
            Some(report) => one_word(report),
            None => "given up".to_owned(),
        };
        if ended != call.ends {
            return Err(format!("it ends `{ended}`: {report:#?}"));
        }
        let record = self.last_outcome()?;
        let expected = call.recorded.as_deref().unwrap_or(&call.ends);
        if record != expected {
            return Err(format!("the journal says `{record}`"));
        }
        let Some(report) = report else {
            return Ok(Seen::Refused);
        };
        self.is_refused_whole(report)?;
        let shown = shown(report);
        let missing = call.has.iter().find(|part| !shown.contains(part.as_str()));
        let leaked = call.lacks.iter().find(|part| shown.contains(part.as_str()));
        if let Some(part) = missing.or(leaked) {
            return Err(format!("what is shown and `{part}`:\n{shown}"));
        }
        Ok(Seen::refused_if(!report.output.is_ok()))
    }

    /// Whoever is refused before the tool runs has caused nothing, and can read why.
    fn is_refused_whole(&self, report: &CallReport) -> Result<(), String> {
        let ToolOutput::Error { class, .. } = &report.output else {
            return Ok(());
        };
        // A tool may call an input invalid or a thing not found by itself.
        let before = match class {
            ErrorClass::RefusedByPolicy => true,
            ErrorClass::InvalidInput
            | ErrorClass::NotFound
            | ErrorClass::InvalidOutput
            | ErrorClass::PermissionDenied
            | ErrorClass::Timeout
            | ErrorClass::Environment
            | ErrorClass::Internal => false,
        };
        match before {
            true if report.ran => Err("it is refused and ran".to_owned()),
            true if report.trace.steps.is_empty() => Err("its trace is empty".to_owned()),
            _ => Ok(()),
        }
    }

    /// The call is sent on its way, and once it runs something happens.
    fn interrupted(&self, call: &Call, how: Interruption) -> Result<Option<CallReport>, String> {
        let token = CancellationToken::new();
        let caller = self.caller(&call.by).cancelled_by(token.clone());
        let started = self.yard.path("started");
        let before = self.log.count("tool");
        let runs = || started.exists() || self.log.count("tool") > before;
        let until_it_runs = async {
            while !runs() {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        };
        let registry = self.registry();
        let running = registry.call(&call.tool, call.input.clone(), &caller);
        self.tokio.block_on(async {
            let mut running = std::pin::pin!(running);
            tokio::select! {
                report = &mut running => return Err(format!("it ends by itself: {report:#?}")),
                () = until_it_runs => {}
            }
            match how {
                Interruption::Cancelled => {
                    token.cancel();
                    Ok(Some(running.await))
                }
                Interruption::GivenUp => Ok(None),
            }
        })
    }

    /// The end of the last call, as the journal has it.
    fn last_outcome(&self) -> Result<String, String> {
        let text = std::fs::read_to_string(self.journal_path()).unwrap();
        let line = text.lines().last().ok_or("the journal is empty")?;
        let line: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let entry: JournalEntry = serde_json::from_value(line["entry"].clone()).unwrap();
        let Record::Outcome(outcome) = entry.record else {
            return Err("the last entry is no outcome".to_owned());
        };
        Ok(match outcome.result {
            CallResult::Ok => "ok".to_owned(),
            CallResult::Error {
                class,
                code: Some(code),
            } => format!("{class} {code}"),
            CallResult::Error { class, code: None } => class.to_string(),
            CallResult::Unknown => "unknown".to_owned(),
        })
    }
}

/// `ok`, or class and code.
fn one_word(report: &CallReport) -> String {
    match report.output.is_ok() {
        true => "ok".to_owned(),
        false => outcome(report),
    }
}

/// What a model sees of it, and what an operator does.
fn shown(report: &CallReport) -> String {
    let text = match &report.output {
        ToolOutput::Ok { content, .. } => content,
        ToolOutput::Error { message, .. } => message,
    };
    format!("{text}\n{}", report.trace.decided_by.description)
}
