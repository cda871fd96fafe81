//! Faults of the folder: what lies in it, and under which name.

use toolcontract_manifest::fault;

use crate::lint::page::Page;

pub(super) static PAGES: &[Page] = &[
    Page {
        id: fault::MISSING_PROJECT_FILE,
        about: "There is no project file.",
        what: "`manifests/toolcontract.toml` does not exist. `init` starts a project.",
        why: "It says which surfaces there are and what they are called.",
        example: "# manifests/tools/grep.toml, and no manifests/toolcontract.toml\nname = \"grep\"",
        instead: "# manifests/toolcontract.toml\nname = \"Search tools\"\ndescription = \"Tools that search.\"",
    },
    Page {
        id: fault::UNEXPECTED_FILE,
        about: "A file that nothing reads.",
        what: "A file in `manifests/` that is no manifest: another extension than `.toml` or \
               `.json`, a place where none is expected, something that is no plain file. A \
               `README.md` and files whose name starts with a dot are left alone.",
        why: "A manifest with a slip in its name would be a tool that is not there.",
        example: "# manifests/tools/grep.tml\nname = \"grep\"",
        instead: "# manifests/tools/grep.toml\nname = \"grep\"",
    },
    Page {
        id: fault::UNEXPECTED_FOLDER,
        about: "A folder that nothing reads.",
        what: "A folder in `manifests/` that is not `tools`, `events` or `types`, or one inside \
               those. A folder whose name starts with a dot is left alone.",
        why: "A name is unique over the catalog, so folders would say nothing; groups are stated.",
        example: "# manifests/tools/search/grep.toml\nname = \"grep\"",
        instead: "# manifests/tools/grep.toml\nname = \"grep\"\ngroup = \"search\"",
    },
    Page {
        id: fault::SYMBOLIC_LINK,
        about: "A file or folder is a symbolic link.",
        what: "A link in `manifests/`, or in its place, wherever it leads. It is not followed.",
        why: "What is reviewed must be what is read, on every machine.",
        example: "# manifests/types/page.toml -> ../../../elsewhere/page.toml\ntype = \"object\"",
        instead: "# manifests/types/page.toml, a plain file\ntype = \"object\"",
    },
    Page {
        id: fault::PATH_OUTSIDE_MANIFESTS,
        about: "A path leaves the manifests.",
        what: "A file handed over by a program whose path is not below `manifests/`.",
        why: "Nothing else is read.",
        example: "# src/grep.toml\nname = \"grep\"",
        instead: "# manifests/tools/grep.toml\nname = \"grep\"",
    },
    Page {
        id: fault::NAME_DIFFERS_FROM_FILE,
        about: "A name is not the name of its file.",
        what: "The `name` of a tool or an event differs from its file's name without the extension.",
        why: "Whoever looks for a tool looks for its file.",
        example: "# manifests/tools/search.toml\nname = \"grep\"",
        instead: "# manifests/tools/grep.toml\nname = \"grep\"",
    },
    Page {
        id: fault::STATED_TWICE,
        about: "Two files state the same thing.",
        what: "A tool, event or shared type that is there as `.toml` and as `.json`.",
        why: "One of the two would win, and an edit of the other would change nothing.",
        example: "# manifests/tools/grep.toml beside manifests/tools/grep.json\nname = \"grep\"",
        instead: "# manifests/tools/grep.toml alone\nname = \"grep\"",
    },
];
