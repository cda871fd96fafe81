/** Hosts one turn to its end: reads frames, answers requests, comes back when the line breaks. */

import type {
  ApprovalAnswer,
  ApprovalRequest,
  FrameEvent,
  ServerFrame,
  SessionSpec,
  TurnOutcome,
} from "../wire.js";
import { answer, type Answering, type Ask } from "./answer.js";
import { Approved } from "./approved.js";
import type { Authorize } from "./authorize.js";
import { ServeClient, ServeError } from "./client.js";
import { pause, platform, type Signal } from "./platform.js";
import type { HostTool } from "./tool.js";

/** A person's answer, and who that is, for the engine's journal. */
export type PersonAnswer = ApprovalAnswer & { answered_by?: string };

/** How a host hosts. */
export interface HostOptions {
  client: ServeClient;
  tools: Iterable<HostTool>;
  authorize: Authorize;
  /** Asks a person where `authorize` says so. Absent: such a call is refused. */
  ask?: Ask;
  /** Answers an `approval_request` of the engine. Absent: no. */
  approve?: (request: ApprovalRequest, input: unknown) => PersonAnswer | Promise<PersonAnswer>;
  /** Hears what happens. May miss some. */
  onEvent?: (event: FrameEvent) => void;
  /** How often to come back when the line breaks, without a frame in between. 5. */
  attempts?: number;
  /** How long to wait before that, in milliseconds; twice as long each time. 200. */
  delay?: number;
  /** Ends the hosting: the turn is cancelled, and `signal` of each call that runs is aborted. */
  signal?: Signal;
}

/** The line broke too often, or the hosting was ended. */
export class HostingEnded extends Error {
  override readonly name = "HostingEnded";
}

/** Opens a turn with the contracts of the host's tools, and hosts it to its end. */
export async function hostTurn(
  options: HostOptions,
  spec: SessionSpec & { tools?: never },
): Promise<TurnOutcome> {
  const tools = [...options.tools];
  const body = { ...spec, tools: tools.map((tool) => tool.contract) };
  const { turn_id: turnId } = await options.client.openTurn(body);
  return hostOpenTurn({ ...options, tools }, turnId);
}

/** Hosts a turn that is open. */
export async function hostOpenTurn(options: HostOptions, turnId: string): Promise<TurnOutcome> {
  const over = new platform.AbortController();
  const end = () => over.abort();
  options.signal?.addEventListener("abort", end, { once: true });
  try {
    return await host(options, turnId, over.signal);
  } finally {
    options.signal?.removeEventListener("abort", end);
    end();
  }
}

/** Hosts a turn. `over` is for its calls: it is aborted when nobody waits for them any more. */
async function host(options: HostOptions, turnId: string, over: Signal): Promise<TurnOutcome> {
  const hosted = new Hosted(options, turnId, over);
  const { attempts = 5, delay = 200, signal } = options;
  let failures = 0;
  while (!signal?.aborted) {
    try {
      const outcome = await hosted.listen(() => {
        failures = 0;
      });
      if (outcome) return outcome;
    } catch (error) {
      if (!isPassing(error)) throw error;
    }
    failures += 1;
    if (failures > attempts) throw new HostingEnded("the line broke too often");
    await pause(delay * 2 ** (failures - 1), signal);
  }
  await options.client.cancel(turnId, { reason: "the host ended it" }).catch(() => {});
  throw new HostingEnded("the hosting was ended");
}

/** Whether coming back may help. A place that is taken is freed when the server notices. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof ServeError)) return true;
  return error.status === 409 || error.status === 429 || error.status >= 500;
}

class Hosted {
  readonly #options: HostOptions;
  readonly #answering: Answering;
  readonly #turnId: string;
  readonly #over: Signal;
  readonly #approved = new Approved();
  /** What was begun: a request that is told again is not run again. */
  readonly #begun = new Set<string>();
  #after = 0;

  constructor(options: HostOptions, turnId: string, over: Signal) {
    const tools = new Map<string, HostTool>();
    for (const tool of options.tools) tools.set(tool.contract.schema.name, tool);
    const { authorize, ask } = options;
    this.#answering = ask ? { tools, authorize, ask } : { tools, authorize };
    this.#options = options;
    this.#turnId = turnId;
    this.#over = over;
  }

  /** Reads until the turn is over, or the line ends; then nothing. */
  async listen(onFrame: () => void): Promise<TurnOutcome | undefined> {
    const { client, signal } = this.#options;
    for await (const frame of client.frames(this.#turnId, this.#after, signal)) {
      onFrame();
      // An old request that is told again has an old number.
      this.#after = Math.max(this.#after, frame.seq ?? 0);
      const outcome = this.#take(frame);
      if (outcome) return outcome;
    }
    return undefined;
  }

  #take(frame: ServerFrame): TurnOutcome | undefined {
    switch (frame.type) {
      case "tool_request":
        this.#once(frame.request_id, async () => {
          const circumstances = {
            turnId: this.#turnId,
            approved: this.#approved.spend(frame),
            signal: this.#over,
          };
          const output = await answer(this.#answering, circumstances, frame);
          await this.#post(() =>
            this.#options.client.postResult(this.#turnId, { request_id: frame.request_id, output }),
          );
        });
        return undefined;
      case "approval_request":
        this.#once(frame.request.approval_id, async () => {
          const said = await this.#approve(frame.request, frame.input);
          const body = { approval_id: frame.request.approval_id, ...said };
          const call = { name: frame.request.tool, input: frame.input };
          const isYes = said.answer === "approve";
          // Before it is posted: the request may be here before the server's answer is.
          if (isYes) this.#approved.add(call);
          const isTaken = await this.#post(() =>
            this.#options.client.postApproval(this.#turnId, body),
          );
          if (isYes && !isTaken) this.#approved.spend(call);
        });
        return undefined;
      case "event":
        this.#options.onEvent?.(frame.event);
        return undefined;
      case "turn_complete":
        return frame.outcome;
      default:
        // Later versions have more.
        return undefined;
    }
  }

  /** Begins something once, beside what else goes on. */
  #once(id: string, work: () => Promise<void>): void {
    if (this.#begun.has(id)) return;
    this.#begun.add(id);
    // What cannot be posted is missed by the engine, which has a time limit for it.
    work().catch(() => {});
  }

  async #approve(request: ApprovalRequest, input: unknown): Promise<PersonAnswer> {
    const no: PersonAnswer = { answer: "deny" };
    try {
      return (await this.#options.approve?.(request, input)) ?? no;
    } catch {
      return no;
    }
  }

  /** Posts an answer, again where the line broke. The server takes the first. Whether it did. */
  async #post(send: () => Promise<unknown>): Promise<boolean> {
    const { attempts = 5, delay = 200, signal } = this.#options;
    for (let failures = 0; ; failures += 1) {
      try {
        await send();
        return true;
      } catch (error) {
        const isRefused = error instanceof ServeError && error.status < 500 && error.status !== 429;
        // Where the answer to the first attempt was lost, that one counts.
        const isOurs = failures > 0 && isRefused && error.code === "answered_already";
        if (isRefused || failures >= attempts || signal?.aborted) return isOurs;
        await pause(delay * 2 ** failures, signal);
      }
    }
  }
}
