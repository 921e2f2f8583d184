import type { ObjectEntry } from '../../store/write-blocks.node.js';
import { listObjects, type Manifest, type SeriesEntry } from './manifest.js';

/** What an update changes of a store. */
export interface StoreChange {
  /** The part, or what else it is: a climatology, the elevation. */
  readonly of: string;
  /** The slug of the variable, where it is of one. */
  readonly variable?: string;
  readonly change: 'new' | 'replaced' | 'extended' | 'removed';
  /** What is written for it. */
  readonly bytes: number;
}

/** What two contents of a store differ in. */
export function storeChanges(before: Manifest, after: Manifest): StoreChange[] {
  const counted = new Set(listObjects(before).map(({ file }) => file));
  // A timeline may be the file of its horizon.
  const written = (objects: readonly ObjectEntry[]) => {
    const own = objects.filter(({ file }) => !counted.has(file));
    for (const { file } of own) counted.add(file);
    return own.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
  };
  const changes: StoreChange[] = [];
  const compare = (
    of: string,
    variable: string | undefined,
    was: readonly ObjectEntry[],
    is: readonly ObjectEntry[],
  ) => {
    const isSame = was.length === is.length && is.every(({ file }, i) => file === was[i].file);
    if (isSame) return;
    const isExtended = is.some(({ file }) => was.some((before) => before.file === file));
    const change = is.length === 0 ? 'removed' : was.length === 0 ? 'new' : isExtended ? 'extended' : 'replaced';
    changes.push({ of, variable, change, bytes: written(is) });
  };
  for (const part of new Set([...before.parts.keys(), ...after.parts.keys()])) {
    const [was, is] = [before.parts.get(part)?.variables, after.parts.get(part)?.variables];
    for (const slug of new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])) {
      compare(part, slug, segmentsOf(was?.get(slug)), segmentsOf(is?.get(slug)));
    }
  }
  const climatologies = ({ climatologies: all }: Manifest) =>
    new Map(all.map((each) => [`${each.of} ${each.granularity} ${each.slug}`, each]));
  const [was, is] = [climatologies(before), climatologies(after)];
  for (const key of new Set([...was.keys(), ...is.keys()])) {
    compare('climatology', key, listOf(was.get(key)), listOf(is.get(key)));
  }
  compare('elevation', undefined, listOf(before.elevation), listOf(after.elevation));
  compare('preloaded', undefined, listOf(before.preloaded), listOf(after.preloaded));
  return changes;
}

function segmentsOf(series: SeriesEntry | undefined): readonly ObjectEntry[] {
  return series?.segments ?? [];
}

function listOf<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value];
}
