/** One request of an engine: authorized, run, answered. Every way that is not a yes is a no. */

import type { ApprovalAnswer, Decision, ToolOutput, ToolRequest } from "../wire.js";
import type { Authorize, HostCall } from "./authorize.js";
import { failed, refused } from "./output.js";
import type { Signal } from "./platform.js";
import type { HostTool } from "./tool.js";

/** Asks a person of the host. */
export type Ask = (call: HostCall, reason: string) => ApprovalAnswer | Promise<ApprovalAnswer>;

/** What answers the requests of a turn. */
export interface Answering {
  tools: ReadonlyMap<string, HostTool>;
  authorize: Authorize;
  /** Absent: there is nobody to ask. */
  ask?: Ask;
}

/** What the host knows of a request beside the request. */
export interface Circumstances {
  turnId: string;
  approved: boolean;
  signal: Signal;
}

/** What the host gives for one request. Never throws. */
export async function answer(
  { tools, authorize, ask }: Answering,
  circumstances: Circumstances,
  request: ToolRequest,
): Promise<ToolOutput> {
  const { name, input, request_id: requestId } = request;
  const tool = tools.get(name);
  if (!tool) return failed("not_found", "there is no tool of that name", "unknown_tool");
  const call: HostCall = { ...circumstances, requestId, contract: tool.contract, input };
  const refusal = await decide(authorize, ask, call);
  if (refusal) return refused(name, refusal);
  try {
    return await tool.run(call);
  } catch {
    // Its text may hold anything; the host has its own log.
    return failed("internal", `\`${name}\` failed`);
  }
}

/** The code of a refusal, or nothing. */
async function decide(
  authorize: Authorize,
  ask: Ask | undefined,
  call: HostCall,
): Promise<string | undefined> {
  let decision: Decision;
  try {
    decision = await authorize(call);
  } catch {
    return "policy_error";
  }
  switch (decision?.action) {
    case "allow":
      return undefined;
    case "deny":
      return "denied_by_gate";
    case "require_approval":
      return approve(ask, call, decision.reason);
    default:
      // A word that this version does not know.
      return "policy_error";
  }
}

async function approve(
  ask: Ask | undefined,
  call: HostCall,
  reason: string,
): Promise<string | undefined> {
  if (!ask) return "approval_unanswerable";
  try {
    const { answer: word } = await ask(call, reason);
    return word === "approve" ? undefined : "approval_refused";
  } catch {
    return "approval_unanswerable";
  }
}
