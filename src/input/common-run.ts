import type { BoundingBox } from '../ensemble/bounding-box.js';
import type { Point } from '../ensemble/nearest-place.js';
import type { StoreArchive } from '../files/archives/archive.js';
import { arrayReader } from '../files/cf/array-reader.js';
import { newestRunEnsemble } from '../files/cf/newest-run.js';
import { selectArrays } from '../files/cf/select-arrays.js';
import { readRuns } from '../files/cf/time/time-axis.js';
import { findVariable } from '../variable/find-variable.js';
import type { Variable } from '../variable/variable.js';
import type { ArchiveOptions } from './archive-address.js';
import { variablesOfArrays } from './list-variables.js';
import { openStoreArchive } from './store-archive.js';

/** A run of a store, and what people should know of how it was found. */
export interface CommonRun {
  /** When it begins, in seconds since 1970-01-01 UTC. */
  readonly run: number;
  readonly notes: readonly string[];
}

/** What is read of a store: by default all variables that are known, and all places. */
export interface WantedOfRun {
  readonly variables?: readonly string[] | undefined;
  /** What the names of variables mean, besides the known ones. */
  readonly definitions?: readonly Variable[] | undefined;
  readonly bbox?: BoundingBox | undefined;
  readonly point?: Point | undefined;
}

/**
 * Finds the newest run of a store that is complete for each of the variables, at the point, or a cell in the middle of what is read; or
 * the named one, where it is. Undefined for a store without runs. Throws FileError, FormatError, and DataError where no
 * run is complete.
 */
export async function newestCommonRun(
  archive: StoreArchive,
  options: ArchiveOptions,
  { variables, definitions, bbox, point }: WantedOfRun,
): Promise<CommonRun | undefined> {
  const own = definitions && { variables: definitions };
  const selection = variables && selectArrays(variables.map((variable) => ({ variable, ...own })));
  let until: number | undefined;
  let note: string | undefined;
  for (;;) {
    const { arrays, notes } = await openStoreArchive(archive, { ...options, until }, selection);
    try {
      const names = variables ?? variablesOfArrays(arrays).filter((slug) => !findVariable(slug).derived);
      const found: { readonly run: number; readonly text: string | undefined }[] = [];
      for (const variable of names) {
        const { metadata, conversions } = await newestRunEnsemble(arrays, { variable, bbox, ...own }, point);
        const run = Date.parse(metadata.get('init_time') ?? '') / 1000;
        if (Number.isNaN(run)) return undefined;
        found.push({ run, text: conversions.find((text) => text.startsWith('run ')) });
      }
      if (found.length === 0) return undefined;
      const oldest = found.reduce((a, b) => (b.run < a.run ? b : a));
      // The first round says which run is not complete; later ones look at those before it alone.
      note = until === undefined || oldest.run < until ? oldest.text : note;
      if (found.every(({ run }) => run === oldest.run))
        return { run: oldest.run, notes: [...notes, ...(note === undefined ? [] : [note])] };
      until = oldest.run;
    } finally {
      await arrays.close();
    }
  }
}

/** When the runs of a store begin that begin after one time and before another, in seconds, in their order. */
export async function runsBetween(
  archive: StoreArchive,
  options: ArchiveOptions,
  [after, before]: readonly [after: number, before: number],
): Promise<readonly number[]> {
  const { arrays } = await openStoreArchive(archive, options, undefined);
  try {
    const reader = arrayReader(arrays);
    for (const array of arrays.arrays.values()) {
      const found = await readRuns(reader, array, 1);
      if (found !== undefined)
        return [...found.seconds].filter((run) => run > after && run < before).sort((a, b) => a - b);
    }
    return [];
  } finally {
    await arrays.close();
  }
}
