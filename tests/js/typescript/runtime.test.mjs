// The refinements that zod lacks, each with a value that it takes and one that it does not.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import test, { before, describe } from "node:test";

import { compile, generate, ZODS } from "./project.mjs";
import { shared } from "./shared.mjs";

const { folder } = generate({});

for (const [version, zod] of Object.entries(ZODS)) {
  describe(version, () => {
    let json;
    let z;
    before(async () => {
      const load = await compile(folder, zod);
      json = await load("runtime/index.js");
      z = await load("../node_modules/zod/v4/index.js");
    });

    /** Asserts which values `schema` takes, and that it gives them back as they came. */
    function check(schema, takes, refuses) {
      for (const value of takes) {
        const result = schema.safeParse(value);
        assert.ok(result.success, `${JSON.stringify(value)}: ${result.error?.message}`);
        assert.deepEqual(result.data, value);
      }
      for (const value of refuses) {
        assert.ok(!schema.safeParse(value).success, JSON.stringify(value));
      }
    }

    test("a member called `__proto__` is kept or refused, and never a prototype", () => {
      const value = JSON.parse('{"a":"x","__proto__":{"polluted":true}}');
      const kept = json.open({ a: z.string() }).parse(value);
      assert.equal(JSON.stringify(kept), JSON.stringify(value));
      assert.equal(Object.getPrototypeOf(kept), Object.prototype);
      assert.equal(kept.polluted, undefined);
      const refusal = z.strictObject({ a: z.string() }).safeParse(value);
      assert.deepEqual(refusal.error.issues[0].keys, ["__proto__"]);
      const declared = json.closed({ ["__proto__"]: z.int() });
      check(declared, [JSON.parse('{"__proto__":1}')], [JSON.parse('{"__proto__":"x"}'), {}]);
    });

    test("inherited members are not members", () => {
      const schema = json.closed({ constructor: z.int().optional(), toString: z.unknown() });
      check(schema, [{ toString: 1 }, { toString: null, constructor: 1 }], [{}, { constructor: 1 }]);
    });

    test("a required member of any type must be there, `undefined` is absent", () => {
      const schema = json.closed({ a: z.unknown(), b: z.string().optional() });
      check(schema, [{ a: null }, { a: 0, b: "x" }], [{}, { a: undefined }, { b: "x" }]);
      assert.ok(schema.safeParse({ a: 1, b: undefined }).success);
      assert.ok(!schema.safeParse({ a: 1, b: null }).success);
    });

    test("an object schema stays one when it is described or extended", () => {
      const described = json.open({ a: z.unknown() }).describe("described");
      check(described, [JSON.parse('{"a":1,"__proto__":2}')], [{}]);
      const extended = json.open({ a: z.unknown() }).extend({ b: z.int() });
      check(extended, [{ a: 1, b: 2, c: 3 }], [{ a: 1 }]);
      assert.ok(described instanceof z.ZodObject);
    });

    test("members beyond those named", () => {
      check(json.open({ a: z.string() }, z.int()), [{ a: "x", b: 1 }], [{ a: "x", b: "y" }, []]);
      check(json.open({}).check(json.minProperties(1)), [{ a: 1 }], [{}, { a: undefined }]);
      check(json.open({}).check(json.maxProperties(1)), [{ a: 1 }, {}], [{ a: 1, b: 2 }]);
      check(json.open({}).check(json.required("a")), [{ a: 1 }], [{}]);
      check(json.open({}).check(json.propertyNames(z.string().min(2))), [{ ab: 1 }], [{ a: 1 }]);
      const pairs = json.dependentRequired("a", ["b"]);
      check(json.open({}).check(pairs), [{}, { b: 1 }, { a: 1, b: 1 }], [{ a: 1 }]);
      const schema = json.dependentSchema("a", json.open({ b: z.int() }));
      check(json.open({}).check(schema), [{ b: "x" }, { a: 1, b: 1 }], [{ a: 1, b: "x" }]);
      const patterns = json.patternProperties([["^x-", z.string()]], ["a"], z.never());
      check(json.open({}).check(patterns), [{ a: 1, "x-b": "y" }], [{ "x-b": 1 }, { b: 1 }]);
      const broken = json.patternProperties([["(", z.string()]]);
      check(json.open({}).check(broken), [{}], [{ a: "x" }]);
    });

    test("lengths are code points", () => {
      check(z.string().check(json.maxLength(2)), ["", "ab", "😀😀"], ["abc", "😀😀😀"]);
      check(z.string().check(json.minLength(2)), ["ab", "😀😀"], ["a", "😀"]);
      check(z.unknown().check(json.minLength(2)), [1, null, []], ["a"]);
    });

    test("patterns that JavaScript cannot compile refuse every text, and say why", () => {
      check(z.string().check(json.pattern("^(?!a)")), ["b"], ["ab"]);
      const broken = z.unknown().check(json.pattern("\\Z"));
      check(broken, [1], ["", "Z"]);
      assert.match(broken.safeParse("").error.message, /JavaScript cannot compile/);
    });

    test("steps are decimal", () => {
      check(z.number().check(json.multipleOf(0.01)), [19.99, 0, -4.35, 1e20], [0.015, 1e-7]);
      check(z.number().check(json.multipleOf(1e-8)), [12391239123, 1e-8], [1e-9]);
      check(z.number().check(json.multipleOf(3)), [9, 3e300], [10]);
    });

    test("integers of any size are texts", () => {
      const schema = json.integerText({ min: 0n, max: 18446744073709551615n });
      check(schema, ["0", "18446744073709551615"], ["-1", "18446744073709551616", "01", "1.0", "", 1]);
    });

    test("arrays", () => {
      check(json.tuple([z.string(), z.int()]), [[], ["a"], ["a", 1, null]], [["a", "b"], "a"]);
      check(json.tuple([z.string()], z.never()), [[], ["a"]], [["a", 1]]);
      check(z.array(z.unknown()).check(json.minItems(1)), [[1]], [[]]);
      check(z.array(z.unknown()).check(json.maxItems(1)), [[1]], [[1, 2]]);
      const unique = z.array(z.unknown()).check(json.uniqueItems());
      check(
        unique,
        [[], [1, "1", true, null, [1], { a: 1 }], [{ a: 1, b: 2 }, { a: 2, b: 1 }]],
        [[1, 1.0], [{ a: 1, b: 2 }, { b: 2, a: 1 }], [[{}], [{}]]],
      );
      const some = json.contains(z.int(), { min: 1, max: 2 });
      check(z.array(z.unknown()).check(some), [[1], ["a", 1, 2]], [[], ["a"], [1, 2, 3]]);
    });

    test("a value too deep to compare is refused, not a crash", () => {
      let deep = [];
      for (let level = 0; level < 10_000; level += 1) deep = [deep];
      const unique = z.array(z.unknown()).check(json.uniqueItems());
      assert.ok(!unique.safeParse([deep, deep]).success);
    });

    test("logic", () => {
      check(json.oneOf([z.int(), z.number().min(5)]), [1, 5.5], [5, 1.5]);
      check(json.allOf(json.open({ a: z.int() }), json.open({ b: z.int() })), [{ a: 1, b: 2 }], [{ a: 1 }]);
      check(z.unknown().check(json.not(z.string())), [1], ["a"]);
      check(z.unknown().check(json.anyOf(z.string(), z.int())), ["a", 1], [null]);
      check(z.unknown().check(json.exactlyOne(z.number(), z.int())), [1.5], [1, "a"]);
      check(z.unknown().check(json.whenType("string", z.string().min(2))), [1, "ab"], ["a"]);
      const when = json.when(z.string(), { then: z.string().min(2), else: z.int() });
      check(z.unknown().check(when), ["ab", 1], ["a", null]);
      check(json.equalTo({ a: [1] }), [{ a: [1.0] }], [{ a: 1 }, { a: [1], b: 2 }]);
      assert.match(json.refused("because").safeParse(1).error.message, /because/);
    });

    test("what nothing speaks of", () => {
      const left = json.open({ left: z.string() });
      const spoken = { keys: ["id"], patterns: ["^x-"], when: [{ if: left, then: { keys: ["left"] } }] };
      const closed = json.unevaluatedProperties(spoken, z.never());
      check(
        json.open({}).check(closed),
        [{}, { id: 1, "x-a": 1 }, { left: "a" }],
        [{ other: 1 }, { left: 1 }],
      );
      const keyed = { when: [{ key: "a", then: { keys: ["a", "b"] } }] };
      check(
        json.open({}).check(json.unevaluatedProperties(keyed, z.never())),
        [{ a: 1, b: 2 }],
        [{ b: 2 }],
      );
      const items = { items: 1, containing: [z.int()] };
      check(
        z.array(z.unknown()).check(json.unevaluatedItems(items, z.never())),
        [[], ["a"], ["a", 1]],
        [["a", "b"]],
      );
    });

    test("hosts are told by their letters", () => {
      // The same table as in Rust, `crates/schema/src/host.rs`.
      const hosts = {
        "a.example": true,
        "xn--4gbwdl.xn--wgbh1c": true,
        "XN--AA-----o47jg78q": true,
        "xn--": false,
        "xn--a-": false,
        "xn--\u00e9": false,
        "ab--cd.example": false,
        "a..b": false,
        "": false,
      };
      for (const [host, valid] of Object.entries(hosts)) {
        const is = (name, text) => z.unknown().check(json.format(name)).safeParse(text).success;
        assert.equal(is("hostname", host), valid, host);
        assert.equal(is("email", `me@${host}`), valid, host);
      }
    });

    test("faults say where they are", () => {
      const schema = json.open({ list: z.array(json.closed({ a: z.unknown() })) });
      const { error } = schema.safeParse({ list: [{ a: 1 }, {}] });
      assert.deepEqual(error.issues[0].path, ["list", 1, "a"]);
      const also = json.open({}).check(json.also(json.open({ a: json.open({ b: z.int() }) })));
      assert.deepEqual(also.safeParse({ a: { b: "x" } }).error.issues[0].path, ["a", "b"]);
    });

    test("formats are those of the suite", (t) => {
      const tests = shared("json-schema-test-suite/tests/draft2020-12/optional/format", t);
      if (tests === undefined) return;
      const faults = [];
      for (const file of readdirSync(tests)) {
        for (const { schema, tests: all } of JSON.parse(readFileSync(join(tests, file), "utf8"))) {
          if (/^(idn-|unknown)/.test(schema.format ?? "idn-")) continue;
          const checked = z.unknown().check(json.format(schema.format));
          for (const { data, valid, description } of all) {
            // Whether a label in Punycode is a word is not checked.
            if (schema.format === "hostname" && /^xn--/i.test(data)) continue;
            if (checked.safeParse(data).success !== valid) faults.push(`${file}: ${description}`);
          }
        }
      }
      assert.deepEqual(faults, []);
    });
  });
}
