// Generates the TypeScript package of a set of tools and compiles it for both versions of zod.

import { execFile, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "../../..");
const modules = join(import.meta.dirname, "../node_modules");
const run = promisify(execFile);

/** The packages that carry the two versions of zod. */
export const ZODS = { "zod 3.25": "zod3", "zod 4": "zod" };

/** A folder that goes when the process does. */
export function temporary() {
  const folder = mkdtempSync(join(tmpdir(), "toolcontract-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const TYPESCRIPT = { id: "typescript", settings: 'package = "under-test"' };

/**
 * Generates a surface from manifests, values or texts, by path below `manifests/`. Those that the generator refuses
 * are taken out, with the reasons; the rest is generated without them.
 *
 * @returns the folder of the surface, and the refused manifests: path to reasons
 */
export function generate(manifests, surface = TYPESCRIPT) {
  const refused = new Map();
  for (;;) {
    const folder = temporary();
    const left = Object.entries(manifests).filter(([path]) => !refused.has(path));
    write(folder, left, surface);
    const findings = gen(folder);
    if (findings.length === 0) {
      return { folder: join(folder, "generated", surface.id), refused };
    }
    for (const { path, rule, message } of findings) {
      const manifest = path?.replace(/^manifests\//, "") ?? "";
      if (!(manifest in manifests)) throw new Error(`${path}: ${rule}: ${message}`);
      refused.set(manifest, [...(refused.get(manifest) ?? []), `${rule}: ${message}`]);
    }
  }
}

/** Generates the package of this repository's own catalog. */
export function generateCatalog() {
  const folder = temporary();
  cpSync(join(root, "manifests"), join(folder, "manifests"), { recursive: true });
  rmSync(join(folder, "manifests/contracts.lock"), { force: true });
  const findings = gen(folder, "--only", "typescript");
  if (findings.length > 0) throw new Error(JSON.stringify(findings));
  return join(folder, "generated/typescript");
}

function write(folder, manifests, { id, settings }) {
  mkdirSync(join(folder, "manifests"), { recursive: true });
  writeFileSync(
    join(folder, "manifests/toolcontract.toml"),
    `name = "Tests"
description = "Schemas under test."
[groups]
test = "Under test."
file = "Under test."
[surfaces.${id}]
${settings}
`,
  );
  for (const [path, manifest] of manifests) {
    mkdirSync(join(folder, "manifests", dirname(path)), { recursive: true });
    const text = typeof manifest === "string" ? manifest : stringify(manifest);
    writeFileSync(join(folder, "manifests", path), text);
  }
}

/** Reads JSON whose long integers JavaScript cannot hold: they become texts that `stringify` knows. */
export function parseExact(text) {
  return JSON.parse(text.replace(LONG_INTEGER, (digits) => `"${MARK}${digits}"`));
}

/** JSON again, long integers as they were. */
function stringify(value) {
  return JSON.stringify(value).replace(new RegExp(`"${MARK}(-?\\d+)"`, "g"), "$1");
}

const MARK = "exactly ";
const LONG_INTEGER = /(?<=[:[,]\s*)-?\d{16,}(?=\s*[,\]}])/g;

/** Generates, and gives the errors that stopped it. */
function gen(folder, ...options) {
  const arguments_ = ["run", "-q", "-p", "toolcontract-codegen", "--bin", "toolcontract", "--"];
  const result = spawnSync(
    "cargo",
    [...arguments_, "gen", "--root", folder, "--init-lock", "--format", "json", ...options],
    { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 },
  );
  if (result.status === 0) return [];
  const findings = `${result.stdout}\n${result.stderr}`
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line))
    .filter(({ level }) => level === "error");
  if (findings.length === 0) throw new Error(result.stderr || result.stdout);
  return findings;
}

/** A manifest of a contract that others wrote: formats are annotations. */
export function declared(name, schemas) {
  return { name, description: "Under test.", origin: "a test", ...schemas };
}

/** A manifest of a contract that was written here: formats are asserted. */
export function authored(name, schemas, allow = []) {
  return {
    name,
    description: "Under test.",
    group: "test",
    risk: "low",
    ...(allow.length > 0 && { allow: allow.map((rule) => ({ rule, reason: "under test" })) }),
    ...schemas,
  };
}

/**
 * Compiles a generated package against a version of zod.
 *
 * @returns a function that imports one of its modules; its `folder` is where they were compiled
 */
export async function compile(folder, zod, { emit = true } = {}) {
  const copy = temporary();
  cpSync(folder, copy, { recursive: true });
  link(copy, "zod", zod);
  link(copy, "eventsource-parser", "eventsource-parser");
  const tsc = join(modules, "typescript/bin/tsc");
  const options = emit ? ["--declaration", "false"] : ["--noEmit"];
  try {
    await run(process.execPath, [tsc, "-p", copy, ...options], { maxBuffer: 1 << 28 });
  } catch (error) {
    throw new Error(`${zod}:\n${error.stdout}`);
  }
  const load = (path) => import(pathToFileURL(join(copy, "dist", path)).href);
  return Object.assign(load, { folder: copy });
}

/** Makes `folder` see the installed package `installed` under `name`. */
export function link(folder, name, installed) {
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  symlinkSync(join(modules, installed), join(folder, "node_modules", name));
}

/** The rules that stand in front of the reasons. */
export function rules(reasons) {
  return [...new Set(reasons.map((reason) => reason.split(":", 1)[0]))];
}
