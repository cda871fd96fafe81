//! What a person is shown of a call: the bytes that the approval is bound to, with everything
//! that steers a screen shown instead of obeyed.

use serde_json::Value;
use toolcontract_manifest::text::escape;
use toolcontract_schema::digest::canonical;

use super::Ticket;
use crate::text::one_line;

/// How many characters of an input are shown.
const MAX_SHOWN: usize = 4_000;
/// How many of them from the end, so that nothing hides behind padding.
const TAIL: usize = 1_000;
/// So many spaces in a row are counted instead of shown.
const MAX_SPACES: usize = 8;

/// An input as a person sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The canonical JSON of the input. Control, bidirectional and invisible characters are
    /// escaped; what is long is cut out of the middle, and says so.
    pub text: String,
    /// Whether nothing was cut. What is not shown whole must never be approved for more than this
    /// one call.
    pub whole: bool,
    /// Characters of the canonical JSON.
    pub characters: usize,
    /// Characters outside ASCII: letters among them may look like others.
    pub outside_ascii: usize,
}

impl Shown {
    pub(crate) fn of(input: &Value) -> Self {
        let bytes = canonical(input).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let characters = text.chars().count();
        let whole = characters <= MAX_SHOWN;
        let shown = if whole {
            count_spaces(&escape(&text))
        } else {
            let head: String = text.chars().take(MAX_SHOWN - TAIL).collect();
            let tail: String = text.chars().skip(characters - TAIL).collect();
            format!(
                "{}\n… {} characters are not shown …\n{}",
                count_spaces(&escape(&head)),
                characters - MAX_SHOWN,
                count_spaces(&escape(&tail))
            )
        };
        Self {
            text: shown,
            whole,
            characters,
            outside_ascii: text.chars().filter(|c| !c.is_ascii()).count(),
        }
    }
}

impl Shown {
    /// How much there is of the text, and what to look out for in it.
    pub(crate) fn described(&self) -> String {
        let outside = match self.outside_ascii {
            0 => String::new(),
            count => format!(", {count} of them outside ASCII, where letters may look alike"),
        };
        let whole = match self.whole {
            true => "shown whole",
            false => "NOT SHOWN WHOLE",
        };
        format!("{} characters{outside}, {whole}", self.characters)
    }
}

impl Ticket {
    /// Who wants what and why a person is asked, in two lines.
    pub(crate) fn asks(&self) -> String {
        let request = &self.request;
        let access = match request.read_only {
            true => "changes nothing",
            false => "may change things",
        };
        format!(
            "`{tool}` wants to run for {principal}. Risk {risk}; it {access}.\n\
             Why you are asked: {reason}",
            tool = one_line(&request.tool, 128),
            principal = one_line(&request.binding.principal.to_string(), 128),
            risk = request.risk,
            reason = one_line(&request.reason, 500),
        )
    }
}

/// Writes a long run of spaces as their number.
fn count_spaces(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut run = 0;
    for c in text.chars().map(Some).chain([None]) {
        if c == Some(' ') {
            run += 1;
            continue;
        }
        if run > MAX_SPACES {
            out.push_str(&format!("[{run} spaces]"));
        } else {
            out.extend(std::iter::repeat_n(' ', run));
        }
        run = 0;
        out.extend(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_steers_a_screen_is_shown() {
        let shown = Shown::of(&json!({ "command": "ls\u{1b}[2K\r\t\u{202e}fr mr\u{200b}" }));
        assert_eq!(
            shown.text,
            r#"{"command":"ls\u001b[2K\r\t\u{202e}fr mr\u{200b}"}"#
        );
        assert!(shown.whole);
        assert_eq!(shown.outside_ascii, 2);
    }

    #[test]
    fn padding_hides_nothing() {
        let short = Shown::of(&json!({ "command": format!("ls{}; rm -rf /", " ".repeat(500)) }));
        assert!(short.whole);
        assert_eq!(short.text, r#"{"command":"ls[500 spaces]; rm -rf /"}"#);

        let long = Shown::of(&json!({ "command": format!("ls{}; rm -rf /", "x".repeat(10_000)) }));
        assert!(!long.whole);
        assert!(long.text.contains("rm -rf /") && long.text.contains("are not shown"));
        assert_eq!(long.characters, 10_026);
    }
}
