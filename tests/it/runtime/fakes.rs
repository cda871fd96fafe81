//! Gates, tools, journals and people that do as they are told, and write down when they were asked.

use std::{
    sync::{Arc, Mutex, mpsc},
    time::Duration,
};

use serde_json::Value;
use tokio_util::sync::CancellationToken;
use toolcontract_protocol::{
    AuthzEvalError, Decision, Principal, ToolContract, ToolOutput,
    approval::ApprovalAnswer,
    journal::{JournalEntry, Record},
};
use toolcontract_runtime::{
    approval::{Answered, Approver, Ticket},
    authz::{AuthzGate, Evaluation, Rewriter},
    caller::{Caller, Session},
    clock::{Clock, ManualClock},
    ctx::{AnyEvent, ToolCtx},
    journal::{Entry, Journal, JournalError, MemoryJournal},
    tool::{BoxFuture, DynTool},
};

/// What happened, in order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    pub(crate) fn say(&self, what: impl Into<String>) {
        self.0.lock().unwrap().push(what.into());
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }

    pub(crate) fn count(&self, start: &str) -> usize {
        self.lines().iter().filter(|l| l.starts_with(start)).count()
    }
}

/// How a gate answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Way {
    Allow,
    Deny,
    Ask,
    Fail,
    Panic,
    /// Never answers, until the test is over.
    Hang,
    /// Says allow, and traces a denial.
    Lie,
}

impl Way {
    pub(crate) fn of(word: &str) -> Self {
        match word {
            "allow" => Self::Allow,
            "deny" => Self::Deny,
            "ask" => Self::Ask,
            "error" => Self::Fail,
            "panic" => Self::Panic,
            "hang" => Self::Hang,
            "lie" => Self::Lie,
            other => panic!("no gate answers `{other}`"),
        }
    }
}

/// A gate that answers one way.
pub(crate) struct Gate {
    pub(crate) name: String,
    pub(crate) way: Way,
    pub(crate) log: Log,
    /// Kept open by the test; a hanging gate hangs until it closes.
    hold: Mutex<mpsc::Receiver<()>>,
    held: Arc<Mutex<Option<mpsc::Sender<()>>>>,
}

impl Gate {
    pub(crate) fn new(name: &str, way: Way, log: &Log) -> Self {
        let (sender, receiver) = mpsc::channel();
        Self {
            name: name.to_owned(),
            way,
            log: log.clone(),
            hold: Mutex::new(receiver),
            held: Arc::new(Mutex::new(Some(sender))),
        }
    }

    /// Drop the guard to let a hanging gate go.
    pub(crate) fn release(&self) -> Release {
        Release(Arc::clone(&self.held))
    }
}

pub(crate) struct Release(Arc<Mutex<Option<mpsc::Sender<()>>>>);

impl Drop for Release {
    fn drop(&mut self) {
        self.0.lock().unwrap().take();
    }
}

impl AuthzGate for Gate {
    fn name(&self) -> &str {
        &self.name
    }

    fn check(
        &self,
        _: &ToolContract,
        _: &Principal,
        input: &Value,
    ) -> Result<Decision, AuthzEvalError> {
        // A hanging gate has a thread of its own; when that says something is chance.
        if self.way != Way::Hang {
            self.log.say(format!("gate {} {input}", self.name));
        }
        let name = &self.name;
        match self.way {
            Way::Allow | Way::Lie => Ok(Decision::Allow),
            Way::Deny => Ok(Decision::deny(format!("{name} says no"))),
            Way::Ask => Ok(Decision::require_approval(format!("{name} wants a yes"))),
            Way::Fail => Err(AuthzEvalError {
                gate: name.clone(),
                detail: "the store is down".to_owned(),
            }),
            Way::Panic => panic!("{name} panics, as the test asks it to"),
            Way::Hang => {
                let _ = self.hold.lock().unwrap().recv();
                Ok(Decision::Allow)
            }
        }
    }

    fn check_traced(
        &self,
        contract: &ToolContract,
        principal: &Principal,
        input: &Value,
    ) -> Evaluation {
        let result = self.check(contract, principal, input);
        if self.way == Way::Lie {
            let mut evaluation = Evaluation::of(&self.name, Ok(Decision::deny("no")));
            evaluation.result = result;
            return evaluation;
        }
        Evaluation::of(&self.name, result)
    }

    fn revision(&self) -> String {
        "1".to_owned()
    }

    fn is_pure(&self) -> bool {
        self.way != Way::Hang
    }
}

/// A rewriter that always says the same.
pub(crate) struct Rewrites {
    pub(crate) name: String,
    pub(crate) to: Option<Value>,
    pub(crate) fails: bool,
    pub(crate) log: Log,
}

impl Rewriter for Rewrites {
    fn name(&self) -> &str {
        &self.name
    }

    fn rewrite(
        &self,
        _: &ToolContract,
        _: &Principal,
        input: &Value,
    ) -> Result<Option<Value>, AuthzEvalError> {
        self.log.say(format!("rewrite {} {input}", self.name));
        if self.fails {
            return Err(AuthzEvalError {
                gate: self.name.clone(),
                detail: "no idea".to_owned(),
            });
        }
        Ok(self.to.clone())
    }

    fn is_pure(&self) -> bool {
        true
    }
}

/// How a tool behaves.
#[derive(Debug, Clone)]
pub(crate) enum Does {
    Return(ToolOutput),
    Panic,
    /// Waits for ever.
    Hang,
    /// Waits until it is told to stop, and stops.
    Stop,
    Emit(Vec<AnyEvent>),
}

pub(crate) struct Fake {
    pub(crate) does: Does,
    pub(crate) log: Log,
    pub(crate) digest: Option<String>,
}

impl Fake {
    pub(crate) fn new(does: Does, log: &Log) -> Self {
        Self {
            does,
            log: log.clone(),
            digest: None,
        }
    }
}

impl DynTool for Fake {
    fn call<'a>(&'a self, input: Value, ctx: &'a ToolCtx<AnyEvent>) -> BoxFuture<'a, ToolOutput> {
        Box::pin(async move {
            self.log.say(format!("tool {input}"));
            match &self.does {
                Does::Return(output) => output.clone(),
                Does::Panic => panic!("the tool panics, as the test asks it to"),
                Does::Hang => std::future::pending().await,
                Does::Stop => {
                    ctx.cancellation().cancelled().await;
                    self.log.say("tool stops");
                    ToolOutput::text("stopped half-way")
                }
                Does::Emit(events) => {
                    for event in events {
                        ctx.emit(event);
                    }
                    ToolOutput::text("emitted")
                }
            }
        })
    }

    fn current_digest(&self) -> Option<String> {
        self.digest.clone()
    }
}

/// A person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Person {
    Approves,
    Denies,
    Absent,
    Silent,
    Panics,
}

pub(crate) struct Asks {
    pub(crate) person: Person,
    pub(crate) log: Log,
}

impl Approver for Asks {
    fn ask<'a>(&'a self, ticket: &'a Ticket) -> BoxFuture<'a, Answered> {
        Box::pin(async move {
            self.log.say(format!("ask {}", ticket.shown.text));
            let said = |answer| Answered::Said {
                answer,
                by: Some("ada".to_owned()),
            };
            match self.person {
                Person::Approves => said(ApprovalAnswer::Approve),
                Person::Denies => said(ApprovalAnswer::Deny {
                    reason: Some("not on a\nFriday".to_owned()),
                }),
                Person::Absent => Answered::Nobody,
                Person::Silent => std::future::pending().await,
                Person::Panics => panic!("the person panics, as the test asks them to"),
            }
        })
    }
}

/// A journal that tells what it is told, and can be full.
pub(crate) struct Told {
    pub(crate) kept: MemoryJournal,
    pub(crate) log: Log,
    pub(crate) full: bool,
}

impl Told {
    pub(crate) fn new(log: &Log, full: bool) -> Arc<Self> {
        Arc::new(Self {
            kept: MemoryJournal::default(),
            log: log.clone(),
            full,
        })
    }

    pub(crate) fn entries(&self) -> Vec<JournalEntry> {
        self.kept.entries()
    }
}

impl Journal for Told {
    fn append(&self, entry: Entry) -> Result<u64, JournalError> {
        self.log.say(match entry.record {
            Record::Intent(_) => "journal intent",
            Record::Outcome(_) => "journal outcome",
        });
        if self.full {
            return Err(JournalError::Io {
                doing: "written",
                source: std::io::ErrorKind::StorageFull.into(),
            });
        }
        self.kept.append(entry)
    }
}

/// A clock on which time passes as soon as somebody waits for it.
pub(crate) struct Hasty(pub(crate) ManualClock);

impl Clock for Hasty {
    fn unix_millis(&self) -> i64 {
        self.0.unix_millis()
    }

    fn monotonic(&self) -> Duration {
        self.0.monotonic()
    }

    fn sleep_until(&self, until: Duration) -> BoxFuture<'static, ()> {
        let now = self.monotonic();
        self.0.advance(until.saturating_sub(now));
        self.0.sleep_until(until)
    }
}

/// 2026-08-10T12:00:00Z.
pub(crate) const NOON: i64 = 1_786_363_200_000;

pub(crate) fn caller() -> Caller {
    Caller::in_process(Principal::User, &Session::new("s1"), "c1")
}

pub(crate) fn cancelled() -> CancellationToken {
    let token = CancellationToken::new();
    token.cancel();
    token
}

/// Runs a future on a runtime of one thread.
pub(crate) fn wait<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap()
        .block_on(future)
}

/// A contract of the tool `probe` with `facts` over the mildest ones.
pub(crate) fn contract(facts: Value) -> ToolContract {
    serde_json::from_value(probe(facts)).unwrap()
}

/// The same as JSON. The tool takes a `path` of at most 8 characters.
pub(crate) fn probe(facts: Value) -> Value {
    let mut whole = serde_json::json!({
        "name": "probe",
        "description": "Probes.",
        "input_schema": {
            "type": "object",
            "additionalProperties": false,
            "properties": { "path": { "type": "string", "maxLength": 8 } },
        },
        "risk": "low",
    });
    let facts = facts.as_object().cloned().unwrap_or_default();
    whole.as_object_mut().unwrap().extend(facts);
    whole
}
