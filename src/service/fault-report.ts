import type { PlumecastError } from '../errors.js';

/** Called once for a fault, and again where the fault is over and comes back. */
export type OnFault = (error: PlumecastError) => void;

/** Calls `onFault`. What it throws, or rejects with, is ignored: reads must not depend on a listener. */
export function report(onFault: OnFault | undefined, error: PlumecastError): void {
  try {
    Promise.resolve<unknown>(onFault?.(error)).catch(() => undefined);
  } catch {}
}
