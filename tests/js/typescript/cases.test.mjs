// The public schema cases: what a schema accepts, its zod schema accepts and gives back.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

import { authored, compile, declared, generate, parseExact, ZODS } from "./project.mjs";
import { judge, Table } from "./verdict.mjs";

const folder = join(import.meta.dirname, "../../data/cases");
const cases = readdirSync(folder).map((file) => {
  const text = readFileSync(join(folder, file), "utf8");
  return {
    ...JSON.parse(text),
    schema: parseExact(text).schema,
    file,
    name: `case_${file.replace(/\.json$/, "").replaceAll("-", "_")}`.slice(0, 60),
  };
});

/** The schema as the input of a tool, or as its output where it is no object. */
function schemas({ schema }) {
  if (schema.type === "object") return { input_schema: schema };
  return { input_schema: { type: "object", additionalProperties: false }, output_schema: schema };
}

/** Checks every instance against both versions of zod. */
async function check(label, { folder, refused }, invalidOf) {
  for (const [version, zod] of Object.entries(ZODS)) {
    const load = await compile(folder, zod);
    const table = new Table();
    for (const one of cases) {
      if (refused.has(one.name)) {
        table.add(one.file, "refused");
        continue;
      }
      const { [camel(one.name)]: tool } = await load(`tools/${one.name}.js`);
      const schema = tool.output ?? tool.input;
      for (const instance of one.valid) table.add(one.file, judge(schema, instance, true));
      for (const instance of invalidOf(one)) table.add(one.file, judge(schema, instance, false));
    }
    console.log(`${label}, ${version}\n${table}`);
    assert.deepEqual(table.faults, []);
  }
}

const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

test("declared: formats are annotations", async () => {
  const generated = generate(cases.map((one) => declared(one.name, schemas(one))));
  assert.deepEqual([...generated.refused], []);
  await check("declared", generated, (one) => one.invalid);
});

test("authored: formats are asserted", async () => {
  // What a rule objects to is excepted where the rule lets it; the rest is refused for good.
  const strict = generate(cases.map((one) => authored(one.name, schemas(one))));
  const generated = generate(
    cases.map((one) => authored(one.name, schemas(one), rules(strict.refused.get(one.name)))),
  );
  console.log([...generated.refused].map(([name, why]) => `${name}: ${why.join("; ")}`).join("\n"));
  await check("authored", generated, (one) => [
    ...one.invalid,
    ...(one.invalid_if_format_asserted ?? []),
  ]);
});

/** The rules that objected. */
function rules(reasons = []) {
  return [...new Set(reasons.map((reason) => reason.split(":", 1)[0]))];
}
