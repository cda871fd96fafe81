// A real `toolgate serve`, the host kit of the committed package, and a line that can be cut.

import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

import { compile, temporary } from "../typescript/project.mjs";

const root = join(import.meta.dirname, "../../..");

/** Starts a server whose calls are decided as `gate` says, and gives its address and token. */
export async function serve(t, ...gate) {
  const token = randomBytes(16).toString("hex");
  const file = join(temporary(), "token");
  writeFileSync(file, `${token}\n`);
  const arguments_ = ["run", "-q", "-p", "toolgate", "--", "serve", "--bind", "127.0.0.1:0"];
  const server = spawn("cargo", [...arguments_, "--token-file", file, ...gate], {
    cwd: root,
    stdio: ["ignore", "ignore", "pipe"],
  });
  t.after(() => server.kill());
  for await (const line of createInterface(server.stderr)) {
    const url = line.match(/^serving (http:\S+)$/)?.[1];
    if (url) return { url, token };
    console.error(line);
  }
  throw new Error("the server did not start");
}

/** The modules of the package, compiled. */
export async function kit() {
  const load = await compile(join(root, "generated/typescript"), "zod");
  return { host: await load("host/index.js"), tools: await load("index.js") };
}

/** What the generated Oxagen surface says of each tool. */
export async function oxagen() {
  const folder = temporary();
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  cpSync(join(root, "generated/oxagen/governance.ts"), join(folder, "governance.ts"));
  const tsc = join(import.meta.dirname, "../node_modules/typescript/bin/tsc");
  const options = ["--target", "es2022", "--module", "nodenext", "--types", ""];
  execFileSync(process.execPath, [tsc, ...options, "governance.ts"], { cwd: folder });
  return import(pathToFileURL(join(folder, "governance.js")).href);
}

/** A line to `url` whose connections can be cut. */
export async function line(t, url) {
  const { hostname, port } = new URL(url);
  const open = new Set();
  const proxy = createServer((near) => {
    const far = connect(port, hostname);
    for (const [one, other] of [[near, far], [far, near]]) {
      open.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise((listening) => proxy.listen(0, "127.0.0.1", listening));
  t.after(() => proxy.close());
  return {
    url: `http://127.0.0.1:${proxy.address().port}`,
    cut: () => open.forEach((socket) => socket.destroy()),
    close: () => proxy.close(),
  };
}

/** The contract of the tool `probe`, with `facts` over the mildest ones. */
export function probe(facts = {}) {
  return {
    version: 1,
    schema: {
      name: "probe",
      description: "Probes.",
      input_schema: {
        type: "object",
        additionalProperties: false,
        properties: { path: { type: "string", maxLength: 8 } },
      },
    },
    risk: "low",
    ...facts,
  };
}
