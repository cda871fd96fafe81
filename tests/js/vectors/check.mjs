// Compiles a generated package for both versions of zod and runs its own test.
//
//   node check.mjs FOLDER           the package in FOLDER
//   node check.mjs FOLDER SECTION   and holds Ajv to a section of data/vectors/deviations.json

import { compile, ZODS } from "../typescript/project.mjs";
import { ajvJudge, deviations, listed, runVectors, vectorsOf } from "./vectors.mjs";

const [folder, section] = process.argv.slice(2);
const faults = [];
let load;
for (const [version, zod] of Object.entries(ZODS)) {
  try {
    load = await compile(folder, zod);
    runVectors(load.folder);
  } catch (error) {
    faults.push(`${version}: ${error.message}`);
  }
}
if (section && faults.length === 0) {
  const { contracts } = await load("contracts.js");
  const judge = ajvJudge(contracts, { formats: false });
  faults.push(...deviations("ajv", listed("deviations.json")[section], vectorsOf(folder), judge));
}
console.log(faults.join("\n"));
process.exit(faults.length === 0 ? 0 : 1);
