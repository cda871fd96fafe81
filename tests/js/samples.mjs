// Values made from a JSON Schema: what it accepts, and the same broken in one place. Good enough for
// the schemas of the catalog; values say nothing about what a tool would do with them.

/** Values near what `schema` accepts: a full one, a small one, and each broken in one place. */
export function* samples(schema, root) {
  const whole = [full(schema, root, true), full(schema, root, false)];
  for (const value of whole) {
    yield value;
    yield* broken(value);
  }
  // Two members at a time, for rules between members.
  const names = Object.keys(schema.properties ?? {});
  for (const a of names) {
    for (const b of names) {
      yield pick(whole[0], [...(schema.required ?? []), a, b]);
      if (a !== b) yield without(whole[0], [a, b]);
    }
  }
}

function* broken(value, depth = 0) {
  if (depth > 4) return;
  if (Array.isArray(value)) {
    yield [];
    yield [...value, null];
    yield [...value, ...value];
    for (const [i, item] of value.entries()) {
      for (const other of broken(item, depth + 1)) yield value.with(i, other);
    }
  } else if (typeof value === "object" && value !== null) {
    yield { ...value, unknown_member: 1 };
    for (const [name, member] of Object.entries(value)) {
      yield without(value, [name]);
      for (const other of broken(member, depth + 1)) yield { ...value, [name]: other };
    }
  } else if (typeof value === "number") {
    yield* [-1, 0, 1, 0.5, 1e9, 2 ** 53 - 1, "1", null];
  } else if (typeof value === "string") {
    yield* ["", "x", "a/b", " ", "A".repeat(300), "ab12cd34ef56", 1, null, [value], { value }];
  } else {
    yield* [true, false, 0, "true", null];
  }
}

const without = (object, names) => Object.fromEntries(Object.entries(object).filter(([k]) => !names.includes(k)));
const pick = (object, names) => Object.fromEntries(Object.entries(object).filter(([k]) => names.includes(k)));

/** A value of the schema's shape: with every member, or with the required ones. */
export function full(schema, root, all) {
  if (schema.$ref) {
    const target = schema.$ref.slice(2).split("/").reduce((node, key) => node[key], root);
    return full(target, root, all);
  }
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  const branch = (schema.anyOf ?? schema.oneOf)?.[0];
  if (branch && !schema.properties && (branch.type || branch.enum || branch.$ref)) return full(branch, root, all);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case "object": {
      const names = Object.keys(schema.properties ?? {});
      const wanted = all ? names : names.filter((name) => schema.required?.includes(name));
      return Object.fromEntries(wanted.map((name) => [name, full(schema.properties[name], root, all)]));
    }
    case "array":
      return Array.from({ length: Math.max(schema.minItems ?? 0, all ? 1 : 0) }, () => full(schema.items ?? {}, root, all));
    case "integer":
    case "number":
      return schema.minimum ?? 1;
    case "boolean":
      return true;
    default:
      return text(schema);
  }
}

function text(schema) {
  const candidates = ["a1b2c3d4", "name", "main", "src/a.rs", "https://example.com/", "2026-01-02T03:04:05Z", "https://example.com/a.md", "1", "a-b", "image/png", `sha256:${"0".repeat(64)}`, "0".repeat(40), "proc-1"];
  const fits = (t) => (!schema.pattern || new RegExp(schema.pattern, "u").test(t)) &&
    (schema.format !== "date-time" || t.includes("T03")) && (schema.format !== "uri" || t.startsWith("https"));
  return candidates.find(fits) ?? "a".repeat(schema.minLength ?? 1);
}
