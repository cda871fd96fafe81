//! Faults of the lock and of generated files.

use crate::lint::page::Page;

pub(super) static PAGES: &[Page] = &[
    Page {
        id: "missing-crates",
        about: "The generated crate names a folder that does not hold the crates that it needs.",
        what: "`path` under `toolcontract` of `[surfaces.rust]` leads to no folder with `protocol` \
               and `schema` in it. It starts in the folder of the generated crate, \
               `generated/rust` unless said otherwise.",
        why: "What is generated does not build. The path is written down as it is, so only cargo \
              would say so, later and elsewhere.",
        example: "[surfaces.rust]\ncrate = \"my-contracts\"\ntoolcontract = { path = \"../toolcontract\" }",
        instead: "[surfaces.rust]\ncrate = \"my-contracts\"\ntoolcontract = { path = \"../../../toolcontract/crates\" }  # beside this project",
    },
    Page {
        id: "changed-without-bump",
        about: "A contract changed and its version did not.",
        what: "A tool whose advertised bytes or contract differ from `contracts.lock` while `version` \
           is the one in the lock. The whole contract counts: every key but `allow` and `examples`, \
           and the shared types that it names. `bump NAME` raises the version; with `--base REV` a \
           branch raises it once.",
        why: "Hosts, prompt caches and approvals rely on a version meaning one contract. A change \
          is a decision, and the version is where a reviewer sees it.",
        example: "# the lock has version 1, with another description\nname = \"grep\"\nversion = 1\ndescription = \"Search files with a regular expression.\"",
        instead: "name = \"grep\"\nversion = 2\ndescription = \"Search files with a regular expression.\"",
    },
    Page {
        id: "version-lowered",
        about: "A version is lower than in the lock.",
        what: "A `version` below the one in `contracts.lock`. `bump NAME` sets the next one.",
        why: "A version that comes back would mean two contracts.",
        example: "# the lock has version 3\nname = \"grep\"\nversion = 2",
        instead: "name = \"grep\"\nversion = 4",
    },
    Page {
        id: "removed-without-retiring",
        about: "A tool is in the lock but has no manifest.",
        what: "A name in `contracts.lock` that no manifest states. `bump --retire NAME` says that the \
           tool is gone; its name cannot return.",
        why: "Hosts may hold calls and grants for the name. A file that got lost looks the same as \
          a decision to remove a tool.",
        example: "# contracts.lock, while manifests/tools/grep.toml is gone\n[tools.grep]\nversion = 3",
        instead: "# contracts.lock after `bump --retire grep`\nretired = [\"grep\"]",
    },
    Page {
        id: "missing-output",
        about: "A generated file is missing.",
        what: "A file that the manifests give and the folder of its surface does not have. `gen` writes it.",
        why: "Who reads the folder would get less than the manifests promise.",
        example: "# a new manifest, and no `gen` since\nname = \"read_page\"",
        instead: "# `gen`, then commit both\nname = \"read_page\"",
    },
    Page {
        id: "stale-output",
        about: "A generated file is not what the manifests give.",
        what: "A generated file with other bytes than the manifests give: a manifest changed, or \
           somebody edited the file. `gen --check --diff` shows how they differ, `gen` writes it.",
        why: "The surfaces would say different things about one tool.",
        example: "# edited, and no `gen` since\ntitle = \"Search file contents\"",
        instead: "# `gen`, then commit both\ntitle = \"Search file contents\"",
    },
    Page {
        id: "orphan-output",
        about: "A generated file is left over.",
        what: "A file that `gen` made once and that no manifest gives any more. `gen` removes it.",
        why: "It describes a tool that is not there.",
        example: "# contracts.lock\nretired = [\"grep\"]\n# and generated/docs/tools/grep.md still there",
        instead: "# contracts.lock\nretired = [\"grep\"]\n# and `gen` has run",
    },
    Page {
        id: "foreign-output",
        about: "A file in a generated folder was not generated.",
        what: "A file below the folder of a surface that neither the manifests give nor the folder's \
           list names. It is left alone and is a warning. Folders named `target`, `node_modules` \
           and `dist` are not looked into.",
        why: "The folder belongs to the generator: the next name it makes up may be this one.",
        example: "# generated/rust/src/notes.rs\n[surfaces.rust]\ncrate = \"contracts\"",
        instead: "# the notes are elsewhere\n[surfaces.rust]\ncrate = \"contracts\"",
    },
];
