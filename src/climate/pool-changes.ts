import { type ReferenceWindows, samplesOfKey, type WindowRun } from './reference-windows.js';
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

/** The changes of `keys` keys; windows of the years in `lacking` give no samples. */
export function poolChanges(
  reference: ReferenceWindows,
  keys: number,
  halfWidth: number,
  sources: readonly SampleSource[],
  lacking: readonly number[],
): PoolChanges {
  const push = samplePusher(reference, sources, lacking);
  const years = reference.lastYear - reference.firstYear + 1;
  const changes: number[] = [];
  const sizes = new Int32Array(keys);
  let before: WindowRun[] | undefined;
  for (let key = 0; key < keys; key++) {
    const runs: WindowRun[] = [];
    for (let y = 0; y < years; y++) runs.push(samplesOfKey(reference, y, key, halfWidth));
    const kept = before?.some(({ to }, year) => runs[year].from < to) ? before : undefined;
    const header = changes.push(kept ? 1 : 0, 0, 0) - 2;
    if (kept) for (let y = 0; y < years; y++) push(changes, kept[y].from, Math.min(kept[y].to, runs[y].from));
    const removed = changes.length - header - 2;
    for (let y = 0; y < years; y++) push(changes, kept ? Math.max(runs[y].from, kept[y].to) : runs[y].from, runs[y].to);
    const added = changes.length - header - 2 - removed;
    changes[header] = removed;
    changes[header + 1] = added;
    sizes[key] = (kept ? sizes[key - 1] : 0) - removed + added;
    before = runs;
  }
  return { changes: new Int32Array(changes), sizes };
}

/** Appends the samples of windows from `from` up to, not including, `to`, to a list. */
function samplePusher(
  { firstYear, start, yearStart }: ReferenceWindows,
  sources: readonly SampleSource[],
  lacking: readonly number[],
) {
  const isLacking = new Uint8Array(start.length);
  for (const year of lacking) isLacking.fill(1, yearStart[year - firstYear], yearStart[year - firstYear + 1]);
  const first = sources.map((_, s) => sources.slice(0, s).reduce((sum, source) => sum + samplesOf(source), 0));
  return (list: number[], from: number, to: number): void => {
    for (let s = 0; s < sources.length && from < to; s++) {
      const { field, run, windows } = sources[s];
      for (let w = Math.max(from, run.from); w < Math.min(to, run.to); w++) {
        if (isLacking[w]) continue;
        for (let m = 0; m < field.members.length; m++) list.push(first[s] + m * windows.count + w - run.from);
      }
    }
  };
}
