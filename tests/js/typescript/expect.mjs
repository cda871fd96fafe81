// Compares a text with the file that holds what is expected; `UPDATE_EXPECT=1` writes it.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const data = join(import.meta.dirname, "../../data/typescript");

/** Asserts that `actual` is what `tests/data/typescript/<file>` holds. */
export function expectFile(file, actual) {
  const path = join(data, file);
  if (process.env.UPDATE_EXPECT === "1") {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, actual);
  }
  const expected = existsSync(path) ? readFileSync(path, "utf8") : "";
  assert.equal(actual, expected, `${path} differs; UPDATE_EXPECT=1 rewrites it`);
}
