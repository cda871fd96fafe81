// The vectors of a generated package, and Ajv's word on them.

import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";

/** Every vector of a package: tool, side, what is special about it, whether it is valid, the value. */
export function vectorsOf(generated) {
  const folder = join(generated, "tests/vectors");
  return readdirSync(folder)
    .sort()
    .flatMap((file) => {
      const tool = file.replace(/\.json$/, "");
      const sides = JSON.parse(readFileSync(join(folder, file), "utf8"));
      return Object.entries(sides).flatMap(([side, list]) =>
        list.map((vector) => ({ tool, side, ...vector })),
      );
    });
}

/** Runs the test that a package carries, where it was compiled; throws with what failed. */
export function runVectors(folder) {
  // Node must not know that it runs inside a test.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const run = spawnSync(process.execPath, ["--test", "--test-reporter=spec", "tests/"], {
    cwd: folder,
    env,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (run.status === 0) return;
  const failed = run.stdout.slice(run.stdout.indexOf("failing tests:"));
  throw new Error(`${failed}\n${run.stderr}`);
}

/**
 * One Ajv for all schemas, and one for those that say draft-07 of themselves.
 *
 * @returns a function from vector to verdict, or to the reason why Ajv has none
 */
export function ajvJudge(contracts, { formats }) {
  const [latest, draft7] = [Ajv2020, Ajv].map((Class) => {
    const ajv = new Class({ strict: false, validateFormats: formats, logger: false });
    if (formats) addFormats.default(ajv);
    return ajv;
  });
  const compiled = new Map();
  return ({ tool, side, value }) => {
    const key = `${tool} ${side}`;
    if (!compiled.has(key)) {
      const schema = schemaOf(contracts[tool], side);
      compiled.set(key, compile(schema.$schema?.includes("/draft-07/") ? draft7 : latest, schema));
    }
    const check = compiled.get(key);
    return typeof check === "function" ? check(value) : check;
  };
}

function compile(ajv, schema) {
  try {
    return ajv.compile(schema);
  } catch (error) {
    return `does not compile: ${error.message}`;
  }
}

const schemaOf = (contract, side) =>
  side === "input" ? contract.schema.input_schema : contract.output_schema;

/**
 * Holds what a third party says against the list of its known deviations. An entry covers the
 * vectors whose name, `tool side: about`, holds its words.
 *
 * @returns what is wrong: deviations that are not listed, and entries that cover none
 */
export function deviations(by, list, vectors, judge) {
  const known = list.filter((entry) => entry.by === by);
  const used = new Set();
  const faults = [];
  for (const vector of vectors) {
    const verdict = judge(vector);
    if (verdict === vector.valid) continue;
    const name = `${vector.tool} ${vector.side}: ${vector.about}`;
    const entry = known.find(({ words }) => name.includes(words));
    if (entry) used.add(entry);
    else faults.push(`${by} says ${verdict}, not ${vector.valid}: ${name}: ${short(vector.value)}`);
  }
  for (const entry of known) {
    if (!used.has(entry)) faults.push(`${by} no longer deviates: ${entry.words}`);
  }
  return faults.length > MOST ? [...faults.slice(0, MOST), `and ${faults.length - MOST} more`] : faults;
}

/** How many faults are told. */
const MOST = 20;

const short = (value) => JSON.stringify(value).slice(0, 300);

/** The deviations of third parties that are known, with their reasons. */
export function listed(file) {
  return JSON.parse(readFileSync(join(import.meta.dirname, "../../data/vectors", file), "utf8"));
}
