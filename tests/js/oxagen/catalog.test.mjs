// The catalog's modules under strict `tsc` with zod 3, and at work: each schema agrees with the
// contract's JSON Schema on values of its shape and on the same broken in one place.

import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";

import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

import { samples } from "../samples.mjs";
import { compile, copy, load } from "./compile.mjs";

const surface = process.env.TOOLCONTRACT_OXAGEN ?? join(import.meta.dirname, "../../../generated/oxagen");

let barrel;
let registered;
let payloads;

before(async () => {
  const folder = copy(surface);
  assert.equal(await compile(folder), "");
  ({ barrel, registered } = load(folder));
  payloads = new Map(
    readdirSync(join(surface, "declarations")).map((file) => {
      const payload = JSON.parse(readFileSync(join(surface, "declarations", file), "utf8"));
      return [payload.name, payload];
    }),
  );
});

test("every module registers the capability that its file is named for", () => {
  const files = readdirSync(surface).filter((file) => file.endsWith(".ts"));
  const names = files.map((file) => file.slice(0, -3)).filter((name) => !["index", "aliases", "governance"].includes(name));
  assert.deepEqual([...registered.keys()].sort(), names.sort());
  assert.equal(barrel.capabilities.length, names.length);
});

test("`satisfies` refuses what the registry would let pass", async () => {
  const folder = copy(surface);
  const faults = {
    "get_issue.ts": ['  sensitivity: "', '  mutate: false,\n  sensitivity: "'],
    "list_labels.ts": ['workspace: { Owner: "allow"', 'workspace: { Owner: "allow", Admin: "allow"'],
    "read_file.ts": ['riskLevel: "', 'riskLevel: "very '],
  };
  for (const [name, [from, to]] of Object.entries(faults)) {
    const file = join(folder, "surface", name);
    const text = readFileSync(file, "utf8");
    assert.ok(text.includes(from), from);
    writeFileSync(file, text.replace(from, to));
  }
  const output = await compile(folder);
  const named = [...new Set(output.match(/\w+\.ts(?=\(\d+,\d+\): error)/g))];
  assert.deepEqual(named.sort(), Object.keys(faults).sort());
});

test("the governance record says what the declarations say", () => {
  const { governance, aliases, toolNames } = barrel;
  for (const capability of registered.values()) {
    assert.deepEqual(governance[capability.name], {
      riskLevel: capability.agent.riskLevel,
      requiresApproval: capability.agent.requiresApproval,
      readOnly: !capability.mutates,
    });
    assert.ok(Object.values(aliases).includes(capability.name));
    const payload = payloads.get(toolNames[capability.name]);
    assert.equal(payload.description, capability.description);
    assert.equal(payload.read_only, !capability.mutates);
  }
});

test("every input root has a plain object beside it, or is one", () => {
  for (const capability of registered.values()) {
    const camel = capability.name.replace(/_(.)/g, (_, c) => c.toUpperCase());
    const object = barrel[`${camel}InputObject`] ?? capability.input;
    const fields = payloads.get(barrel.toolNames[capability.name]).input_schema.properties ?? {};
    assert.deepEqual(Object.keys(object.shape), Object.keys(fields), capability.name);
  }
});

test("zod says what the contract says, and gives back what it got", () => {
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  addFormats.default(ajv);
  let seen = 0;
  for (const capability of registered.values()) {
    const tool = barrel.toolNames[capability.name];
    const { manifest } = payloads.get(tool);
    for (const [schema, zod] of [
      [manifest.schema.input_schema, capability.input],
      [manifest.output_schema, capability.output],
    ]) {
      if (schema === undefined) continue;
      const validate = ajv.compile(schema);
      for (const value of samples(schema, schema)) {
        const expected = validate(value);
        const result = zod.safeParse(value);
        assert.equal(result.success, expected, `${tool}: ${JSON.stringify(value)} ${JSON.stringify(validate.errors ?? result.error)}`);
        if (expected) assert.deepEqual(result.data, value, tool);
        seen += 1;
      }
    }
  }
  assert.ok(seen > 5000, `${seen} values`);
});
