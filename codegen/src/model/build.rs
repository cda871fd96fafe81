//! Builds the model from a loaded folder: bundles schemas, brings them into normal form,
//! allocates names, fixes the order. A schema that has no normal form is a finding with a place.

use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock},
};

use serde_json::{Value, json};
use toolcontract_manifest::{Diagnostic, Document, Folder, Loaded, fault::unresolved_reference};
use toolcontract_protocol::{EventManifest, Manifest, Provenance, manifest::Posture};
use toolcontract_schema::{
    Bundle,
    bundle::{BundleError, bundle, bundle_file},
    normal::{NormalError, normalize},
    strip::{forget, strip},
};

use super::{Event, Lock, Model, SchemaDoc, SharedType, Tool, names};

/// Builds the model. Findings of level error mean that some tool is missing from it.
#[must_use]
pub fn build(folder: Folder, lock: Lock) -> (Model, Vec<Diagnostic>) {
    let mut schemas = Schemas::new(&folder.types);
    let tools = folder.tools.into_iter();
    let mut tools: Vec<Tool> = tools.filter_map(|t| schemas.tool(t)).collect();
    tools.sort_by(|a, b| a.manifest.name.cmp(&b.manifest.name));
    let events = folder.events.into_iter();
    let mut events: Vec<Event> = events.filter_map(|e| schemas.event(e)).collect();
    events.sort_by(|a, b| a.manifest.name.cmp(&b.manifest.name));
    let types = folder.types.into_iter();
    let types = types
        .filter_map(|(reference, loaded)| schemas.shared(reference, loaded.document))
        .collect();
    let model = Model {
        project: folder.project.value,
        project_document: folder.project.document,
        tools,
        events,
        types,
        lock,
    };
    (model, schemas.findings)
}

/// Makes schemas self-contained and normal.
struct Schemas {
    /// The shared types, as they are written.
    files: BTreeMap<String, Value>,
    /// The same in plain JSON Schema, for schemas of others, in which our keywords mean nothing.
    plain: BTreeMap<String, Value>,
    findings: Vec<Diagnostic>,
}

impl Schemas {
    fn new(types: &BTreeMap<String, Loaded<Value>>) -> Self {
        let files = || types.iter().map(|(path, l)| (path.clone(), &l.value));
        Self {
            files: files().map(|(path, v)| (path, v.clone())).collect(),
            plain: files().map(|(path, v)| (path, strip(v))).collect(),
            findings: Vec::new(),
        }
    }

    fn tool(&mut self, loaded: Loaded<Manifest>) -> Option<Tool> {
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
        let input = self.schema(&document, "/input_schema", input, posture);
        let output = match &manifest.output_schema {
            Some(output) => Some(self.schema(&document, "/output_schema", output, posture)?),
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
            vectors: OnceLock::new(),
        })
    }

    fn event(&mut self, loaded: Loaded<EventManifest>) -> Option<Event> {
        let Loaded {
            value: manifest,
            document,
        } = loaded;
        let payload = &manifest.payload_schema;
        let payload = self.schema(&document, "/payload_schema", payload, Posture::Authored)?;
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

    fn shared(&mut self, reference: String, document: Arc<Document>) -> Option<SharedType> {
        let bundled = bundle_file(&reference, &self.files);
        let schema = self.finish(&document, "", bundled, Posture::Authored)?;
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
        &mut self,
        document: &Arc<Document>,
        at: &str,
        schema: &Value,
        posture: Posture,
    ) -> Option<SchemaDoc> {
        let bundled = match posture {
            Posture::Authored => bundle(schema, &self.files),
            Posture::Declared => bundle(schema, &self.plain),
        };
        self.finish(document, at, bundled, posture)
    }

    /// Both forms of a schema that stands at `at` in its file; none, and findings, where it has none.
    fn finish(
        &mut self,
        document: &Arc<Document>,
        at: &str,
        bundled: Result<Bundle, Vec<BundleError>>,
        posture: Posture,
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
            self.findings
                .push(unresolved_reference(document, span, message));
        }
        None
    }
}

/// What leaves the manifests, and what emitters read.
fn both_forms(bundled: Bundle, posture: Posture) -> Result<SchemaDoc, Vec<NormalError>> {
    match posture {
        Posture::Authored => Ok(SchemaDoc {
            normal: normalize(&bundled)?,
            wire: strip(&bundled.schema),
        }),
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
