/** Deciding about a request from the contract alone: no table of names beside it. */

import type { Decision, RiskLevel, ToolContract } from "../wire.js";
import type { Signal } from "./platform.js";

/** A call that the engine hands to the host: valid, and allowed by the engine's own gate. */
export interface HostCall {
  readonly turnId: string;
  readonly requestId: string;
  /** The contract that the host itself sent, never one that came back. */
  readonly contract: ToolContract;
  readonly input: unknown;
  /** Whether `approve` of this host said yes to exactly this call a moment ago. */
  readonly approved: boolean;
  /**
   * Aborted when nobody waits for the output any more: the turn is over, the line was given up, or
   * the host stops. The engine does not tell that it gave up on one request and went on.
   */
  readonly signal: Signal;
}

/** Decides about a call. A function that throws has denied. */
export type Authorize = (call: HostCall) => Decision | Promise<Decision>;

/** How a belt is set. */
export interface Belt {
  /** The riskiest tool that may run. */
  ceiling: RiskLevel;
  /** The only tools that may run; absent: all. */
  allowlist?: Iterable<string>;
  /** Tools that may not run this time. */
  excluded?: Iterable<string>;
}

const RANK: Record<RiskLevel, number> = { low: 0, medium: 1, high: 2, destructive: 3 };

/**
 * Oxagen's belt over contract facts, in its order: excluded tools, the allow-list, the risk
 * ceiling, then what the contract itself asks. Risk never asks a person; `requires_approval` does,
 * unless the person has just said yes to this call.
 * A risk that nobody stated counts as `high`, an unknown one as `destructive`.
 */
export function belt({ ceiling, allowlist, excluded }: Belt): Authorize {
  const allowed = allowlist && new Set(allowlist);
  const out = new Set(excluded);
  return ({ contract, approved }) => {
    const { name } = contract.schema;
    if (out.has(name)) return deny("excluded_this_turn");
    if (allowed && !allowed.has(name)) return deny("allowlist");
    if (rank(contract.risk) > RANK[ceiling]) return deny("risk_ceiling");
    if (contract.requires_approval && !approved) {
      return { action: "require_approval", reason: "contract_approval" };
    }
    return { action: "allow" };
  };
}

function rank(risk: RiskLevel | undefined): number {
  if (risk === undefined) return RANK.high;
  return Object.hasOwn(RANK, risk) ? RANK[risk] : RANK.destructive;
}

function deny(reason: string): Decision {
  return { action: "deny", reason };
}
