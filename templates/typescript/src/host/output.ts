/** Outputs of calls, as a host gives them. */

import type { ErrorClass, ErrorCode, ToolOutput } from "../wire.js";

/** A failure or a refusal. */
export type Failure = Extract<ToolOutput, { error: unknown }>;

/** A success that is text. */
export function text(content: string): { ok: { content: string } } {
  return { ok: { content } };
}

/** A success with a structured result; a model reads it as compact JSON unless told otherwise. */
export function data<Value>(
  value: Value,
  content = JSON.stringify(value),
): { ok: { content: string; data: Value } } {
  return { ok: { content, data: value } };
}

/** A failure. The message is for a model: short, one fact, what to do. */
export function failed(errorClass: ErrorClass, message: string, code?: ErrorCode): Failure {
  return { error: { message, class: errorClass, ...(code !== undefined && { code }) } };
}

/** A call that was refused: the tool did not run. */
export function refused(tool: string, code: ErrorCode): Failure {
  return failed("refused_by_policy", `\`${tool}\` did not run: ${code}.`, code);
}
