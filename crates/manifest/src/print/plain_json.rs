//! JSON on one line in which a character that a reader does not see is a `\u` escape, so that
//! the bytes are harmless wherever they are shown and mean the same.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use crate::text::all_hidden;

pub(super) fn line(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    let mut serializer = Serializer::with_formatter(&mut *out, Escaping);
    value.serialize(&mut serializer)?;
    writeln!(out)
}

struct Escaping;

impl Formatter for Escaping {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut written = 0;
        for (at, c) in all_hidden(fragment) {
            writer.write_all(fragment.get(written..at).unwrap_or_default().as_bytes())?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            written = at + c.len_utf8();
        }
        writer.write_all(fragment.get(written..).unwrap_or_default().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_bytes_are_harmless_and_mean_the_same() {
        let text = "a\u{202e}b\u{e0041}\u{7f}\n\"\u{e9}";
        let mut out = Vec::new();
        super::line(&text, &mut out).expect("a vector takes all");
        let out = String::from_utf8(out).expect("JSON is UTF-8");
        assert_eq!(out, "\"a\\u202eb\\udb40\\udc41\\u007f\\n\\\"\u{e9}\"\n");
        assert_eq!(serde_json::from_str::<String>(&out).expect("JSON"), text);
    }
}
