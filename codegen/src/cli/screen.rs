//! Lines for people: a verb, right-aligned like cargo's, and what it is about.

use std::{
    fmt::Display,
    io::{self, Write},
};

use anstyle::{AnsiColor, Style};
use toolcontract_manifest::text::escape;

/// What a verb says of its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// It went well.
    Good,
    /// It must be looked at.
    Bad,
    /// It should be known.
    Note,
}

impl Tone {
    fn style(self) -> Style {
        let colour = match self {
            Self::Good => AnsiColor::Green,
            Self::Bad => AnsiColor::Red,
            Self::Note => AnsiColor::Yellow,
        };
        colour.on_default().bold()
    }
}

/// Writes lines to a stream.
pub struct Screen<'a> {
    out: &'a mut dyn Write,
    colour: bool,
}

impl std::fmt::Debug for Screen<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Screen")
            .field("colour", &self.colour)
            .finish_non_exhaustive()
    }
}

impl<'a> Screen<'a> {
    /// A screen on `out`.
    pub fn new(out: &'a mut dyn Write, colour: bool) -> Self {
        Self { out, colour }
    }

    /// A verb of at most 12 letters, and what it is about.
    ///
    /// # Errors
    /// When the stream refuses.
    pub fn line(&mut self, tone: Tone, verb: &str, about: impl Display) -> io::Result<()> {
        let style = tone.style();
        if self.colour {
            writeln!(self.out, "{style}{verb:>12}{style:#} {about}")
        } else {
            writeln!(self.out, "{verb:>12} {about}")
        }
    }

    /// What to do now.
    ///
    /// # Errors
    /// When the stream refuses.
    pub fn next(&mut self, what: impl Display) -> io::Result<()> {
        self.line(Tone::Note, "Next", what)
    }

    /// Text as it is, with a final newline; coloured as a whole.
    ///
    /// # Errors
    /// When the stream refuses.
    pub fn text(&mut self, colour: Option<AnsiColor>, text: impl Display) -> io::Result<()> {
        match colour.filter(|_| self.colour) {
            Some(colour) => {
                let style = colour.on_default();
                writeln!(self.out, "{style}{text}{style:#}")
            }
            None => writeln!(self.out, "{text}"),
        }
    }
}

/// `1 file`, `2 files`.
#[must_use]
pub(super) fn counted(count: usize, noun: &str) -> String {
    if count == 1 {
        format!("1 {noun}")
    } else {
        format!("{count} {noun}s")
    }
}

/// Text from files and folders on one line, with what a terminal would obey shown as an escape.
#[must_use]
pub(super) fn plain(text: &str) -> String {
    escape(text).replace('\n', "\\n").replace('\t', "\\t")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(colour: bool) -> String {
        let mut out = Vec::new();
        let mut screen = Screen::new(&mut out, colour);
        screen.line(Tone::Good, "Finished", "all").unwrap();
        screen.text(Some(AnsiColor::Red), "-old").unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn verbs_are_aligned_and_colours_are_a_choice() {
        assert_eq!(shown(false), "    Finished all\n-old\n");
        assert_eq!(
            shown(true),
            "\x1b[1m\x1b[32m    Finished\x1b[0m all\n\x1b[31m-old\x1b[0m\n"
        );
    }

    #[test]
    fn paths_cannot_move_the_cursor() {
        assert_eq!(plain("a\x1b[2Jb\n"), "a\\u{1b}[2Jb\\n");
        assert_eq!(plain("naïve"), "naïve");
    }
}
