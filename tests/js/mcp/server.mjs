// The official clients of both eras against a server process: `TOOLCONTRACT_FIXTURE` is its path.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { after, test } from "node:test";

import { approve, cancelWait, clients, connect, decline, facts, onListChanged, options, text, untick } from "./clients.mjs";

const command = process.env.TOOLCONTRACT_FIXTURE;
assert.ok(command, "TOOLCONTRACT_FIXTURE names the server");
const names = ["add", "broken", "count", "erase", "fail", "grow", "names", "say", "wait", "waited"];

/** One HTTP server for all, started when it is first asked for. */
let http;
async function address() {
  if (!http) {
    http = spawn(command, ["--http"], { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = await once(createInterface(http.stdout), "line");
    http.url = new URL(`http://${line}/mcp`);
  }
  return http.url;
}
after(() => http?.kill());

const wires = {
  stdio: async (kind, ...args) => new kind.stdio({ command, args }),
  http: async (kind) => new kind.http(await address()),
};

/** Each client over each wire. */
function everywhere(what, run) {
  for (const [name, kind] of Object.entries(clients)) {
    for (const [wire, open] of Object.entries(wires)) {
      test(`${name}, ${wire}: ${what}`, () => run(kind, open, wire));
    }
  }
}

everywhere("lists from contracts", async (kind, open) => {
  const { client, close } = await connect(kind, await open(kind));
  assert.equal(client.getServerVersion().name, "mcp-fixture");
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name), names);
  for (const tool of tools) {
    assert.deepEqual(Object.keys(tool.annotations), ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"]);
    assert.equal(facts(tool).risk, tool.name === "erase" ? "high" : "low");
  }
  // An output that is no object is promised to those only who can hold it.
  const list = tools.find((tool) => tool.name === "names");
  assert.equal(list.outputSchema !== undefined, kind.isModern);
  await close();
});

everywhere("calls", async (kind, open) => {
  const { client, close } = await connect(kind, await open(kind));
  await client.listTools();
  const sum = await client.callTool({ name: "add", arguments: { a: 1, b: 2 } });
  assert.deepEqual(sum.structuredContent, { sum: 3 });
  assert.equal(text(sum), '{"sum":3}');
  assert.equal(text(await client.callTool({ name: "say", arguments: { text: "é ☃ \u{1f600}" } })), "é ☃ \u{1f600}");
  const list = await client.callTool({ name: "names", arguments: {} });
  assert.equal(text(list), '["a","b"]');
  assert.deepEqual(list.structuredContent, kind.isModern ? ["a", "b"] : undefined);
  await close();
});

everywhere("tells failures apart", async (kind, open) => {
  const { client, close } = await connect(kind, await open(kind));
  await client.listTools();
  const bad = await client.callTool({ name: "add", arguments: { a: "one" } });
  assert.equal(bad.isError, true);
  assert.equal(facts(bad).class, "invalid_input");
  assert.deepEqual(facts(bad).data.violations.map((v) => v.pointer), ["", "/a"]);
  const absent = await client.callTool({ name: "say", arguments: { text: null } });
  assert.equal(facts(absent).class, "invalid_input", "null is not absent");
  const broken = await client.callTool({ name: "broken", arguments: {} });
  assert.equal(facts(broken).class, "invalid_output");
  assert.ok(!JSON.stringify(broken).includes("secret"), "what was not promised is withheld");
  const failed = await client.callTool({ name: "fail", arguments: {} });
  assert.deepEqual([failed.isError, facts(failed).class, text(failed)], [true, "environment", "the disk is gone"]);
  await assert.rejects(client.callTool({ name: "nope", arguments: {} }), (error) => error.code === -32602);
  await close();
});

everywhere("a person approves", async (kind, open, wire) => {
  const { client, asked, close } = await connect(kind, await open(kind), approve);
  const result = await client.callTool({ name: "erase", arguments: { what: "all\u001b[2K of it" } });
  assert.match(text(result), wire === "stdio" ? /^erased 1$/ : /^erased \d+$/);
  assert.equal(asked.length, 1);
  assert.match(asked[0].message, /`erase` wants to run for user/);
  assert.ok(asked[0].message.includes("all\\u001b[2K of it"), "what steers a screen is shown");
  assert.deepEqual(asked[0].requestedSchema.required, ["approve"]);
  await close();
});

for (const [how, answer] of Object.entries({ decline, untick, cancel: () => ({ action: "cancel" }) })) {
  everywhere(`a person does not approve: ${how}`, async (kind, open) => {
    const { client, asked, close } = await connect(kind, await open(kind), answer);
    const result = await client.callTool({ name: "erase", arguments: {} });
    assert.deepEqual([result.isError, facts(result).code], [true, "approval_refused"]);
    assert.equal(asked.length, 1);
    await close();
  });
}

everywhere("nobody can be asked", async (kind, open) => {
  const { client, close } = await connect(kind, await open(kind));
  const call = client.callTool({ name: "erase", arguments: {} });
  if (kind.isModern) {
    await assert.rejects(call, (error) => error.code === -32021 && error.data.requiredCapabilities.elicitation !== undefined);
  } else {
    const result = await call;
    assert.deepEqual([result.isError, facts(result).code], [true, "approval_unanswerable"]);
  }
  await close();
});

everywhere("progress goes to who asked for it, and never down", async (kind, open) => {
  const { client, close } = await connect(kind, await open(kind));
  const seen = [];
  const result = await client.callTool({ name: "count", arguments: {} }, ...progress(kind, (p) => seen.push(p.progress)));
  assert.equal(text(result), "counted");
  assert.deepEqual(seen, [...new Set(seen)].sort((a, b) => a - b));
  await close();
});

everywhere("a cancelled call is stopped", async (kind, open) => {
  const { client, close } = await connect(kind, await open(kind));
  await cancelWait(client, kind);
  await close();
});

for (const [name, kind] of Object.entries(clients)) {
  test(`${name}: pages`, async () => {
    const { client, close } = await connect(kind, await wires.stdio(kind, "--page", "3"));
    const first = await client.listTools();
    if (name !== "v1") {
      assert.deepEqual(first.tools.map((tool) => tool.name), names, "v2 reads all pages");
    } else {
      const found = [...first.tools];
      for (let cursor = first.nextCursor; cursor !== undefined; ) {
        const page = await client.listTools({ cursor });
        found.push(...page.tools);
        cursor = page.nextCursor;
      }
      assert.deepEqual(found.map((tool) => tool.name), names);
      await assert.rejects(client.listTools({ cursor: "" }), (error) => error.code === -32602);
      await assert.rejects(client.listTools({ cursor: "7" }), (error) => error.code === -32602);
    }
    await close();
  });
}

for (const name of ["v1", "v2 legacy"]) {
  test(`${name}: is told that the list has changed`, async () => {
    const kind = clients[name];
    const { client, close } = await connect(kind, await wires.stdio(kind));
    const changed = new Promise((resolve) => onListChanged(kind, client, resolve));
    assert.equal(text(await client.callTool({ name: "grow", arguments: {} })), "grown");
    await changed;
    const { tools } = await client.listTools();
    assert.ok(tools.some((tool) => tool.name === "more"));
    await close();
  });
}

const progress = (kind, onprogress) => options(kind, { onprogress });
