// The official clients, in each way in which they talk to a server.

import assert from "node:assert/strict";

import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as LegacyHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";

const info = { name: "test", version: "1" };
const pinned = "2026-07-28";

const legacy = (capabilities) => new LegacyClient(info, { capabilities });
const modern = (mode) => (capabilities) =>
  new ModernClient(info, { capabilities, ...(mode ? { versionNegotiation: { mode } } : {}) });

/** By name: how to make one, how to start it, and whether it is of the era without sessions. */
export const clients = {
  v1: { make: legacy, stdio: LegacyStdio, http: LegacyHttp, isModern: false },
  "v2 legacy": { make: modern(), stdio: ModernStdio, http: ModernHttp, isModern: false },
  "v2 auto": { make: modern("auto"), stdio: ModernStdio, http: ModernHttp, isModern: true },
  "v2 pinned": { make: modern({ pin: pinned }), stdio: ModernStdio, http: ModernHttp, isModern: true },
};

/**
 * A connected client. `elicit` answers questions; without it the client says that it takes none.
 * `asked` keeps what it was asked.
 */
export async function connect(kind, transport, elicit) {
  const client = kind.make(elicit ? { elicitation: {} } : {});
  const asked = [];
  if (elicit) {
    const answer = async ({ params }) => {
      asked.push(params);
      return elicit(params);
    };
    const method = kind.make === legacy ? ElicitRequestSchema : "elicitation/create";
    client.setRequestHandler(method, answer);
  }
  await client.connect(transport);
  return { client, asked, close: () => client.close() };
}

/** Calls `then` whenever the server says that its list has changed. */
export function onListChanged(kind, client, then) {
  const isV1 = kind.make === legacy;
  client.setNotificationHandler(isV1 ? ToolListChangedNotificationSchema : "notifications/tools/list_changed", then);
}

export const approve = () => ({ action: "accept", content: { approve: true } });
export const untick = () => ({ action: "accept", content: { approve: false } });
export const decline = () => ({ action: "decline" });

/** The text of a result. */
export const text = (result) => result.content.map((block) => block.text).join("\n");
/** What the runtime says of a failure, for programs. */
export const facts = (result) => result._meta?.["dev.toolcontract/contract"];

/** Where each client takes the options of a call. */
export const options = (kind, more) => (kind.make === legacy ? [undefined, more] : [more]);

/** What `look` gives, once that is something. `said` tells more when it never is. */
export async function until(look, said = () => "it does not come") {
  for (let tries = 0; tries < 1200; tries++) {
    const found = await look();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.fail(said());
}

/** Cancels a call of the fixture's tool `wait` once it runs, and waits until it has ended there. */
export async function cancelWait(client, kind) {
  const counts = async () => text(await client.callTool({ name: "waited", arguments: {} })).split(" ").map(Number);
  const [begun, ended] = await counts();
  const stop = new AbortController();
  const call = client.callTool({ name: "wait", arguments: {} }, ...options(kind, { signal: stop.signal }));
  call.catch(() => {});
  await until(async () => (await counts())[0] > begun, () => "the tool does not begin");
  stop.abort("enough");
  await assert.rejects(call);
  await until(async () => (await counts())[1] > ended, () => "the tool still runs");
}
