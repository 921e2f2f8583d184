/**
 * Lets other requests have their turn between two slices of long work: returns a promise where they have it now, which
 * rejects where the client does not wait for the answer any more.
 */
export type Pause = () => Promise<void> | undefined;

/**
 * Makes something from each item, one after the other, with pauses between them; returns a promise only where there was
 * a pause.
 */
export function eachInTurn<Item, Made>(
  items: readonly Item[],
  pause: Pause | undefined,
  make: (item: Item, index: number) => Made,
): Made[] | Promise<Made[]> {
  const all: Made[] = [];
  const proceed = (): Made[] | Promise<Made[]> => {
    while (all.length < items.length) {
      all.push(make(items[all.length], all.length));
      const paused = all.length < items.length ? pause?.() : undefined;
      if (paused !== undefined) return paused.then(proceed);
    }
    return all;
  };
  return proceed();
}

/** Like `eachInTurn`, but awaits each result before it makes the next one. */
export async function eachAwaited<Item, Made>(
  items: readonly Item[],
  pause: Pause | undefined,
  make: (item: Item) => Promise<Made>,
): Promise<Made[]> {
  const all: Made[] = [];
  for (const item of items) {
    if (all.length > 0) await pause?.();
    all.push(await make(item));
  }
  return all;
}

/** Whether a value is a promise, also one of another library. */
export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && typeof (value as Promise<T>).then === 'function';
}

/**
 * Goes on with a value: at once where it is there, as most are. Each promise that `await` would make takes as long as
 * a small step of a request.
 */
export function whenReady<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return isPromise(value) ? value.then(next) : next(value);
}
