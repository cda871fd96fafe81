//! What a person looks at before a script tool is adopted: all that is pinned, from the very bytes
//! that its digests are of. Refuses to show a part of a file in place of the whole.

use std::{ffi::OsStr, fmt::Write as _, path::Path};

use toolcontract_manifest::text::escape;
use toolcontract_protocol::RiskLevel;
use toolcontract_runtime::{
    adoption::{Grade, Pin, Standing},
    script::{NamedFile, Role, Script, Source},
};

use super::Failure;

/// Bytes of a file that are shown unasked.
const MAX_UNASKED: usize = 64 << 10;

/// Whether a person who is shown `sources` sees all of them.
///
/// # Errors
/// When one is long, and nobody asked for the `whole` of it.
pub(super) fn seen_whole(sources: &[Source], whole: bool) -> Result<(), Failure> {
    let long = |source: &&Source| source.bytes.len() > MAX_UNASKED;
    match sources.iter().find(long) {
        Some(Source { file, bytes }) if !whole => Err(format!(
            "`{}` has {} bytes, and what is not shown whole is not adopted; `--whole` shows a file of more than {MAX_UNASKED} bytes, too",
            file.path,
            bytes.len(),
        )
        .into()),
        _ => Ok(()),
    }
}

/// `bytes` as text. What is not UTF-8 is written as `\xff`, so that other bytes look different.
fn written(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

/// Whether a word looks like a path: it has a `/`, or ends like `.sh`.
fn could_name_a_file(word: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphabetic();
    let ending = Path::new(word).extension().and_then(OsStr::to_str);
    let has_ending = ending.is_some_and(|ending| ending.starts_with(is_letter));
    !word.starts_with('-')
        && !word.contains(char::is_whitespace)
        && (word.contains('/') || has_ending)
}

/// All that a person needs to see.
pub(super) struct Screen<'a> {
    pub(super) script: &'a Script,
    pub(super) pin: &'a Pin,
    /// The files of the workspace among those of the pin, whole.
    pub(super) sources: &'a [Source],
    pub(super) folders: &'a [String],
    pub(super) grade: &'a Grade,
    pub(super) stands: &'a Standing,
    /// What one run came to.
    pub(super) ran: Option<&'a str>,
}

impl Screen<'_> {
    /// Nothing in it steers the screen, and nothing of others begins a line.
    pub(super) fn text(&self) -> String {
        let definition = serde_json::to_string_pretty(&self.pin.definition).unwrap_or_default();
        let files = self.pin.files.iter();
        let files: Vec<String> = files
            .map(|file| format!("{}  {}  {}", file.sha256, file.role, file.path))
            .collect();
        let mut text = String::new();
        section(
            &mut text,
            &format!("definition: {}", self.script.path),
            &definition,
        );
        for Source { file, bytes } in self.sources {
            section(
                &mut text,
                &format!("script: {}", file.path),
                &written(bytes),
            );
        }
        section(&mut text, "files that are pinned", &files.join("\n"));
        let is_shown = |file: &NamedFile| self.sources.iter().any(|shown| shown.file == *file);
        let title = "pinned by digest alone: they lie outside of the workspace";
        self.list(&mut text, title, |file| !is_shown(file));
        let title = "compared before each call, and read by name while it runs";
        self.list(&mut text, title, |file| {
            matches!(file.role, Role::Mentioned(_))
        });
        if !self.folders.is_empty() {
            let title = "folders that it names; nothing in them is pinned";
            section(&mut text, title, &self.folders.join("\n"));
        }
        let absent = self.absent();
        if !absent.is_empty() {
            let title = "words that could name a file, and do not now; nothing of them is pinned";
            section(&mut text, title, &absent.join("\n"));
        }
        if let Some(ran) = self.ran {
            section(&mut text, "one run in an empty folder", ran);
        }
        section(&mut text, "so far", &self.stands.to_string());
        section(&mut text, "the grade", &self.facts());
        text
    }

    /// The words of the command line that look like files, and of which none was there.
    fn absent(&self) -> Vec<&str> {
        let is_pinned = |index: usize| {
            self.pin.files.iter().any(|file| match file.role {
                Role::Argument(at) | Role::Mentioned(at) => at == index,
                Role::Program | Role::Interpreter => false,
            })
        };
        let words = self.script.manifest.command.iter().flatten();
        let words = words.enumerate().skip(1);
        let words = words.filter(|(index, word)| !is_pinned(*index) && could_name_a_file(word));
        words
            .map(|(_, word)| word.as_str())
            .filter(|word| !self.folders.iter().any(|folder| folder == word))
            .collect()
    }

    /// The pinned files that are `such`, where there are any.
    fn list(&self, text: &mut String, title: &str, such: impl Fn(&NamedFile) -> bool) {
        let files = self.pin.files.iter().filter(|file| such(file));
        let paths: Vec<&str> = files.map(|file| file.path.as_str()).collect();
        if !paths.is_empty() {
            section(text, title, &paths.join("\n"));
        }
    }

    /// What the tool claims beside what the person says.
    fn facts(&self) -> String {
        let (claimed, grade) = (&self.script.manifest, self.grade);
        let asks = grade.requires_approval || claimed.requires_approval;
        let facts = [
            ("read_only", claimed.read_only, grade.read_only),
            (
                "speculation_safe",
                claimed.speculation_safe,
                grade.speculation_safe,
            ),
            ("idempotent", claimed.idempotent, grade.idempotent),
            ("additive", claimed.additive, grade.additive),
            ("open_world", claimed.open_world, grade.open_world),
            ("requires_approval", claimed.requires_approval, asks),
        ];
        let risk = claimed.risk.map_or("nothing", RiskLevel::as_str);
        let mut lines = vec![format!("risk: it claims {risk}, you say {}", grade.risk)];
        let each =
            facts.map(|(key, claim, said)| format!("{key}: it claims {claim}, you say {said}"));
        lines.extend(each);
        lines.join("\n")
    }
}

pub(super) fn section(text: &mut String, title: &str, body: &str) {
    let _ = writeln!(text, "{}", escape(title).replace('\n', "\\n"));
    for line in escape(body.trim_end()).lines() {
        let _ = writeln!(text, "    {line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_stay_apart() {
        assert_eq!(written("ä\n\u{fffd}".as_bytes()), "ä\n\u{fffd}");
        assert_eq!(written(b"a\xff\xc3b\xe2\x82"), r"a\xff\xc3b\xe2\x82");
    }

    #[test]
    fn a_word_that_looks_like_a_path_could_name_a_file() {
        for word in ["x.sh", "lib/x", "./x", "a.b.py", "/opt/x"] {
            assert!(could_name_a_file(word), "{word}");
        }
        for word in ["", "x", "--in=a.sh", "-", "1.5", "echo a.sh", "..."] {
            assert!(!could_name_a_file(word), "{word}");
        }
    }

    #[test]
    fn a_long_file_is_seen_when_it_is_asked_for() {
        let source = |bytes| Source {
            file: NamedFile {
                role: Role::Program,
                path: "x".to_owned(),
                sha256: String::new(),
            },
            bytes: vec![b'#'; bytes],
        };
        assert!(seen_whole(&[source(MAX_UNASKED)], false).is_ok());
        let long = [source(1), source(MAX_UNASKED + 1)];
        assert!(seen_whole(&long, false).is_err());
        assert!(seen_whole(&long, true).is_ok());
    }
}
