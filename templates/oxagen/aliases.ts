// {{banner}}
import type { CapabilityName } from "./governance";

/** The name that a model sees to the canonical name of the capability. */
export const aliases = {
{{aliases}}} as const satisfies Readonly<Record<string, CapabilityName>>;

/** The canonical name of a capability to the tool's own name in its contract. */
export const toolNames = {
{{tools}}} as const satisfies Readonly<Record<CapabilityName, string>>;
