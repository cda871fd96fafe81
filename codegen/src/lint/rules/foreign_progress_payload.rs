//! `tool.call.progress` has one payload in every project.

use toolcontract_manifest::{Level, names};
use toolcontract_protocol::event::ToolCallProgress;
use toolcontract_schema::strip;

use crate::lint::{Page, Rule, findings::Located as _};

pub(super) static RULE: Rule = Rule {
    page: Page {
        id: "foreign-progress-payload",
        about: "`tool.call.progress` is declared with a payload that nothing sends.",
        what: "The `payload_schema` of `tool.call.progress` is not the one below. Descriptions, and \
               the order of what it says, are free.",
        why: "A tool says how far it is with one call of the runtime, which writes the payload and \
              stamps tool, call and number on it. Held against another schema it is refused, on \
              every call, and clients hear nothing.",
        example: r#"
name = "tool.call.progress"
description = "How far it is."

[payload_schema]
type = "object"
additionalProperties = false
required = ["percent"]

[payload_schema.properties.percent]
type = "integer"
description = "Percent that are done."
"#,
        instead: r#"
name = "tool.call.progress"
description = "A call is still running."

[payload_schema]
type = "object"
additionalProperties = false
required = ["tool", "call_id", "seq", "stage"]

[payload_schema.properties.tool]
type = "string"
minLength = 1
description = "Tool that is running."

[payload_schema.properties.call_id]
type = "string"
minLength = 1
description = "The call that this belongs to."

[payload_schema.properties.seq]
type = "integer"
minimum = 1
description = "Place among the progress events of this call; a gap means that some were dropped."

[payload_schema.properties.stage]
type = "string"
minLength = 1
maxLength = 64
description = "Which part of the work is under way, such as `compiling`."

[payload_schema.properties.message]
type = "string"
maxLength = 500
description = "One line for people."

[payload_schema.properties.done]
type = "integer"
minimum = 0
description = "How much is finished."

[payload_schema.properties.total]
type = "integer"
minimum = 0
description = "How much there is, where that is known."

[payload_schema.properties.unit]
type = "string"
minLength = 1
maxLength = 32
description = "What `done` and `total` count, such as `tests` or `bytes`."

[payload_schema.dependentRequired]
total = ["done"]
unit = ["done"]
"#,
    },
    authored: Some(Level::Error),
    declared: None,
    allowable: false,
    check: |catalog, findings| {
        for event in &catalog.events {
            let manifest = &event.manifest;
            let is_fixed = manifest.name == names::PROGRESS;
            if is_fixed && !ToolCallProgress::is_payload_schema(&strip(&manifest.payload_schema)) {
                findings.report(
                    event.at("/payload_schema"),
                    format!(
                        "the payload of `{}` is fixed, and this is another one",
                        names::PROGRESS
                    ),
                    "state `tool`, `call_id`, `seq`, `stage`, `message`, `done`, `total` and `unit` \
                     as the page of this rule does; `explain foreign-progress-payload` prints it",
                );
            }
        }
    },
};
