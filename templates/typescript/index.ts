export { contracts } from "./contracts.js";
export type { JsonSchema, ToolDefinition } from "./definition.js";
export {
  type EventDefinition,
  type EventName,
  type EventPayloads,
  type ToolEvent,
  events,
} from "./events.js";
export { type Governance, type ToolName, governance } from "./governance.js";
export { type Tools, tools } from "./tools.js";
export type { RiskLevel, ToolContract } from "./wire.js";
