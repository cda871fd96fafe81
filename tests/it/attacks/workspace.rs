//! The files of an attack: what lies in the workspace from the start, and what becomes of it.

use std::{fs, path::Path};

use serde_json::Value;
use toolcontract_runtime::adoption::Grade;

use super::{
    attack::{Adopt, Edit, Holds, LedgerBecomes},
    stage::{Seen, Stage, Told},
};
use crate::toolgate::{
    lab::make_in,
    yard::{overwrite, remove},
};

/// Copies the files below `from` to `to`.
pub(super) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

impl Stage<'_> {
    /// Also `from`: a file of the attack's folder.
    pub(super) fn make(&self, entry: &Value) -> Told {
        let path = entry["path"].as_str().ok_or("`make` without a path")?;
        let mut entry = entry.clone();
        if let Some(from) = entry["from"].as_str() {
            entry["text"] = self.text(from).into();
        }
        let at = self.yard.path(path);
        if at.symlink_metadata().is_ok_and(|there| there.is_symlink()) {
            remove(&at);
        }
        make_in(&self.yard.root(), &entry);
        Ok(Seen::Done)
    }

    pub(super) fn edit(&self, edit: &Edit) -> Told {
        let path = self.yard.path(&edit.path);
        let text = fs::read_to_string(&path).map_err(|error| error.to_string())?;
        if !text.contains(&edit.from) {
            return Err(format!("`{}` does not hold `{}`", edit.path, edit.from));
        }
        overwrite(&path, &text.replace(&edit.from, &edit.to));
        Ok(Seen::Done)
    }

    pub(super) fn remove(&self, path: &str) -> Told {
        remove(&self.yard.path(path));
        Ok(Seen::Done)
    }

    pub(super) fn holds(&self, expected: &Holds) -> Told {
        let text = fs::read_to_string(self.yard.path(&expected.path)).ok();
        match text == expected.text {
            // Nothing came of it.
            true if text.is_none() => Ok(Seen::Refused),
            true => Ok(Seen::Done),
            false => Err(format!("`{}` holds {text:?}", expected.path)),
        }
    }

    pub(super) fn adopt(&self, adopt: &Adopt) -> Told {
        let grade = Grade {
            risk: adopt.risk,
            read_only: adopt.read_only,
            ..Grade::default()
        };
        if !adopt.tool.starts_with("mcp__") {
            self.yard.adopt(&adopt.tool, &grade);
            return Ok(Seen::Done);
        }
        let mut pin = None;
        for odd in self.servers.values() {
            let offered = self.tokio.block_on(odd.offered());
            let mut tools = offered.tools.iter();
            pin = tools
                .find(|tool| tool.contract.name == adopt.tool)
                .map(|tool| tool.pin())
                .or(pin);
        }
        let pin = pin.ok_or_else(|| format!("nobody serves `{}`", adopt.tool))?;
        let (ledger, at) = (self.yard.ledger(), "2026-11-30T00:00:00.000Z");
        let adopted = ledger.adopt(&adopt.tool, &pin, &grade, "ada", at);
        let digest = adopted.map_err(|error| error.to_string())?;
        ledger.enable(&adopt.tool, &digest, "ada", at).unwrap();
        Ok(Seen::Done)
    }

    pub(super) fn ledger_becomes(&mut self, becomes: LedgerBecomes) -> Told {
        let path = self.yard.ledger_path();
        match becomes {
            LedgerBecomes::Gone => remove(&path),
            LedgerBecomes::Empty => overwrite(&path, ""),
            LedgerBecomes::Garbage => overwrite(&path, &"this is no database ".repeat(100)),
            LedgerBecomes::CutOff => {
                let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
                let half = file.metadata().unwrap().len() / 2;
                file.set_len(half).unwrap();
            }
            LedgerBecomes::OfAnotherWorkspace => self.ledger_is_foreign = true,
        }
        Ok(Seen::Done)
    }
}
