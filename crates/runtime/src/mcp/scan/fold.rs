//! What is said of many tools in the same words, said once, for a person who reads it. Programs get
//! every finding by itself.

use std::collections::HashMap;

use toolcontract_manifest::Diagnostic;

/// Of so many tools the same is said one by one.
const APART: usize = 3;

/// The same findings, where of more than three tools of a list the same is said: once, at the place
/// of the first, with their number.
#[must_use]
pub fn folded(findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut alike: HashMap<String, Vec<String>> = HashMap::new();
    for finding in &findings {
        if let Some((name, key)) = parts(finding) {
            alike.entry(key).or_default().push(name);
        }
    }
    alike.retain(|_, names| names.len() > APART);
    let mut folded = Vec::new();
    for mut finding in findings {
        let said = parts(&finding).and_then(|(_, key)| Some((alike.get_mut(&key)?, key)));
        let Some((names, key)) = said else {
            folded.push(finding);
            continue;
        };
        // The first one has taken the names along.
        let names = std::mem::take(names);
        if let [first, second, third, rest @ ..] = names.as_slice() {
            let (count, what) = (names.len(), key.rsplit('\0').next().unwrap_or_default());
            let more = rest.len();
            finding.message = format!(
                "of {count} tools: {what} (`{first}`, `{second}`, `{third}` and {more} more)"
            );
            folded.push(finding);
        }
    }
    folded
}

/// The tool that a finding is about, and what else there is to it. Each message about a tool begins
/// with its name.
fn parts(finding: &Diagnostic) -> Option<(String, String)> {
    let (name, what) = finding.message.strip_prefix('`')?.split_once('`')?;
    let what = what.trim_start_matches([':', ' ']);
    let (path, rule, level) = (&finding.path, finding.rule, finding.level.as_str());
    let key = format!("{path}\0{rule}\0{level}\0{what}");
    Some((name.to_owned(), key))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(messages: &[String]) -> Vec<String> {
        let findings = messages.iter().map(|message| Diagnostic {
            rule: "r",
            ..Diagnostic::about_file("r", "list", message.clone())
        });
        let folded = folded(findings.collect());
        folded.into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn the_same_of_many_is_said_once() {
        let of = |count: usize| -> Vec<String> {
            (0..count).map(|n| format!("`t{n}` has no hints")).collect()
        };
        assert_eq!(said(&of(3)), of(3));
        assert_eq!(
            said(&of(5)),
            ["of 5 tools: has no hints (`t0`, `t1`, `t2` and 2 more)"]
        );
        let mut mixed = of(4);
        mixed.insert(2, "`t2`: `/description` is long".to_owned());
        mixed.push("the list goes on".to_owned());
        assert_eq!(
            said(&mixed),
            [
                "of 4 tools: has no hints (`t0`, `t1`, `t2` and 1 more)",
                "`t2`: `/description` is long",
                "the list goes on",
            ]
        );
    }
}
