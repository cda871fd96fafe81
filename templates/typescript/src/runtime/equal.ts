/** Equality of JSON values: `1` is `1.0`, the order of members does not matter. */

/** What nests deeper is not compared. */
const MAX_DEPTH = 256;

/**
 * A text that two values share exactly when they are equal; nothing for a value that is nested
 * too deeply to compare.
 */
export function canonical(value: unknown): string | undefined {
  const parts: string[] = [];
  return write(value, parts, 0) ? parts.join("") : undefined;
}

/** Adds the text of `value` to `parts`; false when it nests too deeply. */
function write(value: unknown, parts: string[], depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  if (typeof value !== "object" || value === null) {
    parts.push(JSON.stringify(value) ?? "undefined");
    return true;
  }
  if (Array.isArray(value)) {
    parts.push("[");
    const all = value.every((item) => write(item, parts, depth + 1) && parts.push(","));
    parts.push("]");
    return all;
  }
  parts.push("{");
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const all = members.every(([key, member]) => {
    parts.push(JSON.stringify(key), ":");
    return write(member, parts, depth + 1) && parts.push(",");
  });
  parts.push("}");
  return all;
}
