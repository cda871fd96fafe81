//! From folders of manifests to script tools. One that is broken takes no other along; every
//! finding has a file and a place. The first folder that has a name wins, and the rest are told.

use std::{collections::BTreeMap, sync::Arc};

use toolcontract_manifest::{Diagnostic, Loaded, Source, has_error, read_tool, sort};
use toolcontract_protocol::{Manifest, Provenance, ToolContract};
use toolcontract_schema::digest::digest;

use super::{
    GROUP, check,
    folder::{FolderError, ToolFolder, Unreadable},
};

/// What folders hold.
#[derive(Debug, Default)]
pub struct Discovery {
    /// The tools, in the order of names.
    pub scripts: Vec<Script>,
    /// What is wrong with files, in the order in which findings are shown.
    pub findings: Vec<Diagnostic>,
}

/// One script tool, as its manifest says.
#[derive(Debug, Clone)]
pub struct Script {
    /// What is written.
    pub manifest: Manifest,
    /// What may be relied on of it: nothing that it claims about itself.
    pub contract: ToolContract,
    /// SHA-256 of the manifest in canonical JSON: layout, comments and the order of keys do not
    /// matter, all else does.
    pub digest: String,
    /// The file, as findings name it.
    pub path: String,
    pub(super) folder: Arc<ToolFolder>,
    pub(super) file: String,
    pub(super) bytes: Arc<[u8]>,
}

/// Reads every manifest of `folders`. Names that `is_taken` belong to other tools.
///
/// # Errors
/// When a folder as a whole cannot be read; of a file, that is a finding.
pub fn discover(
    folders: Vec<ToolFolder>,
    is_taken: &dyn Fn(&str) -> bool,
) -> Result<Discovery, FolderError> {
    let mut found: BTreeMap<String, Script> = BTreeMap::new();
    let mut findings = Vec::new();
    for folder in folders.into_iter().map(Arc::new) {
        for file in folder.manifests()? {
            let Some((script, document)) = read(&folder, &file, &mut findings) else {
                continue;
            };
            let name = script.manifest.name.to_ascii_lowercase();
            let span = document.span("/name");
            if is_taken(&script.manifest.name) {
                findings.push(check::taken(&document, span, &script.manifest.name));
            } else if let Some(first) = found.get(&name) {
                findings.push(check::shadowed(&document, span, &first.path));
            } else {
                found.insert(name, script);
            }
        }
    }
    sort(&mut findings);
    Ok(Discovery {
        scripts: found.into_values().collect(),
        findings,
    })
}

type Document = Arc<toolcontract_manifest::Document>;

fn read(
    folder: &Arc<ToolFolder>,
    file: &str,
    findings: &mut Vec<Diagnostic>,
) -> Option<(Script, Document)> {
    let path = format!("{}/{file}", folder.shown);
    let bytes = match folder.read(file) {
        Ok(bytes) => bytes,
        Err(why) => {
            findings.push(unreadable(&path, &why));
            return None;
        }
    };
    let (loaded, mut own) = load(&path, bytes.clone());
    check::without_command(&mut own);
    let script = loaded.and_then(|Loaded { value, document }| {
        let contract = contract(&value);
        check::check(&value, &contract, &document, &mut own);
        let digest = digest(&value).ok()?;
        let script = Script {
            manifest: value,
            contract,
            digest,
            path,
            folder: Arc::clone(folder),
            file: file.to_owned(),
            bytes: bytes.into(),
        };
        (!has_error(&own)).then_some((script, document))
    });
    findings.extend(own);
    script
}

/// Reads the text of a manifest.
pub(super) fn load(path: &str, bytes: Vec<u8>) -> (Option<Loaded<Manifest>>, Vec<Diagnostic>) {
    read_tool(&Source {
        path: path.to_owned(),
        bytes,
    })
}

/// What a manifest comes to while nobody has adopted it.
fn contract(manifest: &Manifest) -> ToolContract {
    let anything = || serde_json::json!({ "type": "object", "properties": {} });
    let input = manifest.input_schema.clone().unwrap_or_else(anything);
    let output = manifest.output_schema.clone();
    ToolContract {
        // A policy that trusts a group must not trust whoever claims to be in it.
        group: Some(GROUP.to_owned()),
        ..manifest.contract(input, output, Provenance::Declared)
    }
}

fn unreadable(path: &str, why: &Unreadable) -> Diagnostic {
    let (message, help) = match why {
        Unreadable::Link => (
            "the manifest is a symbolic link".to_owned(),
            "put the file itself into the folder",
        ),
        Unreadable::NotAFile => (
            "the manifest is no regular file".to_owned(),
            "put a file into the folder",
        ),
        Unreadable::OtherName => (
            "the manifest is a hard link: it has another name elsewhere".to_owned(),
            "put a copy into the folder",
        ),
        Unreadable::TooLarge => (
            format!(
                "the manifest has more than {} bytes",
                toolcontract_manifest::parse::MAX_BYTES
            ),
            "a manifest holds a contract and nothing else",
        ),
        Unreadable::Io(error) => (
            format!("the manifest cannot be read: {error}"),
            "see that the user of this program may read it",
        ),
    };
    Diagnostic::about_file("unreadable-manifest", path, message).help(help)
}
