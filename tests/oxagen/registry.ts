// Stands in for Oxagen's registry: keeps the first declaration of each name, as it does.
import type { CapabilityDeclaration } from "./types";

/** What was registered, by name. */
export const registered = new Map<string, CapabilityDeclaration>();

export function registerCapability<C extends CapabilityDeclaration>(capability: C): C {
  if (!registered.has(capability.name)) {
    registered.set(capability.name, capability);
  }
  return capability;
}
