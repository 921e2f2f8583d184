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
  // As neither end of a run moves backward, each of its windows is added once and removed once, at most.
  const most = contributions.reduce((sum, { source, year }) => {
    const first = windowsAround(windowOfKey(reference, year, 0), halfWidth, source, areEven);
    const last = windowsAround(windowOfKey(reference, year, keys - 1), halfWidth, source, areEven);
    return sum + 2 * source.field.members.length * (last.to - first.from);
  }, 3 * keys);
  const changes = new Int32Array(most);
  const sizes = new Int32Array(keys);
  // By contribution: the windows in the pool of a key, from `from` up to, not including, `to`.
  const noRuns = () => ({ from: new Int32Array(contributions.length), to: new Int32Array(contributions.length) });
  let [before, runs] = [noRuns(), noRuns()];
  let end = 0;
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
    const header = end;
    end += 3;
    for (let i = 0; i < contributions.length; i++) {
      end = putSamples(changes, end, contributions[i], before.from[i], Math.min(before.to[i], runs.from[i]));
    }
    const removed = end - header - 3;
    for (let i = 0; i < contributions.length; i++) {
      end = putSamples(changes, end, contributions[i], Math.max(runs.from[i], before.to[i]), runs.to[i]);
    }
    const added = end - header - 3 - removed;
    changes[header] = isKept ? 1 : 0;
    changes[header + 1] = removed;
    changes[header + 2] = added;
    sizes[key] = (isKept ? sizes[key - 1] : 0) - removed + added;
    [before, runs] = [runs, before];
  }
  return { changes: changes.subarray(0, end), sizes };
}

/** The samples that one source adds to the pools in one year. */
interface Contribution {
  readonly source: SampleSource;
  readonly year: number;
  /** The sample of the source's first member and first window. */
  readonly firstSample: number;
  /** The place of each window of the reference among those of the source; -1 for one that gives no samples. */
  readonly places: Int32Array;
}

/**
 * Writes the samples of a contribution's windows from `from` up to, not including, `to` into a list from place `at`, and
 * returns the place after them.
 */
function putSamples(
  list: Int32Array,
  at: number,
  { source, firstSample, places }: Contribution,
  from: number,
  to: number,
): number {
  const { count } = source.windows;
  const samples = source.field.members.length * count;
  for (let w = from; w < to; w++) {
    if (places[w] < 0) continue;
    for (let first = 0; first < samples; first += count) list[at++] = firstSample + first + places[w];
  }
  return at;
}

/** The contributions of each source in each year of which it has windows; years are counted from the first. */
function findContributions(
  { firstYear, lastYear, yearStart }: ReferenceWindows,
  sources: readonly SampleSource[],
  missing: readonly number[],
): Contribution[] {
  const contributions: Contribution[] = [];
  let firstSample = 0;
  for (const source of sources) {
    const { run } = source;
    const places = source.places.slice();
    for (const year of missing) places.fill(-1, yearStart[year - firstYear], yearStart[year - firstYear + 1]);
    for (let year = 0; year <= lastYear - firstYear; year++) {
      if (run.from < yearStart[year + 1] && run.to > yearStart[year]) {
        contributions.push({ source, year, firstSample, places });
      }
    }
    firstSample += samplesOf(source);
  }
  return contributions;
}
