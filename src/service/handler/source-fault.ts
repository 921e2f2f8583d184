import { type ErrorTag, isPlumecastError } from '../../errors.js';
import { isPromise } from '../point/pause.js';
import { ProblemError } from '../problem-error.js';

/** The errors of plumecast that are about the data read. */
const SOURCE_TAGS: readonly ErrorTag[] = ['file', 'format', 'data'];

/** A source of data, keys or locations has failed: the cause is its error. */
export class SourceFault extends Error {
  override readonly name = 'SourceFault';
  /** What was requested when it failed. */
  readonly scope: string;

  constructor(scope: string, cause: unknown) {
    super('a source has failed', { cause });
    this.scope = scope;
  }
}

/** Whether an error is a fault of the source, not of the request or of the service itself. */
type IsFault = (error: unknown) => boolean;

/** What is requested: a text, or what makes it, as it is needed only where something has failed. */
type Scope = string | (() => string);

/** A fault that lasts: its id, what was requested when it first occurred, and when it last occurred. */
interface KnownFault {
  readonly id: string;
  readonly scope: string;
  lastSeen: number;
}

/** A fault that has not occurred for so long, in milliseconds, is over: what failed may never be requested again. */
const QUIET_TIME = 60_000;

/** So many different faults are remembered; beyond, the oldest is forgotten, and reported again if it occurs again. */
const MAX_FAULTS = 100;

/**
 * Separates faults of sources from other errors, and new faults from lasting ones: a fault is over when what failed
 * works again.
 */
export class SourceErrorLog {
  readonly #lasting = new Map<string, KnownFault>();

  /**
   * Reads from a source, or computes an answer with \`isDataFault\`, at once where \`work\` does. What it throws, or rejects with, is a
   * SourceFault where it is a fault of the source: by default whatever is no ProblemError.
   */
  guard<T>(scope: Scope, work: () => T | Promise<T>, isFault: IsFault = isNoProblem): T | Promise<T> {
    let answer: T | Promise<T>;
    try {
      answer = work();
    } catch (error) {
      throw faultOf(error, scope, isFault);
    }
    if (!isPromise(answer)) {
      if (this.#lasting.size > 0) this.#heal(scope);
      return answer;
    }
    return answer.then(
      (value) => {
        this.#heal(scope);
        return value;
      },
      (error) => {
        throw faultOf(error, scope, isFault);
      },
    );
  }

  /** Returns the id of a fault, the same while it lasts, and whether the fault is new. */
  record({ scope, cause }: SourceFault): { id: string; isNew: boolean } {
    const text = String(cause);
    const known = this.#lasting.get(text);
    const lastSeen = performance.now();
    if (known !== undefined && lastSeen - known.lastSeen < QUIET_TIME) {
      known.lastSeen = lastSeen;
      return { id: known.id, isNew: false };
    }
    const id = crypto.randomUUID();
    const [oldest] = this.#lasting.keys();
    if (this.#lasting.size === MAX_FAULTS) this.#lasting.delete(oldest);
    this.#lasting.set(text, { id, scope, lastSeen });
    return { id, isNew: true };
  }

  #heal(scope: Scope): void {
    const healed = textOf(scope);
    for (const [text, lasting] of this.#lasting) if (lasting.scope === healed) this.#lasting.delete(text);
  }
}

function isNoProblem(error: unknown): boolean {
  return !(error instanceof ProblemError);
}

/** Whether computing an answer has failed because of the data read. */
export function isDataFault(error: unknown): boolean {
  return isPlumecastError(error) && SOURCE_TAGS.includes(error.tag);
}

/** What is thrown for an error. */
function faultOf(error: unknown, scope: Scope, isFault: IsFault): unknown {
  return isFault(error) ? new SourceFault(textOf(scope), error) : error;
}

function textOf(scope: Scope): string {
  return typeof scope === 'string' ? scope : scope();
}
