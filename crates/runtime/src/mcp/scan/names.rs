//! Names that several tools have, in one list or in several, and names that look alike.

use std::collections::BTreeMap;

use toolcontract_manifest::{Diagnostic, import::Tool};

use super::{Page, called, rules, shown};
use crate::mcp::client::{is_name, qualified};

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
            let subject = Some(&tool.subject);
            let of_this = |(list, other): &&(usize, &str)| *list == index && *other != name;
            let same = |(_, other): &&(usize, &str)| name.eq_ignore_ascii_case(other);
            if let Some((_, other)) = all.iter().filter(of_this).find(same) {
                let (name, other) = (shown(name), shown(other));
                let message = format!(
                    "`{name}` and `{other}` are one name when case is folded; neither is served"
                );
                findings.push(page.error(&rules::UNSERVED, subject, message));
                continue;
            }
            let other = all
                .iter()
                .find(|(list, other)| (*list, *other) != (index, name));
            let Some((list, other)) = other else { continue };
            let place = pages.get(*list).map_or("", |page| page.list.name.as_str());
            let message = if other == &name {
                format!("`{}` is the name of a tool of `{place}` too", shown(name))
            } else {
                let (name, other) = (shown(name), shown(other));
                format!("`{name}` can be taken for `{other}` of `{place}`")
            };
            findings.push(page.warning(&rules::COLLISION, subject, message));
        }
    }
}

/// A name that `toolgate proxy` does not serve, whatever else is right about the tool.
pub(super) fn served(page: &Page<'_>, tool: &Tool, findings: &mut Vec<Diagnostic>) {
    let name = called(tool);
    // A file is called as no server is; the shortest name of one is the best case.
    let list = page.list.name.as_str();
    let server = if is_name(list) { list } else { "s" };
    if qualified(server, name).is_none() {
        let message = format!(
            "`{}` is no name that is served: `mcp__SERVER__TOOL` has at most 128 of `A-Z a-z 0-9 _ - .`",
            shown(name)
        );
        findings.push(page.error(&rules::UNSERVED, Some(&tool.subject), message));
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
