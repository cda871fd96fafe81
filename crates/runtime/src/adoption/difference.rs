//! How a tool differs from what was adopted, in facts.

use std::fmt;

use json_patch::PatchOperation;
use serde::Serialize;
use serde_json::Value;

use super::Pin;
use crate::{script::NamedFile, text::one_line};

/// Characters of a value in a difference.
const MAX_VALUE: usize = 300;

/// How a tool differs from what was adopted; at least one change.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// The changes: the definition first, then the server and the files.
    pub changes: Vec<Change>,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Change {
    /// A part of the definition. A part that is absent before was added, one that is absent now
    /// was removed.
    Definition {
        /// JSON pointer into the definition.
        pointer: String,
        /// What was adopted.
        #[serde(skip_serializing_if = "Option::is_none")]
        before: Option<Value>,
        /// What there is.
        #[serde(skip_serializing_if = "Option::is_none")]
        now: Option<Value>,
    },
    /// Where the server of the tool is.
    Server {
        /// What was adopted.
        #[serde(skip_serializing_if = "Option::is_none")]
        before: Option<Value>,
        /// What there is.
        #[serde(skip_serializing_if = "Option::is_none")]
        now: Option<Value>,
    },
    /// A file that the command line names.
    File {
        /// What was adopted.
        #[serde(skip_serializing_if = "Option::is_none")]
        before: Option<NamedFile>,
        /// What there is.
        #[serde(skip_serializing_if = "Option::is_none")]
        now: Option<NamedFile>,
    },
}

impl Difference {
    /// From `before` to `now`; none when they are the same.
    #[must_use]
    pub fn between(before: &Pin, now: &Pin) -> Option<Self> {
        let mut changes = of_definitions(&before.definition, &now.definition);
        if before.server != now.server {
            changes.push(Change::Server {
                before: before.server.clone(),
                now: now.server.clone(),
            });
        }
        changes.extend(of_files(&before.files, &now.files));
        (!changes.is_empty()).then_some(Self { changes })
    }
}

fn of_definitions(before: &Value, now: &Value) -> Vec<Change> {
    let mut changes = Vec::new();
    // Each operation speaks of the value that the ones before it have made.
    let mut at_hand = before.clone();
    for operation in json_patch::diff(before, now).0 {
        let pointer = operation.path().to_string();
        let old = at_hand.pointer(&pointer).cloned();
        let (before, now) = match &operation {
            PatchOperation::Add(add) => (None, Some(add.value.clone())),
            PatchOperation::Remove(_) => (old, None),
            PatchOperation::Replace(replace) => (old, Some(replace.value.clone())),
            PatchOperation::Move(_) | PatchOperation::Copy(_) | PatchOperation::Test(_) => continue,
        };
        // What was made of the value itself applies to it.
        let _ = json_patch::patch(&mut at_hand, std::slice::from_ref(&operation));
        changes.push(Change::Definition {
            pointer,
            before,
            now,
        });
    }
    changes
}

fn of_files(before: &[NamedFile], now: &[NamedFile]) -> Vec<Change> {
    let length = before.len().max(now.len());
    let pairs = (0..length).map(|at| (before.get(at).cloned(), now.get(at).cloned()));
    pairs
        .filter(|(before, now)| before != now)
        .map(|(before, now)| Change::File { before, now })
        .collect()
}

/// A change a line, each part of others escaped and cut.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, change) in self.changes.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            change.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Definition {
                pointer,
                before,
                now,
            } => {
                let pointer = match pointer.as_str() {
                    "" => "the definition".to_owned(),
                    pointer => one_line(pointer, MAX_VALUE),
                };
                let value = |value: &Value| one_line(&value.to_string(), MAX_VALUE);
                match (before, now) {
                    (Some(before), Some(now)) => {
                        write!(f, "{pointer}: was {}, is {}", value(before), value(now))
                    }
                    (None, Some(now)) => write!(f, "{pointer}: added {}", value(now)),
                    (Some(before), None) => write!(f, "{pointer}: removed {}", value(before)),
                    (None, None) => write!(f, "{pointer}: changed"),
                }
            }
            Self::Server { before, now } => {
                let value = |value: &Option<Value>| match value {
                    Some(value) => one_line(&value.to_string(), MAX_VALUE),
                    None => "none".to_owned(),
                };
                write!(f, "its server: was {}, is {}", value(before), value(now))
            }
            Self::File { before, now } => match (before, now) {
                (Some(before), Some(now)) if before.path == now.path => write!(
                    f,
                    "{} {}: its bytes changed",
                    now.role,
                    one_line(&now.path, MAX_VALUE)
                ),
                (Some(before), Some(now)) => write!(
                    f,
                    "{}: was {}, is {}",
                    now.role,
                    one_line(&before.path, MAX_VALUE),
                    one_line(&now.path, MAX_VALUE)
                ),
                // A tool that makes a file of its command line changes what the line names.
                (None, Some(file)) => {
                    let (role, path) = (file.role, one_line(&file.path, MAX_VALUE));
                    write!(
                        f,
                        "{role} {path}: the file was not there; one that the tool makes is named in its script, not in `command`"
                    )
                }
                (Some(file), None) => {
                    write!(f, "{} {}: gone", file.role, one_line(&file.path, MAX_VALUE))
                }
                (None, None) => Ok(()),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::script::Role;

    fn pin(definition: Value, files: &[(Role, &str, &str)]) -> Pin {
        let files = files.iter().map(|(role, path, sha256)| NamedFile {
            role: *role,
            path: (*path).to_owned(),
            sha256: (*sha256).to_owned(),
        });
        Pin {
            definition,
            files: files.collect(),
            server: None,
        }
    }

    #[test]
    fn every_change_is_told_with_both_sides() {
        let before = pin(
            json!({ "description": "Reads.", "command": ["a", "b", "c"], "x": 1 }),
            &[
                (Role::Program, "/bin/sh", "1"),
                (Role::Argument(1), "x.sh", "2"),
            ],
        );
        let now = pin(
            json!({ "command": ["a", "c"], "description": "Reads.\u{202e}", "y": true }),
            &[
                (Role::Program, "/bin/dash", "1"),
                (Role::Argument(1), "x.sh", "3"),
            ],
        );
        let difference = Difference::between(&before, &now).unwrap().to_string();
        let lines: Vec<&str> = difference.lines().collect();
        assert!(lines.contains(&"/x: removed 1"), "{difference}");
        assert!(lines.contains(&"/y: added true"), "{difference}");
        assert!(
            lines.contains(&r#"/description: was "Reads.", is "Reads.\u{202e}""#),
            "{difference}"
        );
        assert!(
            lines.contains(&"program: was /bin/sh, is /bin/dash"),
            "{difference}"
        );
        assert!(
            lines.contains(&"argument 1 x.sh: its bytes changed"),
            "{difference}"
        );
        assert!(difference.contains("/command/"), "{difference}");
        assert_eq!(Difference::between(&now, &now), None);
    }

    #[test]
    fn a_file_that_came_or_went_is_told_with_what_to_do() {
        let without = pin(json!({}), &[(Role::Program, "/bin/sh", "1")]);
        let with = pin(
            json!({}),
            &[
                (Role::Program, "/bin/sh", "1"),
                (Role::Argument(2), "out.txt", "2"),
            ],
        );
        let told = |before, now| Difference::between(before, now).unwrap().to_string();
        let came = told(&without, &with);
        assert!(
            came.starts_with("argument 2 out.txt: the file was not there"),
            "{came}"
        );
        assert!(came.ends_with("not in `command`"), "{came}");
        assert_eq!(told(&with, &without), "argument 2 out.txt: gone");
    }

    #[test]
    fn another_server_is_a_difference() {
        let at = |words: &[&str]| Pin {
            server: Some(json!({ "command": words })),
            ..pin(json!({ "name": "x" }), &[])
        };
        let difference = Difference::between(&at(&["a"]), &at(&["b", "\n"])).unwrap();
        let told = r#"its server: was {"command":["a"]}, is {"command":["b","\n"]}"#;
        assert_eq!(difference.to_string(), told);
        assert_eq!(Difference::between(&at(&["a"]), &at(&["a"])), None);
    }

    #[test]
    fn the_order_of_keys_is_no_difference() {
        let one = pin(json!({ "a": 1, "b": { "c": 1, "d": 2 } }), &[]);
        let other = pin(json!({ "b": { "d": 2, "c": 1 }, "a": 1 }), &[]);
        assert_eq!(Difference::between(&one, &other), None);
        assert_eq!(one.digest(), other.digest());
    }
}
