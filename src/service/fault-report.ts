import type { PlumecastError } from '../errors.js';

/** Told of a fault once, and again when it has healed and come back. */
export type OnFault = (error: PlumecastError) => void;

/** Tells `onFault`. What it throws, or rejects with, is lost: reads do not depend on who listens. */
export function report<E>(onFault: ((error: E) => unknown) | undefined, error: E): void {
  try {
    Promise.resolve(onFault?.(error)).catch(() => undefined);
  } catch {}
}

/** Tells of faults that many requests may meet. */
export class FaultReport {
  readonly #onFault: OnFault | undefined;
  #isFaulty = false;

  constructor(onFault: OnFault | undefined) {
    this.#onFault = onFault;
  }

  failed(error: PlumecastError): void {
    if (this.#isFaulty) return;
    this.#isFaulty = true;
    report(this.#onFault, error);
  }

  succeeded(): void {
    this.#isFaulty = false;
  }
}
