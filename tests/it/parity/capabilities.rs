//! What each surface can: a row a capability, a cell a surface, a test behind each cell that says
//! `shipped`. A new surface does not compile without a column, and no row without a cell is read.

use std::{
    collections::BTreeSet,
    fmt::Write as _,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use toolcontract_protocol::approval::CallSurface;

use crate::expect::Expect;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    capability: String,
    what: String,
    in_process: Cell,
    serve: Cell,
    mcp: Cell,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Cell {
    /// The test that shows it.
    Shipped(String),
    /// What is missing.
    Deferred(String),
    /// Why there can be none.
    NotApplicable(String),
}

const SURFACES: [CallSurface; 3] = [CallSurface::InProcess, CallSurface::Serve, CallSurface::Mcp];

impl Row {
    fn cell(&self, surface: CallSurface) -> &Cell {
        match surface {
            CallSurface::InProcess => &self.in_process,
            CallSurface::Serve => &self.serve,
            CallSurface::Mcp => &self.mcp,
        }
    }
}

fn tests() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn rows() -> Vec<Row> {
    let text = std::fs::read_to_string(tests().join("data/parity/capabilities.json")).unwrap();
    serde_json::from_str(&text).expect("every row has every cell")
}

#[test]
fn every_cell_that_is_shipped_has_a_test_behind_it() {
    let known = tests_below(&tests().join("it"));
    assert!(
        known.contains("parity::capabilities::every_cell_that_is_shipped_has_a_test_behind_it")
    );
    let mut capabilities = BTreeSet::new();
    for row in rows() {
        assert!(
            capabilities.insert(row.capability.clone()),
            "{row:?} is there twice"
        );
        for surface in SURFACES {
            match row.cell(surface) {
                Cell::Shipped(test) => {
                    assert!(known.contains(test), "{}: no test `{test}`", row.capability);
                }
                Cell::Deferred(why) | Cell::NotApplicable(why) => {
                    assert!(why.len() > 10, "{}: `{why}` is no reason", row.capability);
                }
            }
        }
    }
    assert!(capabilities.len() >= 20);
}

#[test]
fn the_page_says_what_the_table_says() {
    let mut expect = Expect::default();
    expect.file(&tests().join("../docs/parity.md"), &page(&rows()));
    expect.finish();
}

fn page(rows: &[Row]) -> String {
    let mut page = String::from(
        "# Parity\n\n\
         What holds on each surface: in the program that holds the registry, over the [serve wire](serve.md), and over [MCP](mcp.md). \
         The table is derived from `tests/data/parity/capabilities.json`; behind each *yes* stands a test, and the same calls \
         (`tests/data/parity/calls.json`) run through all three with the same decision, class, code and trace.\n\n\
         | capability | in process | serve | MCP |\n|---|---|---|---|\n",
    );
    let mut notes = String::new();
    for row in rows {
        let _ = write!(page, "| {} |", row.what);
        for surface in SURFACES {
            let word = match row.cell(surface) {
                Cell::Shipped(_) => "yes",
                Cell::Deferred(why) => note(&mut notes, row, surface, why, "not yet"),
                Cell::NotApplicable(why) => note(&mut notes, row, surface, why, "–"),
            };
            let _ = write!(page, " {word} |");
        }
        page.push('\n');
    }
    page + "\n## Where a cell is not a yes\n\n" + &notes
}

fn note<'w>(
    notes: &mut String,
    row: &Row,
    surface: CallSurface,
    why: &str,
    word: &'w str,
) -> &'w str {
    let surface = match surface {
        CallSurface::InProcess => "in process",
        CallSurface::Serve => "serve",
        CallSurface::Mcp => "MCP",
    };
    let what = row.what.trim_end_matches('.');
    let _ = writeln!(notes, "- {what}; {surface}: {why}.");
    word
}

/// The path of every test function below `folder`, as the test runner names it.
fn tests_below(folder: &Path) -> BTreeSet<String> {
    fn collect(folder: &Path, module: &str, found: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
            let inner = match stem.as_str() {
                "mod" | "main" => module.to_owned(),
                stem => format!("{module}{stem}::"),
            };
            if path.is_dir() {
                collect(&path, &inner, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let file = syn::parse_file(&std::fs::read_to_string(&path).unwrap()).unwrap();
                for item in file.items {
                    let syn::Item::Fn(function) = item else {
                        continue;
                    };
                    let is_test = function.attrs.iter().any(|attribute| {
                        let last = attribute.path().segments.last();
                        last.is_some_and(|segment| segment.ident == "test")
                    });
                    if is_test {
                        found.insert(format!("{inner}{}", function.sig.ident));
                    }
                }
            }
        }
    }
    let mut found = BTreeSet::new();
    collect(folder, "", &mut found);
    found
}
