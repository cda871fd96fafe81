// What a server of the later era (2026-07-28) does otherwise, for the servers that a script moves.
// `later` in a script says that it is one:
//   refuses   the error that `initialize` gets; that of an unknown version where it is not said
//   silent    it has no news of its list
//   params    headers that arguments of a call come in as well, by argument

const key = (name) => `io.modelcontextprotocol/${name}`;
const VERSION = "2026-07-28";

/** An error as an answer. */
export const failure = (id, error) => JSON.stringify({ jsonrpc: "2.0", id: id ?? null, error });

const unknown = (requested) => ({ code: -32022, message: `Unsupported protocol version: ${requested}`, data: { supported: [VERSION], requested } });

/** The answer to a message that does not come as the era says, or asks what the server is. */
export function opening(later, { id, method, params }) {
  if (later === undefined || id === undefined) return undefined;
  if (method === "initialize") return failure(id, later.refuses ?? unknown(params?.protocolVersion));
  const meta = params?._meta ?? {};
  const lacks = ["protocolVersion", "clientCapabilities"].filter((name) => meta[key(name)] === undefined);
  if (lacks.length > 0) return failure(id, { code: -32602, message: `missing in _meta: ${lacks}` });
  if (meta[key("protocolVersion")] !== VERSION) return failure(id, unknown(meta[key("protocolVersion")]));
  if (method !== "server/discover") return undefined;
  const capabilities = { tools: later.silent ? {} : { listChanged: true } };
  const result = { resultType: "complete", supportedVersions: [VERSION], capabilities, ttlMs: 0, cacheScope: "private" };
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}

/** A result as it stands in the era, where it does not say of which kind it is. */
export function kind(later, result) {
  const says = later === undefined || !result.startsWith('{"') || result.includes('"resultType"');
  return says ? result : `{"resultType":"complete","ttlMs":0,"cacheScope":"private",${result.slice(1)}`;
}

/** A message of the stream of news `id`: of the name given, or that there will be some. */
export function news(id, method, params = {}) {
  return JSON.stringify({ jsonrpc: "2.0", method, params: { ...params, _meta: { [key("subscriptionId")]: id } } });
}

/** That the list has changed. */
export const changed = "notifications/tools/list_changed";
/** The first message of a stream of news. */
export const acknowledged = (id) => news(id, "notifications/subscriptions/acknowledged", { notifications: { toolsListChanged: true } });

const encoded = (text) => (/^[\x21-\x7e]+$/.test(text) ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`);

/** The headers of a request that are not as its message says. */
export function wrongHeaders(later, headers, { id, method, params }) {
  if (later === undefined || id === undefined || method === "initialize") return undefined;
  const wanted = { "mcp-protocol-version": VERSION, "mcp-method": method };
  if (method === "tools/call") wanted["mcp-name"] = params.name;
  for (const [argument, name] of Object.entries(later.params ?? {})) {
    const value = params.arguments?.[argument];
    if (value !== undefined) wanted[name] = encoded(String(value));
  }
  const named = Object.keys(headers).filter((name) => name.startsWith("mcp-param-"));
  const wrong = [...Object.keys(wanted), ...named].filter((name) => headers[name] !== wanted[name]);
  return wrong.length > 0 ? failure(id, { code: -32020, message: `wrong headers: ${wrong}` }) : undefined;
}
