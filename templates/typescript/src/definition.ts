/** What the package says of a tool. */

import type { ToolContract } from "./wire.js";

/** A JSON Schema, dialect 2020-12. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** A tool: its contract, and the zod schemas that check its input and output. */
export interface ToolDefinition<Name extends string, Input, Output> {
  readonly name: Name;
  readonly contract: ToolContract;
  readonly input: Input;
  /** Undefined where the tool promises text only. */
  readonly output: Output;
}
