//! What a search found, as text with at most so many results.

use std::io;

use grep_searcher::{Searcher, Sink, SinkContext, SinkMatch};
use stella_contracts::grep::OutputMode;

/// Matching lines, paths or counts.
const MAX_RESULTS: usize = 200;
/// Bytes of text; a registry cuts at a little more.
const MAX_TEXT: usize = 90_000;
/// Characters of a line.
const MAX_LINE: usize = 500;

/// What was found so far.
pub(super) struct Found {
    mode: OutputMode,
    text: String,
    results: usize,
    /// Matching lines of the file that is being searched.
    in_file: u64,
    /// More would have been found.
    full: bool,
    stopped: bool,
}

impl Found {
    pub(super) fn new(mode: OutputMode) -> Self {
        Self {
            mode,
            text: String::new(),
            results: 0,
            in_file: 0,
            full: false,
            stopped: false,
        }
    }

    /// Takes what is found in one file.
    pub(super) fn of_file<'a>(&'a mut self, path: &'a str) -> InFile<'a> {
        self.in_file = 0;
        InFile { found: self, path }
    }

    /// Notes the file as a whole, where that is the result.
    pub(super) fn end_file(&mut self, path: &str) {
        if self.in_file == 0 {
            return;
        }
        let line = match self.mode {
            OutputMode::Content => return,
            OutputMode::FilesWithMatches => format!("{path}\n"),
            OutputMode::Count => format!("{path}:{}\n", self.in_file),
        };
        if self.has_room() {
            self.results += 1;
            self.text.push_str(&line);
        }
    }

    /// The time was up.
    pub(super) fn stop(&mut self) {
        self.stopped = true;
    }

    pub(super) fn wants_more(&self) -> bool {
        !self.full && !self.stopped
    }

    pub(super) fn into_text(self) -> String {
        let mut text = self.text;
        if self.results == 0 {
            text.push_str("[nothing matches]\n");
        }
        if self.full {
            let shown = self.results;
            text.push_str(&format!(
                "[{shown} results are shown and there are more; narrow the search]\n"
            ));
        }
        if self.stopped {
            text.push_str("[stopped before every file was searched; narrow the search]\n");
        }
        text
    }

    fn has_room(&mut self) -> bool {
        self.full |= self.results >= MAX_RESULTS || self.text.len() > MAX_TEXT;
        !self.full
    }

    fn line(&mut self, path: &str, number: Option<u64>, mark: char, bytes: &[u8]) {
        let line = String::from_utf8_lossy(bytes);
        let line = line.trim_end_matches(['\n', '\r']);
        let number = number.unwrap_or_default();
        self.text.push_str(&format!("{path}{mark}{number}{mark}"));
        match line.char_indices().nth(MAX_LINE) {
            None => self.text.push_str(line),
            Some((at, _)) => {
                self.text.push_str(line.split_at(at).0);
                self.text.push('…');
            }
        }
        self.text.push('\n');
    }
}

/// What is found in one file.
pub(super) struct InFile<'a> {
    found: &'a mut Found,
    path: &'a str,
}

impl Sink for InFile<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        self.found.in_file += 1;
        match self.found.mode {
            OutputMode::FilesWithMatches => Ok(false),
            OutputMode::Count => Ok(true),
            OutputMode::Content => {
                let room = self.found.has_room();
                if room {
                    self.found.results += 1;
                    self.found
                        .line(self.path, found.line_number(), ':', found.bytes());
                }
                Ok(room)
            }
        }
    }

    fn context(&mut self, _: &Searcher, context: &SinkContext<'_>) -> io::Result<bool> {
        self.found
            .line(self.path, context.line_number(), '-', context.bytes());
        Ok(true)
    }

    fn context_break(&mut self, _: &Searcher) -> io::Result<bool> {
        self.found.text.push_str("--\n");
        Ok(true)
    }
}
