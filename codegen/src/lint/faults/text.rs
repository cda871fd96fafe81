//! Faults of a text, whatever it states.

use toolcontract_manifest::fault;

use crate::lint::page::Page;

pub(super) static PAGES: &[Page] = &[
    Page {
        id: fault::INVALID_UTF8,
        about: "A file is no UTF-8.",
        what: "A byte that no UTF-8 text has. The finding names its offset and shows the line.",
        why: "Every surface is UTF-8. A guess at another encoding would change what a model reads.",
        example: "# saved as Latin-1\ndescription = \"Opens the caf\u{fffd}.\"",
        instead: "# saved as UTF-8\ndescription = \"Opens the caf\u{e9}.\"",
    },
    Page {
        id: fault::BYTE_ORDER_MARK,
        about: "A file opens with a byte-order mark.",
        what: "The three bytes that some editors put before a UTF-8 text.",
        why: "Nobody sees it, and it would make two files with one text differ.",
        example: "# saved as \"UTF-8 with BOM\"\nname = \"grep\"",
        instead: "# saved as \"UTF-8\"\nname = \"grep\"",
    },
    Page {
        id: fault::FILE_TOO_LARGE,
        about: "A file is larger than 1 MiB.",
        what: "A manifest, event or shared type of more than 1,048,576 bytes. It is not read.",
        why: "A contract is read by people and by models, and every reader is bounded.",
        example: "# one file with every schema of the service\n[input_schema.\"$defs\".page]\ntype = \"object\"",
        instead: "[input_schema.properties.page]\n\"$ref\" = \"types/page.toml\"",
    },
    Page {
        id: fault::SYNTAX_ERROR,
        about: "A file is no TOML, or no JSON.",
        what: "The first thing that the parser cannot read. What follows it in the file is not \
               checked. A `.json` manifest is strict JSON: no comments, no trailing commas.",
        why: "Nothing behind the error can be trusted to mean what it says.",
        example: "name = \"grep",
        instead: "name = \"grep\"",
    },
    Page {
        id: fault::DUPLICATE_KEY,
        about: "A key is there twice.",
        what: "Two members of one table or object with the same key, also when JSON spells one of \
               them with escapes.",
        why: "Readers disagree on which of the two counts.",
        example: "risk = \"low\"\nrisk = \"high\"",
        instead: "risk = \"high\"",
    },
    Page {
        id: fault::NESTING_TOO_DEEP,
        about: "A file nests deeper than 64 levels.",
        what: "More than 64 tables and arrays in each other, the file itself among them.",
        why: "Every reader is bounded, and providers stop at far fewer.",
        example: "default = [[[[[[[[ \"and so on\" ]]]]]]]]",
        instead: "\"$ref\" = \"types/inner.toml\"",
    },
    Page {
        id: fault::TOML_DATETIME,
        about: "A value is a TOML date or time.",
        what: "A date, a time or both without quotes. JSON has no such values. Write it as a \
               string; a manifest that needs what TOML cannot write, such as null, is written as \
               a `.json` file.",
        why: "A contract is JSON on every surface.",
        example: "default = 2026-02-03",
        instead: "default = \"2026-02-03\"",
    },
    Page {
        id: fault::NOT_A_NUMBER,
        about: "A value is infinite, or not a number.",
        what: "`inf` or `nan`, which JSON has not.",
        why: "A contract is JSON on every surface. A bound that does not bind is left out.",
        example: "minimum = 0\nmaximum = inf",
        instead: "minimum = 0",
    },
    Page {
        id: fault::NUMBER_OUT_OF_RANGE,
        about: "A number is out of range.",
        what: "A number that its key does not take, such as `version = 0`; an integer that would \
               not be kept as it is written, beyond 64 bits (in TOML with a sign); a float beyond \
               an IEEE double.",
        why: "A bound that is rounded in silence is another contract.",
        example: "version = 0",
        instead: "version = 1",
    },
];
