// The required tests of the JSON Schema Test Suite for 2020-12, each schema as the output of an
// imported tool.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

import { expectFile } from "./expect.mjs";
import { compile, declared, generate, parseExact, rules, ZODS } from "./project.mjs";
import { shared } from "./shared.mjs";
import { judge, Table } from "./verdict.mjs";

test("the suite of JSON Schema", async (t) => {
  const folder = shared("json-schema-test-suite/tests/draft2020-12", t);
  if (folder === undefined) return;
  const groups = readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .flatMap((file) => groupsOf(folder, file));
  const { folder: generated, refused } = generate(
    Object.fromEntries(
      groups.map(({ name, schema }) => [
        `tools/${name}.json`,
        declared(name, { input_schema: { type: "object" }, output_schema: asObject(schema) }),
      ]),
    ),
  );
  const tables = [];
  for (const [version, zod] of Object.entries(ZODS)) {
    const load = await compile(generated, zod);
    const table = new Table();
    for (const { file, name, tests, description } of groups) {
      const reasons = refused.get(`tools/${name}.json`);
      const tool = reasons ? undefined : (await load(`tools/${name}.js`))[name];
      for (const { data, valid } of tests) {
        const verdict = reasons ? "refused" : judge(tool.output, data, valid);
        const known = verdict === "exact" || verdict === "refused";
        table.add(file, known ? verdict : `${description}: ${verdict}`);
      }
    }
    assert.deepEqual(table.faults, [], version);
    assert.ok(table.exact >= 0.9, `only ${table.exact} exact`);
    tables.push(String(table));
  }
  const reasons = groups
    .filter(({ name }) => refused.has(`tools/${name}.json`))
    .map(
      ({ file, name, description }) =>
        `${file}: ${description}: ${rules(refused.get(`tools/${name}.json`)).join(", ")}`,
    );
  console.log(tables[0]);
  assert.equal(tables[0], tables[1], "the two versions of zod differ");
  expectFile("suite.txt", `${tables[0]}\nrefused\n${reasons.join("\n")}\n`);
});

/** A manifest holds no bare boolean; `allOf` makes no difference. */
const asObject = (schema) => (typeof schema === "boolean" ? { allOf: [schema] } : schema);

function groupsOf(folder, file) {
  const text = readFileSync(join(folder, file), "utf8");
  const exact = parseExact(text);
  const stem = file.replace(/\.json$/, "").replaceAll(/[^A-Za-z0-9]/g, "").toLowerCase();
  return JSON.parse(text).map((group, index) => ({
    ...group,
    schema: exact[index].schema,
    file,
    name: `s${stem}${index}`,
  }));
}
