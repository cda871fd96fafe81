// The official clients against `toolgate mcp` itself, over both of its wires, under a policy that
// asks before `delete_file` and `bash` and withholds `edit_file`. `TOOLCONTRACT_TOOLGATE` is the
// program, `TOOLCONTRACT_ROOT` an empty folder that its tools work in, `TOOLCONTRACT_POLICY` the
// policy.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";

import { approve, clients, connect, decline, facts, options, text, until, untick } from "./clients.mjs";

const { TOOLCONTRACT_TOOLGATE: command, TOOLCONTRACT_ROOT: root, TOOLCONTRACT_POLICY: policy } = process.env;
assert.ok(command && root && policy);

const args = ["mcp", "--root", root, "--policy", policy];
const asking = ["delete_file", "bash"];

/** An HTTP server for each client, started when it is first asked for: the clients of the later era
 *  share one session of their server, which may ask people only so often. */
const servers = new Map();
function address(kind) {
  if (!servers.has(kind)) {
    const server = spawn(command, [...args, "--http", "127.0.0.1:0"], { stdio: ["ignore", "ignore", "pipe"] });
    const url = once(createInterface(server.stderr), "line").then(([line]) => new URL(line.replace("serving ", "")));
    servers.set(kind, { server, url });
  }
  return servers.get(kind).url;
}
after(() => servers.forEach(({ server }) => server.kill()));

const wires = {
  stdio: async (kind) => new kind.stdio({ command, args }),
  http: async (kind) => new kind.http(await address(kind)),
};

/** Each client over each wire, with a place for files of its own. */
function everywhere(what, run) {
  for (const [name, kind] of Object.entries(clients)) {
    for (const [wire, open] of Object.entries(wires)) {
      const file = (end) => `${name}-${wire}-${what}-${end}`.replaceAll(/[^a-z0-9.-]/g, "-");
      test(`${name}, ${wire}: ${what}`, () => run(kind, () => open(kind), file));
    }
  }
}

/** A connected client that makes calls. */
async function calling(kind, transport, elicit) {
  const connected = await connect(kind, transport, elicit);
  const call = (tool, input, ...more) => connected.client.callTool({ name: tool, arguments: input }, ...more);
  return { ...connected, call };
}

/** A file in the folder that the tools work in. */
function put(name) {
  writeFileSync(join(root, name), "a needle\n");
  return join(root, name);
}

everywhere("lists", async (kind, open) => {
  const { client, close } = await calling(kind, await open());
  assert.equal(client.getServerVersion().name, "toolgate");
  const { tools, nextCursor } = await client.listTools();
  const names = tools.map((tool) => tool.name);
  assert.deepEqual(names, [...names].sort());
  assert.equal(nextCursor, undefined);
  for (const tool of [...asking, "read_file", "save_state"]) assert.ok(names.includes(tool), tool);
  for (const tool of tools) assert.equal(facts(tool).provenance, "builtin");
  // The second list is the first.
  assert.deepEqual((await client.listTools()).tools, tools);
  await close();
});

everywhere("calls", async (kind, open, file) => {
  const { client, call, close } = await calling(kind, await open());
  await client.listTools();
  const path = file("a.txt");
  const written = await call("write_file", { path, content: "a needle\n" });
  assert.ok(!written.isError, text(written));
  assert.match(text(await call("read_file", { path })), /needle/);
  const found = await call("grep", { pattern: "needle", path, output_mode: "content" });
  assert.match(text(found), /a needle/);
  const saved = await call("save_state", { key: "plan", content: "ship it" });
  assert.equal(saved.structuredContent.bytes, 7);
  const outside = await call("read_file", { path: "../../etc/passwd" });
  assert.equal(outside.isError, true);
  await close();
});

everywhere("tells what is wrong with a call", async (kind, open) => {
  const { client, asked, call, close } = await calling(kind, await open(), approve);
  await client.listTools();
  const invalid = await call("grep", { pattern: "x", context: 3 });
  assert.deepEqual([invalid.isError, facts(invalid).class], [true, "invalid_input"]);
  const typed = await call("delete_file", { path: 7 });
  assert.deepEqual(facts(typed).data.violations.map((violation) => violation.pointer), ["/path"]);
  assert.equal(asked.length, 0, "nobody is asked about an invalid call");
  const denied = await call("read_file", { path: "a/.env.local" });
  assert.deepEqual([facts(denied).class, facts(denied).code], ["refused_by_policy", "denied_by_policy"]);
  const withheld = await call("edit_file", { path: "a", old_string: "a", new_string: "b" });
  assert.equal(facts(withheld).class, "refused_by_policy");
  await assert.rejects(call("nope", {}), (error) => error.code === -32602);
  await close();
});

everywhere("a person approves", async (kind, open, file) => {
  const { client, asked, call, close } = await calling(kind, await open(), approve);
  await client.listTools();
  const path = file("a.txt");
  const whole = put(path);
  const deleted = await call("delete_file", { path });
  assert.ok(!deleted.isError, text(deleted));
  assert.ok(!existsSync(whole));
  assert.equal(asked.length, 1);
  assert.match(asked[0].message, /`delete_file` wants to run for user/);
  assert.match(asked[0].message, /what is gone is gone/);
  assert.ok(asked[0].message.includes(path), "what it is about is shown");
  await close();
});

for (const [how, answer] of Object.entries({ decline, untick, cancel: () => ({ action: "cancel" }) })) {
  everywhere(`a person does not approve, ${how}`, async (kind, open, file) => {
    const { asked, call, close } = await calling(kind, await open(), answer);
    const path = file("a.txt");
    const whole = put(path);
    const refused = await call("delete_file", { path });
    assert.deepEqual([refused.isError, facts(refused).code], [true, "approval_refused"]);
    assert.equal(asked.length, 1);
    assert.ok(existsSync(whole));
    await close();
  });
}

everywhere("nobody can be asked", async (kind, open, file) => {
  const { call, close } = await calling(kind, await open());
  const path = file("a.txt");
  const whole = put(path);
  if (kind.isModern) {
    const missing = (error) => error.code === -32021 && error.data.requiredCapabilities.elicitation !== undefined;
    await assert.rejects(call("delete_file", { path }), missing);
  } else {
    const refused = await call("delete_file", { path });
    assert.deepEqual([refused.isError, facts(refused).code], [true, "approval_unanswerable"]);
  }
  assert.ok(existsSync(whole));
  await close();
});

everywhere("a state that the server did not give out for this call", async (kind, open, file) => {
  if (!kind.isModern) return forgedInVain(kind, open, file);
  const transport = await open();
  /** What becomes of a state on its way out. */
  let forge = (state) => state;
  const states = [];
  const send = transport.send.bind(transport);
  transport.send = (message, ...more) => {
    const state = message.params?.requestState;
    if (state === undefined) return send(message, ...more);
    states.push(state);
    return send({ ...message, params: { ...message.params, requestState: forge(state) } }, ...more);
  };
  const { call, close } = await calling(kind, transport, approve);
  const path = file("a.txt");
  const whole = put(path);
  for (const bad of [(state) => state.slice(0, -1) + (state.endsWith("A") ? "B" : "A"), () => "", () => "rs1.a.b"]) {
    forge = bad;
    await assert.rejects(call("delete_file", { path }), (error) => error.code === -32602);
  }
  // That of another call, which nobody has answered yet.
  forge = () => "none";
  await assert.rejects(call("delete_file", { path: file("other.txt") }));
  const foreign = states.at(-1);
  forge = () => foreign;
  assert.equal(facts(await call("delete_file", { path })).code, "approval_mismatch");
  assert.ok(existsSync(whole));
  forge = (state) => state;
  assert.ok(!(await call("delete_file", { path })).isError);
  assert.ok(!existsSync(whole));
  // A yes is good once.
  put(path);
  const spent = states.at(-1);
  forge = () => spent;
  assert.equal(facts(await call("delete_file", { path })).code, "approval_spent");
  assert.ok(existsSync(whole));
  await close();
});

/** Clients of the earlier era are asked, whatever they send along. */
async function forgedInVain(kind, open, file) {
  const { client, asked, close } = await calling(kind, await open(), decline);
  const path = file("a.txt");
  const whole = put(path);
  const inputResponses = { approval: { action: "accept", content: { approve: true } } };
  const refused = await client.callTool({ name: "delete_file", arguments: { path }, requestState: "rs1.a.b", inputResponses });
  assert.equal(facts(refused).code, "approval_refused");
  assert.equal(asked.length, 1);
  assert.ok(existsSync(whole));
  await close();
}

everywhere("a cancelled call is stopped", async (kind, open, file) => {
  const { call, close } = await calling(kind, await open(), approve);
  const path = file("pid");
  const stop = new AbortController();
  const running = call("bash", { command: `echo $$ > ${path}; exec sleep 600` }, ...options(kind, { signal: stop.signal }));
  running.catch(() => {});
  const pid = await until(() => existsSync(join(root, path)) && Number(readFileSync(join(root, path), "utf8")));
  assert.ok(runs(pid));
  stop.abort("enough");
  await assert.rejects(running);
  await until(() => !runs(pid));
  // The server goes on.
  assert.ok(!(await call("list_state", {})).isError);
  await close();
});

everywhere("progress goes to who asked for it, and never down", async (kind, open) => {
  const { call, close } = await calling(kind, await open(), approve);
  const seen = [];
  // The modern client reports rounds of its own as well.
  const ofTheTool = ({ message, progress }) => message.startsWith("running") && seen.push(progress);
  const ran = await call("bash", { command: "for i in 1 2 3; do echo $i; sleep 0.05; done" }, ...options(kind, { onprogress: ofTheTool }));
  assert.match(text(ran), /3/);
  assert.deepEqual(seen, [...new Set(seen)].sort((a, b) => a - b));
  await close();
});

for (const [name, kind] of Object.entries(clients)) {
  test(`${name}: what is denied is not offered, and refused all the same`, async () => {
    const ceiling = new kind.stdio({ command, args: ["mcp", "--root", root, "--risk-ceiling", "low"] });
    const { client, call, close } = await calling(kind, ceiling);
    const { tools } = await client.listTools();
    assert.ok(tools.some((tool) => tool.name === "read_file"));
    assert.ok(!tools.some((tool) => tool.name === "bash"));
    const refused = await call("bash", { command: "true" });
    assert.equal(facts(refused).class, "refused_by_policy", text(refused));
    await close();
  });
}

/** Whether a process runs that is no zombie. */
function runs(pid) {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
