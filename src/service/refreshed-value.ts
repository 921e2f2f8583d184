import { isPlumecastError, OptionError } from '../errors.js';
import { type OnFault, report } from './fault-report.js';

/** What a look at the origin of a value has found. */
export interface Look<T> {
  /** Another text whenever the origin has changed. */
  readonly stamp: string;
  /** Makes the value: of the origin as it was seen, or as it is by now. */
  readonly load: () => Promise<T>;
}

/** Timers of the platform count up to this. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A look that takes longer may have failed, in milliseconds. */
const SLOW_MS = 5000;

/** How a value is kept up to date. */
export interface RefreshOptions<T> {
  /** Looks at the origin of the value. It is called again only when the look before, and its load, have ended. */
  readonly look: () => Promise<Look<T>>;
  /** The time from the end of a look to the next one, at least, in seconds; 0 to look at every call. */
  readonly seconds: number;
  /**
   * Who waits for a look, and for the new value: only the caller with whom it begins, while others get the value
   * before; or all callers, so that none of them gets a value that is out of date for longer than `seconds`; or nobody: looks
   * are begun by a timer, also while nobody asks, unless `seconds` is 0.
   */
  readonly waiting: 'first' | 'all' | 'nobody';
  /** Called when a look or a load fails, once for each new fault. */
  readonly onFault?: OnFault;
}

/**
 * A value that is made from what can change at any time, such as a file, and is made again when that has changed.
 * `current` notices it: unless nobody waits, there is no timer, and nothing is done while nobody asks.
 *
 * There is one look at a time, which all callers share. Where a look or a load fails, the value before stays, and the
 * next look tries again. The stamp is read before the value is loaded, so that a change in between is noticed by the
 * next look.
 */
export class RefreshedValue<T> {
  readonly #look: () => Promise<Look<T>>;
  readonly #onFault: OnFault | undefined;
  readonly #doAllWait: boolean;
  readonly #timer: ReturnType<typeof setInterval> | undefined;
  /** In milliseconds. */
  #interval: number;
  #value!: T;
  /** That of the value. */
  #stamp: string | undefined;
  #lookedAt = 0;
  /** When the last look began that found the value to be up to date, or made it so. */
  #sureAt = 0;
  #beganAt = 0;
  #looking: Promise<T> | undefined;
  /** The message of the fault that lasts. */
  #fault: string | undefined;

  private constructor({ look, seconds, waiting, onFault }: RefreshOptions<T>) {
    this.#look = look;
    this.#onFault = onFault;
    this.#doAllWait = waiting === 'all';
    this.#interval = 1000 * seconds;
    if (waiting !== 'nobody' || seconds === 0) return;
    this.#timer = setInterval(
      () => {
        if (this.#looking === undefined) this.#begin().catch((error) => report(this.#onFault, error));
      },
      Math.min(this.#interval, MAX_TIMER_MS),
    );
    this.#timer.unref?.();
  }

  /** Makes the value for the first time. Rejects with what the look and the load reject with. */
  static async open<T>(options: RefreshOptions<T>): Promise<RefreshedValue<T>> {
    const opened = new RefreshedValue(options);
    try {
      await opened.#refresh();
    } catch (error) {
      clearInterval(opened.#timer);
      throw error;
    }
    opened.#lookedAt = performance.now();
    return opened;
  }

  /** For how many seconds changes of the origin may have been missed, as looks fail; 0 while they do not. */
  get ageSeconds(): number {
    if (this.#fault === undefined && this.#looking === undefined) return 0;
    const now = performance.now();
    return this.#fault !== undefined || now - this.#beganAt > SLOW_MS ? (now - this.#sureAt) / 1000 : 0;
  }

  /**
   * The value; at once where it is not yet time for a look, and for callers who do not wait. Rejects only with errors
   * that are not plumecast's own: those are defects, not faults of the origin.
   */
  current(): T | Promise<T> {
    if (this.#timer !== undefined) return this.#value;
    if (this.#looking !== undefined) return this.#doAllWait ? this.#looking : this.#value;
    if (performance.now() - this.#lookedAt < this.#interval) return this.#value;
    return this.#begin();
  }

  #begin(): Promise<T> {
    this.#looking = this.#refreshOrKeep().finally(() => {
      this.#lookedAt = performance.now();
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Waits for the look that is under way; there is none afterwards, and the value stays as it is. */
  async close(): Promise<void> {
    this.#interval = Number.POSITIVE_INFINITY;
    clearInterval(this.#timer);
    await this.#looking?.catch(() => undefined);
  }

  async #refreshOrKeep(): Promise<T> {
    try {
      await this.#refresh();
      this.#fault = undefined;
    } catch (error) {
      if (!isPlumecastError(error)) throw error;
      if (error.message !== this.#fault) report(this.#onFault, error);
      this.#fault = error.message;
    }
    return this.#value;
  }

  async #refresh(): Promise<void> {
    const began = performance.now();
    this.#beganAt = began;
    const { stamp, load } = await this.#look();
    if (stamp !== this.#stamp) {
      this.#value = await load();
      this.#stamp = stamp;
    }
    this.#sureAt = began;
  }
}

/** Throws OptionError unless `received`, the option `refreshSeconds`, is the time between two looks. */
export function assertRefreshSeconds(received: unknown): void {
  if (typeof received === 'number' && received >= 0) return;
  const allowed = 'seconds, from 0 on';
  throw new OptionError({ subject: 'refreshSeconds', problem: 'is not a duration', received, allowed });
}
