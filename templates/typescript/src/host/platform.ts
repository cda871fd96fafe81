/** What the kit takes from the platform, and no more: Node 20, browsers and workers have it. */

/** What `fetch` gives back, as far as the kit reads it. */
export interface HttpResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly body: { getReader(): HttpReader } | null;
  json(): Promise<unknown>;
}

/** Reads a body piece by piece. */
export interface HttpReader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** A request as the kit makes it. */
export interface HttpRequest {
  method: string;
  headers: Record<string, string>;
  body?: string;
  signal?: Signal;
}

/** `fetch`, or something like it. */
export type Fetch = (url: string, request: HttpRequest) => Promise<HttpResponse>;

/** An `AbortSignal`: the platform's where its types are there, else as far as the kit looks at it. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Found } }
  ? Found extends AbortSignalLike
    ? Found
    : AbortSignalLike
  : AbortSignalLike;

interface AbortSignalLike {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

interface Platform {
  readonly fetch: Fetch;
  readonly AbortController: new () => { readonly signal: Signal; abort(): void };
  readonly TextDecoder: new (label: "utf-8") => {
    decode(bytes?: Uint8Array, options?: { stream?: boolean }): string;
  };
  setTimeout(then: () => void, milliseconds: number): unknown;
  clearTimeout(timer: unknown): void;
}

/** The globals that the kit uses. */
export const platform = globalThis as unknown as Platform;

/** Waits, or ends early when `signal` does. */
export function pause(milliseconds: number, signal?: Signal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      platform.clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = platform.setTimeout(done, milliseconds);
    signal?.addEventListener("abort", done, { once: true });
    if (signal?.aborted) done();
  });
}
