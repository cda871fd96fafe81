// An MCP server that says what a file tells it to, to the letter:
//   pages     results of `tools/list`, as values or texts; the cursor of page N is its index
//   calls     results of `tools/call`, as texts, by tool
//   changed   the pages after a call of the tool `change`
// A call of the tool `hold` is answered after the next change; a file beside this one's says that it waits.

import { readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const script = JSON.parse(readFileSync(process.argv[2], "utf8"));
let pages = script.pages;
let held = [];
const say = (text) => process.stdout.write(`${text}\n`);
const raw = (value) => (typeof value === "string" ? value : JSON.stringify(value));

console.log("this line is no message");
createInterface(process.stdin).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const answer = (result) => say(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);
  switch (method) {
    case "initialize":
      return answer(
        JSON.stringify({ protocolVersion: params.protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo: { name: "odd", version: "1" } }),
      );
    case "tools/list": {
      const at = params?.cursor === undefined ? 0 : (script.cursors ?? {})[params.cursor] ?? Number(params.cursor);
      return answer(raw(pages[at]));
    }
    case "tools/call":
      if (params.name === "hold") {
        held.push(() => answer('{"content":[{"type":"text","text":"held"}]}'));
        return writeFileSync(`${process.argv[2]}.held`, "");
      }
      if (params.name === "change") {
        pages = script.changed;
        say('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
        held.splice(0).forEach((answerNow) => answerNow());
      }
      if (params.name === "exit") process.exit(0);
      return answer(script.calls?.[params.name] ?? '{"content":[{"type":"text","text":"ok"}]}');
  }
});
