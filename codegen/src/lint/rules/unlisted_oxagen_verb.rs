//! The first word of a capability's name at Oxagen.

use toolcontract_manifest::Level;

use crate::{
    lint::{
        Page, Rule,
        findings::{Located as _, meant},
        oxagen,
    },
    model::oxagen_names,
};

/// Verbs that Oxagen does not list, and the listed one that says the same.
const SYNONYMS: &[(&str, &str)] = &[
    ("alter", "update"),
    ("call", "run"),
    ("compare", "diff"),
    ("destroy", "delete"),
    ("download", "fetch"),
    ("drop", "delete"),
    ("find", "search"),
    ("grep", "search"),
    ("invoke", "run"),
    ("kill", "stop"),
    ("launch", "start"),
    ("lookup", "search"),
    ("make", "create"),
    ("modify", "update"),
    ("show", "get"),
    ("store", "save"),
    ("view", "read"),
];

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "unlisted-oxagen-verb",
        about: "A tool's name at Oxagen does not start with a verb that Oxagen lists.",
        what: "The first word of the name at Oxagen is neither in `[surfaces.oxagen] extra_verbs` nor \
               one of these:\n\n- Looking: `get`, `list`, `read`, `query`, `search`, `preview`, `browse`, `fetch`, \
               `summarize`, `recommend`, `recall`, `trace`, `debug`.\n\
               - Making: `create`, `update`, `write`, `upsert`, `add`, `put`, `record`, `author`, \
               `compose`, `generate`, `render`, `remember`, `cite`, `attach`, `import`, `ingest`, \
               `commit`, `publish`, `snapshot`, `fork`, `bisect`, `rename`, `edit`, `export`, \
               `save`, `post`, `draft`, `revise`.\n\
               - Taking away: `delete`, `remove`, `purge`, `erase`, `archive`, `cancel`.\n\
               - Running: `stop`, `start`, `run`, `execute`, `exec`, `deploy`, `resume`, `suspend`, \
               `retire`, `seal`, `pause`, `trigger`, `dispatch`, `aggregate`, `promote`, `demote`, \
               `dismiss`, `acquire`, `release`, `push`.\n\
               - Setting: `set`, `unset`, `enable`, `disable`, `toggle`, `configure`, `setup`, \
               `activate`, `install`, `uninstall`, `register`, `enroll`, `advance`, `reauth`, \
               `rotate`, `revoke`, `assign`, `grant`, `request`, `reveal`, `pin`, `purchase`, \
               `load`.\n\
               - Asking and deciding: `ask`, `map`, `diff`, `patch`, `sync`, `reconcile`, \
               `approve`, `authorize`, `decline`, `accept`, `resolve`, `answer`, `suggest`, \
               `infer`, `check`, `verify`, `validate`, `analyze`, `chat`, `change`, `mark`.\n\
               - Handling: `send`, `resend`, `open`, `format`, `parse`, `upload`, `refresh`, \
               `screenshot`, `submit`, `fill`, `click`, `navigate`, `bind`, `unbind`, `link`, \
               `unlink`, `append`, `propose`, `merge`.",
        why: "Oxagen's naming check refuses it, and its CI fails for all declarations.",
        example: r#"
[oxagen]
name = "grep_files"
"#,
        instead: r#"
[oxagen]
name = "search_files"
"#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Warning),
    allowable: false,
    check: |catalog, findings| {
        for declared in oxagen::declared(catalog) {
            let (name, extra) = (declared.name(), declared.extra_verbs());
            // A name of one word has no verb; that is `malformed-oxagen-name`.
            if oxagen_names::is_well_formed(name) && !oxagen_names::has_listed_verb(name, extra) {
                let verb = name.split('_').next().unwrap_or_default();
                let synonym = SYNONYMS.iter().find(|(unlisted, _)| *unlisted == verb);
                findings.report(
                    declared.tool.at(declared.name_pointer()),
                    format!("Oxagen does not list the verb `{verb}`"),
                    meant(
                        synonym.map(|(_, listed)| *listed),
                        &format!(
                            "give a name with a listed verb in `[oxagen] name` (`toolcontract explain \
                             unlisted-oxagen-verb` lists them); or, where your Oxagen accepts `{verb}`, add it to \
                             `[surfaces.oxagen] extra_verbs`"
                        ),
                    ),
                );
            }
        }
    },
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_names_every_verb_and_synonyms_lead_to_one() {
        for verb in oxagen_names::VERBS {
            assert!(RULE.page.what.contains(&format!("`{verb}`")), "{verb}");
        }
        for (unlisted, listed) in SYNONYMS {
            assert!(!oxagen_names::VERBS.contains(unlisted), "{unlisted}");
            assert!(oxagen_names::VERBS.contains(listed), "{listed}");
        }
    }
}
