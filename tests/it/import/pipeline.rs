//! Imported manifests through the rest of the pipeline: load, model, lint, emit, in memory.

use std::collections::BTreeMap;

use toolcontract_codegen::{
    emit::{EMITTERS, FileSet},
    lint,
    model::{self, Lock},
};
use toolcontract_manifest::{
    Diagnostic, Level, Source,
    import::{Imported, text},
    load_sources,
};

const PROJECT: &str = r#"
name = "Imported"
description = "Tools of others."
[surfaces.rust]
crate = "imported"
[surfaces.typescript]
package = "imported"
[surfaces.mcp]
meta_key = "dev.example/contract"
[surfaces.advertised]
dialects = ["openai", "openai-strict", "anthropic", "gemini"]
"#;

/// What became of a project of imported tools.
pub(super) struct Made {
    /// Everything that was found on the way.
    pub(super) findings: Vec<Diagnostic>,
    /// Files by id of the surface; empty when something stopped the run.
    surfaces: BTreeMap<&'static str, FileSet>,
}

/// Makes every surface of what was imported.
pub(super) fn make<'i>(imported: impl IntoIterator<Item = &'i Imported>) -> Made {
    let mut sources = vec![Source {
        path: "manifests/toolcontract.toml".to_owned(),
        bytes: PROJECT.as_bytes().to_vec(),
    }];
    for imported in imported {
        sources.extend(imported.tools.iter().map(|tool| Source {
            path: format!("manifests/tools/{}.json", tool.manifest.name),
            bytes: text(&tool.manifest).into_bytes(),
        }));
        sources.extend(imported.types.iter().map(|shared| Source {
            path: format!("manifests/types/{}.json", shared.name),
            bytes: text(&shared.schema).into_bytes(),
        }));
    }
    let mut made = Made {
        findings: Vec::new(),
        surfaces: BTreeMap::new(),
    };
    let (folder, findings) = load_sources(sources);
    made.findings.extend(findings);
    let Some(folder) = folder else {
        return made;
    };
    let (model, findings) = model::build(folder, Lock::default());
    made.findings.extend(findings);
    if !made.errors().is_empty() {
        return made;
    }
    let (checked, findings) = lint::check(model);
    made.findings.extend(findings);
    let Some(checked) = checked else {
        return made;
    };
    for emitter in EMITTERS.iter().filter(|e| e.out(&checked).is_some()) {
        let mut files = FileSet::default();
        emitter.emit(&checked, &mut files);
        made.surfaces.insert(emitter.id(), files);
    }
    made
}

impl Made {
    /// What stops generation, a line each.
    pub(super) fn errors(&self) -> Vec<String> {
        let errors = self.findings.iter().filter(|f| f.level == Level::Error);
        errors
            .map(|f| format!("{} {}: {}", f.path, f.rule, f.message))
            .collect()
    }

    /// The text of a file of a surface.
    #[track_caller]
    pub(super) fn file(&self, surface: &str, path: &str) -> &str {
        let files = self.surfaces.get(surface);
        let bytes = files.and_then(|files| files.get(path));
        let bytes = bytes.unwrap_or_else(|| {
            let files = files.map(|f| f.iter().map(|(path, _)| path).collect::<Vec<_>>());
            panic!(
                "{surface} has no `{path}`, but {files:?}: {:?}",
                self.errors()
            )
        });
        str::from_utf8(bytes).unwrap()
    }

    /// How many files a surface has.
    pub(super) fn count(&self, surface: &str) -> usize {
        self.surfaces.get(surface).map_or(0, FileSet::len)
    }
}
