/** Regular expressions with the semantics of JSON Schema: found anywhere, by code points. */

import { type Check, report } from "./check.js";

/**
 * `source` is found somewhere in the string. For a pattern that others wrote: where JavaScript
 * cannot compile it, every string is refused and the reason says so.
 */
export function pattern(source: string): Check {
  const compiled = compile(source);
  return (payload) => {
    if (typeof payload.value !== "string") return;
    if (compiled === undefined) report(payload, unreadable(source));
    else if (!compiled.test(payload.value)) report(payload, `Invalid: must match ${source}`);
  };
}

/** The regular expression, or nothing where JavaScript cannot compile it. */
export function compile(source: string): RegExp | undefined {
  try {
    return new RegExp(source, "u");
  } catch {
    return undefined;
  }
}

/** Why a value is refused whose pattern does not compile. */
export function unreadable(source: string): string {
  return `JavaScript cannot compile the pattern ${source}`;
}
