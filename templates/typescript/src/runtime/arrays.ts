/** Arrays: tuples that may be shorter or longer, items that must be found, items that differ. */

import * as z from "zod/v4";

import { accepts, type Check, forward, refine, report, type Schema } from "./check.js";
import { canonical } from "./equal.js";

/** An array whose first items are what `prefix` says, as far as there are any; later ones are `rest`. */
export function tuple<T extends readonly unknown[]>(
  prefix: readonly Schema[],
  rest: Schema = z.unknown(),
): z.ZodType<T> {
  return z.array(z.unknown()).check((payload) => {
    payload.value.forEach((item, index) => {
      forward(payload, prefix[index] ?? rest, item, [index]);
    });
  }) as unknown as z.ZodType<T>;
}

/** The array has at least `count` items. */
export function minItems(count: number): Check {
  return refine(
    (value) => !Array.isArray(value) || value.length >= count,
    `Too few items: expected at least ${count}`,
  );
}

/** The array has at most `count` items. */
export function maxItems(count: number): Check {
  return refine(
    (value) => !Array.isArray(value) || value.length <= count,
    `Too many items: expected at most ${count}`,
  );
}

/** No two items are equal. */
export function uniqueItems(): Check {
  return (payload) => {
    const { value } = payload;
    if (!Array.isArray(value)) return;
    const seen = new Map<string, number>();
    for (const [index, item] of value.entries()) {
      const text = canonical(item);
      const first = text === undefined ? undefined : seen.get(text);
      if (text === undefined) report(payload, "Nested too deeply to compare", [index]);
      else if (first !== undefined) report(payload, `Equal to item ${first}`, [index]);
      else seen.set(text, index);
    }
  };
}

/** At least `min` and at most `max` items are what `schema` says. */
export function contains(schema: Schema, { min = 1, max = Infinity } = {}): Check {
  const wanted = max === Infinity ? `at least ${min}` : `${min} to ${max}`;
  return refine((value) => {
    if (!Array.isArray(value)) return true;
    const found = value.filter((item) => accepts(schema, item)).length;
    return found >= min && found <= max;
  }, `Invalid: expected ${wanted} items of the kind that the contract names`);
}
