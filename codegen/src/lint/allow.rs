//! Exceptions: `allow = [{ rule, reason }]` in the manifest of a tool takes findings about that
//! file away. A shared type, an event and the project have none.

use std::collections::BTreeSet;

use toolcontract_manifest::Diagnostic;

use super::rule;
use crate::model::Model;

/// The entries that took a finding away: path of the manifest, index of the entry.
pub(super) type Used = BTreeSet<(String, usize)>;

/// Takes away what is allowed, and says which entries did so.
pub(super) fn apply(model: &Model, found: &mut Vec<Diagnostic>) -> Used {
    let mut used = Used::new();
    for tool in model.tools.iter().filter(|t| !t.manifest.allow.is_empty()) {
        let path = &tool.document.path;
        let entry = |finding: &Diagnostic| {
            let allowable = rule(finding.rule).is_some_and(|rule| rule.allowable);
            let mut entries = tool.manifest.allow.iter();
            entries.position(|a| allowable && a.rule == finding.rule && finding.path == *path)
        };
        found.retain(|finding| match entry(finding) {
            Some(index) => {
                used.insert((path.clone(), index));
                false
            }
            None => true,
        });
    }
    used
}
