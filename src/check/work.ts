import { unusable } from '../errors.js';
import type { PlatformAbortSignal } from '../platform.js';
import { assertObject } from './option-checks.js';

/** Options of every function that may take long. */
export interface WorkOptions {
  /**
   * Ends the work: the function rejects with the reason of this signal, at once and without touching anything where it
   * is aborted already. What the function opened is closed then, and what it has not finished is removed.
   */
  readonly signal?: PlatformAbortSignal | undefined;
  /** Receives how much is done, at most once a second; first when some of it is, and not again at the end. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** The names of these options, for the lists that errors about unknown ones show. */
export const WORK_KEYS = ['signal', 'onProgress'] as const;

/** How much of some work is done. */
export interface Progress {
  readonly done: number;
  /** How much there is; undefined where that is known at the end only. */
  readonly total?: number;
  readonly unit: WorkUnit;
}

/** What work is counted in. */
export type WorkUnit = 'bytes' | 'rows' | 'values' | 'results' | 'files' | 'outputs';

/** How long work keeps a thread from its other work, about, in milliseconds. */
const TURN_MS = 10;
/** The least time between two reports, in milliseconds. */
const REPORT_MS = 1000;

/**
 * Takes the options of work out of all options of a function, and checks them. Throws OptionError, and the reason of the
 * signal where it is aborted already.
 */
export function beginWork<Options extends WorkOptions>(
  options: Options,
  unit: WorkUnit,
  total?: number,
): { readonly work: Work; readonly others: Omit<Options, keyof WorkOptions> } {
  assertObject('options', options, '{ signal, onProgress }');
  const { signal, onProgress, ...others } = options;
  const { aborted, addEventListener: listen } = (signal ?? {}) as Partial<AbortSignal>;
  if (signal !== undefined && (typeof aborted !== 'boolean' || typeof listen !== 'function'))
    throw unusable('signal', signal, 'an AbortSignal');
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw unusable('onProgress', onProgress, 'a function');
  const work = new Work({ signal: signal as AbortSignal | undefined, onProgress }, unit, total);
  work.check();
  return { work, others };
}

/** Work that takes turns with the other work of its thread, can be aborted, and reports its progress. */
export class Work {
  readonly signal: AbortSignal | undefined;
  readonly #onProgress: WorkOptions['onProgress'];
  #unit: WorkUnit;
  #total: number | undefined;
  #done = 0;
  #turn = performance.now();
  #reported = Number.NEGATIVE_INFINITY;

  constructor(
    { signal, onProgress }: Pick<WorkOptions, 'onProgress'> & { readonly signal?: AbortSignal | undefined },
    unit: WorkUnit,
    total?: number,
  ) {
    this.signal = signal;
    this.#onProgress = onProgress;
    this.#unit = unit;
    this.#total = total;
  }

  /** Throws the reason of the signal if it is aborted. */
  check(): void {
    if (this.signal?.aborted) throw this.signal.reason;
  }

  /** Counts what was done since the last call. */
  advance(count: number): void {
    this.#done += count;
    if (this.#onProgress === undefined) return;
    const now = performance.now();
    if (now - this.#reported < REPORT_MS) return;
    this.#reported = now;
    const total = this.#total;
    const done = total === undefined ? this.#done : Math.min(this.#done, total);
    this.#onProgress({ done, ...(total !== undefined && { total }), unit: this.#unit });
  }

  /** States how much there is, and of what, where that was not known at the beginning. */
  expect(total: number | undefined, unit = this.#unit): void {
    this.#total = total;
    this.#unit = unit;
  }

  /** Whether a pause would do something. */
  get isDue(): boolean {
    return this.signal?.aborted === true || performance.now() - this.#turn >= TURN_MS;
  }

  /** Lets other work of this thread run if this has kept it for some time. Throws the reason of the signal. */
  async pause(): Promise<void> {
    if (!this.isDue) return;
    this.check();
    await nextTurn();
    this.#turn = performance.now();
    this.check();
  }

  /** Does `work`, and rejects with the reason of the signal where it fails because of it. */
  async run<T>(work: () => T | Promise<T>): Promise<T> {
    this.check();
    try {
      return await work();
    } catch (error) {
      this.check();
      throw error;
    }
  }

  /** Passes on items of the library's own, with a pause between them where one is due; `size` is what each counts. */
  async *stream<T>(items: AsyncIterable<T> | Iterable<T>, size?: (item: T) => number): AsyncGenerator<T> {
    this.check();
    try {
      for await (const item of items) {
        if (size !== undefined) this.advance(size(item));
        yield item;
        await this.pause();
      }
    } catch (error) {
      this.check();
      throw error;
    }
  }

  /** The same for items of the caller's, which may never come: an abort ends the wait for them, and closes them. */
  async *taken<T>(items: AsyncIterable<T> | Iterable<T>, size?: (item: T) => number): AsyncGenerator<T> {
    if (this.signal === undefined || !(Symbol.asyncIterator in items)) return yield* this.stream(items, size);
    const iterator = items[Symbol.asyncIterator]();
    let state: 'idle' | 'waiting' | 'ended' = 'idle';
    const next = async () => {
      state = 'ended';
      const found = await this.orAborted(iterator.next(), () => {
        state = 'waiting';
      });
      if (found.done !== true) state = 'idle';
      return found;
    };
    try {
      yield* this.stream({ [Symbol.asyncIterator]: () => ({ next }) }, size);
    } finally {
      if (state === 'idle') await iterator.return?.();
      // It is closed when its next item comes; a stream of Node at once, as it would keep the process running.
      else if (state === 'waiting') {
        iterator.return?.().catch(() => {});
        (items as { destroy?: () => unknown }).destroy?.();
      }
    }
  }

  /** Waits for something that may never come; calls `left` where the signal is aborted meanwhile. */
  async orAborted<T>(promise: PromiseLike<T>, left?: () => void): Promise<T> {
    const { signal } = this;
    if (signal === undefined) return promise;
    let abort = () => {};
    const aborted = new Promise<never>((_, reject) => {
      abort = () => {
        left?.();
        reject(signal.reason);
      };
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort);
    });
    try {
      return await Promise.race([promise, aborted]);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }
}

/**
 * Lets the other work of a thread run: timers, messages, sockets. Timers of browsers would wait for some milliseconds.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { setImmediate: soon } = globalThis as { setImmediate?: (run: () => void) => unknown };
    if (soon !== undefined) return soon(resolve);
    // Some edge runtimes have neither.
    if (typeof MessageChannel === 'undefined') return void setTimeout(resolve, 0);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/**
 * Does the work for each of `items`, at most `limit` at a time. After a failure no more work begins, and the error is
 * thrown when the work in progress is done: nothing runs afterwards.
 */
export async function forEachLimited<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  const errors: unknown[] = [];
  const takeTurns = async () => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) {
      await work(next.value);
      if (errors.length > 0) return;
    }
  };
  const turn = () => takeTurns().catch((error: unknown) => errors.push(error));
  await Promise.all(Array.from({ length: limit }, turn));
  if (errors.length > 0) throw errors[0];
}
