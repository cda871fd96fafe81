// {{banner}}
// What zod 3 has no method for, as plain functions. A refinement calls one where it is needed.
import { z } from "zod";

/** Whether `value` is what `schema` says. */
export function fits(schema: z.ZodTypeAny, value: unknown): boolean {
  return schema.safeParse(value).success;
}

/** Whether no two items are equal as JSON: key order does not matter. */
export function unique(items: readonly unknown[]): boolean {
  return items.every((item, i) => !items.slice(0, i).some((earlier) => same(earlier, item)));
}

/** Whether two values are equal as JSON. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = Object.entries(a);
  const right = new Map(Object.entries(b));
  return (
    left.length === right.size &&
    left.every(([key, value]) => right.has(key) && same(value, right.get(key)))
  );
}

/** Members of an object whose names are not listed: by pattern of the name, and all others. */
export function membersFit(
  value: object,
  listed: readonly string[],
  patterns: readonly (readonly [RegExp, z.ZodTypeAny])[],
  others: z.ZodTypeAny,
): boolean {
  return Object.entries(value).every(([key, member]) => {
    const matching = patterns.filter(([pattern]) => pattern.test(key));
    if (!matching.every(([, schema]) => fits(schema, member))) return false;
    return matching.length > 0 || listed.includes(key) || fits(others, member);
  });
}

/** Items of a list by place, and those behind. */
export function itemsFit(
  items: readonly unknown[],
  places: readonly z.ZodTypeAny[],
  others: z.ZodTypeAny,
): boolean {
  return items.every((item, i) => fits(places[i] ?? others, item));
}

/** Whether between `least` and `most` of the items are what `schema` says. */
export function countFits(
  items: readonly unknown[],
  schema: z.ZodTypeAny,
  least: number,
  most = Infinity,
): boolean {
  const count = items.filter((item) => fits(schema, item)).length;
  return least <= count && count <= most;
}
