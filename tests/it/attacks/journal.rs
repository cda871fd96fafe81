//! The journal of an attack: what somebody does to its file, and that whoever verifies it is told
//! the first entry that is not what was written.

use std::sync::Arc;

use serde_json::{Value, json};
use toolcontract_protocol::{Principal, Provenance, ToolOutput};
use toolcontract_runtime::{
    authz::NoAuthz,
    caller::{Caller, Session},
    clock::{Clock, SystemClock},
    journal::{FileJournal, Head, JournalError},
    registry::Registry,
};
use toolcontract_schema::digest::hex;
use toolgate::cli::Exit;

use super::{
    attack::{Journal, Tampering},
    stage::{Seen, Stage, Told},
};
use crate::{
    runtime::fakes::{Does, Fake, contract},
    toolgate::{program::toolgate, yard::overwrite},
};

impl Stage<'_> {
    /// Tampers with the journal, has it verified, and puts it back as it was.
    pub(super) fn tamper(&mut self, journal: &Journal) -> Told {
        let path = self.journal_path();
        let head = self.journal.take().expect("a journal").head();
        // The registry holds it too.
        self.registry = None;
        let whole = std::fs::read_to_string(&path).unwrap();
        overwrite(&path, &self.tampered(journal, &whole));
        let found = self.verified(journal.head_kept.then_some(&head));
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::default());
        let gone_on_with = FileJournal::open(&path, &clock);
        let refuses = match (&gone_on_with, journal.broken_at) {
            (Err(JournalError::Broken(broken)), Some(at)) => broken.sequence == at,
            // Whoever opens it knows no end that was kept.
            (Ok(_), at) => at.is_none() || journal.head_kept,
            (Err(_), _) => false,
        };
        drop(gone_on_with);
        overwrite(&path, &whole);
        self.open_journal();
        let expected = match (journal.broken_at, journal.entries) {
            (Some(at), None) => format!("broken at entry {at}: "),
            (None, Some(entries)) => format!("whole, {entries} entries, "),
            _ => return Err("either it is whole or it is broken".to_owned()),
        };
        match found.starts_with(&expected) && refuses {
            true => Ok(Seen::refused_if(journal.broken_at.is_some())),
            false => Err(format!("it is {found}; opening it refuses: {refuses}")),
        }
    }

    /// Holds the journal against its end, and against the calls that were made.
    pub(super) fn is_whole(&self, entries: u64) -> Result<(), String> {
        let head = self.journal.as_ref().expect("a journal").head();
        let found = self.verified(Some(&head));
        let expected = format!("whole, {entries} entries, ");
        if !found.starts_with(&expected) || found.contains("unfinished") {
            return Err(format!("after {entries} entries the journal is {found}"));
        }
        let path = self.journal_path();
        let (_, shown, _) = toolgate(&["journal", "show", path.to_str().unwrap()]);
        match shown.chars().find(|c| c.is_control() && *c != '\n') {
            None => Ok(()),
            Some(c) => Err(format!("{c:?} is on the screen: {shown}")),
        }
    }

    /// What `toolgate journal verify` says.
    fn verified(&self, head: Option<&Head>) -> String {
        let path = self.journal_path();
        let mut words = vec!["journal", "verify", path.to_str().unwrap()];
        let head = head.map(|head| format!("{}:{}", head.sequence, head.hash));
        if let Some(head) = &head {
            words.extend(["--head", head]);
        }
        let (exit, out, err) = toolgate(&words);
        assert_eq!(exit == Exit::Clean, out.starts_with("whole"), "{out}{err}");
        out
    }

    fn tampered(&self, journal: &Journal, whole: &str) -> String {
        let mut lines: Vec<String> = whole.lines().map(str::to_owned).collect();
        let at = journal.line.saturating_sub(1);
        let edited = |line: &str| {
            assert!(line.contains(&journal.from), "{line}");
            line.replacen(&journal.from, &journal.to, 1)
        };
        match journal.tampering {
            Tampering::Nothing => {}
            Tampering::Drop => {
                lines.remove(at);
            }
            Tampering::Reorder => lines.swap(at, at + 1),
            Tampering::Edit => lines[at] = edited(&lines[at]),
            Tampering::Rehash => {
                let before = at.checked_sub(1).map(|before| hash(&lines[before]));
                let before = before.unwrap_or_else(|| Head::empty().hash);
                lines[at] = rehashed(&edited(&lines[at]), &before);
            }
            Tampering::Splice => lines[at] = self.of_another_session()[at].clone(),
            Tampering::Repeat => lines.insert(at + 1, lines[at].clone()),
            Tampering::Cut => lines.truncate(at + 1),
        }
        lines.iter().map(|line| format!("{line}\n")).collect()
    }

    /// A journal of the same length, of another session.
    fn of_another_session(&self) -> Vec<String> {
        let path = self.yard.path("../state/other.jsonl");
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::default());
        let journal = Arc::new(FileJournal::open(&path, &clock).unwrap());
        let fake = Fake::new(Does::Return(ToolOutput::text("done")), &self.log);
        let registry = Registry::builder(NoAuthz)
            .journal(Arc::clone(&journal) as _)
            .dyn_tool(Provenance::Builtin, contract(json!({})), fake)
            .build()
            .unwrap();
        let session = Session::new("other");
        for call in 0..self.calls {
            let caller = Caller::in_process(Principal::User, &session, format!("c{call}"));
            let called = registry.call("probe", json!({}), &caller);
            self.tokio.block_on(called);
        }
        let text = std::fs::read_to_string(&path).unwrap();
        text.lines().map(str::to_owned).collect()
    }
}

fn hash(line: &str) -> String {
    let line: Value = serde_json::from_str(line).unwrap();
    line["hash"].as_str().unwrap().to_owned()
}

/// The line with the hash that follows from its entry and from `before`.
fn rehashed(line: &str, before: &str) -> String {
    let (_, entry) = line.split_once(r#","entry":"#).unwrap();
    let entry = entry.strip_suffix('}').unwrap();
    let hash = hex(format!("{before}\n{entry}").as_bytes());
    format!(r#"{{"hash":"{hash}","entry":{entry}}}"#)
}
