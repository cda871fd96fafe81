//! The model as rules see it, with what many of them look at worked out once.

use std::{collections::BTreeMap, ops::Deref};

use rayon::prelude::*;
use serde_json::Value;

use super::site::{Site, Use};
use crate::model::Model;

/// The shared schemas as they are written, by path below the manifests (`types/page.toml`).
///
/// The model holds them with their references resolved; rules look at what the author sees.
#[derive(Debug, Default)]
pub(super) struct Shared(BTreeMap<String, Value>);

impl Shared {
    /// Takes them from the documents of `model`.
    #[must_use]
    pub(super) fn of(model: &Model) -> Self {
        Self(
            model
                .types
                .iter()
                .map(|shared| {
                    let (path, _) = split_reference(&shared.reference);
                    (path.to_owned(), shared.document.root.to_json())
                })
                .collect(),
        )
    }

    /// The schema of a file.
    #[must_use]
    pub(super) fn get(&self, path: &str) -> Option<&Value> {
        self.0.get(path)
    }
}

/// File and fragment of a reference: `types/page.toml#/a` is `types/page.toml` and `/a`.
#[must_use]
pub(super) fn split_reference(reference: &str) -> (&str, &str) {
    reference.split_once('#').unwrap_or((reference, ""))
}

/// The model and what follows from it.
#[derive(Debug)]
pub(super) struct Catalog<'a> {
    model: &'a Model,
    shared: &'a Shared,
    sites: Vec<Site<'a>>,
}

impl<'a> Catalog<'a> {
    /// Works out what rules share: walks every schema once and compiles it once.
    #[must_use]
    pub(super) fn new(model: &'a Model, shared: &'a Shared) -> Self {
        let tools = model.tools.par_iter().flat_map_iter(|tool| {
            let manifest = &tool.manifest;
            let input = manifest.input_schema.as_ref();
            let input = input.map(|schema| Site::new(tool, Use::Input, schema, &tool.input));
            let output = manifest.output_schema.as_ref().zip(tool.output.as_ref());
            let output = output.map(|(schema, doc)| Site::new(tool, Use::Output, schema, doc));
            input.into_iter().chain(output)
        });
        let events = model
            .events
            .par_iter()
            .map(|e| Site::new(e, Use::Payload, &e.manifest.payload_schema, &e.payload));
        let types = model.types.par_iter().filter_map(|t| {
            let (path, fragment) = split_reference(&t.reference);
            // A part of a file is looked at with the file.
            let schema = shared.get(path).filter(|_| fragment.is_empty())?;
            Some(Site::new(t, Use::Shared, schema, &t.schema))
        });
        Self {
            model,
            shared,
            sites: tools.chain(events).chain(types).collect(),
        }
    }

    /// Every schema that somebody wrote: inputs, outputs and payloads by name, then shared types.
    #[must_use]
    pub(super) fn sites(&self) -> &[Site<'a>] {
        &self.sites
    }

    /// The shared schemas as they are written.
    #[must_use]
    pub(super) fn shared(&self) -> &'a Shared {
        self.shared
    }
}

impl Deref for Catalog<'_> {
    type Target = Model;

    fn deref(&self) -> &Model {
        self.model
    }
}
