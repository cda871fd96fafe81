// A host of the serve wire: it keeps notes, and an engine elsewhere uses them.
//
//   toolgate serve --no-authz --token-file token
//   URL=http://127.0.0.1:8080 TOKEN=$(cat token) node host.ts
//
// Node 22.18 or newer runs it as it is; on Node 20 it is `npx tsx host.ts` in place of
// `node host.ts`. examples/README.md says how the package gets into a folder of your own.
//
// The contracts are the catalog's own. The engine refuses what they do not allow; this host
// decides once more, from the contract of each request, before anything runs.

import { createInterface } from "node:readline/promises";

import {
  belt,
  data,
  failed,
  type HostCall,
  hostTool,
  hostTurn,
  ServeClient,
} from "@toolcontract/stella-contracts/host";
import { deleteState } from "@toolcontract/stella-contracts/tools/delete_state";
import { getState } from "@toolcontract/stella-contracts/tools/get_state";
import { saveState } from "@toolcontract/stella-contracts/tools/save_state";

const { URL: url = "http://127.0.0.1:8080", TOKEN: token = "" } = process.env;

/** What the tools work on. */
const notes = new Map<string, string>();

const tools = [
  hostTool(saveState, ({ key, content }) => {
    const replaced = notes.has(key);
    notes.set(key, content);
    return data({ key, bytes: Buffer.byteLength(content), replaced });
  }),

  hostTool(getState, ({ key, offset = 0, limit = 30_720 }) => {
    const note = notes.get(key);
    if (note === undefined) return failed("not_found", `there is no note \`${key}\``);
    const bytes = Buffer.from(note);
    const page = bytes.subarray(offset, offset + limit);
    const next = offset + page.length;
    return data(
      {
        key,
        content: page.toString(),
        offset,
        ...(next < bytes.length && { next_offset: next }),
        total_bytes: bytes.length,
      },
      page.toString(),
    );
  }),

  hostTool(deleteState, ({ key }) => data({ key, deleted: notes.delete(key) })),
];

/** A person at the terminal; without one, nobody. */
async function ask({ contract, input }: HostCall, reason: string) {
  if (!process.stdin.isTTY) return { answer: "deny" as const };
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const question = `${contract.schema.name} ${JSON.stringify(input)} (${reason}): run it? [y/N] `;
  const line = await terminal.question(question);
  terminal.close();
  return { answer: line.trim() === "y" ? ("approve" as const) : ("deny" as const) };
}

const outcome = await hostTurn(
  {
    client: new ServeClient({ url, token }),
    tools,
    // Notes may be written and read; this time none may be deleted.
    authorize: belt({ ceiling: "medium", excluded: ["delete_state"] }),
    ask,
    onEvent: (event) => {
      if ("type" in event && event.type === "tool_start") console.log(JSON.stringify(event));
    },
  },
  {
    principal: "me",
    approvals: "host",
    // The engine of `toolgate serve` has no model: it makes these calls.
    script: [
      { tool: "save_state", input: { key: "plan", content: "ship it" } },
      { tool: "get_state", input: { key: "plan" } },
      { tool: "get_state", input: { key: "other" } },
      { tool: "get_state", input: { key: "plan", limit: 0 } },
      { tool: "delete_state", input: { key: "plan" } },
    ],
  },
);

console.log(JSON.stringify(outcome, null, 2));
