//! `additive` excludes risk `destructive`.

use toolcontract_manifest::Level;

use crate::lint::{Page, Rule, contradictions};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "additive-but-destructive",
        about: "A tool claims only to add and yet to destroy.",
        what: "`additive = true` together with `risk = \"destructive\"`.",
        why: "MCP clients are told `destructiveHint = false` for an additive tool. What only adds \
              can be undone by taking it away again, so one of the two facts is wrong.",
        example: r#"
additive = true
risk = "destructive"
"#,
        instead: r#"
additive = false
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
            "remove `additive` if a call can overwrite or delete, otherwise lower `risk`",
        );
    },
};
