/** Calls to which a person of the host said yes in a frame, until the request for each has come. */

/** A call by what runs: the tool and its input. */
export interface Named {
  name: string;
  input: unknown;
}

/** Each yes is good for one request. An input that comes in another order is asked about again. */
export class Approved {
  readonly #left = new Map<string, number>();

  /** A person said yes. */
  add(call: Named): void {
    const key = named(call);
    this.#left.set(key, (this.#left.get(key) ?? 0) + 1);
  }

  /** Whether there was a yes for this call; it is spent now. */
  spend(call: Named): boolean {
    const key = named(call);
    const left = this.#left.get(key) ?? 0;
    if (left > 1) this.#left.set(key, left - 1);
    else this.#left.delete(key);
    return left > 0;
  }
}

function named({ name, input }: Named): string {
  return JSON.stringify([name, input]);
}
