// A small project of ours: shared types that contain each other load, and both versions of zod
// agree with the vectors.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

import { compile, generate, ZODS } from "../typescript/project.mjs";
import { runVectors, vectorsOf } from "./vectors.mjs";

const root = join(import.meta.dirname, "../../data/vectors/projects");

test("shared types that contain each other", async () => {
  const manifests = {};
  for (const folder of ["tools", "types"]) {
    for (const file of readdirSync(join(root, folder))) {
      manifests[`${folder}/${file}`] = JSON.parse(readFileSync(join(root, folder, file), "utf8"));
    }
  }
  const { folder: generated, refused } = generate(manifests);
  assert.deepEqual([...refused], []);
  assert.ok(vectorsOf(generated).some(({ tool, valid }) => tool === "hire" && valid));
  for (const zod of Object.values(ZODS)) {
    const load = await compile(generated, zod);
    // Each module of a circle may be the first that is loaded.
    for (const type of readdirSync(join(root, "types"))) {
      await load(`types/${type.replace(/json$/, "js")}`);
    }
    runVectors(load.folder);
  }
});
