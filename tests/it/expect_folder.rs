//! A folder below `data` that holds one expected text for each case of a test, and nothing else.

use std::{collections::BTreeMap, fs, path::PathBuf};

use crate::expect::Expect;

/// The texts that a folder should hold.
#[derive(Debug)]
pub(crate) struct ExpectFolder {
    folder: PathBuf,
    texts: BTreeMap<String, String>,
}

impl ExpectFolder {
    /// Those of `data/<folder>`.
    pub(crate) fn of(folder: &str) -> Self {
        let data = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data");
        Self {
            folder: data.join(folder),
            texts: BTreeMap::new(),
        }
    }

    /// Says that the file of the case `name` should hold `text`.
    pub(crate) fn text(&mut self, name: &str, text: impl Into<String>) {
        let file = format!("{}.txt", name.replace(' ', "_"));
        let before = self.texts.insert(file, text.into());
        assert!(before.is_none(), "two cases are named `{name}`");
    }

    /// Compares, and fails also for a file that belongs to no case.
    #[track_caller]
    pub(crate) fn finish(self) {
        let mut expect = Expect::default();
        fs::create_dir_all(&self.folder).unwrap();
        for (file, text) in &self.texts {
            expect.file(&self.folder.join(file), text);
        }
        for entry in fs::read_dir(&self.folder).unwrap() {
            let path = entry.unwrap().path();
            let file = path.file_name().unwrap().to_string_lossy();
            if !self.texts.contains_key(file.as_ref()) {
                expect.fail(format_args!("{} belongs to no case", path.display()));
            }
        }
        expect.finish();
    }
}
