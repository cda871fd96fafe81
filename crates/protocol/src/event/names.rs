//! The names of events: their form, the ones that hosts use, and who may emit which.

/// How many bytes a name may have.
pub const MAX_NAME: usize = 128;

/// Who may emit an event of some name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Emitter<'a> {
    /// Only the host: the name says something about the session, a decision or the call itself.
    Host,
    /// The plugin of this id, and nobody else.
    Plugin(&'a str),
    /// A tool whose contract declares it.
    Tool,
}

/// First words of names that only a host emits. The one exception is `tool.call.progress`.
pub const RESERVED_NAMESPACES: [&str; 15] = [
    "agent",
    "approval",
    "extension",
    "files_touched",
    "hook",
    "model",
    "policy",
    "secret",
    "sensitive_operation",
    "session",
    "telemetry",
    "tool",
    "transcript",
    "turn",
    "workspace",
];

/// Who may emit `name`; none when it has not the form of an event name.
///
/// The form: two or more words with dots between them, each `[a-z][a-z0-9_]*`, at most
/// [`MAX_NAME`] bytes; or `plugin.<id>.<local>`, where the id is `[a-z0-9_-]+`. What ends in
/// `.requested` asks for a permission and is the host's in every namespace.
#[must_use]
pub fn emitter(name: &str) -> Option<Emitter<'_>> {
    if name.len() > MAX_NAME {
        return None;
    }
    let (first, rest) = name.split_once('.')?;
    if first == "plugin" {
        let (id, local) = rest.split_once('.')?;
        return (is_plugin_id(id) && local.split('.').all(is_word)).then_some(Emitter::Plugin(id));
    }
    if !name.split('.').all(is_word) {
        return None;
    }
    let asks = rest.rsplit('.').next() == Some("requested");
    let reserved = name != super::TOOL_CALL_PROGRESS && RESERVED_NAMESPACES.contains(&first);
    Some(if asks || reserved {
        Emitter::Host
    } else {
        Emitter::Tool
    })
}

fn is_word(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_lowercase())
        && word
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}

fn is_plugin_id(id: &str) -> bool {
    !id.is_empty()
        && id
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_' || b == b'-')
}

/// An event name that hosts use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct HostEvent {
    /// The name.
    pub name: &'static str,
    /// What it tells, in one line.
    pub about: &'static str,
}

impl HostEvent {
    /// Whether a tool may not declare it.
    #[must_use]
    pub fn is_reserved(&self) -> bool {
        emitter(self.name) != Some(Emitter::Tool)
    }
}

macro_rules! host_events {
    ($($name:literal $about:literal)+) => {
        /// The names that Stella's bus knows, by subject. A tool may declare those that are not reserved.
        pub const HOST_EVENTS: &[HostEvent] = &[$(HostEvent { name: $name, about: $about }),+];
    };
}

host_events! {
    "session.created" "A session exists."
    "session.started" "The session's bus is open; its first event."
    "session.paused" "The session is held."
    "session.resumed" "The session goes on."
    "session.cancel_requested" "Somebody wants the session to end."
    "session.cancelled" "The session ended on request."
    "session.completed" "The session ended by itself."
    "session.failed" "The session ended by a fault."
    "agent.turn.started" "Work on a prompt begins."
    "agent.turn.completed" "Work on a prompt ended."
    "agent.turn.parked" "The turn waits for something outside."
    "agent.turn.woken" "What the turn waited for is there."
    "agent.step.started" "A model call and its tools begin."
    "agent.step.completed" "A model call and its tools ended, also when cut short."
    "agent.working_set.restored" "Files and skills were read again after the context was shortened."
    "agent.thinking.started" "The model began to reason."
    "agent.thinking.delta" "A piece of reasoning."
    "agent.thinking.completed" "The model is done reasoning."
    "agent.message.created" "The model began an answer."
    "agent.message.delta" "A piece of an answer."
    "agent.message.completed" "The answer is whole."
    "agent.error" "The turn met a fault."
    "transcript.entry.created" "A row of the transcript is new."
    "transcript.entry.updated" "A row of the transcript changed."
    "model.request.started" "A request went to a provider."
    "model.request.completed" "A provider answered."
    "model.request.failed" "A provider did not answer."
    "model.response.started" "A provider's answer begins to arrive."
    "model.response.delta" "A piece of a provider's answer."
    "model.response.completed" "A provider's answer has arrived."
    "model.rate_limited" "A provider asked for a pause."
    "model.context.compacted" "The history was shortened."
    "tool.registered" "A tool is known to the session."
    "tool.call.requested" "A call was asked for, before anything looked at it."
    "tool.call.validated" "The input of a call is what the contract says."
    "tool.call.started" "A call is about to run."
    "tool.call.progress" "A call is still running."
    "tool.call.completed" "A call succeeded."
    "tool.call.failed" "A call failed or was refused."
    "tool.call.cancelled" "A call was given up."
    "policy.evaluated" "A decision was made."
    "policy.allowed" "A decision let something through."
    "policy.blocked" "A decision stopped something."
    "approval.requested" "A person is needed."
    "approval.granted" "A person said yes."
    "approval.denied" "A person said no."
    "approval.expired" "Nobody answered in time."
    "secret.detected" "Something looks like a credential."
    "sensitive_operation.detected" "A file that often holds credentials is touched."
    "file.read" "A file was read."
    "file.created" "A file is new."
    "file.updated" "A file changed."
    "file.deleted" "A file is gone."
    "file.renamed" "A file has another name."
    "file.diff.computed" "A difference between files is ready."
    "files_touched.updated" "The list of touched files changed."
    "workspace.opened" "A workspace is open."
    "workspace.index.started" "Indexing of the workspace begins."
    "workspace.index.completed" "The workspace is indexed."
    "search.started" "A search begins."
    "search.completed" "A search ended."
    "search.failed" "A search met a fault."
    "command.started" "A command begins to run."
    "command.stdout" "A command wrote to its output."
    "command.stderr" "A command wrote to its error output."
    "command.completed" "A command ended."
    "command.failed" "A command could not run or ended badly."
    "build.started" "A build begins."
    "build.completed" "A build succeeded."
    "build.failed" "A build failed."
    "test.started" "A test run begins."
    "test.completed" "A test run succeeded."
    "test.failed" "A test run failed."
    "diagnostic.detected" "A compiler or linter found something."
    "diagnostic.resolved" "A finding is gone."
    "git.status.changed" "The working tree differs from before."
    "git.diff.created" "A difference to the repository is ready."
    "git.commit.requested" "A commit was asked for."
    "git.commit.created" "A commit exists."
    "git.push.requested" "A push was asked for."
    "git.push.completed" "A push arrived."
    "pull_request.requested" "A pull request was asked for."
    "pull_request.created" "A pull request exists."
    "deployment.requested" "A deployment was asked for."
    "deployment.completed" "A deployment succeeded."
    "deployment.failed" "A deployment failed."
    "hook.stop.blocked" "A hook held the turn open."
    "hook.pre_compact.vetoed" "A hook kept the history from being shortened."
    "extension.loaded" "An extension is there."
    "extension.unloaded" "An extension is gone."
    "extension.error" "An extension met a fault."
    "extension.quarantined" "An extension was set aside after repeated faults."
    "telemetry.event.queued" "A measurement waits to be sent."
    "telemetry.event.flushed" "Measurements were sent."
    "telemetry.event.failed" "Measurements could not be sent."
}
