// Runs every `*.test.mjs` below this folder, or those whose path holds one of the words given.
//
//   node run.mjs              all
//   node run.mjs typescript   one folder

import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

const here = import.meta.dirname;
const words = process.argv.slice(2);
const files = readdirSync(here, { recursive: true })
  .filter((path) => path.endsWith(".test.mjs") && !path.startsWith("node_modules"))
  .filter((path) => words.length === 0 || words.some((word) => path.includes(word)))
  .sort()
  .map((path) => join(here, path));
if (files.length === 0) {
  console.error(`no test matches ${words.join(" ")}`);
  process.exit(2);
}
const result = spawnSync(process.execPath, ["--test", "--test-timeout=300000", "--test-reporter=spec", ...files], {
  stdio: "inherit",
});
process.exit(result.status ?? 1);
