/** Milliseconds after which no further turn begins; a run that takes as long needs no warm-up. */
const LONG_ENOUGH = 1_500;

/** The median nanoseconds of up to `turns` runs, at least one, after one that warms up. */
export async function medianRun(turns: number, run: () => unknown): Promise<number> {
  const begin = performance.now();
  await run();
  const times: number[] = [];
  const first = performance.now() - begin;
  if (first >= LONG_ENOUGH) return 1e6 * first;
  do {
    const from = performance.now();
    await run();
    times.push(performance.now() - from);
  } while (times.length < turns && performance.now() - begin < LONG_ENOUGH);
  return 1e6 * times.sort((a, b) => a - b)[times.length >> 1];
}
