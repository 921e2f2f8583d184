/** Whether `npm run check:full` runs the tests, which takes all cases where `npm test` takes some of each kind. */
export const isFullCheck = process.env.PLUMECAST_FULL_CHECK !== undefined;

/** All cases in a full check, else those at the given indices. */
export function casesOf<T>(all: readonly T[], chosen: readonly number[]): readonly T[] {
  return isFullCheck ? all : chosen.map((index) => all[index]);
}
