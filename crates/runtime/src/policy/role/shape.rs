//! What a policy says beside a finding about the shape of its file: how TOML spells what was meant.
//! Finds nothing itself.

use toolcontract_manifest::{Diagnostic, fault};

/// The lists of a policy that are spelled as tables.
const LISTS: [&str; 2] = ["role", "rule"];

/// Adds to the findings about the shape of a file.
pub(super) fn advise(findings: &mut [Diagnostic]) {
    for finding in findings.iter_mut() {
        if let Some(help) = help(finding) {
            finding.help = Some(help);
        }
    }
}

/// What to do, where the general words do not say it.
fn help(finding: &Diagnostic) -> Option<String> {
    let document = finding.document.as_ref()?;
    let text = document.text.get(finding.span.clone())?;
    let stands_at = |pointer: &str| {
        document.node(pointer).is_some() && document.span(pointer).start == finding.span.start
    };
    match finding.rule {
        fault::WRONG_TYPE => {
            let list = LISTS.iter().find(|list| stands_at(&format!("/{list}")))?;
            document.path.ends_with(".toml").then(|| {
                format!("write `[[{list}]]` in place of `[{list}]`, also where there is only one")
            })
        }
        // Behind the head of a table a key is that table's.
        fault::UNKNOWN_KEY if text.trim_matches('"') == "late_tools" => {
            Some("move it above the first table of the file".to_owned())
        }
        _ => None,
    }
}
