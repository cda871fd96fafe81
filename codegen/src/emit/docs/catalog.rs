//! The index page: the catalog by group.

use super::{
    facts::RISK_AND_APPROVAL,
    markdown::{Page, code, inline},
    navigation::Navigation,
};
use crate::{
    emit::{FileSet, text::first_sentence},
    lint::CheckedModel,
    model::{Model, Tool},
};

/// Adds `README.md`.
pub(super) fn emit(model: &CheckedModel, navigation: &mut Navigation, out: &mut FileSet) {
    let project = &model.project;
    let mut page = Page::new(
        &project.name,
        &[("description", &project.description)],
        "manifests/toolcontract.toml",
    );
    page.paragraph(&inline(&project.description));
    let tools = match model.tools.len() {
        0 => "No tool yet.".to_owned(),
        1 => "1 tool.".to_owned(),
        many => format!("{many} tools."),
    };
    page.paragraph(&format!("{tools} {RISK_AND_APPROVAL}"));
    page.paragraph(
        "See also: [events](events/README.md), [shared types](types/README.md), \
         [keys of a manifest](manifest.md), [keys of toolcontract.toml](project.md), [lint rules](lint-rules.md).",
    );
    for group in groups(model) {
        let about = project.groups.get(group).map(|about| inline(about));
        page.heading(2, if group.is_empty() { "other" } else { group });
        if let Some(about) = about {
            page.paragraph(&about);
        }
        let rows: Vec<Vec<String>> = model
            .tools
            .iter()
            .filter(|tool| tool.manifest.group.as_deref().unwrap_or_default() == group)
            .map(row)
            .collect();
        page.table(
            &["Tool", "Risk", "Read only", "Approval", "What it does"],
            &rows,
        );
    }
    navigation.add("Catalog", "README.md", &project.name, &project.description);
    out.add("README.md", page.into_text());
}

fn row(tool: &Tool) -> Vec<String> {
    let yes = |flag: bool| if flag { "yes" } else { "no" }.to_owned();
    let mut about = inline(first_sentence(&tool.contract.description));
    if tool.manifest.deprecated.is_some() {
        about = format!("**Deprecated.** {about}");
    }
    vec![
        format!(
            "[{}](tools/{}.md)",
            code(&tool.contract.name),
            tool.contract.name
        ),
        tool.contract.risk.to_string(),
        yes(tool.contract.read_only),
        yes(tool.contract.requires_approval),
        about,
    ]
}

/// The groups that have a tool, in alphabetical order.
fn groups(model: &Model) -> Vec<&str> {
    let mut groups: Vec<&str> = model
        .tools
        .iter()
        .map(|tool| tool.manifest.group.as_deref().unwrap_or_default())
        .collect();
    groups.sort_unstable();
    groups.dedup();
    groups
}
