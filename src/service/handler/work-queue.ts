import type { Pause } from '../point/pause.js';
import { ProblemError } from '../problem-error.js';

/** Work goes on for about so long before others have their turn, in milliseconds. */
const SLICE_MILLISECONDS = 5;

/** Where there is no other place to send a long response, one whose client has taken nothing for so long makes room. */
const SHORT_STALL_MILLISECONDS = 1000;

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
  /**
   * How long the client of a long response may take nothing of it, in seconds; then the response is broken off. Default
   * 30.
   */
  readonly stalledSeconds?: number;
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
  send(points: number, response: SentResponse): void;
  /** To be called once, when nothing is left to do. */
  end(): void;
}

/** A long response that is being sent. */
export interface SentResponse {
  /** Since when its client has taken nothing, by `performance.now`; undefined while there is nothing to take. */
  readonly stalledSince: number | undefined;
  /** Ends it incompletely: its client reads too slowly. It calls `end` of its work. */
  breakOff(): void;
}

/** A request whose signal may show that its client has gone. */
type Abortable = { readonly signal?: AbortSignal };

/** The work of one key in the queue. */
interface Line {
  readonly keyId: string;
  answering: number;
  /** How many places `sent` take. */
  sending: number;
  readonly sent: Set<SentResponse>;
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
  readonly #stalledLimit: number;
  /** By key, in the order of their turns. */
  readonly #lines = new Map<string, Line>();
  /** The last line in which nothing was left: the next request is often of the same key. */
  #idle: Line | undefined;
  #answering = 0;
  #sending = 0;
  /** How many requests have not begun, and how many slices wait. */
  readonly #waiting = { starts: 0, slices: 0 };
  /** Milliseconds of work since the last turn of the event loop that the queue knows of, and when that was. */
  #spent = 0;
  #turnedAt = 0;
  #isScheduled = false;
  /** The key whose turn it is, and the milliseconds that its work took in this turn. */
  #current: Line | undefined;
  #used = 0;

  constructor({ answering = 32, waiting = 4096, sending = 256, stalledSeconds = 30 }: WorkLimits = {}) {
    this.#answeringLimit = answering;
    this.#waitingLimit = waiting;
    this.#sendingLimit = sending;
    this.#stalledLimit = 1000 * stalledSeconds;
  }

  /** Requests that are being answered, those that wait to begin, and long responses that are being sent. */
  get counts(): { answering: number; waiting: number; sending: number } {
    return { answering: this.#answering, waiting: this.#waiting.starts, sending: this.#sending };
  }

  /**
   * Begins the work on a request, at once where no other waits. Throws, or rejects with, ProblemError where too many
   * wait already and where the client has gone.
   */
  begin(keyId: string, request: Abortable): Work | Promise<Work> {
    const line = this.#lineOf(keyId);
    if (line.starts.size === 0 && this.#mayBegin(line)) {
      line.answering++;
      this.#answering++;
      const now = performance.now();
      const work = this.#work(line, request, now);
      if (this.#isFree(now)) return work;
      return work.pause()?.then(() => work, endWith(work)) ?? work;
    }
    if (line.starts.size >= this.#waitingLimit - this.#waiting.starts) {
      this.#forget(line);
      throw overloaded('More is requested at once than can be computed; try again later.');
    }
    return this.#wait(line, 'starts', request).then(() => this.#work(line, request));
  }

  #work(line: Line, request: Abortable, now = performance.now()): Work {
    let begun = now;
    /** How it is sent; undefined before. */
    let sending: { points: number; response: SentResponse; stopWatch: () => void } | undefined;
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
      if (this.#waiting.starts > 0) this.#schedule();
    };
    const send = (points: number, response: SentResponse) => {
      if (!this.#maySend(line)) this.#breakOffStalled(line);
      if (!this.#maySend(line)) {
        throw overloaded('More long responses are requested at once than can be sent; read them, and try again later.');
      }
      sending = { points, response, stopWatch: this.#watch(response) };
      this.#sending += points;
      line.sending += points;
      line.sent.add(response);
      leave();
    };
    const end = () => {
      if (sending !== undefined) {
        this.#sending -= sending.points;
        line.sending -= sending.points;
        line.sent.delete(sending.response);
        sending.stopWatch();
      } else {
        this.#spent += performance.now() - begun;
        leave();
      }
      this.#forget(line);
      // The next one begins in the turn of the work that has ended, as long as this turn has not taken a slice: else one that waits
      // would make all wait that come while it does, each for a turn of its own.
      if (this.#waiting.starts + this.#waiting.slices > 0 && this.#spent < SLICE_MILLISECONDS) this.#next()?.proceed();
    };
    return { pause, send, end };
  }

  #isFree(now: number): boolean {
    if (this.#waiting.starts + this.#waiting.slices > 0) return false;
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

  #maySend(line: Line): boolean {
    return line.sending < this.#sendingLimit - this.#sending;
  }

  /** Breaks off a response when its client has taken nothing for too long. */
  #watch(response: SentResponse): () => void {
    let timer: ReturnType<typeof setTimeout>;
    const wait = (milliseconds: number) => {
      timer = setTimeout(check, milliseconds);
      // The process of a server that has stopped need not wait for it.
      (timer as { unref?: () => void }).unref?.();
    };
    const check = () => {
      const left = this.#stalledLimit - stalledFor(response, performance.now());
      if (left > 0) wait(left);
      else response.breakOff();
    };
    wait(this.#stalledLimit);
    return () => clearTimeout(timer);
  }

  /**
   * Makes room for a response of `line`: breaks off what has stalled, of the key that takes the most places, and the
   * longest first, as long as that key takes more than `line`.
   */
  #breakOffStalled(line: Line): void {
    const now = performance.now();
    const others = [...this.#lines.values()].filter(({ sending }) => sending > line.sending);
    while (!this.#maySend(line)) {
      others.sort((a, b) => b.sending - a.sending);
      const largest = others.find((other) => other.sending > line.sending && hasStalled(other, now));
      if (largest === undefined) return;
      const slowest = [...largest.sent].reduce((a, b) => (stalledFor(b, now) > stalledFor(a, now) ? b : a));
      slowest.breakOff();
    }
  }

  #wait(line: Line, kind: 'starts' | 'slices', request: Abortable): Promise<void> {
    const { signal } = request;
    return new Promise((resolve, reject) => {
      const leave = () => {
        line[kind].delete(waiting);
        this.#waiting[kind]--;
        signal?.removeEventListener('abort', gone);
      };
      const gone = () => {
        leave();
        this.#forget(line);
        reject(clientGone());
      };
      const proceed = () => {
        leave();
        if (kind === 'starts') {
          line.answering++;
          this.#answering++;
        }
        this.#forget(line);
        resolve();
      };
      const waiting = { proceed };
      line[kind].add(waiting);
      this.#waiting[kind]++;
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
      // One at a time: its work is done before the event loop goes on, and its end lets the next one begin.
      const next = this.#next();
      next?.proceed();
      // Where nothing may proceed, the end of other work schedules the next turn.
      if (next !== undefined && this.#waiting.starts + this.#waiting.slices > 0) this.#schedule();
    });
  }

  /** Finds what may proceed: of the key whose turn it is, or else of the first key after it. */
  #next(): Waiting | undefined {
    if (this.#current !== undefined && this.#used + this.#spent >= SLICE_MILLISECONDS) {
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
      line =
        this.#idle?.keyId === keyId
          ? this.#idle
          : { keyId, answering: 0, sending: 0, sent: new Set(), starts: new Set(), slices: new Set() };
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

/** For how many milliseconds the client of a response has taken nothing. */
function stalledFor({ stalledSince }: SentResponse, now: number): number {
  return stalledSince === undefined ? 0 : now - stalledSince;
}

function hasStalled({ sent }: Line, now: number): boolean {
  for (const response of sent) if (stalledFor(response, now) >= SHORT_STALL_MILLISECONDS) return true;
  return false;
}

/** The error for a request whose client has gone. */
export function clientGone(): ProblemError {
  return new ProblemError(499, 'client-gone', 'The client has gone before the answer was ready.');
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
