// What lies outside the repository, beside it: real tools and the suite of JSON Schema.

import { existsSync } from "node:fs";
import { join } from "node:path";

/** A folder of `../shared`; none when it is not there, which only CI minds. */
export function shared(name, t) {
  const folder = join(import.meta.dirname, "../../../../shared", name);
  if (existsSync(folder)) return folder;
  if (process.env.CI === "true") throw new Error(`${folder} is missing`);
  t.skip(`${folder} is missing`);
  return undefined;
}
