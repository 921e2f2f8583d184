/** The index of the first of ascending values that is at least `least`; their number if there is none. */
export function firstFrom(values: ArrayLike<number>, least: number): number {
  let [from, to] = [0, values.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (values[middle] < least) from = middle + 1;
    else to = middle;
  }
  return from;
}
