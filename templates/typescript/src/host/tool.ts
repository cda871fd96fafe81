/** A tool of a host: its contract, and what runs it. */

import type { ToolDefinition } from "../definition.js";
import type { ToolContract, ToolOutput } from "../wire.js";
import type { HostCall } from "./authorize.js";
import { failed, type Failure } from "./output.js";

/** A tool of a host. */
export interface HostTool {
  readonly contract: ToolContract;
  /** Runs one call that was authorized. What it throws becomes `internal`, without its text. */
  run(call: HostCall): ToolOutput | Promise<ToolOutput>;
}

/** Something that parses a value as zod does. */
interface Parser<Value> {
  safeParse(value: unknown): { success: true; data: Value } | { success: false; error: unknown };
}

type InputOf<Definition> =
  Definition extends ToolDefinition<string, Parser<infer Input>, unknown> ? Input : never;

/** What a call may give: of a tool that promises data, that data or a failure. */
type OutputOf<Definition> =
  Definition extends ToolDefinition<string, unknown, Parser<infer Output>>
    ? { ok: { content: string; data: Output } } | Failure
    : ToolOutput;

/**
 * A generated tool, with typed input and output. The engine has checked the input, and the host
 * does so again; the engine checks the output.
 */
export function hostTool<Definition extends ToolDefinition<string, Parser<unknown>, unknown>>(
  definition: Definition,
  run: (
    input: InputOf<Definition>,
    call: HostCall,
  ) => OutputOf<Definition> | Promise<OutputOf<Definition>>,
): HostTool {
  return {
    contract: definition.contract,
    run(call) {
      const parsed = definition.input.safeParse(call.input);
      if (!parsed.success) {
        return failed("invalid_input", `the input of \`${definition.name}\` is not what its contract says`);
      }
      return run(parsed.data as InputOf<Definition>, call) as ToolOutput | Promise<ToolOutput>;
    },
  };
}
