// The same tools with the official TypeScript SDK, which validates with zod.

import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(import.meta.dirname, "../../tests/js/package.json"));
const { McpServer } = require("@modelcontextprotocol/sdk/server/mcp.js");
const { StdioServerTransport } = require("@modelcontextprotocol/sdk/server/stdio.js");
const { z } = require("zod");

const text = () => z.string().max(4096);
const server = new McpServer({ name: "typescript", version: "1" });
for (let number = 0; number < Number(process.argv[2] ?? 1); number++) {
  server.registerTool(
    `nothing_${number}`,
    {
      description: "Does nothing.",
      inputSchema: { path: text(), pattern: text().optional(), limit: z.number().int().min(1).max(1000).optional() },
      outputSchema: { done: z.boolean() },
    },
    async () => ({ content: [{ type: "text", text: '{"done":true}' }], structuredContent: { done: true } }),
  );
}
await server.connect(new StdioServerTransport());
