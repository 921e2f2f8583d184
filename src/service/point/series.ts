import { deriveSeries } from '../../blend/derive-series.js';
import { type EnsembleField, memberColumns } from '../../core/field.js';
import type { Core } from '../../core/load.js';
import { MemberColumn } from '../../core/member-column.js';
import type { WindowTable } from '../../period/period.js';
import type { DayRange, HorizonRange, Location, StoredPrecision } from '../../respond/answer-data.js';
import type { Categories } from '../../statistics/categories.js';
import { computeColumns } from '../../statistics/compute.js';
import type { Threshold } from '../../statistics/options.js';
import type { StatisticsColumns } from '../../statistics/statistics-columns.js';
import { type DerivedVariable, derivedInputs } from '../../variable/derived-inputs.js';
import type { Variable } from '../../variable/variable.js';
import type { Axis, Dataset } from '../source/dataset.js';
import type { Snapshot } from '../source/source.js';
import { isDerived } from './available-variables.js';
import { type CoreBuffers, memberRequest } from './core-buffers.js';
import { coveredPlace, elevationAt, type Place, placeAt } from './snapshot-parts.js';

/** A buffer for a variable's values at one place, and its members as columns. */
export interface SeriesBuffer {
  readonly values: Float32Array<ArrayBuffer>;
  readonly members: readonly MemberColumn[];
}

/** Creates a buffer for a variable of these days and members. */
function seriesBuffer({ days, members }: Axis): SeriesBuffer {
  const values = new Float32Array(days * members);
  return { values, members: memberColumns(values, days) };
}

/** So many buffers of one shape are kept, and so many bytes of all shapes; no axis has so many members. */
const MAX_FREE = 16;
const MAX_FREE_BYTES = 16 * 2 ** 20;
const MAX_MEMBERS = 65_536;

/** Buffers for reuse: making one costs as much as computing with it. The least recently used ones are dropped first. */
export class SeriesBuffers {
  readonly #free = new Map<number, SeriesBuffer[]>();
  #bytes = 0;

  take(axis: Axis): SeriesBuffer {
    const buffer = this.#free.get(shapeOf(axis))?.pop();
    if (buffer === undefined) return seriesBuffer(axis);
    this.#bytes -= buffer.values.byteLength;
    return buffer;
  }

  /** Gives back a buffer that is not read or written any more. */
  give(axis: Axis, buffer: SeriesBuffer): void {
    const shape = shapeOf(axis);
    const free = this.#free.get(shape) ?? [];
    // The first entry of the map is the least recently used one.
    this.#free.delete(shape);
    this.#free.set(shape, free);
    if (free.length === MAX_FREE) return;
    free.push(buffer);
    this.#bytes += buffer.values.byteLength;
    for (const [oldest, buffers] of this.#free) {
      while (this.#bytes > MAX_FREE_BYTES && buffers.length > 0) {
        this.#bytes -= (buffers.pop() as SeriesBuffer).values.byteLength;
      }
      if (buffers.length > 0) break;
      this.#free.delete(oldest);
    }
  }
}

function shapeOf({ days, members }: Axis): number {
  return days * MAX_MEMBERS + members;
}

/** A coarse dataset, the same at 1 km where that may be used, and the places to read. */
export interface SeriesSource {
  readonly coarse: Dataset;
  readonly place: Place;
  readonly fine?: Dataset;
  readonly finePlace?: Place;
  /** Elevation of the coarse place in metres, NaN where unknown. */
  readonly metres: () => number;
}

/** A variable's values at one place. */
export interface VariableSeries {
  readonly variable: Variable;
  readonly field: EnsembleField;
  readonly downscaled: boolean;
  readonly location: Location;
  /** The days of each horizon, from the shortest; undefined where they are not known. */
  readonly horizons?: readonly HorizonRange[];
  /** The field's values, all members one after the other, where they are in one buffer. */
  readonly values?: Float32Array;
  /** Gives back the field's memory, which must not be read afterwards. */
  release(): void;
}

/**
 * Finds where to read the variables of a point: from fine data only where they are allowed and cover the point. Throws
 * ProblemError where the coarse data do not cover it.
 */
export function findSeriesSource(
  data: Snapshot,
  { coarse, fine }: { readonly coarse: Dataset; readonly fine?: Dataset },
  { point, downscaling = false }: { readonly point: Location; readonly downscaling?: boolean },
): SeriesSource {
  const place = coveredPlace(coarse, point);
  const metres = elevationAt(data, coarse, place.cell);
  const finePlace = downscaling && fine !== undefined ? placeAt(fine, point) : undefined;
  return { coarse, place, metres, fine: finePlace && fine, finePlace };
}

/**
 * Reads a variable: from the 1 km data where they have it; a derived variable is computed from coarse inputs. Fields
 * reuse `buffers`.
 */
export function readVariable(
  source: SeriesSource,
  variable: Variable,
  buffers?: SeriesBuffers,
): VariableSeries | Promise<VariableSeries> {
  const { coarse, place, fine, finePlace } = source;
  const { slug } = variable;
  if (isDerived(variable)) return readDerived(source, variable);
  const isFine = variable.downscalable && fine?.variables.has(slug) === true;
  const dataset = isFine ? fine : coarse;
  const { cell, location } = isFine ? (finePlace as Place) : place;
  const axis = axisOf(dataset, slug);
  const buffer = buffers?.take(axis);
  const release = buffers === undefined || buffer === undefined ? nothing : () => buffers.give(axis, buffer);
  const values = buffer?.values;
  const { horizons } = axis;
  const series = (field: EnsembleField) => ({
    variable,
    field,
    downscaled: isFine,
    location,
    horizons,
    values,
    release,
  });
  const field = readSeries(dataset, slug, cell, axis, buffer);
  return field instanceof Promise ? field.then(series) : series(field);
}

/**
 * Reads a variable at a cell to a buffer; the field shares its values. Rejects, and never throws, with what the dataset
 * throws or rejects with: several variables are read at a time, and if one threw, the others would not be awaited.
 */
function readSeries(
  dataset: Dataset,
  slug: string,
  cell: number,
  axis = axisOf(dataset, slug),
  buffer = seriesBuffer(axis),
): EnsembleField | Promise<EnsembleField> {
  const { firstDay, days } = axis;
  const { values, members } = buffer;
  const field: EnsembleField = { type: 'float32', order: 'day-fastest', firstDay, days, cells: 1, members };
  try {
    const reading = dataset.read(slug, cell, values);
    return reading === undefined ? field : reading.then(() => field);
  } catch (error) {
    return Promise.reject(error);
  }
}

/** The days and members of a variable that the dataset has. */
function axisOf(dataset: Dataset, slug: string): Axis {
  return dataset.variables.get(slug) as Axis;
}

/**
 * Reads the inputs of a derived variable from the coarse data and computes it, per member, on the days that all inputs
 * have.
 */
async function readDerived({ coarse, place, metres }: SeriesSource, variable: Variable): Promise<VariableSeries> {
  const slug = variable.slug as DerivedVariable;
  const { cell, location } = place;
  const elevation = slug === 'evapotranspiration' ? metres() : Number.NaN;
  // A dew point is itself computed here.
  const needed = derivedInputs(slug, (input) => input !== 'dew_point' && coarse.variables.has(input));
  const inputs = await Promise.all(needed.map((input) => readSeries(coarse, input, cell)));
  const firstDay = Math.max(...inputs.map((input) => input.firstDay));
  const days = Math.max(0, Math.min(...inputs.map((input) => input.firstDay + input.days)) - firstDay);
  const where = {
    latitude: Float64Array.of(location.latitude),
    longitude: Float64Array.of(location.longitude),
    ...{ firstDay, days },
  };
  const bySlug = Object.fromEntries(needed.map((input, i) => [input, inputs[i]]));
  const members = deriveSeries(slug, bySlug, where, { elevation }).map(
    (values, m) => new MemberColumn(`member ${m}`, [{ values }]),
  );
  const field: EnsembleField = { type: 'float32', order: 'day-fastest', firstDay, days, cells: 1, members };
  const horizons = commonHorizons(needed.map((input) => axisOf(coarse, input)));
  return { variable, field, downscaled: false, location, horizons, release: nothing };
}

/** The days of each horizon that all variables have; undefined where they are not known of each. */
function commonHorizons([first, ...others]: readonly Axis[]): readonly HorizonRange[] | undefined {
  let common = first.horizons;
  for (const { horizons } of others) {
    common = common?.flatMap((range) => {
      const other = horizons?.find(({ horizon }) => horizon === range.horizon);
      const days = other && intersectRanges(range, other);
      return days === undefined || days.lastDay < days.firstDay ? [] : { horizon: range.horizon, ...days };
    });
    if (horizons === undefined) return undefined;
  }
  return common;
}

/** To what the values of series were rounded where they were stored, of those that are not derived. */
export function storedPrecision(
  { coarse, fine }: SeriesSource,
  series: readonly VariableSeries[],
): StoredPrecision | undefined {
  let known: Record<string, number> | undefined;
  for (const { variable, downscaled } of series) {
    const precision = (downscaled ? fine : coarse)?.variables.get(variable.slug)?.precision;
    if (precision === undefined) continue;
    known ??= {};
    known[variable.slug] = precision;
  }
  return known;
}

/** What holds memory until it is given back. */
interface Held {
  release(): void;
}

/**
 * Uses the series of all variables, at once where no read is a promise, and then gives back their memory, also where a
 * read or the use fails. The memory of a failed read is not used again, as the dataset may still write to it.
 */
export function useSeries<R>(
  reads: readonly (VariableSeries | Promise<VariableSeries>)[],
  use: (all: readonly VariableSeries[]) => R | Promise<R>,
): R | Promise<R> {
  const isLater = reads.some((read) => read instanceof Promise);
  return isLater ? useAll(reads, use) : used(reads as readonly VariableSeries[], use);
}

/** Like `useSeries`, with anything that holds memory, once all of it is there. */
export async function useAll<One extends Held, R>(
  reads: readonly (One | Promise<One>)[],
  use: (all: readonly One[]) => R | Promise<R>,
): Promise<R> {
  return used(await settled(reads), use);
}

/** Waits for all reads, as reads under way write to their memory. Rejects with the error of the first failed read. */
async function settled<One extends Held>(reads: readonly (One | Promise<One>)[]): Promise<One[]> {
  const all = await Promise.allSettled(reads);
  const held = all.flatMap((read) => (read.status === 'fulfilled' ? (read.value as One) : []));
  const failed = all.find((read) => read.status === 'rejected');
  if (failed === undefined) return held;
  releaseAll(held);
  throw failed.reason;
}

function used<One extends Held, R>(all: readonly One[], use: (all: readonly One[]) => R | Promise<R>): R | Promise<R> {
  let result: R | Promise<R>;
  try {
    result = use(all);
  } catch (error) {
    releaseAll(all);
    throw error;
  }
  if (result instanceof Promise) return result.finally(() => releaseAll(all));
  releaseAll(all);
  return result;
}

function releaseAll(all: readonly Held[]): void {
  for (const { release } of all) release();
}

function nothing(): void {}

/** Copies a member's values on some days, which its field must have; none where the range is empty. */
export function copyDays(field: EnsembleField, member: MemberColumn, { firstDay, lastDay }: DayRange): Float32Array {
  const values = new Float32Array(Math.max(0, lastDay - firstDay + 1));
  const from = firstDay - field.firstDay;
  if (values.length > 0) member.copyTo(values, 0, from, from + values.length);
  return values;
}

/** The first and the last day of any variable of a dataset; undefined where it has no days. */
export function datasetDays({ variables }: Dataset): DayRange | undefined {
  return uniteRanges([...variables.values()].map(toDayRange));
}

/** The days of a series. */
export function toDayRange({ firstDay, days }: { readonly firstDay: number; readonly days: number }): DayRange {
  return { firstDay, lastDay: firstDay + days - 1 };
}

/** The days that are in both ranges; where there are none, the last day lies before the first. */
export function intersectRanges(a: DayRange, b: DayRange): DayRange {
  return { firstDay: Math.max(a.firstDay, b.firstDay), lastDay: Math.min(a.lastDay, b.lastDay) };
}

/**
 * The range from the first day of any range to the last day of any; empty ranges are ignored. Undefined where there is
 * no day.
 */
export function uniteRanges(ranges: readonly DayRange[]): DayRange | undefined {
  let union: DayRange | undefined;
  for (const { firstDay, lastDay } of ranges) {
    if (lastDay < firstDay) continue;
    union =
      union === undefined
        ? { firstDay, lastDay }
        : { firstDay: Math.min(union.firstDay, firstDay), lastDay: Math.max(union.lastDay, lastDay) };
  }
  return union;
}

/**
 * Computes statistics over the members of a series as all endpoints do: quantiles of type 7, missing where fewer than
 * 80 % of the members are valid.
 */
export function memberStatistics(
  { core, coreBuffers }: { readonly core: Core; readonly coreBuffers: CoreBuffers },
  { variable, field, values }: Pick<VariableSeries, 'variable' | 'field' | 'values'>,
  windows: WindowTable,
  quantiles: readonly number[],
  categories?: readonly Categories[],
  thresholds: readonly Threshold[] = [],
): StatisticsColumns {
  const held = values === undefined ? field : coreBuffers.hold(field, values);
  const request = memberRequest(variable.window, quantiles, categories, thresholds);
  // Values that were not held lie anywhere, an empty result needs no plan, and plans have neither limits nor
  // thresholds.
  if (held === field || categories !== undefined || thresholds.length > 0 || windows.count === 0) {
    return computeColumns(core, held, windows, request);
  }
  return coreBuffers.plans.find(held, windows, request).compute();
}
