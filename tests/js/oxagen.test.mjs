// Oxagen's modules under strict `tsc` with zod 3, and at work: each input schema agrees with the
// contract's JSON Schema on every example and on every example broken in one place.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

import { samples } from "./samples.mjs";

const here = import.meta.dirname;
const surface = process.env.TOOLCONTRACT_OXAGEN ?? join(here, "../../generated/oxagen");
const interfaces = join(here, "../oxagen");
const work = mkdtempSync(join(tmpdir(), "oxagen-"));
after(() => rmSync(work, { recursive: true, force: true }));

/** Runs `tsc` over copies of the surface and of the interfaces. */
function compile(folder) {
  const config = {
    extends: join(interfaces, "tsconfig.json"),
    compilerOptions: { rootDir: folder, outDir: join(folder, "out") },
    include: [join(folder, "interfaces/*.ts"), join(folder, "surface/**/*.ts")],
  };
  config.compilerOptions.paths = {
    zod: [join(here, "node_modules/zod3")],
    "@oxagen/oxagen/registry": [join(folder, "interfaces/registry.ts")],
    "@oxagen/oxagen/types": [join(folder, "interfaces/types.ts")],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const result = spawnSync(join(here, "node_modules/.bin/tsc"), ["-p", folder], { encoding: "utf8" });
  return { ok: result.status === 0, output: result.stdout + result.stderr };
}

function copy(name) {
  const folder = join(work, name);
  mkdirSync(folder);
  cpSync(surface, join(folder, "surface"), { recursive: true });
  cpSync(interfaces, join(folder, "interfaces"), { recursive: true });
  return folder;
}

/** Compiled modules find zod 3 and the registry where Oxagen has them. */
function link(folder) {
  const modules = join(folder, "out/node_modules");
  mkdirSync(join(modules, "@oxagen/oxagen"), { recursive: true });
  symlinkSync(join(here, "node_modules/zod3"), join(modules, "zod"), "dir");
  writeFileSync(join(modules, "@oxagen/oxagen/registry.js"), 'module.exports = require("../../../interfaces/registry.js");');
}

let surfaceModules;
let registry;
let payloads;

before(() => {
  const folder = copy("good");
  const { ok, output } = compile(folder);
  assert.ok(ok, output);
  link(folder);
  const require = createRequire(join(folder, "out/index.js"));
  surfaceModules = require("./surface/index.js");
  registry = require("./interfaces/registry.js").registered;
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
  assert.deepEqual([...registry.keys()].sort(), names.sort());
  assert.equal(surfaceModules.capabilities.length, names.length);
});

test("`satisfies` refuses what the registry would let pass", () => {
  const folder = copy("bad");
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
  const { ok, output } = compile(folder);
  assert.equal(ok, false);
  const named = [...new Set(output.match(/\w+\.ts(?=\(\d+,\d+\): error)/g))];
  assert.deepEqual(named.sort(), Object.keys(faults).sort());
});

test("the governance record says what the declarations say", () => {
  const { governance, aliases, toolNames } = surfaceModules;
  for (const capability of registry.values()) {
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
  for (const capability of registry.values()) {
    const camel = capability.name.replace(/_(.)/g, (_, c) => c.toUpperCase());
    const object = surfaceModules[`${camel}InputObject`] ?? capability.input;
    const fields = payloads.get(surfaceModules.toolNames[capability.name]).input_schema.properties ?? {};
    assert.deepEqual(Object.keys(object.shape), Object.keys(fields), capability.name);
  }
});

test("zod says what the contract says, and gives back what it got", () => {
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  addFormats.default(ajv);
  let seen = 0;
  for (const capability of registry.values()) {
    const tool = surfaceModules.toolNames[capability.name];
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
