//! Builds the model from a loaded folder: bundles schemas, brings them into normal form,
//! allocates names, fixes the order. A schema that has no normal form is a finding with a place.

use std::{collections::BTreeMap, sync::OnceLock};

use serde_json::Value;
use toolcontract_manifest::{Diagnostic, Folder, Loaded, fault::unresolved_reference};
use toolcontract_protocol::{Provenance, manifest::Posture};
use toolcontract_schema::{
    Bundle,
    bundle::{BundleError, bundle, bundle_file},
    normal::normalize,
    strip,
};

use super::{Event, Lock, Model, SchemaDoc, SharedType, Tool, names};

/// Builds the model. Findings of level error mean that some tool is missing from it.
#[must_use]
pub fn build(folder: Folder, lock: Lock) -> (Model, Vec<Diagnostic>) {
    let mut findings = Vec::new();
    let files: BTreeMap<String, Value> = folder
        .types
        .iter()
        .map(|(k, l)| (k.clone(), l.value.clone()))
        .collect();
    let schema = |document: &Loaded<()>,
                  at: &str,
                  bundled: Result<Bundle, Vec<BundleError>>,
                  findings: &mut Vec<Diagnostic>| {
        let fault = |pointer: &str, message: String| {
            let span = document.document.span(&format!("{at}{pointer}"));
            unresolved_reference(&document.document, span, message)
        };
        let bundled = match bundled {
            Ok(bundled) => bundled,
            Err(errors) => {
                findings.extend(
                    errors
                        .into_iter()
                        .map(|e| fault(&e.pointer.clone(), e.to_string())),
                );
                return None;
            }
        };
        match normalize(&bundled) {
            Ok(normal) => Some(SchemaDoc {
                wire: strip(&bundled.schema),
                normal,
            }),
            Err(errors) => {
                findings.extend(
                    errors
                        .into_iter()
                        .map(|e| fault(&e.pointer.clone(), e.to_string())),
                );
                None
            }
        }
    };

    let mut tools = Vec::new();
    for Loaded {
        value: manifest,
        document,
    } in folder.tools
    {
        let place = Loaded {
            value: (),
            document: document.clone(),
        };
        let empty = serde_json::json!({ "type": "object", "additionalProperties": false });
        let input = schema(
            &place,
            "/input_schema",
            bundle(manifest.input_schema.as_ref().unwrap_or(&empty), &files),
            &mut findings,
        );
        let output = match &manifest.output_schema {
            Some(value) => match schema(
                &place,
                "/output_schema",
                bundle(value, &files),
                &mut findings,
            ) {
                Some(doc) => Some(doc),
                None => continue,
            },
            None => None,
        };
        let Some(input) = input else { continue };
        let contract = manifest.contract(
            input.wire.clone(),
            output.as_ref().map(|o| o.wire.clone()),
            match manifest.posture() {
                Posture::Authored => Provenance::Builtin,
                Posture::Declared => Provenance::Declared,
            },
        );
        let names = names::ToolNames {
            module: manifest.name.clone(),
            pascal: names::pascal(&manifest.name),
            camel: names::camel(&manifest.name),
        };
        tools.push(Tool {
            document,
            manifest,
            contract,
            input,
            output,
            names,
            vectors: OnceLock::new(),
        });
    }
    tools.sort_by(|a, b| a.manifest.name.cmp(&b.manifest.name));

    let mut events = Vec::new();
    for Loaded {
        value: manifest,
        document,
    } in folder.events
    {
        let place = Loaded {
            value: (),
            document: document.clone(),
        };
        let Some(payload) = schema(
            &place,
            "/payload_schema",
            bundle(&manifest.payload_schema, &files),
            &mut findings,
        ) else {
            continue;
        };
        let names = names::EventNames {
            module: names::snake(&manifest.name),
            pascal: names::pascal(&manifest.name),
        };
        events.push(Event {
            document,
            manifest,
            payload,
            names,
        });
    }
    events.sort_by(|a, b| a.manifest.name.cmp(&b.manifest.name));

    let mut types = Vec::new();
    for (reference, loaded) in folder.types {
        let place = Loaded {
            value: (),
            document: loaded.document.clone(),
        };
        let bundled = bundle_file(&reference, &files);
        let Some(doc) = schema(&place, "", bundled, &mut findings) else {
            continue;
        };
        let stem = reference.trim_start_matches("types/");
        let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
        types.push(SharedType {
            type_name: names::pascal(stem),
            module: names::snake(stem),
            reference,
            document: loaded.document,
            schema: doc,
        });
    }

    let project = folder.project;
    (
        Model {
            project: project.value,
            project_document: project.document,
            tools,
            events,
            types,
            lock,
        },
        findings,
    )
}
