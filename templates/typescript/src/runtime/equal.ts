/** Equality of JSON values: `1` is `1.0`, the order of members does not matter. */

/** Deeper values are not compared; a contract that nests deeper has other troubles. */
const MAX_DEPTH = 256;

/**
 * A text that two values share exactly when they are equal.
 *
 * @throws RangeError when `value` is nested more than 256 deep.
 */
export function canonical(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) throw new RangeError("nested too deeply to compare");
  if (Array.isArray(value)) {
    return `[${value.map((item) => canonical(item, depth + 1)).join(",")}]`;
  }
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonical(member, depth + 1)}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value) ?? "undefined";
}
