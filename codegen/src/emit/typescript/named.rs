//! The modules of shared types and of events.

use toolcontract_schema::Formats;

use super::{
    layout::Doc,
    module::{Declared, Module},
    names::ModuleNames,
    shared::{Exported, Package},
    text,
};
use crate::model::{Event, SharedType};

/// The module of a shared type.
pub(super) fn shared_type(ty: &SharedType, package: &Package<'_>) -> String {
    let mut module = Module::of_type(package, ty);
    let Exported {
        ty: name, value, ..
    } = Exported::allocate(ty, module.names());
    module.declare(&Declared {
        normal: &ty.schema.normal,
        formats: Formats::Assert,
        ty: name,
        value,
        about: about(&ty.schema.normal.schema, &ty.type_name),
        is_shared: true,
    });
    module.into_text(&ty.document.path)
}

/// What the module of an event exports.
#[derive(Debug)]
pub(super) struct EventExports {
    /// The payload's type: `FileCreated`.
    pub(super) ty: String,
    /// Its zod schema: `fileCreated`.
    pub(super) value: String,
    schema: String,
}

impl EventExports {
    /// What the module of `event` exports.
    pub(super) fn of(event: &Event) -> Self {
        Self::allocate(event, &mut ModuleNames::new())
    }

    fn allocate(event: &Event, names: &mut ModuleNames) -> Self {
        let pascal = &event.names.pascal;
        let value = names.value(&event.names.module);
        Self {
            ty: names.exact_type(pascal),
            schema: names.exact_value(&format!("{value}Schema")),
            value,
        }
    }
}

/// The module of an event.
pub(super) fn event(event: &Event, package: &Package<'_>) -> String {
    let mut module = Module::new(package);
    let exports = EventExports::allocate(event, module.names());
    module.declare(&Declared {
        normal: &event.payload.normal,
        formats: Formats::Assert,
        ty: exports.ty.clone(),
        value: exports.value.clone(),
        about: format!(
            "Payload of `{}`: {}",
            event.manifest.name, event.manifest.description
        ),
        is_shared: false,
    });
    module.needs_definition("JsonSchema");
    module.add(&Doc::seq([
        text::comment(
            [format!("{{@link {}}} as JSON Schema.", exports.ty).as_str()],
            Vec::new(),
        ),
        Doc::text(format!("export const {}: JsonSchema = ", exports.schema)),
        text::constant(&event.payload.wire),
        Doc::text(";"),
    ]));
    module.into_text(&event.document.path)
}

fn about(schema: &serde_json::Value, fallback: &str) -> String {
    schema
        .get("description")
        .or_else(|| schema.get("title"))
        .and_then(serde_json::Value::as_str)
        .unwrap_or(fallback)
        .to_owned()
}
