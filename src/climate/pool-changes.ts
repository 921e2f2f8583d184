import { type ReferenceWindows, windowOfKey, windowsAround } from './reference-windows.js';
import { type SampleSource, samplesOf } from './sample-source.js';

/**
 * How the pool of each key follows from the one before; the samples of a cell are numbered source by source, member by
 * member and window by window.
 */
export interface PoolChanges {
  /**
   * For the kernel, for each key: 1 to keep the pool before, else 0; numbers of samples to remove and to add; and the
   * samples.
   */
  readonly changes: Int32Array;
  /** The number of samples of each key, both valid and missing. */
  readonly sizes: Int32Array;
}

/**
 * Finds the changes for `keys` keys. In each year, a source adds to a key's pool the windows up to `halfWidth` from
 * that of the key, as far as it has them, and none where it does not have that of the key itself; with `areEven`, as many
 * before as after it. Windows of the years in `missing` add no samples.
 */
export function poolChanges(
  reference: ReferenceWindows,
  keys: number,
  halfWidth: number,
  sources: readonly SampleSource[],
  missing: readonly number[],
  areEven = false,
): PoolChanges {
  const contributions = findContributions(reference, sources, missing);
  const changes: number[] = [];
  const sizes = new Int32Array(keys);
  // By contribution: the windows in the pool of a key, from `from` up to, not including, `to`.
  const noRuns = () => ({ from: new Int32Array(contributions.length), to: new Int32Array(contributions.length) });
  let [before, runs] = [noRuns(), noRuns()];
  for (let key = 0; key < keys; key++) {
    let isKept = false;
    for (let i = 0; i < contributions.length; i++) {
      const { source, year } = contributions[i];
      const { from, to } = windowsAround(windowOfKey(reference, year, key), halfWidth, source, areEven);
      runs.from[i] = from;
      runs.to[i] = to;
      isKept ||= before.to[i] > from;
    }
    if (!isKept) {
      before.from.set(runs.from);
      before.to.set(runs.from);
    }
    const header = changes.push(isKept ? 1 : 0, 0, 0) - 2;
    contributions.forEach(({ push }, i) => {
      push(changes, before.from[i], Math.min(before.to[i], runs.from[i]));
    });
    const removed = changes.length - header - 2;
    contributions.forEach(({ push }, i) => {
      push(changes, Math.max(runs.from[i], before.to[i]), runs.to[i]);
    });
    const added = changes.length - header - 2 - removed;
    changes[header] = removed;
    changes[header + 1] = added;
    sizes[key] = (isKept ? sizes[key - 1] : 0) - removed + added;
    [before, runs] = [runs, before];
  }
  return { changes: new Int32Array(changes), sizes };
}

/** The samples that one source adds to the pools in one year. */
interface Contribution {
  readonly source: SampleSource;
  readonly year: number;
  /** Appends the samples of windows from `from` up to, not including, `to`, to a list. */
  push(list: number[], from: number, to: number): void;
}

/** The contributions of each source in each year of which it has windows; years are counted from the first. */
function findContributions(
  { firstYear, lastYear, start, yearStart }: ReferenceWindows,
  sources: readonly SampleSource[],
  missing: readonly number[],
): Contribution[] {
  const isMissing = new Uint8Array(start.length);
  for (const year of missing) isMissing.fill(1, yearStart[year - firstYear], yearStart[year - firstYear + 1]);
  const contributions: Contribution[] = [];
  let first = 0;
  for (const source of sources) {
    const { field, run, windows, places } = source;
    const firstSample = first;
    const push = (list: number[], from: number, to: number) => {
      for (let w = from; w < to; w++) {
        if (isMissing[w] || places[w] < 0) continue;
        for (let m = 0; m < field.members.length; m++) list.push(firstSample + m * windows.count + places[w]);
      }
    };
    for (let year = 0; year <= lastYear - firstYear; year++) {
      if (run.from < yearStart[year + 1] && run.to > yearStart[year]) contributions.push({ source, year, push });
    }
    first += samplesOf(source);
  }
  return contributions;
}
