// What a host writes on a platform with `fetch`. Compiled, not run.

import {
  belt,
  type Fetch,
  type HostCall,
  hostTool,
  hostTurn,
  ServeClient,
  text,
} from "@toolcontract/stella-contracts/host";
import { grep } from "@toolcontract/stella-contracts/tools/grep";

const place = { url: "http://127.0.0.1:8080", token: "t" };

export const plain = new ServeClient({ ...place, fetch: globalThis.fetch });

export const wrapped = new ServeClient({ ...place, fetch: (at, request) => fetch(at, request) });

export const changed: Fetch = (at, request) => fetch(at, { ...request, redirect: "error" });

export const passedOn = async (call: HostCall): Promise<number> => {
  const answer = await fetch("http://127.0.0.1:1", { signal: call.signal });
  return answer.status;
};

export const tool = hostTool(grep, async ({ pattern }, { signal, approved }) => {
  signal.throwIfAborted();
  return text(`${pattern} ${approved}`);
});

export const outcome = (signal: AbortSignal) =>
  hostTurn({ client: plain, tools: [tool], authorize: belt({ ceiling: "low" }), signal }, {});

// @ts-expect-error it gives no response
export const wrong = new ServeClient({ ...place, fetch: async () => 1 });
