/** Lengths of strings in code points; the two versions of zod count differently. */

import { type Check, refine } from "./check.js";

/** The string has at least `length` code points. */
export function minLength(length: number): Check {
  return refine(
    (value) => typeof value !== "string" || codePoints(value) >= length,
    `Too short: expected at least ${length} characters`,
  );
}

/** The string has at most `length` code points. */
export function maxLength(length: number): Check {
  return refine(
    (value) => typeof value !== "string" || value.length <= length || codePoints(value) <= length,
    `Too long: expected at most ${length} characters`,
  );
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
