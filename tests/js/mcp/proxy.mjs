// The official clients against `toolgate proxy` in front of real servers from npm, and of the
// fixture. `TOOLCONTRACT_TOOLGATE`, `TOOLCONTRACT_FIXTURE` and `TOOLCONTRACT_ROOT` as elsewhere;
// `TOOLCONTRACT_POLICY` asks before `create_directory`, and denies `move_file`.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";

import { approve, cancelWait, clients, connect, decline, facts, onListChanged, text, until } from "./clients.mjs";

const { TOOLCONTRACT_TOOLGATE: command, TOOLCONTRACT_FIXTURE: fixture, TOOLCONTRACT_ROOT: root, TOOLCONTRACT_POLICY: policy } = process.env;
assert.ok(command && fixture && root && policy);

const require = createRequire(import.meta.url);
const npm = (name) => [process.execPath, require.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`)];
const filesystem = [...npm("filesystem"), root];

const behind = (kind, server, ...more) =>
  new kind.stdio({ command, args: ["proxy", "--name", "up", ...(more.length ? more : ["--no-authz"]), "--", ...server], stderr: "ignore" });
const direct = (kind, [program, ...args]) => new kind.stdio({ command: program, args, stderr: "ignore" });

/** Names and schemas of what a client is offered. */
async function offered(kind, transport) {
  const { client, close } = await connect(kind, transport);
  const { tools } = await client.listTools();
  await close();
  return Object.fromEntries(tools.map((tool) => [tool.name, tool]));
}

for (const [name, kind] of Object.entries(clients)) {
  test(`${name}: files, through the proxy`, async () => {
    const { client, close } = await connect(kind, behind(kind, filesystem));
    await client.listTools();
    const call = (tool, input) => client.callTool({ name: tool, arguments: input });
    const path = join(root, `${name.replaceAll(" ", "-")}-proxy.txt`);
    const written = await call("write_file", { path, content: "through" });
    assert.ok(!written.isError, text(written));
    assert.equal(readFileSync(path, "utf8"), "through");
    assert.deepEqual((await call("read_text_file", { path })).structuredContent, { content: "through" });
    const invalid = await call("read_text_file", { path: 7 });
    assert.equal(facts(invalid).class, "invalid_input", "what is invalid does not reach the server");
    const outside = await call("read_text_file", { path: "/etc/passwd" });
    assert.equal(outside.isError, true);
    await assert.rejects(call("nope", {}), (error) => error.code === -32602);
    await close();
  });

  test(`${name}: a policy asks and denies, by the server's name`, async () => {
    const { client, asked, close } = await connect(kind, behind(kind, filesystem, "--policy", policy), approve);
    const made = join(root, `${name.replaceAll(" ", "-")}-made`);
    const ok = await client.callTool({ name: "create_directory", arguments: { path: made } });
    assert.ok(!ok.isError, text(ok));
    assert.equal(asked.length, 1);
    assert.match(asked[0].message, /mcp__up__create_directory/);
    const moved = await client.callTool({ name: "move_file", arguments: { source: made, destination: `${made}2` } });
    assert.equal(facts(moved).class, "refused_by_policy");
    await close();

    const no = await connect(kind, behind(kind, filesystem, "--policy", policy), decline);
    const refused = await no.client.callTool({ name: "create_directory", arguments: { path: `${made}3` } });
    assert.equal(facts(refused).code, "approval_refused");
    await no.close();
  });
}

// Its list needs no browser.
const playwright = [process.execPath, join(import.meta.dirname, "../node_modules/@playwright/mcp/cli.js"), "--headless"];
const servers = { playwright, everything: npm("everything"), memory: npm("memory"), "sequential-thinking": npm("sequential-thinking"), filesystem };

for (const [server, program] of Object.entries(servers)) {
  test(`${server}: what it offers arrives`, async () => {
    const legacy = clients["v2 legacy"];
    const [there, ...heres] = await Promise.all([
      offered(legacy, direct(legacy, program)),
      ...[clients.v1, clients["v2 pinned"]].map((kind) => offered(kind, behind(kind, program))),
    ]);
    for (const here of heres) {
      assert.deepEqual(Object.keys(here), Object.keys(there).sort());
      for (const [tool, definition] of Object.entries(here)) {
        const original = there[tool];
        assert.equal(definition.description, original.description);
        assert.equal(definition.title, original.title ?? original.annotations?.title);
        assert.deepEqual(definition.inputSchema.required, original.inputSchema.required);
        assert.deepEqual(Object.keys(definition.inputSchema.properties ?? {}), Object.keys(original.inputSchema.properties ?? {}));
        // What a server claims is shown as a claim and nowhere else.
        assert.equal(definition.annotations.readOnlyHint, false);
        assert.equal(definition.annotations.destructiveHint, true);
        assert.equal(facts(definition).claims?.read_only, original.annotations?.readOnlyHint);
        assert.equal(facts(definition).provenance, "declared");
      }
    }
  });
}

test("images, progress and a graph of real servers", async () => {
  const kind = clients["v2 auto"];
  const everything = await connect(kind, behind(kind, npm("everything")));
  await everything.client.listTools();
  const image = await everything.client.callTool({ name: "get-tiny-image", arguments: {} });
  assert.ok(image.content.some((block) => block.type === "image" && block.mimeType === "image/png"));
  const long = await everything.client.callTool(
    { name: "trigger-long-running-operation", arguments: { duration: 0.2, steps: 4 } },
    { onprogress: () => {} },
  );
  assert.match(text(long), /completed/);
  const weather = await everything.client.callTool({ name: "get-structured-content", arguments: { location: "Chicago" } });
  assert.equal(typeof weather.structuredContent.temperature, "number");
  await everything.close();

  const memory = await connect(kind, behind(kind, npm("memory")));
  await memory.client.listTools();
  const graph = await memory.client.callTool({ name: "read_graph", arguments: {} });
  assert.ok(Array.isArray(graph.structuredContent.entities));
  await memory.close();
});

for (const name of ["v1", "v2 legacy"]) {
  test(`${name}: a list that changes behind the proxy`, async () => {
    const kind = clients[name];
    const { client, close } = await connect(kind, behind(kind, [fixture]), approve);
    const changed = new Promise((resolve) => onListChanged(kind, client, resolve));
    await client.callTool({ name: "grow", arguments: {} });
    await changed;
    const { tools } = await client.listTools();
    assert.ok(tools.some((tool) => tool.name === "more"));
    assert.equal(text(await client.callTool({ name: "more", arguments: { text: "a" } })), "a");
    await close();
  });
}

test("a cancelled call is cancelled at the server", async () => {
  const kind = clients["v2 legacy"];
  const { client, close } = await connect(kind, behind(kind, [fixture]));
  await cancelWait(client, kind);
  await close();
});

test("an odd server: what it may not do", async () => {
  const odd = [process.execPath, join(import.meta.dirname, "odd_server.mjs")];
  const script = join(root, "odd.json");
  const object = { type: "object" };
  writeFileSync(script, JSON.stringify({
    pages: [{ tools: [
      { name: "lies", inputSchema: object, outputSchema: { type: "object", required: ["n"], properties: { n: { type: "integer" } } } },
      { name: "twice", inputSchema: object },
      { name: "broken", inputSchema: "no" },
    ] }],
    calls: {
      lies: '{"content":[{"type":"text","text":"s3cret"}],"structuredContent":{"n":"s3cret"}}',
      twice: '{"content":[],"content":[{"type":"text","text":"s3cret"}]}',
    },
  }));
  const kind = clients["v2 auto"];
  const { client, close } = await connect(kind, behind(kind, [...odd, script]));
  assert.deepEqual((await client.listTools()).tools.map((tool) => tool.name), ["lies", "twice"]);
  for (const name of ["lies", "twice"]) {
    const result = await client.callTool({ name, arguments: {} });
    assert.equal(facts(result).class, "invalid_output", name);
    assert.ok(!JSON.stringify(result).includes("s3cret"), name);
  }
  await close();
});

test("several servers in a file", async () => {
  const servers = join(root, "servers.toml");
  const list = (argv) => JSON.stringify(argv);
  writeFileSync(servers, `[servers.up]\ncommand = ${list(filesystem)}\n[servers.graph]\ncommand = ${list(npm("memory"))}\n[servers.gone]\ncommand = ["/no/such/program"]\n`);
  const kind = clients["v2 pinned"];
  const args = ["proxy", "--no-authz", "--servers", "servers.toml"];
  const transport = new kind.stdio({ command, args, cwd: root, stderr: "ignore" });
  const { client, close } = await connect(kind, transport);
  const { tools } = await client.listTools();
  assert.ok(tools.some((tool) => tool.name === "mcp__graph__read_graph"));
  assert.ok(tools.some((tool) => tool.name === "mcp__up__write_file"));
  assert.deepEqual(tools.filter((tool) => !/^mcp__(graph|up)__/.test(tool.name)), []);
  const graph = await client.callTool({ name: "mcp__graph__read_graph", arguments: {} });
  assert.ok(Array.isArray(graph.structuredContent.entities));
  await close();
});

test("a rule on a tool that its server does not have is told", async () => {
  const kind = clients["v2 legacy"];
  for (const [file, slip] of [["slip.toml", "mcp__up__move_fil"], ["right.toml", "mcp__up__move_file"]]) {
    const path = join(root, file);
    writeFileSync(path, readFileSync(policy, "utf8").replaceAll("mcp__up__move_file", slip));
    const args = ["proxy", "--name", "up", "--policy", path, "--", ...filesystem];
    const transport = new kind.stdio({ command, args, stderr: "pipe" });
    let said = "";
    transport.stderr.on("data", (bytes) => (said += bytes));
    const { client, close } = await connect(kind, transport);
    await client.listTools();
    await close();
    assert.equal(/slip\.toml:\d+: rule `[^`]+` is about `mcp__up__move_fil`, and server `up` has no such tool/.test(said), file === "slip.toml", said);
  }
});

test("a server that lists nothing, and one that goes away, take no other along", async () => {
  const odd = (name, script) => {
    const path = join(root, `${name}.json`);
    writeFileSync(path, JSON.stringify(script));
    return JSON.stringify([process.execPath, join(import.meta.dirname, "odd_server.mjs"), path]);
  };
  const leaves = { tools: [{ name: "exit", inputSchema: { type: "object" } }] };
  const file = `[servers.up]\ncommand = ${JSON.stringify(filesystem)}\n[servers.mute]\ncommand = ${odd("mute", { pages: ['{"tools":{}}'] })}\n[servers.leaves]\ncommand = ${odd("leaves", { pages: [leaves] })}\n`;
  writeFileSync(join(root, "mixed.toml"), file);
  const kind = clients["v2 legacy"];
  const args = ["proxy", "--no-authz", "--servers", "mixed.toml"];
  const { client, close } = await connect(kind, new kind.stdio({ command, args, cwd: root, stderr: "ignore" }));
  const servers = async () => [...new Set((await client.listTools()).tools.map((tool) => tool.name.split("__")[1]))].sort();
  assert.deepEqual(await servers(), ["leaves", "up"]);
  const gone = await client.callTool({ name: "mcp__leaves__exit", arguments: {} });
  assert.equal(gone.isError, true);
  await until(async () => !(await servers()).includes("leaves"), () => "its tools are still listed");
  const there = await client.callTool({ name: "mcp__up__list_allowed_directories", arguments: {} });
  assert.ok(!there.isError, text(there));
  await close();
});
