/** What a schema and the schemas it is made of have not spoken of. */

import { accepts, type Check, forward, has, isObject, members, type Schema } from "./check.js";
import { compile } from "./patterns.js";

/** What a schema speaks of, as far as its conditions hold. */
export type Evaluated = {
  /** Everything. */
  readonly all?: true;
  /** Members with these keys. */
  readonly keys?: readonly string[];
  /** Members whose key one of these patterns finds. */
  readonly patterns?: readonly string[];
  /** The first so many items. */
  readonly items?: number;
  /** Items that one of these schemas accepts. */
  readonly containing?: readonly Schema[];
  /** More, depending on the value. */
  readonly when?: readonly Condition[];
};

/** What is spoken of where `if` accepts the value, and where it does not; or where `key` is present. */
export type Condition =
  | { readonly if: Schema; readonly then?: Evaluated; readonly else?: Evaluated }
  | { readonly key: string; readonly then: Evaluated };

/** Members that `evaluated` does not speak of are what `schema` says. */
export function unevaluatedProperties(evaluated: Evaluated, schema: Schema): Check {
  return (payload) => {
    const { value } = payload;
    if (!isObject(value)) return;
    const specs = holding(evaluated, value);
    if (specs.some((spec) => spec.all)) return;
    const keys = new Set(specs.flatMap((spec) => spec.keys ?? []));
    const sources = specs.flatMap((spec) => spec.patterns ?? []);
    for (const [key, member] of members(value)) {
      if (keys.has(key) || sources.some((source) => compile(source)?.test(key))) continue;
      forward(payload, schema, member, [key]);
    }
  };
}

/** Items that `evaluated` does not speak of are what `schema` says. */
export function unevaluatedItems(evaluated: Evaluated, schema: Schema): Check {
  return (payload) => {
    const { value } = payload;
    if (!Array.isArray(value)) return;
    const specs = holding(evaluated, value);
    if (specs.some((spec) => spec.all)) return;
    const prefix = Math.max(...specs.map((spec) => spec.items ?? 0));
    const containing = specs.flatMap((spec) => spec.containing ?? []);
    for (const [index, item] of value.entries()) {
      if (index < prefix || containing.some((contained) => accepts(contained, item))) continue;
      forward(payload, schema, item, [index]);
    }
  };
}

/** `spec` and every spec below it whose condition holds for `value`. */
function holding(spec: Evaluated, value: unknown): Evaluated[] {
  const below = (spec.when ?? []).flatMap((condition) => {
    const then = branch(condition, value);
    return then === undefined ? [] : holding(then, value);
  });
  return [spec, ...below];
}

function branch(condition: Condition, value: unknown): Evaluated | undefined {
  if ("key" in condition) {
    return isObject(value) && has(value, condition.key) ? condition.then : undefined;
  }
  return accepts(condition.if, value) ? condition.then : condition.else;
}
