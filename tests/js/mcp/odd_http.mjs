// An MCP server over streamable HTTP that says what a file tells it to, to the letter, and prints
// where it is. Beside `pages`, `calls` and `changed`, which are as in `odd_server.mjs`:
//   events    answers come as events
//   sessions  there are sessions; who comes with one that it does not know gets 404,
//            or `unknown`, 400, with the words of an error
//   bearer    the token that it asks for
//   never     methods that it never answers
//   huge      methods that it answers with more than anybody reads
//   refuse    errors that it answers with, by method
//   later     it is of the later era, as in `later.mjs`; with `bare`, it refuses `initialize` with a status alone
// The tool `restart` makes it forget its sessions, end its streams of news and serve `changed`, the
// tool `change` tells of that; `/seen` tells what came in, and of which calls nobody awaited the answer.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";

import { acknowledged, changed, failure, kind, news, opening, wrongHeaders } from "./later.mjs";

const script = JSON.parse(readFileSync(process.argv[2], "utf8"));
let pages = script.pages;
let sessions = new Set();
const seen = [];
const { later } = script;
const streams = new Map();
const raw = (value) => (typeof value === "string" ? value : JSON.stringify(value));
const has = (list, method) => (list ?? []).includes(method);

function answer({ id, method, params }) {
  const result = (text) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${kind(later, text)}}`;
  switch (method) {
    case "initialize":
      return result(
        JSON.stringify({ protocolVersion: params.protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo: { name: "odd", version: "1" } }),
      );
    case "tools/list":
      return result(raw(pages[Number(params?.cursor ?? 0)]));
    case "tools/call":
      if (params.name === "restart") {
        sessions = new Set();
        pages = script.changed;
        for (const stream of streams.values()) stream.destroy();
        streams.clear();
      }
      if (params.name === "change") {
        pages = script.changed;
        for (const [listener, stream] of streams) stream.write(`data: ${news(listener, changed)}\n\n`);
      }
      return result(script.calls?.[params.name] ?? '{"content":[{"type":"text","text":"ok"}]}');
    default:
      return `{"jsonrpc":"2.0","id":${JSON.stringify(id ?? null)},"error":{"code":-32601,"message":"no such method"}}`;
  }
}

const server = createServer(async (request, response) => {
  const end = (status, headers, text) => response.writeHead(status, headers).end(text);
  const url = new URL(request.url, "http://here");
  if (url.pathname === "/seen") return end(200, { "content-type": "application/json" }, JSON.stringify(seen));
  let body = "";
  for await (const chunk of request) body += chunk;
  const message = body === "" ? {} : JSON.parse(body);
  seen.push({ http: request.method, path: url.pathname, method: message.method, tool: message.params?.name, token: request.headers.authorization ?? null });
  if (url.pathname === "/moved") return end(307, { location: "/mcp" });
  if (url.pathname === "/found") return end(302, { location: "/mcp" });
  if (url.pathname === "/away") return end(307, { location: url.searchParams.get("to") });
  if (script.bearer !== undefined && request.headers.authorization !== `Bearer ${script.bearer}`) return end(401, {}, "s3cret");
  if (request.method === "DELETE") return end(200, {});
  if (request.method !== "POST") return end(405, {});
  const headers = {};
  if (script.sessions) {
    const session = message.method === "initialize" ? `s${seen.length}` : request.headers["mcp-session-id"];
    if (message.method === "initialize") sessions.add(session);
    if (!sessions.has(session) && script.unknown === 400) {
      const error = { jsonrpc: "2.0", error: { code: -32000, message: "Bad Request: No valid session ID provided" }, id: null };
      return end(400, { "content-type": "application/json" }, JSON.stringify(error));
    }
    if (!sessions.has(session)) return end(404, {});
    headers["mcp-session-id"] = session;
  }
  if (message.id === undefined) return end(202, headers);
  if (has(script.never, message.params?.name ?? message.method)) {
    response.on("close", () => seen.push({ abandoned: message.params?.name ?? message.method }));
    return;
  }
  const refused = script.refuse?.[message.method];
  const refusal = (refused && failure(message.id, refused)) ?? wrongHeaders(later, request.headers, message) ?? opening(later, message);
  if (refusal) {
    const status = refusal.includes('"error"') ? 400 : 200;
    if (later?.bare && message.method === "initialize") return end(status, {}, "no");
    return end(status, { "content-type": "application/json" }, refusal);
  }
  if (message.method === "subscriptions/listen" && !later.silent) {
    response.writeHead(200, { "content-type": "text/event-stream" });
    streams.set(message.id, response);
    response.on("close", () => streams.delete(message.id));
    return response.write(`data: ${acknowledged(message.id)}\n\n`);
  }
  const text = has(script.huge, message.method) ? `"${"x".repeat(20 << 20)}"` : answer(message);
  if (!script.events) return end(200, { ...headers, "content-type": "application/json; charset=utf-8" }, text);
  response.writeHead(200, { ...headers, "content-type": "text/event-stream" });
  const token = message.params?._meta?.progressToken;
  if (token !== undefined && message.method === "tools/call") {
    const progress = { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: token, progress: 1, total: 2 } };
    response.write(`data: ${JSON.stringify(progress)}\n\n`);
  }
  response.end(`event: message\ndata: no message at all\n\ndata: ${text}\n\n`);
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
