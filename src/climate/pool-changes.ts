import { type ReferenceWindows, type WindowRun, windowOfKey, windowsAround } from './reference-windows.js';
import { type SampleSource, samplesOf } from './sample-source.js';

/**
 * How the pool of each key comes from the one before; the samples of a cell are counted source by source, member by member and
 * window by window.
 */
export interface PoolChanges {
  /** For each key: 1 where the pool before is kept, counts of samples to remove and to add, and the samples, as the kernel takes them. */
  readonly changes: Int32Array;
  /** The samples of each key, whether they are valid or missing. */
  readonly sizes: Int32Array;
}

/**
 * The changes of `keys` keys. In each year a source gives a key's pool the windows up to `halfWidth` from that of the key, as far as
 * it has them, and none where it does not have that of the key itself. Windows of the years in `lacking` give no samples.
 */
export function poolChanges(
  reference: ReferenceWindows,
  keys: number,
  halfWidth: number,
  sources: readonly SampleSource[],
  missing: readonly number[],
): PoolChanges {
  const givers = poolGivers(reference, sources, missing);
  const changes: number[] = [];
  const sizes = new Int32Array(keys);
  let before: WindowRun[] = [];
  for (let key = 0; key < keys; key++) {
    const runs = givers.map(({ source, year }) =>
      windowsAround(windowOfKey(reference, year, key), halfWidth, source.run),
    );
    const isKept = before.some(({ to }, i) => to > runs[i].from);
    const kept = isKept ? before : runs.map(({ from }) => ({ from, to: from }));
    const header = changes.push(isKept ? 1 : 0, 0, 0) - 2;
    givers.forEach(({ push }, i) => {
      push(changes, kept[i].from, Math.min(kept[i].to, runs[i].from));
    });
    const removed = changes.length - header - 2;
    givers.forEach(({ push }, i) => {
      push(changes, Math.max(runs[i].from, kept[i].to), runs[i].to);
    });
    const added = changes.length - header - 2 - removed;
    changes[header] = removed;
    changes[header + 1] = added;
    sizes[key] = (isKept ? sizes[key - 1] : 0) - removed + added;
    before = runs;
  }
  return { changes: new Int32Array(changes), sizes };
}

/** What one source gives to the pools in one year. */
interface PoolGiver {
  readonly source: SampleSource;
  readonly year: number;
  /** Appends the samples of windows from `from` up to, not including, `to`, to a list. */
  push(list: number[], from: number, to: number): void;
}

/** Each source in each year of which it has windows; years are counted from the first. */
function poolGivers(
  { firstYear, lastYear, start, yearStart }: ReferenceWindows,
  sources: readonly SampleSource[],
  missing: readonly number[],
): PoolGiver[] {
  const isMissing = new Uint8Array(start.length);
  for (const year of missing) isMissing.fill(1, yearStart[year - firstYear], yearStart[year - firstYear + 1]);
  const givers: PoolGiver[] = [];
  let first = 0;
  for (const source of sources) {
    const { field, run, windows } = source;
    const firstSample = first;
    const push = (list: number[], from: number, to: number) => {
      for (let w = from; w < to; w++) {
        if (isMissing[w]) continue;
        for (let m = 0; m < field.members.length; m++) list.push(firstSample + m * windows.count + w - run.from);
      }
    };
    for (let year = 0; year <= lastYear - firstYear; year++) {
      if (run.from < yearStart[year + 1] && run.to > yearStart[year]) givers.push({ source, year, push });
    }
    first += samplesOf(source);
  }
  return givers;
}
