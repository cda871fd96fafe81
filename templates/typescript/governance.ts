import type { RiskLevel } from "./wire.js";

/** What a policy decides on. Claims that nobody vouches for are already taken at their worst. */
export interface Governance {
  /** Revision of the contract. */
  readonly version: number;
  /** Policy group. */
  readonly group: string | null;
  /** How bad one honest call can be. A ceiling for policies; it never asks a person. */
  readonly risk: RiskLevel;
  /** A person must say yes to each call. The only fact that asks. */
  readonly requires_approval: boolean;
  /** Cannot change state. */
  readonly read_only: boolean;
  /** May run twice before its step commits. */
  readonly speculation_safe: boolean;
  /** The same call twice has the effect of one. */
  readonly idempotent: boolean;
  /** What it changes, it only adds. */
  readonly additive: boolean;
  /** Reaches beyond the workspace. */
  readonly open_world: boolean;
}
