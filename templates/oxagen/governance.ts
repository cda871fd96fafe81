// {{banner}}
// The record that the agent runtime keeps for each tool, by canonical name. Aliases are in
// `aliases.ts`; they are not stable, names are.

/** What the runtime must know of a capability before it runs. */
export interface ToolGovernance {
  /** A ceiling for policies. It asks nobody. */
  readonly riskLevel: "low" | "medium" | "high";
  /** Whether the agent surface stops for a person. */
  readonly requiresApproval: boolean;
  readonly readOnly: boolean;
}

export const governance = {
{{records}}} as const satisfies Readonly<Record<string, ToolGovernance>>;

/** The canonical names of all capabilities. */
export type CapabilityName = keyof typeof governance;
