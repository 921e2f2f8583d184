import type { Pause } from '../point/pause.js';
import { ProblemError } from '../problem-error.js';

/** Work goes on for about so long before others have their turn, in milliseconds. */
const SLICE_MILLISECONDS = 5;

/** How much a service does at once, and how much may wait. */
export interface WorkLimits {
  /** Requests whose answers are computed at once. Default 32. */
  readonly answering?: number;
  /** Requests that wait for that. Default 4,096. */
  readonly waiting?: number;
  /**
   * Long responses that are sent at once, or points of such; their values stay in memory until then. Default 256.
   */
  readonly sending?: number;
}

/** The work on one request. */
export interface Work {
  /**
   * To be called between slices of work: returns a promise where others have their turn first. It rejects where the
   * client has gone.
   */
  readonly pause: Pause;
  /**
   * To be called when all is computed, and will be written in slices as the client takes it; it counts as `points` long
   * responses. Throws ProblemError where too much is being sent already.
   */
  send(points: number): void;
  /** To be called once, when nothing is left to do. */
  end(): void;
}

/** A request whose signal may show that its client has gone. */
interface Abortable {
  readonly signal?: AbortSignal;
}

/** The work of one key in the queue. */
interface Line {
  readonly keyId: string;
  answering: number;
  sending: number;
  /** Requests that have not begun, in order. */
  readonly starts: Set<Waiting>;
  /** Slices of requests that have begun. */
  readonly slices: Set<Waiting>;
}

interface Waiting {
  proceed(): void;
}

/**
 * Bounds what is computed at once and what waits, fairly between keys: keys take turns of a few milliseconds each,
 * between which the event loop has its own turn, and no key may take more places than it leaves to others. Work whose
 * client has gone is dropped.
 *
 * Where no request waits, work begins at once.
 */
export class WorkQueue {
  readonly #answeringLimit: number;
  readonly #waitingLimit: number;
  readonly #sendingLimit: number;
  /** By key, in the order of their turns. */
  readonly #lines = new Map<string, Line>();
  /** The last line in which nothing was left: the next request is often of the same key. */
  #idle: Line | undefined;
  #answering = 0;
  #sending = 0;
  #starts = 0;
  #slices = 0;
  /** Milliseconds of work since the last turn of the event loop that the queue knows of, and when that was. */
  #spent = 0;
  #turnedAt = 0;
  #isScheduled = false;
  /** The key whose turn it is, and the milliseconds that its work took in this turn. */
  #current: Line | undefined;
  #used = 0;

  constructor({ answering = 32, waiting = 4096, sending = 256 }: WorkLimits = {}) {
    this.#answeringLimit = answering;
    this.#waitingLimit = waiting;
    this.#sendingLimit = sending;
  }

  /** Requests that are being answered, those that wait to begin, and long responses that are being sent. */
  get counts(): { answering: number; waiting: number; sending: number } {
    return { answering: this.#answering, waiting: this.#starts, sending: this.#sending };
  }

  /**
   * Begins the work on a request, at once where no other waits. Throws, or rejects with, ProblemError where too many
   * wait already and where the client has gone.
   */
  begin(keyId: string, request: Abortable): Work | Promise<Work> {
    const line = this.#lineOf(keyId);
    if (line.starts.size === 0 && this.#mayBegin(line)) {
      this.#take(line);
      const now = performance.now();
      const work = this.#work(line, request, now);
      if (this.#isFree(now)) return work;
      return work.pause()?.then(() => work, endWith(work)) ?? work;
    }
    if (line.starts.size >= this.#waitingLimit - this.#starts) {
      this.#forget(line);
      throw overloaded('More is requested at once than can be computed; try again later.');
    }
    return this.#wait(line, 'starts', request).then(() => this.#work(line, request));
  }

  #work(line: Line, request: Abortable, now = performance.now()): Work {
    let begun = now;
    /** The long responses that it counts as; 0 before it is sent. */
    let sent = 0;
    const pause = () => {
      const now = performance.now();
      this.#spent += now - begun;
      begun = now;
      if (this.#isFree(now)) return undefined;
      return this.#wait(line, 'slices', request).then(() => {
        begun = performance.now();
      });
    };
    const leave = () => {
      this.#answering--;
      line.answering--;
      if (this.#starts > 0) this.#schedule();
    };
    const send = (points: number) => {
      if (line.sending >= this.#sendingLimit - this.#sending) {
        throw overloaded('More long responses are requested at once than can be sent; read them, and try again later.');
      }
      sent = points;
      this.#sending += sent;
      line.sending += sent;
      leave();
    };
    const end = () => {
      if (sent > 0) {
        this.#sending -= sent;
        line.sending -= sent;
      } else {
        this.#spent += performance.now() - begun;
        leave();
      }
      this.#forget(line);
    };
    return { pause, send, end };
  }

  #isFree(now: number): boolean {
    if (this.#starts + this.#slices > 0) return false;
    // Other events have taken as long as the work, so the event loop has had its turns: to wait for another one would
    // cost short requests more than the work on them.
    if (now - this.#turnedAt >= 2 * this.#spent) this.#turn(now);
    return this.#spent < SLICE_MILLISECONDS;
  }

  #turn(now: number): void {
    this.#used += this.#spent;
    this.#spent = 0;
    this.#turnedAt = now;
  }

  #mayBegin(line: Line): boolean {
    return line.answering < this.#answeringLimit - this.#answering;
  }

  #take(line: Line): void {
    line.answering++;
    this.#answering++;
  }

  #wait(line: Line, kind: 'starts' | 'slices', request: Abortable): Promise<void> {
    const { signal } = request;
    return new Promise((resolve, reject) => {
      const leave = () => {
        line[kind].delete(waiting);
        if (kind === 'starts') this.#starts--;
        else this.#slices--;
        signal?.removeEventListener('abort', gone);
      };
      const gone = () => {
        leave();
        this.#forget(line);
        reject(new ProblemError(499, 'client-gone', 'The client has gone before the answer was ready.'));
      };
      const proceed = () => {
        leave();
        if (kind === 'starts') this.#take(line);
        this.#forget(line);
        resolve();
      };
      const waiting = { proceed };
      line[kind].add(waiting);
      if (kind === 'starts') this.#starts++;
      else this.#slices++;
      if (signal?.aborted) gone();
      else {
        signal?.addEventListener('abort', gone);
        this.#schedule();
      }
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    afterEvents(() => {
      this.#isScheduled = false;
      this.#turn(performance.now());
      // One at a time: its work is done before the event loop goes on, and events are handled before the next.
      const next = this.#next();
      next?.proceed();
      // Where nothing may proceed, the end of other work schedules the next turn.
      if (next !== undefined && this.#starts + this.#slices > 0) this.#schedule();
    });
  }

  /** Finds what may proceed: of the key whose turn it is, or else of the first key after it. */
  #next(): Waiting | undefined {
    if (this.#current !== undefined && this.#used >= SLICE_MILLISECONDS) {
      const { keyId } = this.#current;
      if (this.#lines.get(keyId) === this.#current) {
        this.#lines.delete(keyId);
        this.#lines.set(keyId, this.#current);
      }
      this.#current = undefined;
    }
    for (const line of this.#lines.values()) {
      const [next] = line.slices.size > 0 ? line.slices : this.#mayBegin(line) ? line.starts : [];
      if (next === undefined) continue;
      if (line !== this.#current) this.#used = 0;
      this.#current = line;
      return next;
    }
    return undefined;
  }

  #lineOf(keyId: string): Line {
    let line = this.#lines.get(keyId);
    if (line === undefined) {
      line = this.#idle?.keyId === keyId ? this.#idle : newLine(keyId);
      this.#lines.set(keyId, line);
    }
    return line;
  }

  #forget(line: Line): void {
    if (line.answering + line.sending + line.starts.size + line.slices.size > 0) return;
    this.#lines.delete(line.keyId);
    this.#idle = line;
  }
}

function newLine(keyId: string): Line {
  return { keyId, answering: 0, sending: 0, starts: new Set(), slices: new Set() };
}

function overloaded(detail: string): ProblemError {
  return new ProblemError(503, 'overloaded', detail);
}

/** Ends work that cannot go on. */
export function endWith(work: Work): (error: unknown) => never {
  return (error) => {
    work.end();
    throw error;
  };
}

/** Runs `next` after the events that are waiting. */
function afterEvents(next: () => void): void {
  // Node has this global function; timers of browsers and workers may wait longer.
  const { setImmediate = setTimeout } = globalThis as { setImmediate?: (run: () => void) => unknown };
  setImmediate(next);
}
