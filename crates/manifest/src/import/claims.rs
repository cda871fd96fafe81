//! The hints of a tool as claims. They are kept as they were served and buy nothing.

use serde_json::{Map, Value};
use toolcontract_protocol::manifest::Claims;

use super::{
    Fault, Oddity,
    fields::{flag, leftovers, string},
};

/// What `annotations` says.
#[derive(Debug, Default)]
pub(super) struct Annotations {
    /// The four hints; none where not one is there.
    pub(super) claims: Option<Claims>,
    /// `annotations.title`.
    pub(super) title: Option<String>,
}

/// Reads `annotations`.
pub(super) fn read(
    mut map: Map<String, Value>,
    oddities: &mut Vec<Oddity>,
) -> Result<Annotations, Fault> {
    let title = string(&mut map, "title", "/annotations/title", oddities)?;
    let mut hint = |key, pointer| flag(&mut map, key, pointer, oddities);
    let claims = Claims {
        read_only: hint("readOnlyHint", "/annotations/readOnlyHint")?,
        destructive: hint("destructiveHint", "/annotations/destructiveHint")?,
        idempotent: hint("idempotentHint", "/annotations/idempotentHint")?,
        open_world: hint("openWorldHint", "/annotations/openWorldHint")?,
    };
    if claims.read_only == Some(true) && claims.destructive == Some(true) {
        oddities.push(Oddity::ClaimsContradict);
    }
    leftovers(&map, "/annotations", oddities);
    let claims = (claims != Claims::default()).then_some(claims);
    Ok(Annotations { claims, title })
}
