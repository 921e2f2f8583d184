import { type ErrorTag, isPlumecastError } from '../../errors.js';
import { ProblemError } from './problem-error.js';

/** The errors of plumecast that tell of what was read. */
const OF_SOURCES: readonly ErrorTag[] = ['file', 'format', 'data'];

/** A source of data, keys or locations has failed: the cause is its error. */
export class SourceFault extends Error {
  override readonly name = 'SourceFault';
  /** What was asked for when it failed. */
  readonly scope: string;

  constructor(scope: string, cause: unknown) {
    super('a source has failed', { cause });
    this.scope = scope;
  }
}

/** A fault that lasts: its id, what was asked for when it was first met, and when it was last met. */
interface KnownFault {
  readonly id: string;
  readonly scope: string;
  metAt: number;
}

/** A fault that nobody has met for so long, in milliseconds, is over: what failed may never be asked for again. */
const QUIET_TIME = 60_000;

/** As many different faults are remembered; beyond, the oldest is forgotten, and reported again where it is met again. */
const MAX_FAULTS = 100;

/** Tells faults of sources from other errors, and new ones from those that last: a fault is over when what failed works again. */
export class SourceErrorLog {
  readonly #lasting = new Map<string, KnownFault>();

  /** Asks a store. Whatever it throws is its fault, but for a ProblemError. */
  async store<T>(scope: string, ask: () => T | Promise<T>): Promise<T> {
    try {
      const answer = await ask();
      this.#heal(scope);
      return answer;
    } catch (error) {
      throw error instanceof ProblemError ? error : new SourceFault(scope, error);
    }
  }

  /** Computes an answer. Errors of what was read, not those of the service itself, are faults of the source. */
  async data<T>(scope: string, compute: () => Promise<T>): Promise<T> {
    try {
      const answer = await compute();
      this.#heal(scope);
      return answer;
    } catch (error) {
      throw isPlumecastError(error) && OF_SOURCES.includes(error.tag) ? new SourceFault(scope, error) : error;
    }
  }

  /** The id of a fault, the same while it lasts, and whether it is a new one. */
  note({ scope, cause }: SourceFault): { id: string; isNew: boolean } {
    const text = String(cause);
    const known = this.#lasting.get(text);
    const metAt = performance.now();
    if (known !== undefined && metAt - known.metAt < QUIET_TIME) {
      known.metAt = metAt;
      return { id: known.id, isNew: false };
    }
    const id = crypto.randomUUID();
    const [oldest] = this.#lasting.keys();
    if (this.#lasting.size === MAX_FAULTS) this.#lasting.delete(oldest);
    this.#lasting.set(text, { id, scope, metAt });
    return { id, isNew: true };
  }

  #heal(scope: string): void {
    for (const [text, lasting] of this.#lasting) if (lasting.scope === scope) this.#lasting.delete(text);
  }
}
