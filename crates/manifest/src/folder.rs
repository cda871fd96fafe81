//! Reads a whole `manifests/` folder.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use serde::de::DeserializeOwned;
use serde_json::Value;
use toolcontract_protocol::{EventManifest, Manifest};

use crate::{
    diagnostic::{Diagnostic, Level},
    document::{Document, Node},
    project::Project,
};

/// A value and the file that it was read from.
#[derive(Debug, Clone)]
pub struct Loaded<T> {
    /// The value.
    pub value: T,
    /// The file.
    pub document: Arc<Document>,
}

/// Everything below `manifests/`, each list sorted by path.
#[derive(Debug)]
pub struct Folder {
    /// `toolcontract.toml`.
    pub project: Loaded<Project>,
    /// `tools/`.
    pub tools: Vec<Loaded<Manifest>>,
    /// `events/`.
    pub events: Vec<Loaded<EventManifest>>,
    /// `types/`: shared schemas by path relative to `manifests/` (`types/page.toml`).
    pub types: BTreeMap<String, Loaded<Value>>,
}

/// The machine's fault, as opposed to the text's.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The disk did not give the file.
    #[error("cannot read `{path}`")]
    Read {
        /// Path relative to the project root.
        path: String,
        /// Why.
        #[source]
        source: std::io::Error,
    },
}

/// Reads `root/manifests`.
///
/// Gives the folder when no finding is an error, and all findings in any case.
///
/// # Errors
/// When the disk fails.
pub fn load(root: &Path) -> Result<(Option<Folder>, Vec<Diagnostic>), LoadError> {
    let mut findings = Vec::new();
    let project = read::<Project>(root, "manifests/toolcontract.toml", &mut findings)?;
    let tools = read_all::<Manifest>(root, "manifests/tools", &mut findings)?;
    let events = read_all::<EventManifest>(root, "manifests/events", &mut findings)?;
    let types = read_all::<Value>(root, "manifests/types", &mut findings)?
        .into_iter()
        .map(|l| {
            (
                l.document.path.trim_start_matches("manifests/").to_owned(),
                l,
            )
        })
        .collect();
    let folder = match project {
        Some(project) if findings.iter().all(|f| f.level != Level::Error) => Some(Folder {
            project,
            tools,
            events,
            types,
        }),
        _ => None,
    };
    Ok((folder, findings))
}

fn read_all<T: DeserializeOwned>(
    root: &Path,
    folder: &str,
    findings: &mut Vec<Diagnostic>,
) -> Result<Vec<Loaded<T>>, LoadError> {
    let mut paths: Vec<String> = std::fs::read_dir(root.join(folder))
        .map(|entries| {
            entries
                .filter_map(Result::ok)
                .filter_map(|e| e.file_name().into_string().ok())
                .map(|n| format!("{folder}/{n}"))
                .collect()
        })
        .unwrap_or_default();
    paths.sort();
    let mut all = Vec::new();
    for path in paths {
        all.extend(read::<T>(root, &path, findings)?);
    }
    Ok(all)
}

fn read<T: DeserializeOwned>(
    root: &Path,
    path: &str,
    findings: &mut Vec<Diagnostic>,
) -> Result<Option<Loaded<T>>, LoadError> {
    let text = std::fs::read_to_string(root.join(path)).map_err(|source| LoadError::Read {
        path: path.to_owned(),
        source,
    })?;
    let parsed: Result<Value, String> = if path.ends_with(".json") {
        serde_json::from_str(&text).map_err(|e| e.to_string())
    } else {
        toml_edit::de::from_str(&text).map_err(|e| e.to_string())
    };
    let value = parsed.and_then(|v| {
        serde_json::from_value::<T>(v.clone())
            .map(|t| (t, v))
            .map_err(|e| e.to_string())
    });
    match value {
        Ok((value, json)) => Ok(Some(Loaded {
            value,
            document: Arc::new(Document {
                path: path.to_owned(),
                text,
                root: Node::placeless(&json),
            }),
        })),
        Err(message) => {
            findings.push(Diagnostic {
                rule: "shape",
                level: Level::Error,
                document: None,
                path: path.to_owned(),
                span: 0..0,
                message,
                help: None,
            });
            Ok(None)
        }
    }
}
