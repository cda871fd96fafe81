// An MCP server that says what a file tells it to, to the letter:
//   pages     results of `tools/list`, as values or texts; the cursor of page N is its index
//   calls     results of `tools/call`, as texts, by tool
//   changed   the pages after a call of the tool `change`
//   after     the pages after the first list, of which it says nothing
//   later     it is of the later era, as in `later.mjs`; with `ends`, it ends when it has refused `initialize`
// A call of the tool `hold` is answered after the next change; a file beside the script says that it
// waits, and another one, method by method, what came in.

import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

import { acknowledged, changed, kind, news, opening } from "./later.mjs";

const script = JSON.parse(readFileSync(process.argv[2], "utf8"));
let pages = script.pages;
let held = [];
const listeners = [];
const { later } = script;
const say = (text) => process.stdout.write(`${text}\n`);
const raw = (value) => (typeof value === "string" ? value : JSON.stringify(value));

const seen = (what) => appendFileSync(`${process.argv[2]}.seen`, `${what}\n`);
seen("start");
console.log("this line is no message");
createInterface(process.stdin).on("line", (line) => {
  const message = JSON.parse(line);
  const { id, method, params } = message;
  seen(method);
  const first = opening(later, message);
  if (first) {
    say(first);
    if (later.ends && method === "initialize") process.exit(0);
    return;
  }
  const answer = (result) => say(`{"jsonrpc":"2.0","id":${id},"result":${kind(later, result)}}`);
  switch (method) {
    case "initialize":
      return answer(
        JSON.stringify({ protocolVersion: params.protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo: { name: "odd", version: "1" } }),
      );
    case "subscriptions/listen":
      listeners.push(id);
      return say(acknowledged(id));
    case "tools/list": {
      const at = params?.cursor === undefined ? 0 : (script.cursors ?? {})[params.cursor] ?? Number(params.cursor);
      const page = raw(pages[at]);
      pages = script.after ?? pages;
      return answer(page);
    }
    case "tools/call":
      if (params.name === "hold") {
        held.push(() => answer('{"content":[{"type":"text","text":"held"}]}'));
        return writeFileSync(`${process.argv[2]}.held`, "");
      }
      if (params.name === "change") {
        pages = script.changed;
        if (later) listeners.forEach((listener) => say(news(listener, changed)));
        else say(`{"jsonrpc":"2.0","method":"${changed}"}`);
        held.splice(0).forEach((answerNow) => answerNow());
      }
      if (params.name === "exit") process.exit(0);
      return answer(script.calls?.[params.name] ?? '{"content":[{"type":"text","text":"ok"}]}');
  }
});
