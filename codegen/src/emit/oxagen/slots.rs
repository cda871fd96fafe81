//! Where each key of a manifest goes in Oxagen, or why it has no place there. The docs show this
//! table, and a test holds it against the manifest's own schema, so that a new key is decided about.

/// One key and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The key of the manifest; those of the `[oxagen]` table with `oxagen.` before them.
    pub key: &'static str,
    /// Its place.
    pub slot: Slot,
}

/// A place in Oxagen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// A field of `CapabilityDeclaration`, and how it gets there.
    Field(&'static str, &'static str),
    /// Not in the declaration but in its module or beside it.
    Beside(&'static str),
    /// None, because.
    None(&'static str),
}

use Slot::{Beside, Field, None as Nothing};

const fn row(key: &'static str, slot: Slot) -> Row {
    Row { key, slot }
}

/// Only a payload for the tool registry carries the whole contract.
const IN_PAYLOAD: &str =
    "in the registry payload, as part of the contract; a declaration has no field for it";

/// Every key, in the order of the manifest.
pub const SLOTS: &[Row] = &[
    row("$schema", Nothing("it is for editors")),
    row(
        "name",
        Field(
            "name",
            "as it is, or `[oxagen] name` where Oxagen's naming check refuses it",
        ),
    ),
    row(
        "title",
        Nothing("a capability has no label; chat cards have `[oxagen] render`"),
    ),
    row("version", Beside(IN_PAYLOAD)),
    row("description", Field("description", "as it is")),
    row(
        "group",
        Field(
            "domain",
            "through the domains of `toolcontract.toml`; `policy_group` of the payload",
        ),
    ),
    row(
        "availability",
        Nothing("whether a capability exists is decided by plugins and entitlements there"),
    ),
    row(
        "read_only",
        Field(
            "mutates",
            "the opposite, always written: absent means `true` there",
        ),
    ),
    row("speculation_safe", Beside(IN_PAYLOAD)),
    row("idempotent", Beside(IN_PAYLOAD)),
    row("additive", Beside(IN_PAYLOAD)),
    row("open_world", Beside(IN_PAYLOAD)),
    row(
        "risk",
        Field(
            "agent.riskLevel",
            "`destructive` as `high`, and as `critical` in the payload",
        ),
    ),
    row(
        "requires_approval",
        Field(
            "agent.requiresApproval",
            "unless `[oxagen] agent_approval` decides otherwise",
        ),
    ),
    row("events", Beside(IN_PAYLOAD)),
    row(
        "input_schema",
        Field("input", "as zod 3; as JSON Schema in the payload"),
    ),
    row(
        "output_schema",
        Field(
            "output",
            "as zod 3; without one, the text wrapper `{ content }`",
        ),
    ),
    row(
        "deprecated",
        Beside("a `@deprecated` comment on the module's export"),
    ),
    row("allow", Nothing("it is about the manifest's own checks")),
    row(
        "examples",
        Nothing("a capability has no examples; tests run ours against its schemas"),
    ),
    row("oxagen", Beside("its keys are the rows below")),
    row(
        "command",
        Nothing("how a tool runs is the runtime's business; its payload has the source `custom`"),
    ),
    row(
        "timeout_ms",
        Nothing("how a tool runs is the runtime's business"),
    ),
    row("env", Nothing("how a tool runs is the runtime's business")),
    row("foundry", Beside("the source `foundry` of the payload")),
    row("wire_name", Nothing("it is the name at another server")),
    row(
        "claims",
        Nothing("what a server says of itself grants nothing"),
    ),
    row("origin", Beside("the source `mcp` of the payload")),
    row("oxagen.skip", Beside("there is no module and no payload")),
    row("oxagen.name", Field("name", "as it is")),
    row("oxagen.domain", Field("domain", "as it is")),
    row("oxagen.mode", Field("mode", "as it is")),
    row("oxagen.surfaces", Field("surfaces", "as it is")),
    row("oxagen.layers", Field("layers", "as it is")),
    row(
        "oxagen.sensitivity",
        Field("sensitivity", "as it is; never derived from `risk`"),
    ),
    row("oxagen.default_effect", Field("defaultEffect", "as it is")),
    row("oxagen.default_roles", Field("defaultRoles", "as it is")),
    row("oxagen.category", Field("agent.category", "as it is")),
    row(
        "oxagen.agent_approval",
        Field(
            "agent.requiresApproval",
            "as it is; a person's decision for that surface",
        ),
    ),
    row("oxagen.scoped", Field("scoped", "only when it is said")),
    row("oxagen.audit", Field("audit", "as it is")),
    row("oxagen.render", Field("render", "as it is")),
    row("oxagen.meter", Field("meter", "as it is")),
    row("oxagen.produces", Field("produces", "as it is")),
    row("oxagen.consumes", Field("consumes", "as it is")),
    row("oxagen.chain_hints", Field("chainHints", "as it is")),
];
