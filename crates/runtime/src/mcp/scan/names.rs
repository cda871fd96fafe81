//! Names that several tools have, in one list or in several, and names that look alike.

use std::collections::BTreeMap;

use toolcontract_manifest::Diagnostic;

use super::{Page, called, rules};

pub(super) fn check(pages: &[Page<'_>], findings: &mut Vec<Diagnostic>) {
    let mut known: BTreeMap<String, Vec<(usize, &str)>> = BTreeMap::new();
    for (index, page) in pages.iter().enumerate() {
        for tool in &page.list.imported.tools {
            let name = called(tool);
            known.entry(alike(name)).or_default().push((index, name));
        }
    }
    for (index, page) in pages.iter().enumerate() {
        for tool in &page.list.imported.tools {
            let name = called(tool);
            let Some(all) = known.get(&alike(name)) else {
                continue;
            };
            let other = all
                .iter()
                .find(|(list, other)| (*list, *other) != (index, name));
            let Some((list, other)) = other else { continue };
            let place = pages.get(*list).map_or("", |page| page.list.name.as_str());
            let message = if other == &name {
                format!("`{name}` is the name of a tool of `{place}` too")
            } else {
                format!("`{name}` can be taken for `{other}` of `{place}`")
            };
            findings.push(page.warning(&rules::COLLISION, Some(&tool.subject), message));
        }
    }
}

/// What two names share that a person, or a model, takes for one another: case, separators, and
/// characters that are drawn alike.
fn alike(name: &str) -> String {
    name.chars()
        .filter(|c| !matches!(c, '_' | '-' | '.' | ' '))
        .map(|c| match c.to_ascii_lowercase() {
            '0' => 'o',
            '1' | 'i' => 'l',
            '5' => 's',
            c => c,
        })
        .collect()
}
