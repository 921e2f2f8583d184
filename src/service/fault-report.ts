import type { PlumecastError } from '../errors.js';

/** Called once for a fault, and again where the fault is over and comes back. */
export type OnFault = (error: PlumecastError) => void;

/** Calls `onFault`. What it throws, or rejects with, is ignored: reads must not depend on a listener. */
export function report<E>(onFault: ((error: E) => unknown) | undefined, error: E): void {
  try {
    Promise.resolve(onFault?.(error)).catch(() => undefined);
  } catch {}
}

/** Reports a fault once, although many requests may run into it. */
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
