// What a host would write against `wire.d.ts`; each line below an `@ts-expect-error` must fail.
import type {
  ApprovalAnswerIn,
  ErrorCode,
  Principal,
  ServerFrame,
  SessionSpec,
  ToolContract,
  ToolOutput,
  ToolResultIn,
} from "./wire.js";

/** Frames are told apart by `type`. */
export function answer(frame: ServerFrame, run: (name: string, input: unknown) => string): ToolResultIn | ApprovalAnswerIn | null {
  switch (frame.type) {
    case "tool_request":
      return { request_id: frame.request_id, output: { ok: { content: run(frame.name, frame.input) } } };
    case "approval_request":
      return { approval_id: frame.request.approval_id, answer: "deny", reason: frame.request.tool };
    case "event":
    case "provider_request":
    case "turn_held":
    case "turn_released":
    case "turn_complete":
    case "replay_truncated":
      return null;
    default: {
      const none: never = frame;
      return none;
    }
  }
}

/** Outputs are told apart by their arm. */
export function text(output: ToolOutput): string {
  return "ok" in output ? output.ok.content : `${output.error.class ?? "internal"}: ${output.error.message}`;
}

/** A principal is a label or a sub-agent with its parent. */
export function label(principal: Principal): string {
  return typeof principal === "string" ? principal : `${principal.label} for ${label(principal.parent)}`;
}

export const laterCode: ErrorCode = "denied_by_moon_phase";

export const least: ToolContract = { schema: { name: "x", input_schema: { type: "object" } } };

export const spec: SessionSpec = { tools: [least], approvals: "frame", messages: [] };

// @ts-expect-error an input schema is needed
export const noSchema: ToolContract = { schema: { name: "x" } };

// @ts-expect-error no such grade
export const wrongRisk: ToolContract = { ...least, risk: "LOW" };

// @ts-expect-error an absent option is left out, not null
export const nullOption: ToolContract = { ...least, group: null };

// @ts-expect-error nobody can claim to be adopted
export const adopted: ToolContract = { ...least, provenance: "adopted" };

// @ts-expect-error an answer carries no principal
export const smuggled: ToolResultIn = { request_id: "r", output: { ok: { content: "" } }, principal: "user" };

// @ts-expect-error a sub-agent has a parent
export const orphan: Principal = { label: "subagent:x" };

// @ts-expect-error a denial says why
export const silent: import("./wire.js").Decision = { action: "deny" };
