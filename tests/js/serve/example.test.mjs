// The example host, compiled against the package as a consumer does, hosts a real serve process.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

import { link, temporary } from "../typescript/project.mjs";
import { serve } from "./server.mjs";

const root = join(import.meta.dirname, "../../..");
const modules = join(import.meta.dirname, "../node_modules");

/** Compiles the example, changed by `edit`, in a folder in which the package is installed. */
function compiled(edit = (text) => text) {
  const folder = temporary();
  const packed = join(folder, "node_modules/@toolcontract/stella-contracts");
  mkdirSync(packed, { recursive: true });
  cpSync(join(root, "generated/typescript"), packed, { recursive: true });
  for (const name of ["zod", "eventsource-parser"]) link(folder, name, name);
  tsc(packed, "-p", packed);
  mkdirSync(join(folder, "node_modules/@types"));
  symlinkSync(join(modules, "@types/node"), join(folder, "node_modules/@types/node"));
  symlinkSync(join(modules, "undici-types"), join(folder, "node_modules/undici-types"));
  const text = readFileSync(join(root, "examples/serve/host.ts"), "utf8");
  writeFileSync(join(folder, "host.ts"), edit(text));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const options = ["--strict", "--target", "es2022", "--lib", "es2023", "--types", "node"];
  tsc(folder, ...options, "--module", "nodenext", "host.ts");
  return join(folder, "host.js");
}

function tsc(cwd, ...options) {
  execFileSync(process.execPath, [join(modules, "typescript/bin/tsc"), ...options], {
    cwd,
    encoding: "utf8",
  });
}

test("what a contract does not promise does not compile", () => {
  const edits = {
    "an output": (text) => text.replace("replaced });", "created: replaced });"),
    "an input": (text) => text.replace("({ key, content })", "({ key, text: content })"),
  };
  for (const [what, edit] of Object.entries(edits)) {
    assert.throws(() => compiled(edit), { stdout: /host\.ts\(.*error TS/ }, what);
  }
});

test("the example host runs", async (t) => {
  const { url, token } = await serve(t, "--no-authz");
  const env = { ...process.env, URL: url, TOKEN: token };
  const said = execFileSync(process.execPath, [compiled()], { encoding: "utf8", env });
  const outcome = JSON.parse(said.slice(said.indexOf('{\n  "status"')));
  assert.equal(outcome.status, "completed");
  const [saved, read, other, invalid, deleted] = outcome.outputs.map(({ output }) => output);
  assert.deepEqual(saved.ok.data, { key: "plan", bytes: 7, replaced: false });
  assert.equal(read.ok.content, "ship it");
  assert.equal(other.error.class, "not_found");
  assert.equal(invalid.error.class, "invalid_input");
  assert.equal(deleted.error.code, "denied_by_gate");
  assert.equal(said.match(/"tool_start"/g).length, 5);
});
