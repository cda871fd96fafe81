// Microseconds of one call of a generated zod schema, the least of several measurements:
// `node parse.mjs MODULE INPUT`.
import { pathToFileURL } from "node:url";

const [module, text] = process.argv.slice(2);
const { grepInput } = await import(pathToFileURL(module).href);
const input = JSON.parse(text);
if (!grepInput.safeParse(input).success) throw new Error("the input is not valid");

const CALLS = 100_000;
let least = Infinity;
for (let round = 0; round < 7; round++) {
  const start = performance.now();
  for (let call = 0; call < CALLS; call++) grepInput.safeParse(input);
  least = Math.min(least, ((performance.now() - start) * 1000) / CALLS);
}
console.log(least.toFixed(3));
