// What a program that installs the package writes. Compiled, not run.

import {
  contracts,
  governance,
  grep,
  tools,
  type EditFileInput,
  type GrepInput,
  type RiskLevel,
  type ToolEvent,
  type ToolName,
} from "@toolcontract/stella-contracts";
import { events } from "@toolcontract/stella-contracts/events";
import { applyEditsInputWithDefaults } from "@toolcontract/stella-contracts/tools/apply_edits";
import { grepInput, grepInputWithDefaults } from "@toolcontract/stella-contracts/tools/grep";
import type { ServerFrame } from "@toolcontract/stella-contracts/wire";
import type { Task } from "@toolcontract/stella-contracts/types/task";

export const input: GrepInput = { pattern: "TODO", context: undefined };

export const parsed: GrepInput = grep.input.parse(input);

export const mode: "content" | "files_with_matches" | "count" =
  grepInputWithDefaults(grepInput.parse(input)).output_mode;

export const everywhere: boolean | undefined = applyEditsInputWithDefaults({
  edits: [{ path: "a", old_string: "b", new_string: "c" }],
}).edits[0]?.replace_all;

export const risk: RiskLevel = governance.grep.risk;

export const named: "grep" = grep.name;

export function description(name: ToolName): string {
  return contracts[name].schema.description ?? "";
}

export function path(event: ToolEvent): string | undefined {
  return event.name === "file.created" ? event.payload.path : undefined;
}

export const replayable: boolean = events["file.created"].replayable;

export const status: Task["status"] = "pending";

export const edit: EditFileInput = tools.edit_file.input.parse({});

export type Frame = ServerFrame;

// @ts-expect-error a member is missing
export const missing: GrepInput = {};

// @ts-expect-error a member has the wrong type
export const wrong: GrepInput = { pattern: 1 };

// @ts-expect-error a closed object has no such member
export const unknown: GrepInput = { pattern: "a", patern: "b" };

// @ts-expect-error null is not absent
export const nothing: GrepInput = { pattern: "a", path: null };

// @ts-expect-error there is no such tool
export const nobody: ToolName = "grepp";
