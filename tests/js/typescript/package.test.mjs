// The package of the catalog: packed, installed elsewhere, compiled against, imported.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { delimiter } from "node:path";
import test, { before } from "node:test";
import { pathToFileURL } from "node:url";

import { generateCatalog, link, temporary, ZODS } from "./project.mjs";

const modules = join(import.meta.dirname, "../node_modules");
const PACKAGE = "@toolcontract/stella-contracts";
let tarball;

before(() => {
  const folder = generateCatalog();
  link(folder, "zod", "zod");
  link(folder, "eventsource-parser", "eventsource-parser");
  const packed = npm(folder, "pack", "--json");
  tarball = join(folder, JSON.parse(packed)[0].filename);
});

function npm(cwd, ...arguments_) {
  const PATH = [join(modules, ".bin"), process.env.PATH].join(delimiter);
  return execFileSync("npm", arguments_, {
    cwd,
    encoding: "utf8",
    env: { ...process.env, PATH, npm_config_loglevel: "error" },
  });
}

/** A folder in which the tarball and a version of zod are installed. */
function install(zod) {
  const folder = temporary();
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  npm(folder, "install", "--offline", "--no-audit", "--no-fund", tarball, join(modules, zod));
  return folder;
}

for (const [version, zod] of Object.entries(ZODS)) {
  test(`a consumer compiles and runs, ${version}`, async () => {
    const folder = install(zod);
    copyFileSync(join(import.meta.dirname, "consumer.ts"), join(folder, "consumer.ts"));
    for (const exact of ["true", "false"]) {
      const options = ["--strict", "--exactOptionalPropertyTypes", exact];
      options.push("--target", "es2022", "--lib", "es2023", "--types", "");
      options.push("--module", "nodenext", "--skipLibCheck", "--noEmit", "consumer.ts");
      execFileSync(join(modules, ".bin/tsc"), options, { cwd: folder, stdio: "inherit" });
    }

    const load = (path) => import(pathToFileURL(join(folder, "node_modules", PACKAGE, path)).href);
    const { grep, contracts, governance, tools } = await load("dist/index.js");
    const names = Object.keys(tools);
    assert.ok(names.length > 0);
    assert.deepEqual(Object.keys(contracts), names);
    assert.deepEqual(Object.keys(governance), names);
    for (const name of names) assert.equal(contracts[name].schema.name, name);

    assert.ok(grep.input.safeParse({ pattern: "a", context: 1, output_mode: "content" }).success);
    assert.ok(!grep.input.safeParse({ pattern: "a", context: 1 }).success);
    const { grepInputWithDefaults } = await load("dist/tools/grep.js");
    const given = Object.freeze({ pattern: "a", case_insensitive: undefined });
    assert.deepEqual(grepInputWithDefaults(given), {
      pattern: "a",
      case_insensitive: false,
      output_mode: "files_with_matches",
    });
  });
}

test("a host compiles with every kind of platform types", () => {
  const folder = install(ZODS["zod 4"]);
  for (const name of ["@types/node", "undici-types", "eventsource-parser"]) {
    mkdirSync(dirname(join(folder, "node_modules", name)), { recursive: true });
    symlinkSync(join(modules, name), join(folder, "node_modules", name));
  }
  const platforms = [
    ["host.ts", "es2023", "node"],
    ["host.ts", "es2023,dom", ""],
    ["host.ts", "es2023,dom", "node"],
    ["bare.ts", "es2023", ""],
  ];
  for (const [file, lib, types] of platforms) {
    copyFileSync(join(import.meta.dirname, file), join(folder, file));
    const options = ["--strict", "--exactOptionalPropertyTypes", "--noEmit", "--target", "es2022"];
    options.push("--module", "nodenext", "--lib", lib, "--types", types, file);
    execFileSync(join(modules, ".bin/tsc"), options, { cwd: folder, stdio: "inherit" });
  }
});

test("importing one tool loads no other", () => {
  const folder = join(install(ZODS["zod 4"]), "node_modules", PACKAGE);
  const loaded = closure(join(folder, "dist/tools/grep.js"));
  const tools = loaded.filter((path) => path.includes("/tools/"));
  assert.deepEqual(tools, [join(folder, "dist/tools/grep.js")]);
  const governance = closure(join(folder, "dist/governance.js"));
  assert.deepEqual(governance, [join(folder, "dist/governance.js")]);
  const { sideEffects } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  assert.equal(sideEffects, false);
});

/** A module and every module of the package that it imports, directly or not. */
function closure(path, seen = new Set()) {
  if (seen.has(path)) return [...seen];
  assert.ok(existsSync(path), path);
  seen.add(path);
  for (const [, specifier] of readFileSync(path, "utf8").matchAll(/from "(\.[^"]*)"/g)) {
    closure(resolve(dirname(path), specifier), seen);
  }
  return [...seen];
}
