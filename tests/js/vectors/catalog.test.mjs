// The vectors of the catalog: zod 3.25, zod 4 and Ajv say of each what it says of itself. Rust and
// `jsonschema` are asked by `cargo test`, from the same files.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

import { compile, ZODS } from "../typescript/project.mjs";
import { ajvJudge, deviations, listed, runVectors, vectorsOf } from "./vectors.mjs";

const root = join(import.meta.dirname, "../../..");
const generated = join(root, "generated/typescript");

test("both packages carry the same vectors", () => {
  const rust = vectorsOf(join(root, "generated/rust"));
  assert.ok(rust.length > 1000);
  assert.ok(rust.some(({ valid }) => valid) && rust.some(({ valid }) => !valid));
  assert.deepEqual(rust, vectorsOf(generated));
});

for (const [version, zod] of Object.entries(ZODS)) {
  test(`the package's own test passes, ${version}`, async () => {
    const { folder } = await compile(generated, zod);
    runVectors(folder);
  });
}

test("Ajv agrees, but for what is listed", async () => {
  const load = await compile(generated, ZODS["zod 4"]);
  const { contracts } = await load("contracts.js");
  const judge = ajvJudge(contracts, { formats: true });
  assert.deepEqual(deviations("ajv", listed("deviations.json").catalog, vectorsOf(generated), judge), []);
});

test("a deviation that is not listed, and an entry without one, are told", () => {
  const vector = { tool: "t", side: "input", about: "a", valid: true, value: 1 };
  const list = [{ by: "x", words: "input: a", reason: "" }];
  assert.deepEqual(deviations("x", [], [vector], () => true), []);
  assert.deepEqual(deviations("x", list, [vector], () => false), []);
  assert.match(deviations("x", [], [vector], () => false)[0], /says false/);
  assert.match(deviations("x", list, [vector], () => true)[0], /no longer/);
});

test("the vectors are not published", () => {
  const { files } = JSON.parse(readFileSync(join(generated, "package.json"), "utf8"));
  assert.deepEqual(files, ["dist", "src"]);
});
