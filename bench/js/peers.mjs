// One peer on every schema of a folder, in one process: `node peers.mjs NAME FOLDER`.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const [peer, folder] = process.argv.slice(2);
const schemas = readdirSync(folder)
  .filter((file) => file.endsWith(".json"))
  .sort()
  .map((file) => [file.slice(0, -5), readFileSync(join(folder, file), "utf8")]);

const peers = {
  async "json-schema-to-typescript"() {
    const { compile } = await import("json-schema-to-typescript");
    return each((name, text) => compile(JSON.parse(text), name, { bannerComment: "" }));
  },
  async "json-schema-to-zod"() {
    const { jsonSchemaToZod } = await import("json-schema-to-zod");
    return each((name, text) => jsonSchemaToZod(JSON.parse(text), { name, module: "esm" }));
  },
  async quicktype() {
    const { quicktype, InputData, JSONSchemaInput, FetchingJSONSchemaStore } = await import("quicktype-core");
    return each(async (name, text) => {
      const source = new JSONSchemaInput(new FetchingJSONSchemaStore());
      await source.addSource({ name, schema: text });
      const inputData = new InputData();
      inputData.addInput(source);
      const { lines } = await quicktype({ inputData, lang: "typescript" });
      return lines.join("\n");
    });
  },
};

async function each(make) {
  let bytes = 0;
  let failed = 0;
  for (const [name, text] of schemas) {
    try {
      bytes += (await make(name, text)).length;
    } catch {
      failed += 1;
    }
  }
  return { bytes, failed };
}

const start = performance.now();
const { bytes, failed } = await peers[peer]();
if (failed > 0) process.exitCode = 3;
console.log(JSON.stringify({ peer, schemas: schemas.length, bytes, failed, ms: Math.round(performance.now() - start) }));
