// Compiles Oxagen's modules against the interfaces of `tests/oxagen` and zod 3, and loads them.

import { execFile } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";

import { link, temporary } from "../typescript/project.mjs";

const modules = join(import.meta.dirname, "../node_modules");
const interfaces = join(import.meta.dirname, "../../oxagen");
const run = promisify(execFile);

/** A copy of a surface that may be changed, beside the interfaces. */
export function copy(surface) {
  const folder = temporary();
  cpSync(surface, join(folder, "surface"), { recursive: true });
  cpSync(interfaces, join(folder, "interfaces"), { recursive: true });
  return folder;
}

/**
 * Runs `tsc` over a copy.
 *
 * @returns what it says; empty when all is well
 */
export async function compile(folder) {
  const paths = {
    zod: [join(modules, "zod3")],
    "@oxagen/oxagen/registry": [join(folder, "interfaces/registry.ts")],
    "@oxagen/oxagen/types": [join(folder, "interfaces/types.ts")],
  };
  const config = {
    extends: join(interfaces, "tsconfig.json"),
    compilerOptions: { rootDir: folder, outDir: join(folder, "out"), paths },
    include: [join(folder, "interfaces/*.ts"), join(folder, "surface/**/*.ts")],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  try {
    await run(process.execPath, [join(modules, "typescript/bin/tsc"), "-p", folder], { maxBuffer: 1 << 28 });
    return "";
  } catch (error) {
    return error.stdout + error.stderr;
  }
}

/** Loads what was compiled: the barrel, and the capabilities that registered themselves by name. */
export function load(folder) {
  const out = join(folder, "out");
  link(out, "zod", "zod3");
  const oxagen = join(out, "node_modules/@oxagen/oxagen");
  mkdirSync(oxagen, { recursive: true });
  writeFileSync(join(oxagen, "registry.js"), 'module.exports = require("../../../interfaces/registry.js");');
  const require = createRequire(join(out, "index.js"));
  const barrel = require("./surface/index.js");
  return { barrel, registered: require("./interfaces/registry.js").registered };
}
