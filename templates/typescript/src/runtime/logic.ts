/** Schemas made of schemas: all of, one of, none of, if. */

import * as z from "zod/v4";

import { accepts, type Check, forward, refine, report, type Schema } from "./check.js";
import { canonical } from "./equal.js";

/** What `first` accepts and every one of `others` accepts as well. */
export function allOf<A extends Schema, B extends readonly Schema[]>(
  first: A,
  ...others: B
): z.ZodType<z.output<A> & All<B>> {
  const schema = first as unknown as z.ZodType;
  return schema.check(...others.map(also)) as z.ZodType<z.output<A> & All<B>>;
}

type All<S extends readonly unknown[]> = S extends readonly [infer A, ...infer Rest]
  ? z.output<A> & All<Rest>
  : unknown;

/** What exactly one of `options` accepts. */
export function oneOf<const O extends readonly Schema[]>(options: O): z.ZodUnion<O> {
  return z.union(options).check(exactlyOne(...options));
}

/** The value is also what `schema` says. */
export function also(schema: Schema): Check {
  return (payload) => forward(payload, schema, payload.value);
}

/** The value is what at least one of `options` says. */
export function anyOf(...options: Schema[]): Check {
  return also(z.union(options));
}

/** The value is what exactly one of `options` says. */
export function exactlyOne(...options: Schema[]): Check {
  return (payload) => {
    const found = options.filter((option) => accepts(option, payload.value)).length;
    if (found !== 1) {
      report(payload, `Invalid: ${found} of ${options.length} alternatives match, expected one`);
    }
  };
}

/** The value is not what `schema` says. */
export function not(schema: Schema): Check {
  return refine((value) => !accepts(schema, value), "Invalid: the contract rules this value out");
}

/** Where the value is what `condition` says, it is also what `then` says, and otherwise `else`. */
export function when(
  condition: Schema,
  branches: { readonly then?: Schema; readonly else?: Schema },
): Check {
  return (payload) => {
    const branch = accepts(condition, payload.value) ? branches.then : branches.else;
    if (branch !== undefined) forward(payload, branch, payload.value);
  };
}

/** A value of this JSON type is what `schema` says; others pass. */
export function whenType(type: "string" | "number" | "array" | "object", schema: Schema): Check {
  return (payload) => {
    if (jsonType(payload.value) === type) forward(payload, schema, payload.value);
  };
}

function jsonType(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** A value equal to `expected`, an array or an object. */
export function equalTo<T>(expected: T): z.ZodCustom<T, T> {
  const wanted = canonical(expected) ?? "";
  return z.custom<T>((value) => canonical(value) === wanted, `Invalid: expected ${wanted}`);
}

/** Accepts nothing, and says why. */
export function refused<T = unknown>(reason: string): z.ZodCustom<T, T> {
  return z.custom<T>(() => false, reason);
}
