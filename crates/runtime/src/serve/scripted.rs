//! An engine without a model: it makes the calls that the body lists under `script`. For trying
//! out a host, and for tests; it decides nothing.

use futures_util::{StreamExt as _, stream};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use toolcontract_protocol::{SessionSpec, frame::TurnOutcome};

use super::{
    driver::{Driver, aborted, completed},
    turn::Turn,
};
use crate::{
    call::{CallInput, CallReport},
    tool::BoxFuture,
};

/// Makes the calls of the body's `script`, one after the other, or all at once where the body says
/// `"together": true`. The turn ends with the outputs, under `outputs`. A turn that is cancelled
/// begins no further call.
#[derive(Debug, Clone, Copy)]
pub struct Scripted;

/// How many calls a script may make.
const MAX_CALLS: usize = 10_000;

#[derive(Debug, Deserialize)]
struct Script {
    #[serde(default)]
    script: Vec<Step>,
    #[serde(default)]
    together: bool,
}

/// One call. The input is a value, or JSON text as a model would write it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    tool: String,
    #[serde(default)]
    input: Option<Value>,
    #[serde(default)]
    arguments: Option<String>,
}

impl Script {
    fn of(spec: &SessionSpec) -> Result<Self, String> {
        let script: Self = serde_json::from_value(Value::Object(spec.engine.clone()))
            .map_err(|error| format!("`script`: {error}"))?;
        if script.script.len() > MAX_CALLS {
            return Err(format!("`script`: at most {MAX_CALLS} calls"));
        }
        for step in &script.script {
            if step.input.is_some() == step.arguments.is_some() {
                return Err("`script`: a call has either `input` or `arguments`".to_owned());
            }
        }
        Ok(script)
    }
}

impl Driver for Scripted {
    fn check(&self, spec: &SessionSpec) -> Result<(), String> {
        Script::of(spec).map(|_| ())
    }

    fn run<'a>(&'a self, turn: &'a Turn) -> BoxFuture<'a, TurnOutcome> {
        Box::pin(async move {
            match Script::of(turn.spec()) {
                Ok(script) => play(turn, script).await,
                Err(reason) => aborted(&reason),
            }
        })
    }
}

async fn play(turn: &Turn, script: Script) -> TurnOutcome {
    let at_once = if script.together {
        script.script.len().max(1)
    } else {
        1
    };
    let goes_on = || !turn.stop.is_cancelled() && !turn.cancel.is_cancelled();
    let steps = script.script.into_iter().enumerate();
    let calls = steps.take_while(|_| goes_on()).map(|(index, step)| {
        let call_id = format!("call-{}", index + 1);
        async move { make(turn, &call_id, step).await }
    });
    let outputs: Vec<Value> = stream::iter(calls)
        .buffered(at_once)
        .map(|report| json!({ "call_id": report.call_id, "output": report.output }))
        .collect()
        .await;
    let mut fields = Map::new();
    fields.insert("outputs".to_owned(), Value::Array(outputs));
    completed(fields)
}

async fn make(turn: &Turn, call_id: &str, step: Step) -> CallReport {
    let input = match (step.input, &step.arguments) {
        (Some(value), _) => CallInput::Value(value),
        (None, text) => CallInput::Bytes(text.as_deref().unwrap_or_default().as_bytes()),
    };
    turn.call(call_id, &step.tool, input).await
}
