// Tools that nobody here wrote: each one generates, and all compile in one strict project.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

import { compile, declared, generate, parseExact, ZODS } from "./project.mjs";
import { shared } from "./shared.mjs";

test("real tools", async (t) => {
  const folder = shared("corpus", t);
  if (folder === undefined) return;
  const tools = readdirSync(folder, { recursive: true })
    .filter((path) => path.endsWith(".json") && !path.startsWith("spec-examples"))
    .sort()
    .flatMap((path) => listed(parseExact(readFileSync(join(folder, path), "utf8"))));
  const manifests = Object.fromEntries(
    tools.map((tool, index) => {
      const name = `t${String(index).padStart(4, "0")}`;
      const { description, inputSchema, outputSchema } = tool;
      return [
        `tools/${name}.json`,
        {
          ...declared(name, { input_schema: inputSchema }),
          description: description || "Under test.",
          ...(outputSchema && { output_schema: outputSchema }),
        },
      ];
    }),
  );
  const { folder: generated, refused } = generate(manifests);
  for (const [path, reasons] of refused) {
    const { name } = tools[Number(/t(\d+)/.exec(path)[1])];
    console.log(`${name}: ${reasons.join("; ")}`);
  }
  for (const [version, zod] of Object.entries(ZODS)) {
    const start = performance.now();
    const load = await compile(generated, zod);
    const { tools: loaded } = await load("tools.js");
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const count = Object.keys(loaded).length;
    console.log(`${count} tools compiled and loaded in ${seconds} s, ${version}`);
    assert.equal(count, tools.length - refused.size);
  }
});

/** The tools of a list, or of an answer to `tools/list`. */
function listed(value) {
  return Array.isArray(value) ? value : (value.result?.tools ?? []);
}
