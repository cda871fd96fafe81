// Holds each zod schema to the vectors of its contract: what they call valid is taken and given
// back equal, everything else is refused. `npm test` builds the package, then runs this.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";

import { tools } from "../dist/tools.js";

const folder = new URL("vectors/", import.meta.url);

for (const file of readdirSync(folder).sort()) {
  const name = file.replace(/\.json$/, "");
  test(name, () => {
    const vectors = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
    const sides = Object.entries(vectors);
    assert.notEqual(sides.length, 0);
    const faults = sides.flatMap(([side, list]) => list.flatMap((one) => fault(tools[name], side, one)));
    assert.deepEqual(faults, []);
  });
}

/** What is wrong with one vector; nothing when all is right. */
function fault(tool, side, { about, valid, value }) {
  const { success, data, error } = tool[side].safeParse(value);
  if (success !== valid) {
    return [`${side}: ${about}: ${success ? "taken and not valid" : `refused: ${error.message}`}`];
  }
  return success && !equal(value, data) ? [`${side}: ${about}: gives back ${text(data)}`] : [];
}

/** Equality of JSON: the order of members does not matter, nor does the sign of zero. */
function equal(a, b) {
  try {
    assert.deepEqual(JSON.parse(text(b)), JSON.parse(text(a)));
    return true;
  } catch {
    return false;
  }
}

function text(value) {
  return JSON.stringify(value, (_, part) => (typeof part === "bigint" ? Number(part) : part));
}
