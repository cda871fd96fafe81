//! Events that only a host may emit.

use toolcontract_manifest::{Level, names};

use crate::lint::{Page, Rule, findings::Located as _};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "reserved-event-name",
        about: "An event has a name that belongs to the host.",
        what: "The first word of the `name` is one in which a host reports about itself: `agent`, \
               `approval`, `policy`, `session`, `tool` and the like. Only `tool.call.progress` is \
               for tools.",
        why: "A tool that could say `approval.granted` could forge what the host says. The \
              runtime drops such events.",
        example: r#"name = "tool.call.completed""#,
        instead: r#"name = "build.finished""#,
    },
    authored: Some(Level::Error),
    declared: None,
    allowable: false,
    check: |catalog, findings| {
        for event in &catalog.events {
            let name = &event.manifest.name;
            if names::is_host_event(name) {
                findings.report(
                    event.at("/name"),
                    format!("only a host may emit `{name}`"),
                    "name it after the thing that changed, such as `file.created`",
                );
            }
        }
    },
};
