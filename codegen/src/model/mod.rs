//! The catalog with references resolved, names allocated and order fixed. Knows no target's
//! syntax beyond identifiers and opens no file.

pub mod build;
pub mod circle;
pub mod lock;
pub mod names;
pub mod oxagen_names;
pub mod revision;
pub mod shape;
pub mod vectors;

use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock},
};

use serde_json::Value;
use toolcontract_manifest::{Document, Project};
use toolcontract_protocol::{Dialect, EventManifest, Manifest, ToolContract};
use toolcontract_schema::{Normal, dialect::Note};

pub use build::build;
pub use lock::Lock;

/// A whole catalog.
#[derive(Debug)]
pub struct Model {
    /// The project's choices.
    pub project: Project,
    /// Where they were read.
    pub project_document: Arc<Document>,
    /// The tools, by name.
    pub tools: Vec<Tool>,
    /// The events, by name.
    pub events: Vec<Event>,
    /// The shared types, by id.
    pub types: Vec<SharedType>,
    /// `contracts.lock` as it was read; empty when there was none.
    pub lock: Lock,
}

impl Model {
    /// Completes the lock with token estimates, by tool.
    pub(crate) fn set_estimates(&mut self, estimates: Vec<(String, u32)>) {
        for (name, tokens) in estimates {
            if let Some(locked) = self.lock.tools.get_mut(&name) {
                locked.tokens = tokens;
            }
        }
    }
}

/// One tool.
#[derive(Debug)]
pub struct Tool {
    /// The file that states it.
    pub document: Arc<Document>,
    /// What is written there.
    pub manifest: Manifest,
    /// The contract, its schemas bundled and free of our `x-` keywords.
    pub contract: ToolContract,
    /// The input schema.
    pub input: SchemaDoc,
    /// The output schema.
    pub output: Option<SchemaDoc>,
    /// Its spellings.
    pub names: names::ToolNames,
    /// What is worked out once.
    pub(crate) kept: Kept,
}

/// What takes long to work out and more than one surface asks for; made when it is first asked for.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    /// Its vectors as text. As values they take ten times as much.
    pub(crate) vectors: OnceLock<Arc<[u8]>>,
    /// What providers are told otherwise, by dialect.
    pub(crate) providers: OnceLock<BTreeMap<Dialect, Vec<Note>>>,
    /// What Oxagen is told otherwise, in words.
    pub(crate) oxagen: OnceLock<Vec<String>>,
}

impl Tool {
    /// Values that its schemas accept and values that they refuse, made anew.
    #[must_use]
    pub fn vectors(&self) -> vectors::ToolVectors {
        vectors::ToolVectors::of(self)
    }
}

/// One event.
#[derive(Debug)]
pub struct Event {
    /// The file that states it.
    pub document: Arc<Document>,
    /// What is written there.
    pub manifest: EventManifest,
    /// The payload's schema.
    pub payload: SchemaDoc,
    /// Its spellings.
    pub names: names::EventNames,
}

/// A schema of `types/`: a named type once in every language.
#[derive(Debug)]
pub struct SharedType {
    /// The reference that names it: `types/page.toml`, or `types/page.toml#/$defs/cursor`.
    pub reference: String,
    /// The file that states it.
    pub document: Arc<Document>,
    /// The schema, bundled.
    pub schema: SchemaDoc,
    /// `Page`; the same in Rust and TypeScript.
    pub type_name: String,
    /// `page`; module and file stem.
    pub module: String,
}

/// A schema in the two forms that emitters read.
#[derive(Debug, Clone)]
pub struct SchemaDoc {
    /// Self-contained and free of our `x-` keywords: what leaves the manifests. A declared one is
    /// kept exactly, `x-` keywords of others too.
    pub wire: Value,
    /// The normal form, our `x-` keywords kept: what shapes types. In a declared one they mean
    /// nothing and are gone.
    pub normal: Normal,
}
