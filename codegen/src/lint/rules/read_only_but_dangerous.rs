//! `read_only` needs a risk of at most `medium`.

use toolcontract_manifest::Level;

use crate::lint::{Page, Rule, contradictions};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "read-only-but-dangerous",
        about: "A tool claims to change nothing and yet to be dangerous.",
        what: "`read_only = true` together with `risk = \"high\"` or `risk = \"destructive\"`.",
        why: "Dispatch runs read-only calls side by side and ahead of time, and policies let them \
              pass more easily. If one call can do real harm, the tool does change something.",
        example: r#"
read_only = true
risk = "destructive"
"#,
        instead: r#"
read_only = false
risk = "destructive"
"#,
    },
    authored: Some(Level::Error),
    declared: Some(Level::Error),
    allowable: false,
    check: |catalog, findings| {
        contradictions::report(
            catalog,
            findings,
            "remove `read_only`, or lower `risk` to `medium` if a call really changes nothing",
        );
    },
};
