/** What every check of this folder is made of. A check never changes a value. */

import * as z from "zod/v4";

/**
 * A refinement for `.check(...)`, named after the JSON Schema keyword that it stands for.
 * As there, it says nothing about values of types that the keyword does not speak of.
 */
export type Check = (payload: z.core.ParsePayload) => void;

/** Any zod schema. */
export type Schema = z.core.$ZodType;

/** A JSON object. */
export type JsonObject = { readonly [key: string]: unknown };

/** A check that reports `message` unless `holds`. */
export function refine(holds: (value: unknown) => boolean, message: string): Check {
  return (payload) => {
    if (!holds(payload.value)) report(payload, message);
  };
}

/** Reports `message` at `path` below the value. */
export function report(
  payload: z.core.ParsePayload,
  message: string,
  path: PropertyKey[] = [],
): void {
  payload.issues.push({ code: "custom", message, path, input: payload.value });
}

/** Reports whatever `schema` has against `value`, which sits at `path` below the checked value. */
export function forward(
  payload: z.core.ParsePayload,
  schema: Schema,
  value: unknown,
  path: PropertyKey[] = [],
): void {
  const result = z.safeParse(schema, value);
  if (result.success) return;
  for (const issue of result.error.issues) {
    payload.issues.push({
      ...issue,
      path: [...path, ...issue.path],
      input: value,
    } as z.core.$ZodRawIssue);
  }
}

/** Whether `schema` accepts `value`. */
export function accepts(schema: Schema, value: unknown): boolean {
  return z.safeParse(schema, value).success;
}

/** Whether `value` is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The members that JSON would carry: own, and not `undefined`. */
export function members(value: JsonObject): [key: string, value: unknown][] {
  return Object.entries(value).filter(([, member]) => member !== undefined);
}

/** Whether `value` has a member `key` of its own. `undefined` is absent, as in `JSON.stringify`. */
export function has(value: JsonObject, key: string): boolean {
  return Object.hasOwn(value, key) && value[key] !== undefined;
}
