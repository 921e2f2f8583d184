import type { PlaceIndex } from '../../ensemble/place-index.js';
import { DataError } from '../../errors.js';
import type { ArrayFile, StoredArray } from '../../files/array/array-file.js';
import { type ArrayReader, arrayReader } from '../../files/cf/array-reader.js';
import { arrayVariable, isOfOtherLevel } from '../../files/cf/array-variable.js';
import { arrayDimensions } from '../../files/cf/coordinates.js';
import { isOverTime } from '../../files/cf/days/daily-rule.js';
import { readCell } from '../../files/cf/days/read-block.js';
import type { ReadPlan } from '../../files/cf/days/read-plan.js';
import { type ArrayEnsemble, openArray } from '../../files/cf/open-array.js';
import { dataArrays } from '../../files/cf/open-grid-ensemble.js';
import { runDimension, timeMethod } from '../../files/cf/time/time-axis.js';
import { readTimeValues } from '../../files/cf/time/time-coordinate.js';
import { utcText } from '../../files/cf/time/time-units.js';
import type { ZarrFile } from '../../files/zarr/index.js';
import { DAY_SECONDS } from '../../period/day.js';
import { assertUtcDays } from '../../period/stated-days.js';
import { assertRealDates } from '../../table/columns/day-column.js';
import { type HorizonName, isAvailable, type Product } from '../../variable/availability.js';
import { findVariable } from '../../variable/find-variable.js';
import type { Variable } from '../../variable/variable.js';
import { parseStatedTime } from '../ingest/forecast-header.js';
import { usableSpan } from '../ingest/usable-days.js';
import type { Axis, Dataset } from '../source/dataset.js';
import type { PartOptions } from './archive-parts.js';
import { type GridPlaces, isSameGrid } from './grid-places.js';

/** A part of an archive, opened. */
export interface OpenPart {
  /** The revision of the metadata that it was opened with. */
  readonly revision: string;
  readonly dataset: Dataset;
  /** When the run was issued; of a history its first day. */
  readonly initTime: string;
  readonly version: string | undefined;
}

/**
 * Opens a part for reading place by place: its metadata and coordinates are read now, its values on demand. Throws
 * DataError where arrays do not belong together or are not understood, and what reading throws.
 */
export async function openPart(
  file: ZarrFile,
  product: Product,
  part: PartOptions,
  extra: readonly Variable[] | undefined,
  places: GridPlaces,
): Promise<OpenPart> {
  const { source, revision } = file;
  const arrays = await findPartArrays(file, product, part, extra);
  const [first] = arrays.values();
  if (first === undefined) {
    const allowed = 'known variables, by name or CF standard name, or named by the part: arrays: { temp_mean: "t2m" }';
    throw new DataError({ source, problem: `has no variable of the ${product}`, allowed });
  }
  for (const { ensemble } of arrays.values()) {
    assertRealDates(ensemble.metadata, 'the service', source);
    assertUtcDays(ensemble.metadata, 'the service', source);
  }
  const { grid, plan } = first.ensemble;
  for (const { ensemble } of arrays.values()) assertMatches(source, product, first, ensemble);
  const initTime = initTimeOf(first);
  const variables = new Map<string, GridVariable>();
  for (const [slug, { variable, ensemble }] of arrays) {
    const axis = axisOf(variable, ensemble, product, initTime, source);
    variables.set(slug, { plan: ensemble.plan, axis });
  }
  // All runs of a store have the same metadata.
  const dataset = createGridDataset(`${revision}-${plan.layout.times.init ?? ''}`, places.of(grid), variables);
  return { ...{ revision, dataset, initTime }, version: first.ensemble.metadata.get('version') };
}

function axisOf(
  variable: Variable,
  { firstDay, days, members }: PartArray['ensemble'],
  product: Product,
  initTime: string,
  source: string,
): Axis {
  if (product === 'history') return { firstDay, days, members: 1 };
  const horizon: HorizonName = product;
  const used = usableSpan({ firstDay, days }, { variable, horizon, initTime, source });
  return { firstDay: used.firstDay, days: used.lastDay - used.firstDay + 1, members: members.length };
}

/** When a run was issued: as the file states, or else the start of its first day. */
function initTimeOf({ ensemble }: PartArray): string {
  const stated = ensemble.metadata.get('init_time');
  return stated === undefined ? utcText(ensemble.firstDay * DAY_SECONDS) : parseStatedTime(stated, ensemble.source);
}

/** Throws DataError unless variables of a part have the same cells and, in forecasts, the same members. */
function assertMatches(
  source: string,
  product: Product,
  first: PartArray,
  { array, grid, members }: PartArray['ensemble'],
): void {
  const expected = product === 'history' ? 1 : first.ensemble.members.length;
  const reject = (problem: string, received: string, allowed: string) =>
    new DataError({ source, column: array, problem, received, allowed });
  if (members.length !== expected) throw reject('other members', `${members.length} members`, `${expected}`);
  if (grid.latitude.some(Number.isNaN)) throw reject('its cells have no coordinates', 'none', 'latitude and longitude');
  if (!isSameGrid(grid, first.ensemble.grid)) {
    throw reject('other cells', 'another grid', `those of ${first.ensemble.array}: a part for each grid`);
  }
}

/** A variable of a grid, and the days that are used. */
interface GridVariable {
  readonly plan: ReadPlan;
  readonly axis: Axis;
}

/** The arrays of a grid as a dataset: a read of a place reads only the chunks that hold it. */
function createGridDataset(
  revision: string,
  places: PlaceIndex,
  variables: ReadonlyMap<string, GridVariable>,
): Dataset {
  return {
    ...{ revision, places },
    variables: new Map(Array.from(variables, ([slug, { axis }]) => [slug, axis])),
    read: (slug, cell, into) => read(variables.get(slug) as GridVariable, cell, into),
  };
}

async function read({ plan, axis }: GridVariable, cell: number, into: Float32Array<ArrayBuffer>): Promise<void> {
  const { firstDay, days } = plan.steps;
  if (days === axis.days) return readCell(plan, cell, into);
  const all = new Float32Array(axis.members * days);
  await readCell(plan, cell, all);
  const skipped = axis.firstDay - firstDay;
  for (let m = 0; m < axis.members; m++) {
    const at = m * days + skipped;
    into.set(all.subarray(at, at + axis.days), m * axis.days);
  }
}

/** A variable of a part, and the array that holds it. */
interface PartArray {
  readonly variable: Variable;
  readonly ensemble: ArrayEnsemble;
}

/**
 * Finds the arrays of a file that hold variables of a product; derived variables and others are left out. Throws
 * DataError where two arrays hold a variable, a named array is missing, and where one is not understood; OptionError
 * for an unknown variable.
 */
async function findPartArrays(
  file: ArrayFile,
  product: Product,
  part: PartOptions,
  extra: readonly Variable[] = [],
): Promise<ReadonlyMap<string, PartArray>> {
  const { arrays: named = {}, units = {}, init, stamps, accumulation } = part;
  const reader = arrayReader(file);
  assertArraysExist(file, Object.values(named));
  const found = new Map<string, PartArray>();
  for (const array of dataArrays(file)) {
    const slug = Object.keys(named).find((each) => named[each] === array.name);
    const variable = slug === undefined ? arrayVariable(array, extra) : findVariable(slug, extra);
    const isNamedOtherwise = variable !== undefined && slug === undefined && Object.hasOwn(named, variable.slug);
    if (variable === undefined || isNamedOtherwise || variable.derived || !isAvailable(variable, product)) continue;
    const options = {
      ...{ stamps: stampsOf(stamps, array, variable), units: units[variable.slug] },
      ...{ accumulation, variables: extra, init: init ?? (await findLatestRun(reader, array)) },
    };
    const other = found.get(variable.slug);
    if (other !== undefined && isOfOtherLevel(array)) continue;
    const ensemble = await openArray(reader, array, variable, options);
    if (ensemble === undefined) continue;
    if (other !== undefined && !isOfOtherLevel({ name: other.ensemble.array, attributes: new Map() }))
      throw heldTwice(file.source, variable.slug, other.ensemble.array, array.name);
    found.set(variable.slug, { variable, ensemble });
  }
  return found;
}

/**
 * What the times of an array stand for, as the part says: a word is about values over a time alone, and does not move
 * instants beside them.
 */
function stampsOf(stamps: PartOptions['stamps'], array: StoredArray, { slug, ...variable }: Variable) {
  if (typeof stamps !== 'string') return stamps?.[slug];
  const method = timeMethod(array.attributes);
  const isOfSteps = method === undefined ? isOverTime(array, { slug, ...variable }) : method !== 'point';
  return isOfSteps ? stamps : undefined;
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
