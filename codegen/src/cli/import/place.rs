//! Where each imported definition goes, and whether it may: what is there is looked at first.
//!
//! Refuses to replace a manifest that was written here, that is another tool's, or whose
//! definition changed while nobody said that this is known.

use std::{collections::BTreeMap, path::PathBuf};

use serde_json::Value;
use toolcontract_manifest::{Source, import::text, read_tool};
use toolcontract_protocol::Manifest;

use crate::write::{Disk as _, LocalDisk};

/// Where imported files go.
#[derive(Debug)]
pub(super) struct Target {
    /// Absolute path of the project, or of the folder that was asked for.
    pub(super) root: PathBuf,
    /// What stands before `tools/` and `types/` in it: `manifests/`, or nothing.
    pub(super) folder: &'static str,
}

/// What happens to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is new.
    Create,
    /// It is there, with another definition.
    Replace,
    /// It is there, with this definition.
    Keep,
}

/// A file and what happens to it.
#[derive(Debug)]
pub(super) struct Placed {
    pub(super) path: String,
    pub(super) fate: Fate,
    pub(super) text: String,
}

/// Files of one command: a path is claimed once.
#[derive(Debug)]
pub(super) struct Places<'t> {
    target: &'t Target,
    force: bool,
    /// Path to the file that the definition was read from.
    claimed: BTreeMap<String, String>,
}

/// Why a file may not be written.
pub(super) type Conflict = String;

impl<'t> Places<'t> {
    pub(super) fn new(target: &'t Target, force: bool) -> Self {
        Self {
            target,
            force,
            claimed: BTreeMap::new(),
        }
    }

    /// The place of a manifest that was read from `file`.
    pub(super) fn tool(&mut self, manifest: &Manifest, file: &str) -> Result<Placed, Conflict> {
        let path = |end: &str| format!("{}tools/{}.{end}", self.target.folder, manifest.name);
        let (json, toml) = (path("json"), path("toml"));
        let served = manifest.wire_name.as_deref().unwrap_or(&manifest.name);
        self.claim(&json, served, file)?;
        let (mut fate, mut at, mut version) = (Fate::Create, json.clone(), manifest.version);
        for path in [&json, &toml] {
            let Some(bytes) = self.there(path)? else {
                continue;
            };
            let source = Source {
                path: path.clone(),
                bytes,
            };
            let (Some(found), _) = read_tool(&source) else {
                return Err(format!("`{path}` is there and cannot be read"));
            };
            fate = match judge(path, &found.value, manifest, self.force)? {
                Fate::Replace if path == &toml => {
                    return Err(format!(
                        "`{path}` is there with another definition; delete it first"
                    ));
                }
                fate => fate,
            };
            at.clone_from(path);
            version = found.value.version;
        }
        // A later revision of the same contract; `bump` raises it.
        let manifest = Manifest {
            version,
            ..manifest.clone()
        };
        Ok(Placed {
            path: at,
            fate,
            text: text(&manifest),
        })
    }

    /// The place of a shared type that was read from `file`.
    pub(super) fn shared(
        &mut self,
        name: &str,
        schema: &Value,
        file: &str,
    ) -> Result<Placed, Conflict> {
        let path = |end: &str| format!("{}types/{name}.{end}", self.target.folder);
        let (json, toml) = (path("json"), path("toml"));
        self.claim(&json, name, file)?;
        if self.there(&toml)?.is_some() {
            return Err(format!("`{toml}` is there already"));
        }
        let fate = match self.there(&json)? {
            None => Fate::Create,
            Some(bytes) => match serde_json::from_slice::<Value>(&bytes) {
                Ok(there) if there == *schema => Fate::Keep,
                Ok(_) | Err(_) if self.force => Fate::Replace,
                Ok(_) | Err(_) => {
                    return Err(format!(
                        "`{json}` is there with another schema; `--force` replaces it"
                    ));
                }
            },
        };
        Ok(Placed {
            path: json,
            fate,
            text: text(schema),
        })
    }

    fn claim(&mut self, path: &str, served: &str, file: &str) -> Result<(), Conflict> {
        match self.claimed.insert(path.to_owned(), file.to_owned()) {
            None => Ok(()),
            Some(other) => Err(format!(
                "`{other}` and `{file}` both bring `{served}`; import them one by one, each with its `--server`"
            )),
        }
    }

    fn there(&self, path: &str) -> Result<Option<Vec<u8>>, Conflict> {
        LocalDisk
            .read(&self.target.root.join(path))
            .map_err(|e| format!("cannot read `{path}`: {e}"))
    }
}

/// What may happen to the manifest at `path`, which says `there`, when `new` is imported.
fn judge(path: &str, there: &Manifest, new: &Manifest, force: bool) -> Result<Fate, Conflict> {
    let Some(origin) = &there.origin else {
        return Err(format!(
            "`{path}` was written here and is never replaced; import with another `--server`"
        ));
    };
    let wire_name = |manifest: &Manifest| manifest.wire_name.clone().unwrap_or_default();
    if there.wire_name != new.wire_name {
        return Err(format!(
            "`{path}` is the manifest of `{}` from `{origin}`, not of `{}`",
            wire_name(there),
            wire_name(new),
        ));
    }
    if there.origin != new.origin && !force {
        return Err(format!(
            "`{path}` was imported from `{origin}`; give each server its `--server`, or say `--force` where it is the same one"
        ));
    }
    let changed = changed(there, new);
    if changed.is_empty() && there.origin == new.origin {
        return Ok(Fate::Keep);
    }
    if force {
        return Ok(Fate::Replace);
    }
    Err(format!(
        "`{path}`: the definition changed since it was imported (`{}`); look at it, then say `--force`, which also voids what was graded by hand",
        changed.join("`, `")
    ))
}

/// The keys of the definition that differ.
fn changed(there: &Manifest, new: &Manifest) -> Vec<&'static str> {
    [
        ("title", there.title != new.title),
        ("description", there.description != new.description),
        ("input_schema", there.input_schema != new.input_schema),
        ("output_schema", there.output_schema != new.output_schema),
        ("claims", there.claims != new.claims),
    ]
    .into_iter()
    .filter_map(|(key, differs)| differs.then_some(key))
    .collect()
}
