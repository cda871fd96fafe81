// The official TypeScript clients of both protocol eras list our definitions as they stand, and
// hold results to the output schemas in them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { Client as ModernClient } from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";

import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

import { full } from "./samples.mjs";

const here = import.meta.dirname;
const surface = process.env.TOOLCONTRACT_MCP ?? join(here, "../../generated/mcp");
const META = "dev.toolcontract/contract";

const tools = (revision) => JSON.parse(readFileSync(join(surface, `tools.${revision}.json`), "utf8")).tools;

/** A server that serves one file and answers each call with a prepared result. */
class FakeServer {
  constructor(revision, results = {}) {
    this.revision = revision;
    this.tools = tools(revision);
    this.results = results;
  }
  async start() {}
  async close() {
    this.onclose?.();
  }
  async send(message) {
    if (message.id === undefined) return;
    const result = this.answer(message);
    const answer = result ? { result } : { error: { code: -32601, message: "no such method" } };
    queueMicrotask(() => this.onmessage?.({ jsonrpc: "2.0", id: message.id, ...answer }));
  }
  answer({ method, params }) {
    const serverInfo = { name: "fake", version: "1" };
    const modern = this.revision === "2026-07-28";
    const more = modern
      ? { resultType: "complete", _meta: { "io.modelcontextprotocol/serverInfo": serverInfo } }
      : {};
    const kept = modern ? { ttlMs: 0, cacheScope: "private" } : {};
    switch (method) {
      case "initialize":
        if (modern) return undefined;
        return { protocolVersion: this.revision, capabilities: { tools: {} }, serverInfo };
      case "server/discover":
        if (!modern) return undefined;
        return { supportedVersions: [this.revision], capabilities: { tools: {} }, ...more, ...kept };
      case "tools/list":
        return { tools: this.tools, ...more, ...kept };
      case "tools/call":
        return { content: [{ type: "text", text: "ok" }], ...this.results[params.name], ...more };
    }
  }
}

const info = { name: "test", version: "1" };
const clients = {
  "v1, 2025-06-18": ["2025-06-18", () => new LegacyClient(info)],
  "v1, 2025-11-25": ["2025-11-25", () => new LegacyClient(info)],
  "v2 legacy, 2025-11-25": ["2025-11-25", () => new ModernClient(info)],
  "v2 auto, 2025-11-25": ["2025-11-25", () => new ModernClient(info, { versionNegotiation: { mode: "auto" } })],
  "v2 auto, 2026-07-28": ["2026-07-28", () => new ModernClient(info, { versionNegotiation: { mode: "auto" } })],
  "v2 pinned, 2026-07-28": ["2026-07-28", () => new ModernClient(info, { versionNegotiation: { mode: { pin: "2026-07-28" } } })],
};

for (const [name, [revision, make]] of Object.entries(clients)) {
  test(`${name}: every tool arrives as it is`, async () => {
    const client = make();
    await client.connect(new FakeServer(revision));
    const listed = (await client.listTools()).tools;
    assert.deepEqual(listed, tools(revision));
    for (const tool of listed) {
      const { title, ...hints } = tool.annotations;
      assert.deepEqual(Object.keys(hints), ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"]);
      assert.equal(title, tool.title);
      assert.deepEqual(Object.keys(tool._meta), [META]);
    }
    await client.close();
  });
}

for (const [name, [revision, make]] of Object.entries(clients)) {
  test(`${name}: results are held to the output schema`, async () => {
    const ajv = addFormats.default(new Ajv2020({ strict: false }));
    const withOutput = tools(revision)
      .filter((tool) => tool.outputSchema)
      .filter((tool) => ajv.validate(tool.outputSchema, full(tool.outputSchema, tool.outputSchema, false)));
    assert.ok(withOutput.length > 25, `${withOutput.length} tools with an output that can be made up`);
    const good = Object.fromEntries(withOutput.map((t) => [t.name, { structuredContent: full(t.outputSchema, t.outputSchema, false) }]));
    const bad = Object.fromEntries(withOutput.map((t) => [t.name, { structuredContent: { no_such_member: 1 } }]));
    for (const [results, ok] of [[good, true], [bad, false]]) {
      const client = make();
      await client.connect(new FakeServer(revision, results));
      await client.listTools();
      for (const tool of withOutput) {
        const call = client.callTool({ name: tool.name, arguments: {} });
        if (ok) assert.deepEqual((await call).structuredContent, results[tool.name].structuredContent);
        else await assert.rejects(call, /schema/i, tool.name);
      }
      await client.close();
    }
  });
}
