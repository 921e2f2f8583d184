/** Lets others have their turn between two slices of long work: a promise where they are to have it, which rejects where nobody waits for the answer any more. */
export type Pause = () => Promise<void> | undefined;

/** What is made of each item, one after the other, with pauses between; at once where there are none. */
export function eachInTurn<Item, Made>(
  items: readonly Item[],
  pause: Pause | undefined,
  make: (item: Item, index: number) => Made,
): Made[] | Promise<Made[]> {
  const all: Made[] = [];
  const goOn = (): Made[] | Promise<Made[]> => {
    all.push(make(items[all.length], all.length));
    while (all.length < items.length) {
      const paused = pause?.();
      if (paused !== undefined) return paused.then(goOn);
      all.push(make(items[all.length], all.length));
    }
    return all;
  };
  return items.length === 0 ? all : goOn();
}

/** As `eachInTurn`, where what is made is waited for before the next is. */
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
