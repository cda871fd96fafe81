/**
 * Objects where `z.strictObject` and `z.looseObject` fall short: they read inherited members
 * (`constructor`), lose a member called `__proto__`, and let a required member of any type be absent.
 */

import * as z from "zod/v4";

import { type Check, forward, has, isObject, members, refine, report, type Schema } from "./check.js";
import { compile, unreadable } from "./patterns.js";

type Shape = z.core.$ZodLooseShape;

const ZodObject: z.core.$constructor<z.ZodObject> = z.ZodObject;

/** A `z.ZodObject` that looks at own members only and gives every one of them back. */
const OwnObject = z.core.$constructor<z.ZodObject>("OwnObject", (inst, def) => {
  ZodObject.init(inst, def);
  inst._zod.parse = (payload, ctx) => parseOwn(inst, payload, ctx);
});

/** An object that may have members beyond `shape`; they are kept, and must be `rest` if that is given. */
export function open<S extends Shape>(shape: S): z.ZodObject<S, z.core.$loose>;
export function open<S extends Shape, R extends z.core.SomeType>(
  shape: S,
  rest: R,
): z.ZodObject<S, z.core.$catchall<R>>;
export function open(shape: Shape, rest: z.core.SomeType = z.unknown()): z.ZodObject {
  return new OwnObject({ type: "object", shape, catchall: rest as Schema });
}

/** An object without members beyond `shape`. */
export function closed<S extends Shape>(shape: S): z.ZodObject<S, z.core.$strict> {
  const schema: z.ZodObject = new OwnObject({ type: "object", shape, catchall: z.never() });
  return schema as unknown as z.ZodObject<S, z.core.$strict>;
}

function parseOwn(
  inst: z.ZodObject,
  payload: z.core.ParsePayload,
  ctx: z.core.ParseContextInternal,
): z.core.ParsePayload | Promise<z.core.ParsePayload> {
  const input = payload.value;
  if (!isObject(input)) {
    payload.issues.push({ code: "invalid_type", expected: "object", input, inst });
    return payload;
  }
  const { shape, catchall } = inst._zod.def;
  const output = {};
  payload.value = output;
  const pending: Promise<void>[] = [];
  const member = (key: string, schema: Schema): void => {
    const settle = (result: z.core.ParsePayload): void => {
      payload.issues.push(...z.core.util.prefixIssues(key, result.issues));
      put(output, key, result.value);
    };
    const result = schema._zod.run({ value: input[key], issues: [] }, ctx);
    if (result instanceof Promise) pending.push(result.then(settle));
    else settle(result);
  };

  for (const [key, schema] of Object.entries(shape)) {
    if (has(input, key)) member(key, schema);
    else if (schema._zod.optin === undefined) report(payload, "Required", [key]);
  }
  const unrecognized: string[] = [];
  for (const key of Object.keys(input)) {
    if (Object.hasOwn(shape, key)) continue;
    if (catchall?._zod.def.type === "never") unrecognized.push(key);
    else if (catchall !== undefined) member(key, catchall);
  }
  if (unrecognized.length > 0) {
    payload.issues.push({ code: "unrecognized_keys", keys: unrecognized, input, inst });
  }
  return pending.length > 0 ? Promise.all(pending).then(() => payload) : payload;
}

/** Sets a member, also one called `__proto__`, which plain assignment takes for the prototype. */
function put(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

/** The object has these members. */
export function required(...keys: string[]): Check {
  return (payload) => {
    const { value } = payload;
    if (!isObject(value)) return;
    for (const key of keys) if (!has(value, key)) report(payload, "Required", [key]);
  };
}

/** The object has at least `count` members. */
export function minProperties(count: number): Check {
  return refine(
    (value) => !isObject(value) || members(value).length >= count,
    `Too few members: expected at least ${count}`,
  );
}

/** The object has at most `count` members. */
export function maxProperties(count: number): Check {
  return refine(
    (value) => !isObject(value) || members(value).length <= count,
    `Too many members: expected at most ${count}`,
  );
}

/** Every key is what `schema` says. */
export function propertyNames(schema: Schema): Check {
  return (payload) => {
    const { value } = payload;
    if (!isObject(value)) return;
    for (const [key] of members(value)) forward(payload, schema, key, [key]);
  };
}

/** Where `key` is present, so are `others`. */
export function dependentRequired(key: string, others: string[]): Check {
  return (payload) => {
    const { value } = payload;
    if (!isObject(value) || !has(value, key)) return;
    for (const other of others) {
      if (!has(value, other)) report(payload, `Required beside ${JSON.stringify(key)}`, [other]);
    }
  };
}

/** Where `key` is present, the object is what `schema` says. */
export function dependentSchema(key: string, schema: Schema): Check {
  return (payload) => {
    const { value } = payload;
    if (isObject(value) && has(value, key)) forward(payload, schema, value);
  };
}

/**
 * Members whose key a pattern finds are what its schema says. Those that no pattern finds and
 * `known` does not list are what `rest` says. Where JavaScript cannot compile a pattern, every
 * object with members is refused and the reason says so.
 */
export function patternProperties(
  patterns: readonly (readonly [source: string, schema: Schema])[],
  known: readonly string[] = [],
  rest?: Schema,
): Check {
  const compiled = patterns.map(([source, schema]) => [source, compile(source), schema] as const);
  return (payload) => {
    const { value } = payload;
    if (!isObject(value)) return;
    for (const [key, member] of members(value)) {
      let found = false;
      for (const [source, expression, schema] of compiled) {
        if (expression === undefined) report(payload, unreadable(source), [key]);
        else if (expression.test(key)) {
          found = true;
          forward(payload, schema, member, [key]);
        }
      }
      if (rest !== undefined && !found && !known.includes(key)) {
        forward(payload, rest, member, [key]);
      }
    }
  };
}
