// What Oxagen's `CapabilityDeclaration` accepts, written down from its public description, so that
// the generated modules can be checked without Oxagen. Only what a declaration may say is here.
import type { z } from "zod";

/** Where a capability may be called. */
export type CapabilitySurface = "api" | "mcp" | "agent" | "cli";

/** Artefacts that a capability promises. */
export type CapabilityLayer = "schema" | "api" | "mcp" | "cli" | "unit" | "e2e" | "docs" | "app";

export type GrantEffect = "allow" | "deny" | "require_approval";

export type OrgRole = "Owner" | "Admin" | "Compliance" | "Billing";

export type WorkspaceRole = "Owner" | "Member" | "Viewer";

/** Read by the tool gateway only. */
export interface CapabilityAgentMetadata {
  readonly requiresApproval?: boolean;
  readonly riskLevel?: "low" | "medium" | "high";
  readonly category?: string;
}

export interface CapabilityLifecycleMetadata {
  readonly allowedEvents: readonly string[];
  readonly effect: "read" | "mutation";
  readonly idempotency: "none" | "supported" | "required";
  readonly outputKinds: readonly ("opaque" | "prompt_patch" | "decision")[];
}

export interface CapabilityRender {
  readonly componentId: string;
  readonly recordLinks?: readonly {
    readonly field: string;
    readonly recordType: string;
    readonly labelField?: string;
  }[];
  readonly hideFields?: readonly string[];
  readonly titleField?: string;
}

export interface CapabilityDeclaration<
  TInput extends z.ZodTypeAny = z.ZodTypeAny,
  TOutput extends z.ZodTypeAny = z.ZodTypeAny,
> {
  readonly name: string;
  readonly domain: string;
  readonly description: string;
  readonly mode: "sync" | "async" | "batch";
  readonly surfaces?: readonly CapabilitySurface[];
  readonly layers: readonly CapabilityLayer[];
  readonly agent?: CapabilityAgentMetadata;
  readonly lifecycle?: CapabilityLifecycleMetadata;
  readonly input: TInput;
  readonly output: TOutput;
  readonly scoped?: boolean;
  readonly noBillingGate?: boolean;
  readonly platformOnly?: boolean;
  readonly inAppAssistant?: boolean;
  readonly sensitivity: "low" | "medium" | "high" | "destructive";
  readonly mutates?: boolean;
  readonly defaultEffect: GrantEffect;
  readonly defaultRoles: {
    readonly org: Partial<Record<OrgRole, GrantEffect>>;
    readonly workspace: Partial<Record<WorkspaceRole, GrantEffect>>;
  };
  readonly meter?: { readonly unitsFrom: string; readonly unitsPerAction: number };
  readonly audit?: { readonly targetKind: string; readonly targetIdField: string };
  readonly render?: CapabilityRender;
  readonly produces?: readonly string[];
  readonly consumes?: readonly string[];
  readonly chainHints?: readonly string[];
}
