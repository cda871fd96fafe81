// The official clients against `toolgate mcp` with its own tools: `TOOLCONTRACT_TOOLGATE` is the
// program, `TOOLCONTRACT_ROOT` an empty folder that its tools work in.

import assert from "node:assert/strict";
import { test } from "node:test";

import { clients, connect, facts, text } from "./clients.mjs";

const command = process.env.TOOLCONTRACT_TOOLGATE;
const root = process.env.TOOLCONTRACT_ROOT;
assert.ok(command && root);

const open = (kind, ...gate) => new kind.stdio({ command, args: ["mcp", "--root", root, ...gate] });

for (const [name, kind] of Object.entries(clients)) {
  test(`${name}: a file is written, read and looked for`, async () => {
    const { client, close } = await connect(kind, open(kind, "--no-authz"));
    assert.equal(client.getServerVersion().name, "toolgate");
    const { tools } = await client.listTools();
    assert.ok(tools.length >= 10, `${tools.length} tools`);
    const path = `${name.replaceAll(" ", "-")}.txt`;
    const call = (tool, input) => client.callTool({ name: tool, arguments: input });
    const written = await call("write_file", { path, content: "a needle\n" });
    assert.ok(!written.isError, text(written));
    assert.match(text(await call("read_file", { path })), /needle/);
    const found = await call("grep", { pattern: "needle", path, output_mode: "content" });
    assert.match(text(found), /a needle/);
    const outside = await call("read_file", { path: "../../etc/passwd" });
    assert.equal(outside.isError, true);
    const invalid = await call("grep", { pattern: "x", context: 3 });
    assert.equal(facts(invalid).class, "invalid_input");
    await close();
  });

  test(`${name}: what is denied is not offered, and refused all the same`, async () => {
    const { client, close } = await connect(kind, open(kind, "--risk-ceiling", "low"));
    const { tools } = await client.listTools();
    assert.ok(tools.some((tool) => tool.name === "read_file"));
    assert.ok(!tools.some((tool) => tool.name === "bash"));
    const refused = await client.callTool({ name: "bash", arguments: { command: "true" } });
    assert.equal(facts(refused).class, "refused_by_policy", text(refused));
    await close();
  });
}
