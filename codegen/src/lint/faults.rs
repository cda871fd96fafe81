//! Pages for the faults that are found before or after linting: by the loader, while references
//! are resolved, by the lock. They are no rules: a file with such a fault has no contract to
//! except, so none of them can be allowed.

use super::page::Page;

/// Every fault that is not a rule, in the order of the docs.
pub static FAULTS: &[Page] = &[Page {
    id: "unresolved-reference",
    about: "A `$ref` names nothing.",
    what: "A `$ref` whose file is not below `manifests/types/`, whose JSON pointer or anchor \
           leads nowhere, which leaves the manifests, or which goes round in files.",
    why: "Every surface needs the schema behind the reference. No reference is ever fetched \
          from the network.",
    example: "[input_schema.properties.page]\n\"$ref\" = \"types/pgae.toml\"",
    instead: "[input_schema.properties.page]\n\"$ref\" = \"types/page.toml\"",
}];
