/** What travels between programs: contracts and schemas as JSON. */

/** A JSON Schema, dialect 2020-12. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** How bad one honest call can be, from the mildest to the worst. */
export type RiskLevel = "low" | "medium" | "high" | "destructive";

/** Where a contract came from. A claim, as far as it was read from a peer. */
export type Provenance = "builtin" | "declared";

/** What a model is shown of a tool, with the two facts that dispatch reads. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonSchema;
  readonly read_only: boolean;
  readonly speculation_safe: boolean;
}

/** The contract of one tool. Facts that are absent have their default. */
export interface ToolContract {
  readonly version: number;
  readonly schema: ToolSchema;
  readonly risk: RiskLevel;
  readonly requires_approval: boolean;
  readonly provenance: Provenance;
  readonly output_schema?: JsonSchema;
  readonly events?: readonly string[];
  /** False unless said otherwise. */
  readonly idempotent?: boolean;
  readonly group?: string;
  /** True unless said otherwise. */
  readonly open_world?: boolean;
  /** False unless said otherwise. */
  readonly additive?: boolean;
}

/** A tool: its contract, and the zod schemas that check its input and output. */
export interface ToolDefinition<Name extends string, Input, Output> {
  readonly name: Name;
  readonly contract: ToolContract;
  readonly input: Input;
  /** Undefined where the tool promises text only. */
  readonly output: Output;
}
