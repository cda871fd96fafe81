// Other people's schemas: every module type-checks, and refuses nothing that its contract accepts but
// for what a note says. What zod 3 cannot refuse is left to the contract's validator and counted.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { Ajv2020 } from "ajv/dist/2020.js";

import { samples } from "../samples.mjs";
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
  const { faults, lax } = await accepted("cases", () => true);
  assert.deepEqual(faults, []);
  assert.deepEqual([...lax].sort(), Object.keys(LEFT_TO_THE_VALIDATOR));
});

test("the hostile cases", async () => {
  // Notes say that zod 3 drops a member named `__proto__`, and counts UTF-16 units.
  const isExpressible = (instance) => !/__proto__|[\ud800-\udfff]/.test(JSON.stringify(instance));
  const { faults } = await accepted("rust/hostile", isExpressible);
  assert.deepEqual(faults, []);
});

/** What is wrong with valid instances of the cases in `data/<folder>`, and which cases take invalid ones. */
async function accepted(folder, isExpressible) {
  const data = join(import.meta.dirname, "../../data", folder);
  const cases = readdirSync(data).map((file, at) => {
    const text = readFileSync(join(data, file), "utf8");
    return { ...JSON.parse(text), schema: parseExact(text).schema, file, name: `get_case_${at}` };
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
    for (const instance of one.valid.filter(isExpressible)) {
      table.add(one.file, judge(schema, instance, true));
    }
    if (one.invalid.some((instance) => schema.safeParse(instance).success)) lax.add(one.file);
  }
  console.log(`${table}`);
  return { faults: table.faults, lax };
}

/** Schemas whose rules or names would break code that is put together carelessly. */
const HOSTILE = {
  // TypeScript narrows by the first comparison and refuses a second that can never hold.
  contradiction: {
    properties: { a: { enum: ["x", "y"] }, b: { type: "boolean" } },
    required: ["a"],
    if: { properties: { a: { const: "x" } } },
    then: { properties: { a: { const: "y" } } },
    else: { not: { properties: { b: { const: true } }, required: ["b"] } },
  },
  twice: {
    properties: { a: { enum: ["x", "y"] }, b: { type: ["string", "null"] } },
    anyOf: [{ properties: { a: { const: "x" } } }, { properties: { a: { const: "x" } }, required: ["b"] }],
    allOf: [{ if: { required: ["b"] }, then: { properties: { a: { enum: ["y", "y"] } }, required: ["a"] } }],
  },
  // What the module itself calls things, and what no identifier can be.
  names: {
    properties: {
      v: { $ref: "#/$defs/v" },
      z: { $ref: "#/$defs/z" },
      "a b": { $ref: "#/$defs/default" },
      class: { $ref: "#/$defs/fits" },
      "": { type: "string" },
      "*/ registerCapability(": { const: "\u2028*/ registerCapability({ name: " },
    },
    dependentRequired: { "a b": ["class"], "": ["not declared"] },
    $defs: {
      v: { type: "string", enum: ["v"] },
      z: { anyOf: [{ type: "integer" }, { type: "array", items: { $ref: "#/$defs/z" } }] },
      default: { type: "object", properties: { fits: { $ref: "#/$defs/fits" } }, minProperties: 1 },
      fits: { type: "string", minLength: 1, not: { const: "no" } },
    },
  },
  inherited: {
    properties: { constructor: { type: "string" }, toString: { type: "integer" }, value: { type: "string" } },
    required: ["constructor"],
    additionalProperties: false,
    dependentRequired: { toString: ["value"] },
  },
  everyType: {
    properties: {
      any: { minLength: 2, minimum: 1, minItems: 1, required: ["x"], not: { const: "no" } },
      several: { type: ["string", "integer", "array", "null"], minLength: 2, maximum: 5, items: { type: "boolean" } },
      one: { oneOf: [{ minimum: 3 }, { maximum: 1 }, { type: "string" }] },
      tuple: { prefixItems: [{ type: "string" }, { type: "integer" }], items: false, minItems: 2 },
      map: { type: "object", additionalProperties: { type: "integer" }, propertyNames: { maxLength: 2 } },
      listed: { enum: [1, "1", null, [1], { a: 1 }] },
    },
  },
};

test("hostile schemas become code that compiles and agrees", async () => {
  const manifests = Object.entries(HOSTILE).map(([name, schema], i) => [
    `tools/get_hostile_${i}.json`,
    declared(`get_hostile_${i}`, { input_schema: { type: "object", description: name, ...schema } }),
  ]);
  const { folder: surface, refused } = generate(Object.fromEntries(manifests), OXAGEN);
  assert.deepEqual([...refused], []);
  const work = copy(surface);
  assert.equal(await compile(work), "");
  const { registered } = load(work);
  const ajv = new Ajv2020({ strict: false, ownProperties: true });
  for (const [, { name, input_schema: schema }] of manifests) {
    const validate = ajv.compile(schema);
    for (const value of [...samples(schema, schema), ...INSTANCES]) {
      const expected = validate(value);
      const result = registered.get(name).input.safeParse(value);
      assert.equal(result.success, expected, `${schema.description}: ${JSON.stringify(value)} ${result.error}`);
    }
  }
});

const INSTANCES = [
  {},
  { a: "x" },
  { a: "y", b: true },
  { a: "y", b: null },
  { constructor: "x" },
  { constructor: "x", toString: 1 },
  { constructor: "x", toString: 1, value: "v" },
  { constructor: 1 },
  { any: "no" },
  { any: "yes" },
  { any: [] },
  { any: { x: 1 } },
  { any: {} },
  { several: null },
  { several: [true] },
  { several: ["x"] },
  { one: 2 },
  { one: 3 },
  { one: "x" },
  { tuple: ["a", 1] },
  { tuple: ["a"] },
  { map: { ab: 1 } },
  { map: { abc: 1 } },
  { listed: { a: 1 } },
  { listed: [2] },
];

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
