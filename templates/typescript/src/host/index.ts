/**
 * Hosts the turns of a governed engine: opens them with the contracts of the host's tools,
 * authorizes each request from its contract, runs it and posts the output.
 */

export type { Ask } from "./answer.js";
export { belt, type Authorize, type Belt, type HostCall } from "./authorize.js";
export { ServeClient, ServeError, type ClientOptions, type TurnSpec } from "./client.js";
export { data, failed, type Failure, refused, text } from "./output.js";
export type { Fetch, HttpReader, HttpRequest, HttpResponse, Signal } from "./platform.js";
export {
  HostingEnded,
  hostOpenTurn,
  hostTurn,
  type HostOptions,
  type PersonAnswer,
} from "./run.js";
export { hostTool, type HostTool } from "./tool.js";
