//! What a tool gave back, against what its contract promises.
//!
//! A promise that is not kept is a defect of the tool: the caller gets `invalid_output` and
//! nothing of the content. Text is cut where it is long, and says so; data is never cut.

use toolcontract_protocol::{ErrorClass, ErrorCode, ToolOutput, Violation, Violations};
use toolcontract_schema::bounds;

use crate::{
    limits::Limits,
    registry::{Checker, Entry, Mismatch},
};

/// An output that may go to the caller, and what is wrong with the one that may not.
pub(super) struct Judged {
    pub(super) output: ToolOutput,
    /// For a log.
    pub(super) defect: Option<String>,
}

pub(super) fn judge(entry: &Entry, output: ToolOutput, limits: &Limits) -> Judged {
    let (data, is_ok) = match &output {
        ToolOutput::Ok { data, .. } => (data.as_ref(), true),
        ToolOutput::Error { data, .. } => (data.as_ref(), false),
    };
    let fault = match (data, &entry.output) {
        (None, Some(_)) if is_ok => Some(missing_data()),
        (Some(data), Some(schema)) if is_ok => too_large(data, limits)
            .or_else(|| schema.check(data, &limits.data, limits.violations).err()),
        // Nothing is promised of it, but it must be something that can be passed on.
        (Some(data), _) => too_large(data, limits).or_else(|| {
            let limits = Checker::limits(&limits.data);
            let fault = bounds::check(data, &limits).err()?;
            Some(crate::registry::out_of_bounds(&fault))
        }),
        (None, _) => None,
    };
    match fault {
        Some(mismatch) => withheld(&entry.contract.name, *mismatch),
        None => Judged {
            output: cut(output, limits.content_bytes),
            defect: None,
        },
    }
}

fn missing_data() -> Box<Mismatch> {
    Box::new(Mismatch {
        code: Some(ErrorCode::MissingData),
        violations: Violations::new(
            vec![Violation {
                pointer: String::new(),
                keyword: "required".to_owned(),
                expected: "data".to_owned(),
                got: "absent".to_owned(),
            }],
            1,
        ),
    })
}

fn too_large(data: &serde_json::Value, limits: &Limits) -> Option<Box<Mismatch>> {
    // The tool holds it in memory anyway; its text is shorter than that.
    let got = length(data);
    let limit = limits.data.bytes;
    let fault = bounds::BoundsError::TooManyBytes { limit, got };
    (got > limit).then(|| {
        Box::new(Mismatch {
            code: Some(ErrorCode::OutputTooLarge),
            violations: Violations::new(vec![fault.violation()], 1),
        })
    })
}

/// How many bytes the text of `data` has.
fn length(data: &serde_json::Value) -> usize {
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 = self.0.saturating_add(bytes.len());
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    match serde_json::to_writer(&mut count, data) {
        Ok(()) => count.0,
        Err(_) => usize::MAX,
    }
}

fn withheld(tool: &str, mismatch: Mismatch) -> Judged {
    // The place and the names in it come from the output, so the caller is not told them.
    let code = match mismatch.code {
        Some(code @ (ErrorCode::MissingData | ErrorCode::OutputTooLarge)) => Some(code),
        _ => None,
    };
    Judged {
        output: ToolOutput::Error {
            message: format!(
                "`{tool}` ran, but its output is not what its contract promises; it is withheld. This is a defect of the tool, not of the call."
            ),
            class: ErrorClass::InvalidOutput,
            code,
            data: None,
        },
        defect: Some(mismatch.violations.to_string()),
    }
}

fn cut(output: ToolOutput, max: usize) -> ToolOutput {
    match output {
        ToolOutput::Ok { content, data } => ToolOutput::Ok {
            content: cut_text(content, max),
            data,
        },
        ToolOutput::Error {
            message,
            class,
            code,
            data,
        } => ToolOutput::Error {
            message: cut_text(message, max),
            class,
            code,
            data,
        },
    }
}

/// Cuts the middle out of a text with more than `max` bytes: the end often says how it went.
fn cut_text(text: String, max: usize) -> String {
    if text.len() <= max {
        return text;
    }
    let tail = max / 4;
    let head_end = text.floor_char_boundary(max - tail);
    let tail_start = text.ceil_char_boundary(text.len() - tail);
    let (head, tail) = (text.get(..head_end), text.get(tail_start..));
    format!(
        "{}\n[{} of {} bytes are not shown]\n{}",
        head.unwrap_or_default(),
        tail_start - head_end,
        text.len(),
        tail.unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use super::cut_text;

    #[test]
    fn a_cut_is_told() {
        assert_eq!(cut_text("short".to_owned(), 5), "short");
        assert_eq!(
            cut_text("0123456789abcdef".to_owned(), 8),
            "012345\n[8 of 16 bytes are not shown]\nef"
        );
        // Never inside a character.
        let cut = cut_text("é".repeat(20), 9);
        assert!(cut.starts_with("ééé\n[") && cut.ends_with("]\né"), "{cut}");
    }
}
