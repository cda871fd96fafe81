// What a host writes where no type of a platform is there. Compiled, not run.

import { type Fetch, type HostCall, ServeClient } from "@toolcontract/stella-contracts/host";

const own: Fetch = async (url, { signal }) => ({
  ok: !(signal?.aborted ?? false),
  status: 200,
  body: null,
  json: async () => url,
});

export const client = new ServeClient({ url: "http://127.0.0.1:8080", token: "t", fetch: own });

export const isOver = ({ signal }: HostCall): boolean => signal.aborted;

// @ts-expect-error there is no such member
export const wrong = ({ signal }: HostCall) => signal.stopped;
