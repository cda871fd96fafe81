// The modules that `tests/it/typescript` compares with what is expected: here they compile.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

import { compile, generate, ZODS } from "./project.mjs";

const folder = join(import.meta.dirname, "../../data/typescript/modules");

test("the expected modules compile", async () => {
  const manifests = readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .map((file) => [
      `tools/${file.replaceAll("-", "_")}`,
      readFileSync(join(folder, file), "utf8"),
    ]);
  assert.ok(manifests.length > 0);
  const { folder: generated, refused } = generate(Object.fromEntries(manifests));
  assert.deepEqual([...refused], []);
  for (const zod of Object.values(ZODS)) {
    const load = await compile(generated, zod);
    const { hostileText } = await load("tools/hostile_text.js");
    assert.ok(hostileText.input.safeParse(JSON.parse('{"__proto__":1}')).success);
    assert.ok(!hostileText.input.safeParse({}).success);
    const { defaultsInputWithDefaults } = await load("tools/defaults.js");
    const given = { edits: [{}], must: 2, tree: { children: [{}] } };
    const filled = defaultsInputWithDefaults(given);
    assert.deepEqual(filled, {
      tags: [],
      note: null,
      mode: "safe",
      options: { depth: 3 },
      edits: [{ all: false }],
      must: 2,
      tree: { size: 1, children: [{ size: 1 }] },
    });
    assert.deepEqual(given, { edits: [{}], must: 2, tree: { children: [{}] } });
    assert.notEqual(filled.tags, defaultsInputWithDefaults(given).tags);
    assert.equal(defaultsInputWithDefaults({ ...given, options: {} }).options.depth, 2);
  }
});
