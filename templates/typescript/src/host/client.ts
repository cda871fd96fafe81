/** Speaks the serve wire: opens sessions and turns, reads frames, posts answers. Decides nothing. */

import type {
  Accepted,
  ApprovalAnswerIn,
  CancelIn,
  RequestError,
  ServerFrame,
  SessionCreated,
  SessionSpec,
  SessionState,
  ToolResultIn,
  TurnCreated,
} from "../wire.js";
import { frames } from "./frames.js";
import { type Fetch, type HttpRequest, type HttpResponse, platform, type Signal } from "./platform.js";

/** Where the server is, and how to be let in. */
export interface ClientOptions {
  /** Such as `http://127.0.0.1:8080`. */
  url: string;
  /** The server's token. */
  token: string;
  /** Instead of the platform's. */
  fetch?: Fetch;
}

/** A request that the server did not take. Act on `code`, never on the text. */
export class ServeError extends Error {
  override readonly name = "ServeError";
  readonly status: number;
  readonly code: string | undefined;

  constructor(status: number, body: Partial<RequestError>) {
    super(body.error ?? `the server answered with status ${status}`);
    this.status = status;
    this.code = body.code;
  }
}

/** A body that opens a turn of a session: who calls, and who asks, was said before. */
export type TurnSpec = SessionSpec & { principal?: never; approvals?: never };

/** A client of one server. */
export class ServeClient {
  readonly #url: string;
  readonly #token: string;
  readonly #fetch: Fetch;

  constructor({ url, token, fetch }: ClientOptions) {
    this.#url = url.replace(/\/+$/, "");
    this.#token = token;
    this.#fetch = fetch ?? ((at, request) => platform.fetch(at, request));
  }

  /** Opens a turn that is a session of its own. */
  openTurn(spec: SessionSpec): Promise<TurnCreated> {
    return this.#post("/v1/turns", spec);
  }

  /** Opens a session, whose turns share tools and principal. */
  openSession(spec: SessionSpec): Promise<SessionCreated> {
    return this.#post("/v1/sessions", spec);
  }

  /** Opens a turn of a session. */
  openSessionTurn(sessionId: string, spec: TurnSpec): Promise<TurnCreated> {
    return this.#post(`/v1/sessions/${encodeURIComponent(sessionId)}/turns`, spec);
  }

  /** What a session is doing. */
  session(sessionId: string): Promise<SessionState> {
    return this.#json("GET", `/v1/sessions/${encodeURIComponent(sessionId)}`);
  }

  /** Ends a session, and its turn. */
  closeSession(sessionId: string): Promise<Accepted> {
    return this.#json("DELETE", `/v1/sessions/${encodeURIComponent(sessionId)}`);
  }

  /** Answers a `tool_request`. */
  postResult(turnId: string, result: ToolResultIn): Promise<Accepted> {
    return this.#post(`${turn(turnId)}/tool-result`, result);
  }

  /** Answers an `approval_request`. */
  postApproval(turnId: string, answer: ApprovalAnswerIn): Promise<Accepted> {
    return this.#post(`${turn(turnId)}/approval-answer`, answer);
  }

  /** Ends a turn. */
  cancel(turnId: string, body: CancelIn = {}): Promise<Accepted> {
    return this.#post(`${turn(turnId)}/cancel`, body);
  }

  /**
   * The frames of a turn after the frame number `after`, until the connection ends. Throws when
   * the server refuses, or when the connection breaks.
   */
  async *frames(turnId: string, after = 0, signal?: Signal): AsyncGenerator<ServerFrame> {
    const request: HttpRequest = { method: "GET", headers: this.#headers() };
    if (signal) request.signal = signal;
    const response = await this.#fetch(`${this.#url}${turn(turnId)}/events?after=${after}`, request);
    if (!response.ok) throw await refusal(response);
    yield* frames(response);
  }

  #post<Answer>(path: string, body: unknown): Promise<Answer> {
    return this.#json("POST", path, JSON.stringify(body));
  }

  async #json<Answer>(method: string, path: string, body?: string): Promise<Answer> {
    const request: HttpRequest = { method, headers: this.#headers() };
    if (body !== undefined) {
      request.headers["content-type"] = "application/json";
      request.body = body;
    }
    const response = await this.#fetch(this.#url + path, request);
    if (!response.ok) throw await refusal(response);
    return (await response.json()) as Answer;
  }

  #headers(): Record<string, string> {
    return { authorization: `Bearer ${this.#token}` };
  }
}

function turn(id: string): string {
  return `/v1/turns/${encodeURIComponent(id)}`;
}

async function refusal(response: HttpResponse): Promise<ServeError> {
  const body = await response.json().catch(() => null);
  const isObject = typeof body === "object" && body !== null;
  return new ServeError(response.status, isObject ? (body as Partial<RequestError>) : {});
}
