// What became of a schema: exact, refused with a reason that is on the list, or wrong.

import { isDeepStrictEqual } from "node:util";

/** The largest integer that JavaScript carries. */
const MAX_SAFE = Number.MAX_SAFE_INTEGER;

/**
 * Checks one instance.
 *
 * @returns "exact", "refused" or what is wrong
 */
export function judge(schema, instance, valid) {
  const result = schema.safeParse(instance);
  if (result.success === valid) {
    if (!valid || equal(result.data, instance)) return "exact";
    return `${text(instance)} came back as ${text(result.data)}`;
  }
  if (valid && isExcused(instance, result.error)) return "refused";
  const reason = result.success ? "" : `: ${result.error.issues[0]?.message}`;
  return `${text(instance)} is ${valid ? "refused" : "accepted"}${reason}`;
}

/** Why a valid instance may be refused: it holds an integer beyond 2^53, or the pattern has no JavaScript. */
function isExcused(instance, error) {
  return holdsUnsafe(instance) || /JavaScript (cannot compile|carries)/.test(error.message);
}

function holdsUnsafe(value) {
  if (typeof value === "number") return Number.isInteger(value) && Math.abs(value) > MAX_SAFE;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(holdsUnsafe);
}

/** Equality of JSON values; members are own ones, also `__proto__`. */
function equal(a, b) {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) {
    return a === b || (Object.is(a, -0) && b === 0) || (Object.is(b, -0) && a === 0);
  }
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    isDeepStrictEqual(keys.toSorted(), Object.keys(b).toSorted()) &&
    keys.every((key) => equal(a[key], b[key])) &&
    Object.getPrototypeOf(a) === Object.getPrototypeOf(b)
  );
}

function text(value) {
  const all = JSON.stringify(value);
  return all.length > 200 ? `${all.slice(0, 200)}...` : all;
}

/** Counts verdicts, and prints the table. */
export class Table {
  #rows = new Map();

  /** Adds what was found for one instance, or for a whole schema. */
  add(row, verdict) {
    const counts = this.#rows.get(row) ?? { exact: 0, refused: 0, wrong: 0, faults: [] };
    this.#rows.set(row, counts);
    if (verdict === "exact" || verdict === "refused") counts[verdict] += 1;
    else {
      counts.wrong += 1;
      counts.faults.push(verdict);
    }
  }

  /** Everything that is wrong, by row. */
  get faults() {
    return [...this.#rows].flatMap(([row, { faults }]) => faults.map((f) => `${row}: ${f}`));
  }

  /** A line a row, and the sum. */
  toString() {
    const rows = [...this.#rows].sort(([a], [b]) => (a < b ? -1 : 1));
    const sum = { exact: 0, refused: 0, wrong: 0 };
    const line = (name, { exact, refused, wrong }) =>
      `${name.padEnd(44)} ${String(exact).padStart(5)} ${String(refused).padStart(7)} ${String(wrong).padStart(5)}`;
    const lines = rows.map(([row, counts]) => {
      for (const key of Object.keys(sum)) sum[key] += counts[key];
      return line(row, counts);
    });
    return [
      `${"".padEnd(44)} exact refused wrong`,
      ...lines,
      line("all", sum),
      "",
    ].join("\n");
  }

  /** The share of exact verdicts. */
  get exact() {
    let exact = 0;
    let all = 0;
    for (const counts of this.#rows.values()) {
      exact += counts.exact;
      all += counts.exact + counts.refused + counts.wrong;
    }
    return exact / all;
  }
}
