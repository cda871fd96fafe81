//! Faults of `$ref`s.

use toolcontract_manifest::fault;

use crate::lint::page::Page;

pub(super) static PAGES: &[Page] = &[
    Page {
        id: fault::REFERENCE_LEAVES_MANIFESTS,
        about: "A `$ref` names the network or another folder.",
        what: "A `$ref` that is a URL, an absolute path, or goes up with `..`.",
        why: "No network reference is ever followed and no other folder read: what a contract says \
              is in the repository.",
        example: "[input_schema.properties.page]\n\"$ref\" = \"https://example.com/page.json\"",
        instead: "[input_schema.properties.page]\n\"$ref\" = \"types/page.toml\"",
    },
    Page {
        id: fault::REFERENCE_TO_MISSING_FILE,
        about: "A `$ref` names a file that is not there.",
        what: "A `$ref` whose file is not in `manifests/types/`. It is relative to `manifests/`, \
               wherever it is written, and spelled with its extension.",
        why: "Every surface needs the schema behind the reference.",
        example: "[input_schema.properties.page]\n\"$ref\" = \"types/pgae.toml\"",
        instead: "[input_schema.properties.page]\n\"$ref\" = \"types/page.toml\"",
    },
    Page {
        id: fault::REFERENCE_CYCLE,
        about: "A `$ref` leads back to itself.",
        what: "References that come back to the same schema before a property or an item was \
               entered. A schema that holds itself in a property or an item is a tree and fine.",
        why: "No validator could come to an end, and no type says it.",
        example: "# types/tree.toml\nanyOf = [{ \"$ref\" = \"types/tree.toml\" }]",
        instead: "# types/tree.toml\ntype = \"array\"\nitems = { \"$ref\" = \"types/tree.toml\" }",
    },
    Page {
        id: fault::UNRESOLVED_REFERENCE,
        about: "A `$ref` leads nowhere.",
        what: "A `$ref` whose JSON pointer or anchor names nothing in its schema.",
        why: "Every surface needs the schema behind the reference.",
        example: "[input_schema.properties.page]\n\"$ref\" = \"#/$defs/pgae\"\n\n[input_schema.\"$defs\".page]\ntype = \"object\"",
        instead: "[input_schema.properties.page]\n\"$ref\" = \"#/$defs/page\"\n\n[input_schema.\"$defs\".page]\ntype = \"object\"",
    },
];
