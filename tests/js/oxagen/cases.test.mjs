// Other people's schemas: every module type-checks, and refuses nothing that its contract accepts but
// for what a note says. What zod 3 cannot refuse is left to the contract's validator and counted.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { declared, generate, parseExact } from "../typescript/project.mjs";
import { shared } from "../typescript/shared.mjs";
import { judge, Table } from "../typescript/verdict.mjs";
import { compile, copy, load } from "./compile.mjs";

const OXAGEN = { id: "oxagen", settings: 'surfaces = ["api"]\nlayers = ["schema"]' };

/** What zod 3 takes though the contract refuses it, and what it has no word for. */
const LEFT_TO_THE_VALIDATOR = {
  "23-ref-with-sibling-keywords.json": "unevaluatedProperties",
  "37-discriminator-keyword-is-annotation.json": "unevaluatedProperties",
  "38-closed-flattened-enum.json": "unevaluatedProperties",
  "40-unevaluated-items.json": "unevaluatedItems",
  "58-sixty-four-bit-edges.json": "bounds beyond 2^53",
  "64-pattern-with-lookahead.json": "a pattern outside the portable subset",
};

test("the public cases", async () => {
  const folder = join(import.meta.dirname, "../../data/cases");
  const cases = readdirSync(folder).map((file) => {
    const text = readFileSync(join(folder, file), "utf8");
    const name = `get_case_${file.slice(0, 2)}`;
    return { ...JSON.parse(text), schema: parseExact(text).schema, file, name };
  });
  const isInput = ({ schema }) => schema.type === "object";
  const manifest = (one) =>
    declared(one.name, isInput(one) ? { input_schema: one.schema } : { input_schema: { type: "object" }, output_schema: one.schema });
  const { folder: surface, refused } = generate(
    Object.fromEntries(cases.map((one) => [`tools/${one.name}.json`, manifest(one)])),
    OXAGEN,
  );
  const work = copy(surface);
  assert.equal(await compile(work), "");
  const { registered } = load(work);
  const table = new Table();
  const lax = new Set();
  for (const one of cases) {
    if (refused.has(`tools/${one.name}.json`)) continue;
    const capability = registered.get(one.name);
    const schema = isInput(one) ? capability.input : capability.output;
    for (const instance of one.valid) table.add(one.file, judge(schema, instance, true));
    if (one.invalid.some((instance) => schema.safeParse(instance).success)) lax.add(one.file);
  }
  console.log(`${table}`);
  assert.deepEqual(table.faults, []);
  assert.deepEqual([...lax].sort(), Object.keys(LEFT_TO_THE_VALIDATOR));
});

test("real tools", async (t) => {
  const folder = shared("corpus", t);
  if (folder === undefined) return;
  const manifests = {};
  for (const path of readdirSync(folder, { recursive: true }).filter((p) => p.endsWith(".json")).sort()) {
    const text = parseExact(readFileSync(join(folder, path), "utf8"));
    for (const tool of Array.isArray(text) ? text : (text.tools ?? [])) {
      if (tool.inputSchema?.type !== "object") continue;
      const name = `get_tool_${Object.keys(manifests).length}`;
      const schemas = { input_schema: tool.inputSchema };
      if (tool.outputSchema) schemas.output_schema = tool.outputSchema;
      manifests[`tools/${name}.json`] = declared(name, schemas);
    }
  }
  const { folder: surface, refused } = generate(manifests, OXAGEN);
  const work = copy(surface);
  assert.equal(await compile(work), "");
  const { registered } = load(work);
  console.log(`${registered.size} tools; refused: ${[...refused.values()].flat().join("; ")}`);
  assert.equal(registered.size, Object.keys(manifests).length - refused.size);
  assert.ok(registered.size >= 833);
});
