const STEPS: Readonly<Record<string, number>> = {
  ...{ ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 },
  ...{ Home: Number.NEGATIVE_INFINITY, End: Number.POSITIVE_INFINITY },
};

/**
 * The window that a key chooses in a chart, from 0; -1 for none, as by Escape; undefined for a key that chooses nothing.
 * `current` is the chosen one, or -1.
 */
export function pressedWindow(event: KeyboardEvent, current: number, count: number): number | undefined {
  if (event.key === 'Escape') return -1;
  const step = STEPS[event.key];
  if (step === undefined || count === 0) return undefined;
  event.preventDefault();
  const isFromEnd = step === Number.POSITIVE_INFINITY || (step < 0 && Number.isFinite(step));
  const next = current < 0 ? (isFromEnd ? count - 1 : 0) : current + step;
  return Math.max(0, Math.min(count - 1, next));
}
