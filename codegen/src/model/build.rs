//! Builds the model from a loaded folder: bundles schemas, brings them into normal form,
//! allocates names, fixes the order. A schema that has no normal form is a finding with a place.

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

use rayon::prelude::*;
use serde_json::{Value, json};
use toolcontract_manifest::{Diagnostic, Document, Folder, Loaded, fault::unresolved_reference};
use toolcontract_protocol::{EventManifest, Manifest, Provenance, manifest::Posture};
use toolcontract_schema::{
    Bundle,
    bundle::{BundleError, bundle, bundle_file},
    normal::{NormalError, normalize},
    strip::{forget, strip, stripped},
};

use super::{Event, Kept, Lock, Model, SchemaDoc, SharedType, Tool, names};

/// Builds the model. Findings of level error mean that some tool is missing from it.
#[must_use]
pub fn build(folder: Folder, lock: Lock) -> (Model, Vec<Diagnostic>) {
    let schemas = Schemas::new(&folder.types);
    let mut findings = Vec::new();
    let mut tools = each(folder.tools, &mut findings, |t, f| schemas.tool(t, f));
    tools.sort_by(|a, b| a.manifest.name.cmp(&b.manifest.name));
    let mut events = each(folder.events, &mut findings, |e, f| schemas.event(e, f));
    events.sort_by(|a, b| a.manifest.name.cmp(&b.manifest.name));
    let types: Vec<(String, Loaded<Value>)> = folder.types.into_iter().collect();
    let types = each(types, &mut findings, |(reference, loaded), f| {
        schemas.shared(reference, loaded.document, f)
    });
    let model = Model {
        project: folder.project.value,
        project_document: folder.project.document,
        tools,
        events,
        types,
        lock,
    };
    (model, findings)
}

/// What becomes of all, side by side; findings come in the order of what they are about.
fn each<T: Send, M: Send>(
    all: Vec<T>,
    findings: &mut Vec<Diagnostic>,
    one: impl Fn(T, &mut Vec<Diagnostic>) -> Option<M> + Sync,
) -> Vec<M> {
    let made: Vec<(Option<M>, Vec<Diagnostic>)> = all
        .into_par_iter()
        .map(|item| {
            let mut findings = Vec::new();
            (one(item, &mut findings), findings)
        })
        .collect();
    let mut all = Vec::with_capacity(made.len());
    for (one, mut found) in made {
        all.extend(one);
        findings.append(&mut found);
    }
    all
}

/// Makes schemas self-contained and normal.
struct Schemas {
    /// The shared types, as they are written.
    files: BTreeMap<String, Value>,
    /// The same in plain JSON Schema, for schemas of others, in which our keywords mean nothing.
    plain: BTreeMap<String, Value>,
}

impl Schemas {
    fn new(types: &BTreeMap<String, Loaded<Value>>) -> Self {
        let files = || types.iter().map(|(path, l)| (path.clone(), &l.value));
        Self {
            files: files().map(|(path, v)| (path, v.clone())).collect(),
            plain: files().map(|(path, v)| (path, strip(v))).collect(),
        }
    }

    fn tool(&self, loaded: Loaded<Manifest>, findings: &mut Vec<Diagnostic>) -> Option<Tool> {
        let Loaded {
            value: manifest,
            document,
        } = loaded;
        let (posture, provenance) = match manifest.posture() {
            Posture::Authored => (Posture::Authored, Provenance::Builtin),
            Posture::Declared => (Posture::Declared, Provenance::Declared),
        };
        let empty = json!({ "type": "object", "additionalProperties": false });
        let input = manifest.input_schema.as_ref().unwrap_or(&empty);
        let input = self.schema(&document, "/input_schema", input, posture, findings);
        let output = match &manifest.output_schema {
            Some(output) => {
                let at = "/output_schema";
                Some(self.schema(&document, at, output, posture, findings)?)
            }
            None => None,
        };
        let input = input?;
        let contract = manifest.contract(
            input.wire.clone(),
            output.as_ref().map(|o| o.wire.clone()),
            provenance,
        );
        let names = names::ToolNames {
            module: manifest.name.clone(),
            pascal: names::pascal(&manifest.name),
            camel: names::camel(&manifest.name),
        };
        Some(Tool {
            document,
            manifest,
            contract,
            input,
            output,
            names,
            kept: Kept::default(),
        })
    }

    fn event(
        &self,
        loaded: Loaded<EventManifest>,
        findings: &mut Vec<Diagnostic>,
    ) -> Option<Event> {
        let Loaded {
            value: manifest,
            document,
        } = loaded;
        let payload = &manifest.payload_schema;
        let (at, posture) = ("/payload_schema", Posture::Authored);
        let payload = self.schema(&document, at, payload, posture, findings)?;
        let names = names::EventNames {
            module: names::snake(&manifest.name),
            pascal: names::pascal(&manifest.name),
        };
        Some(Event {
            document,
            manifest,
            payload,
            names,
        })
    }

    fn shared(
        &self,
        reference: String,
        document: Arc<Document>,
        findings: &mut Vec<Diagnostic>,
    ) -> Option<SharedType> {
        let bundled = bundle_file(&reference, &self.files);
        let schema = finish(&document, "", bundled, Posture::Authored, findings)?;
        let stem = reference.trim_start_matches("types/");
        let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
        Some(SharedType {
            type_name: names::pascal(stem),
            module: names::snake(stem),
            reference,
            document,
            schema,
        })
    }

    fn schema(
        &self,
        document: &Arc<Document>,
        at: &str,
        schema: &Value,
        posture: Posture,
        findings: &mut Vec<Diagnostic>,
    ) -> Option<SchemaDoc> {
        let bundled = match posture {
            Posture::Authored => bundle(schema, &self.files),
            Posture::Declared => bundle(schema, &self.plain),
        };
        finish(document, at, bundled, posture, findings)
    }
}

/// Both forms of a schema that stands at `at` in its file; none, and findings, where it has none.
fn finish(
    document: &Arc<Document>,
    at: &str,
    bundled: Result<Bundle, Vec<BundleError>>,
    posture: Posture,
    findings: &mut Vec<Diagnostic>,
) -> Option<SchemaDoc> {
    let faults: Vec<(String, String)> = match bundled {
        Ok(bundled) => match both_forms(bundled, posture) {
            Ok(schema) => return Some(schema),
            Err(errors) => {
                let told = errors.into_iter();
                told.map(|e| (e.to_string(), e.pointer)).collect()
            }
        },
        Err(errors) => {
            let told = errors.into_iter();
            told.map(|e| (e.to_string(), e.pointer)).collect()
        }
    };
    for (message, pointer) in faults {
        let span = document.span(&format!("{at}{pointer}"));
        findings.push(unresolved_reference(document, span, message));
    }
    None
}

/// What leaves the manifests, and what emitters read.
fn both_forms(bundled: Bundle, posture: Posture) -> Result<SchemaDoc, Vec<NormalError>> {
    match posture {
        Posture::Authored => {
            let normal = normalize(&bundled)?;
            let wire = match stripped(&bundled.schema) {
                Cow::Owned(stripped) => stripped,
                Cow::Borrowed(_) => bundled.schema,
            };
            Ok(SchemaDoc { normal, wire })
        }
        // Kept exactly: `x-open` is a word of theirs.
        Posture::Declared => {
            let plain = Bundle {
                schema: forget(&bundled.schema),
                shared: bundled.shared,
            };
            Ok(SchemaDoc {
                normal: normalize(&plain)?,
                wire: bundled.schema,
            })
        }
    }
}
