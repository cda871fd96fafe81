// What the official clients see of servers behind `toolgate proxy`: each scene of
// `data/mcp_client/scenes/scenes.json` says what stands behind it, and what comes of each step.
// `TOOLCONTRACT_TOOLGATE`, `TOOLCONTRACT_ROOT` and `TOOLCONTRACT_SCENES` are the program, an empty
// folder and the folder of the scenes.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";

import { approve, clients, connect, decline, facts, text, until } from "./clients.mjs";

const { TOOLCONTRACT_TOOLGATE: toolgate, TOOLCONTRACT_ROOT: top, TOOLCONTRACT_SCENES: scenes } = process.env;
assert.ok(toolgate && top && scenes);
process.env.UP_TOKEN = "a-token-for-whoever-may-call";

const require = createRequire(import.meta.url);
const npm = (name) => require.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`);
const own = (file) => join(import.meta.dirname, file);

/** The first line that a process writes, and how to end it. */
async function started(args, stream, options, program = process.execPath) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
  const line = await new Promise((resolve, reject) => {
    let said = "";
    child[stream].on("data", (bytes) => {
      said += bytes;
      if (said.includes("\n")) resolve(said.split("\n")[0]);
    });
    child.once("exit", () => reject(new Error(`${args} has ended`)));
  });
  return { line, end: () => child.kill() };
}

/** A port that nobody listens on. */
const free = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(String(port)));
    });
  });

/** The arguments that name the server of a scene, and how to end it. */
async function upstream({ server }, over, root) {
  const nothing = () => {};
  if (server === "filesystem") return { args: ["--", process.execPath, npm("filesystem"), root], end: nothing };
  if (server === "everything" && over === "lines") return { args: ["--", process.execPath, npm("everything")], end: nothing };
  if (server === "everything") {
    const PORT = await free();
    const { end } = await started([npm("everything"), "streamableHttp"], "stderr", { env: { ...process.env, PORT } });
    return { args: ["--url", `http://localhost:${PORT}/mcp`], end };
  }
  if (server === "official") {
    if (over === "lines") return { args: ["--", process.execPath, own("official.mjs")], end: nothing };
    const { line, end } = await started([own("official.mjs"), "http"], "stdout");
    return { args: ["--url", `${line}/mcp`], end };
  }
  if (server === "toolgate") {
    const token = join(root, "..", "token");
    writeFileSync(token, process.env.UP_TOKEN, { mode: 0o600 });
    const args = ["mcp", "--no-authz", "--root", root, "--http", "127.0.0.1:0", "--token-file", token];
    const { line, end } = await started(args, "stderr", {}, toolgate);
    return { args: ["--url", line.replace(/^serving /, ""), "--bearer-env", "UP_TOKEN"], end };
  }
  const script = join(root, "script.json");
  writeFileSync(script, JSON.stringify(server));
  if (over === "lines") return { args: ["--", process.execPath, own("odd_server.mjs"), script], end: nothing };
  const { line, end } = await started([own("odd_http.mjs"), script], "stdout");
  return { args: ["--url", `${line}/mcp`], end };
}

/** What a person does who has looked at the tool. */
function adopt(tool, { args, root, ledger }) {
  const token = join(root, "token");
  for (const path of [token, join(ledger, "../operator-token")]) writeFileSync(path, "a token of sixteen bytes and more", { mode: 0o600 });
  const grade = ["--risk", "low", "--root", root, "--ledger", ledger, "--operator-token", token];
  const { status, stderr } = spawnSync(toolgate, ["adopt", `mcp__up__${tool}`, ...grade, ...args], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
}

/** Makes one step, and holds what comes of it against what the scene says. */
async function make(step, { client, kind, person, said, root }) {
  const path = (text) => text.replaceAll("$ROOT", root);
  if (step.told) return until(() => said().includes(step.told), said);
  if (step.there) {
    for (const name of step.there) assert.ok(existsSync(join(root, name)), name);
    for (const name of step.not_there) assert.ok(!existsSync(join(root, name)), name);
    return;
  }
  if (step.stop) {
    const stop = new AbortController();
    const call = client.callTool({ name: step.stop, arguments: {} }, ...(kind === clients.v1 ? [undefined] : []), { signal: stop.signal });
    setTimeout(() => stop.abort("enough"), 150);
    await assert.rejects(call);
    const { call: counter, gives } = step.then;
    let told;
    return until(async () => (told = text(await client.callTool({ name: counter, arguments: {} }))) === gives, () => told);
  }
  const { tools } = await client.listTools();
  if (step.list) {
    const names = tools.map((tool) => tool.name);
    assert.deepEqual(step.list.filter((name) => !names.includes(name)), []);
    return assert.deepEqual(names.filter((name) => step.unlisted?.includes(name)), []);
  }
  person.answer = step.person === "approve" ? approve : decline;
  person.asked = 0;
  const seen = [];
  const options = { onprogress: (progress) => seen.push(progress.progress) };
  const params = { name: step.call, arguments: JSON.parse(path(JSON.stringify(step.arguments ?? {}))) };
  const result = await client.callTool(params, ...(kind === clients.v1 ? [undefined, options] : [options]));
  const told = JSON.stringify(result);
  assert.equal(result.isError === true, step.class !== undefined || step.code !== undefined, told);
  assert.equal(person.asked, step.person ? 1 : 0);
  if (step.class) assert.equal(facts(result).class, step.class, told);
  if (step.code) assert.equal(facts(result).code, step.code, told);
  if (step.gives) assert.ok(text(result).includes(step.gives), told);
  if (step.data) assert.deepEqual(result.structuredContent, step.data);
  if (step.without) assert.ok(!told.includes(step.without), told);
  if (step.progress) assert.deepEqual(seen, [...new Set(seen)].sort((a, b) => a - b));
  if (step.risk) assert.equal(facts(tools.find((tool) => tool.name === step.call)).risk, step.risk);
}

for (const scene of JSON.parse(readFileSync(join(scenes, "scenes.json"), "utf8"))) {
  for (const over of scene.over ?? ["lines"]) {
    for (const name of scene.clients) {
      test(`${name}, ${over}: ${scene.scene}`, async () => {
        const kind = clients[name];
        const here = join(top, `${scene.scene} ${over} ${name}`.replaceAll(/\W+/g, "-"));
        const [root, ledger] = [join(here, "root"), join(here, "state", "ledger.sqlite")];
        mkdirSync(root, { recursive: true });
        mkdirSync(join(here, "state"));
        const { args, end } = await upstream(scene, over, root);
        let close = async () => {};
        try {
          for (const tool of scene.adopted ?? []) adopt(tool, { args, root, ledger });
          const policy = ["--policy", join(scenes, "policy.toml")];
          const front = ["proxy", "--name", "up", "--root", root, "--ledger", ledger, ...policy, ...args];
          const env = { UP_TOKEN: process.env.UP_TOKEN };
          const transport = new kind.stdio({ command: toolgate, args: front, env, stderr: "pipe" });
          let said = "";
          transport.stderr.on("data", (bytes) => (said += bytes));
          const person = {};
          const elicit = (params) => {
            person.asked += 1;
            return person.answer(params);
          };
          const connected = await connect(kind, transport, elicit);
          close = connected.close;
          for (const step of scene.steps) await make(step, { client: connected.client, kind, person, said: () => said, root });
        } finally {
          await close();
          end();
        }
      });
    }
  }
}
