/** From the bytes of an event stream to frames. */

import { createParser } from "eventsource-parser";

import type { ServerFrame } from "../wire.js";
import { type HttpResponse, platform } from "./platform.js";

/** The longest frame, in characters. */
const MAX_FRAME = 1 << 24;

/** The frames of a response, until it ends. Throws on text that is no frame. */
export async function* frames(response: HttpResponse): AsyncGenerator<ServerFrame> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const decoder = new platform.TextDecoder("utf-8");
  const read: ServerFrame[] = [];
  let fault: unknown;
  const parser = createParser({
    maxBufferSize: MAX_FRAME,
    onEvent: ({ data }) => {
      read.push(JSON.parse(data) as ServerFrame);
    },
    onError: (error) => {
      // A field that this version of the format does not have is skipped.
      if (error.type === "max-buffer-size-exceeded") fault = error;
    },
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      if (fault) throw fault;
      yield* read.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
