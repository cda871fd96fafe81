//! Faults of what a file states: keys and values that its kind does not have.

use toolcontract_manifest::fault;

use crate::lint::page::Page;

pub(super) static PAGES: &[Page] = &[
    Page {
        id: fault::UNKNOWN_KEY,
        about: "A key that nothing reads.",
        what: "A key that a manifest, an event or the project file does not have. The finding \
               names the nearest one, or all. What stands inside schemas and examples is not \
               meant.",
        why: "A key with a slip in it would be a promise that nobody keeps.",
        example: "readonly = true",
        instead: "read_only = true",
    },
    Page {
        id: fault::MISSING_KEY,
        about: "A key is missing.",
        what: "`name` and `description` everywhere; `group`, `risk` and `input_schema` in the \
               manifest of a built-in tool, which is one with neither `command` nor `origin`.",
        why: "What is not stated would have to be guessed, and policies run on it.",
        example: "name = \"grep\"\ndescription = \"Searches files.\"",
        instead: "name = \"grep\"\ndescription = \"Searches files.\"\ngroup = \"search\"\nrisk = \"low\"\n\n[input_schema]\ntype = \"object\"\nadditionalProperties = false",
    },
    Page {
        id: fault::MISPLACED_KEY,
        about: "A key says nothing without another one.",
        what: "`timeout_ms`, `env` or `foundry` without `command`; `wire_name` or `claims` without \
               `origin`.",
        why: "Only script tools run a command, and only imported tools were served under another name.",
        example: "name = \"grep\"\ntimeout_ms = 1000",
        instead: "name = \"grep\"\ncommand = [\"rg\", \"--json\"]\ntimeout_ms = 1000",
    },
    Page {
        id: fault::WRONG_TYPE,
        about: "A value has another type than its key takes.",
        what: "Text where a number is expected, a list where a table is, null where a key should \
               be left out, a float where an integer is.",
        why: "Nothing is converted in silence.",
        example: "read_only = \"yes\"",
        instead: "read_only = true",
    },
    Page {
        id: fault::UNKNOWN_TOKEN,
        about: "A word is none of those that its key takes.",
        what: "A word outside the list of its key, such as a risk or an Oxagen surface that does \
               not exist. Case counts.",
        why: "A grade that nobody knows would be read as the worst by one and as none by another.",
        example: "risk = \"moderate\"",
        instead: "risk = \"medium\"",
    },
    Page {
        id: fault::INVALID_VALUE,
        about: "A value that its key does not take.",
        what: "A value of the right type that its key refuses for another reason: a command \
               without a program, two places to find one crate.",
        why: "It would fail later, far from here.",
        example: "command = []",
        instead: "command = [\"rg\", \"--json\"]",
    },
];
