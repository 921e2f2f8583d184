import { DataError } from '../../errors.js';
import type { ArrayFile, StoredArray } from '../../files/array/array-file.js';
import { type ArrayReader, arrayReader } from '../../files/cf/array-reader.js';
import { arrayVariable } from '../../files/cf/array-variable.js';
import { arrayDimensions } from '../../files/cf/coordinates.js';
import { type ArrayEnsemble, openArray } from '../../files/cf/open-array.js';
import { dataArrays } from '../../files/cf/open-grid-ensemble.js';
import { runDimension } from '../../files/cf/time/time-axis.js';
import { readTimeValues } from '../../files/cf/time/time-coordinate.js';
import { utcText } from '../../files/cf/time/time-units.js';
import { isAvailable, type Product } from '../../variable/availability.js';
import { findVariable } from '../../variable/find-variable.js';
import type { Variable } from '../../variable/variable.js';
import type { PartOptions } from './archive-parts.js';

/** A variable of a part, and the array that holds it. */
export interface PartArray {
  readonly variable: Variable;
  readonly ensemble: ArrayEnsemble;
}

/**
 * Finds the arrays of a file that hold variables of a product; derived variables and others are left out. Throws
 * DataError where two arrays hold a variable, a named array is missing, and where one is not understood; OptionError
 * for an unknown variable.
 */
export async function findPartArrays(
  file: ArrayFile,
  product: Product,
  part: PartOptions,
  extra: readonly Variable[] = [],
): Promise<ReadonlyMap<string, PartArray>> {
  const { arrays: named = {}, init, stamps, accumulation } = part;
  const reader = arrayReader(file);
  assertArraysExist(file, Object.values(named));
  const found = new Map<string, PartArray>();
  for (const array of dataArrays(file)) {
    const slug = Object.keys(named).find((each) => named[each] === array.name);
    const variable = slug === undefined ? arrayVariable(array, extra) : findVariable(slug, extra);
    const isNamedOtherwise = variable !== undefined && slug === undefined && Object.hasOwn(named, variable.slug);
    if (variable === undefined || isNamedOtherwise || variable.derived || !isAvailable(variable, product)) continue;
    const options = { stamps, accumulation, variables: extra, init: init ?? (await findLatestRun(reader, array)) };
    const ensemble = await openArray(reader, array, variable, options);
    if (ensemble === undefined) continue;
    const other = found.get(variable.slug);
    if (other !== undefined) throw heldTwice(file.source, variable.slug, other.ensemble.array, array.name);
    found.set(variable.slug, { variable, ensemble });
  }
  return found;
}

function assertArraysExist({ arrays, source }: ArrayFile, names: readonly string[]): void {
  const absent = names.find((name) => !arrays.has(name));
  if (absent === undefined) return;
  const allowed = [...arrays.keys()].join(', ');
  throw new DataError({ source, problem: 'there is no such array', received: absent, allowed });
}

function heldTwice(source: string, slug: string, one: string, other: string): DataError {
  const allowed = `one of them, named by the part: arrays: { ${slug}: '${one}' }`;
  return new DataError({ source, problem: `two arrays hold ${slug}`, received: `${one}, ${other}`, allowed });
}

/**
 * Finds the time of the latest of several runs in an array; undefined where it holds one run. Throws DataError for
 * times that are not understood.
 */
async function findLatestRun(reader: ArrayReader, array: StoredArray): Promise<string | undefined> {
  const runs = runDimension(arrayDimensions(reader.file, array));
  if (runs?.coordinate === undefined || runs.length < 2) return undefined;
  const { seconds } = await readTimeValues(reader, runs.coordinate);
  return utcText(seconds.reduce((latest, time) => Math.max(latest, time)));
}
