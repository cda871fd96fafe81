//! Puts the contradictions that `protocol` finds into the files that state them. What contradicts
//! what is decided there alone, so that generation and registration cannot differ.

use toolcontract_protocol::contradiction::{Contradiction, contradictions};

use super::{
    catalog::Catalog,
    findings::{Findings, Located as _},
};

/// Reports every contradiction that is the fault of the rule that asks.
pub(super) fn report(catalog: &Catalog<'_>, findings: &mut Findings, help: &str) {
    for tool in &catalog.tools {
        let is_declared = |name: &str| catalog.events.iter().any(|e| e.manifest.name == name);
        for found in contradictions(&tool.contract, is_declared) {
            if found.rule() != findings.id() {
                continue;
            }
            let place = match &found {
                Contradiction::SpeculativeButMutating => tool.at("/speculation_safe"),
                Contradiction::ReadOnlyButDangerous(_) => tool.at("/risk"),
                Contradiction::AdditiveButDestructive => tool.at("/additive"),
                Contradiction::InputNotAnObject => tool.at("/input_schema/type"),
                Contradiction::UndeclaredEvent(name) => {
                    let index = tool.manifest.events.iter().position(|e| e == name);
                    tool.at(&format!("/events/{}", index.unwrap_or_default()))
                }
            };
            findings.report(place, found.to_string(), help);
        }
    }
}
