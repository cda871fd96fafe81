// The public schema cases and the hostile ones: what a schema accepts, its zod schema accepts and gives back.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

import { expectFile } from "./expect.mjs";
import { authored, compile, declared, generate, parseExact, rules, ZODS } from "./project.mjs";
import { judge, Table } from "./verdict.mjs";

const data = join(import.meta.dirname, "../../data");
/** The public cases, and those of ours. */
const SETS = { cases: "cases", hostile: "rust/hostile" };
const files = Object.entries(SETS).flatMap(([set, folder]) =>
  readdirSync(join(data, folder)).map((file) => ({ set, file, path: join(data, folder, file) })),
);
const cases = files.map(({ set, file, path }) => {
  const text = readFileSync(path, "utf8");
  return {
    set,
    ...JSON.parse(text),
    schema: parseExact(text).schema,
    file,
    name: `case_${file.replace(/\.json$/, "").replaceAll("-", "_")}`.slice(0, 60),
  };
});

/** Checks every instance against both versions of zod. */
async function check(label, { folder, refused }, path, invalidOf) {
  const loads = [];
  for (const [version, zod] of Object.entries(ZODS)) {
    loads.push([version, await compile(folder, zod)]);
  }
  for (const set of Object.keys(SETS)) {
    const those = cases.filter((one) => one.set === set);
    const tables = [];
    for (const [version, load] of loads) {
      const table = await judged(those, load, refused, path, invalidOf);
      assert.deepEqual(table.faults, [], version);
      tables.push(String(table));
    }
    const reasons = those
      .filter((one) => refused.has(path(one)))
      .map((one) => `${path(one)}: ${rules(refused.get(path(one))).join(", ")}\n`)
      .sort();
    console.log(`${set}, ${label}\n${tables[0]}${reasons.join("")}`);
    assert.equal(tables[0], tables[1], "the two versions of zod differ");
    expectFile(`${set}-${label}.txt`, `${tables[0]}\nrefused\n${reasons.join("")}`);
  }
}

async function judged(those, load, refused, path, invalidOf) {
  const table = new Table();
  for (const one of those) {
    if (refused.has(path(one))) {
      table.add(one.file, "refused");
      continue;
    }
    const found = (await load(path(one).replace(/json$/, "js")))[camel(one.name)];
    const schema = found.output ?? found.input ?? found;
    for (const instance of one.valid) table.add(one.file, judge(schema, instance, true));
    for (const instance of invalidOf(one)) table.add(one.file, judge(schema, instance, false));
  }
  return table;
}

const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
const isInput = ({ schema }) => schema.type === "object";

test("declared: formats are annotations", async () => {
  const path = ({ name }) => `tools/${name}.json`;
  const manifest = (one) =>
    declared(
      one.name,
      isInput(one)
        ? { input_schema: one.schema }
        : { input_schema: { type: "object" }, output_schema: one.schema },
    );
  const generated = generate(Object.fromEntries(cases.map((one) => [path(one), manifest(one)])));
  await check("declared", generated, path, (one) => one.invalid);
});

test("authored: formats are asserted", async () => {
  // What is no object is a shared type. What a rule objects to is written as it asks, where that
  // changes nothing about the values, or excepted where the rule lets it.
  const path = (one) => `${isInput(one) ? "tools" : "types"}/${one.name}.json`;
  const manifest = (one, reasons = []) => {
    const broken = rules(reasons);
    if (!isInput(one)) return tidy(one.schema, broken);
    const schema = tidy(one.schema, broken.filter((rule) => NEVER_EXCEPTED.includes(rule)));
    const excepted = broken.filter((rule) => !NEVER_EXCEPTED.includes(rule));
    return authored(one.name, { input_schema: schema }, excepted);
  };
  const strict = generate(Object.fromEntries(cases.map((one) => [path(one), manifest(one)])));
  const generated = generate(
    Object.fromEntries(
      cases.map((one) => [path(one), manifest(one, strict.refused.get(path(one)))]),
    ),
  );
  await check("authored", generated, path, (one) => [
    ...one.invalid,
    ...(one.invalid_if_format_asserted ?? []),
  ]);
});

/** The rules that let nobody be excepted, as far as `tidy` can do what they ask. */
const NEVER_EXCEPTED = ["unknown-keyword", "refused-default", "foreign-dialect"];

/** The schema as these rules ask. It accepts the same values. */
function tidy(schema, broken) {
  if (typeof schema !== "object" || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map((one) => tidy(one, broken));
  // Without a prototype, `__proto__` is a key like any other.
  const all = Object.create(null);
  for (const [key, value] of Object.entries(schema)) {
    if (broken.includes("unknown-keyword") && key === "discriminator") continue;
    if (broken.includes("refused-default") && key === "default") continue;
    if (broken.includes("foreign-dialect") && key === "$schema") continue;
    if (broken.includes("foreign-dialect") && key === "definitions") {
      all.$defs = tidy(value, broken);
    } else if (broken.includes("foreign-dialect") && key === "$ref") {
      all.$ref = value.replace("/definitions/", "/$defs/");
    } else {
      all[key] = tidy(value, broken);
    }
  }
  for (const [key, property] of Object.entries(all.properties ?? {})) {
    if (typeof property === "object") {
      all.properties[key] = { description: "Under test.", ...property };
    }
  }
  if (broken.includes("enum-without-type") && Array.isArray(schema.enum)) {
    all.type ??= [...new Set(schema.enum.map(typeOf))];
    if (all.type.includes("object")) all.additionalProperties ??= true;
  }
  if (broken.includes("neither-open-nor-closed") && schema.type === "object") {
    all.additionalProperties ??= true;
  }
  return all;
}

function typeOf(value) {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
