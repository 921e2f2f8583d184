import { deriveSeries } from '../../blend/derive-series.js';
import type { EnsembleField } from '../../core/field.js';
import { MemberColumn } from '../../core/member-column.js';
import type { Location } from '../../respond/answer-data.js';
import { DERIVED_INPUTS, type DerivedVariable } from '../../variable/derived-inputs.js';
import type { Variable } from '../../variable/variable.js';
import type { Dataset } from '../source/dataset.js';
import type { Snapshot } from '../source/source.js';
import { isDerived } from './available-variables.js';
import { coveredPlace, type Place, placeAt } from './covered-place.js';
import { axisOf, readSeries, type SeriesBuffers } from './point-series.js';
import { elevationAt } from './snapshot-parts.js';

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
  { point, downscaling }: { readonly point: Location; readonly downscaling: boolean },
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
  if (isDerived(variable)) return readDerivedSeries(source, variable);
  const isFine = variable.downscalable && fine?.variables.has(slug) === true;
  const dataset = isFine ? fine : coarse;
  const { cell, location } = isFine ? (finePlace as Place) : place;
  const axis = axisOf(dataset, slug);
  const buffer = buffers?.take(axis);
  const release = buffers === undefined || buffer === undefined ? nothing : () => buffers.give(axis, buffer);
  const values = buffer?.values;
  const series = (field: EnsembleField) => ({ variable, field, downscaled: isFine, location, values, release });
  const field = readSeries(dataset, slug, cell, buffer);
  return field instanceof Promise ? field.then(series) : series(field);
}

async function readDerivedSeries({ coarse, place, metres }: SeriesSource, variable: Variable): Promise<VariableSeries> {
  const { slug } = variable;
  const where = { ...place, metres: slug === 'evapotranspiration' ? metres() : Number.NaN };
  const field = await readDerived(coarse, slug as DerivedVariable, where);
  return { variable, field, downscaled: false, location: place.location, release: nothing };
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
  return isLater ? settled(reads).then((all) => used(all, use)) : used(reads as readonly VariableSeries[], use);
}

/** Waits for all reads, as reads under way write to their memory. Rejects with the error of the first failed read. */
async function settled(reads: readonly (VariableSeries | Promise<VariableSeries>)[]): Promise<VariableSeries[]> {
  const all = await Promise.allSettled(reads);
  const series = all.flatMap((read) => (read.status === 'fulfilled' ? read.value : []));
  const failed = all.find((read) => read.status === 'rejected');
  if (failed === undefined) return series;
  releaseAll(series);
  throw failed.reason;
}

function used<R>(
  all: readonly VariableSeries[],
  use: (all: readonly VariableSeries[]) => R | Promise<R>,
): R | Promise<R> {
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

function releaseAll(all: readonly VariableSeries[]): void {
  for (const { release } of all) release();
}

function nothing(): void {}

/** Where a derived variable is computed. */
interface DerivedPlace {
  readonly cell: number;
  readonly location: Location;
  /** Elevation, NaN where unknown. */
  readonly metres: number;
}

/** Reads the inputs of a derived variable at a cell and computes it, per member, on the days that all inputs have. */
async function readDerived(dataset: Dataset, slug: DerivedVariable, place: DerivedPlace): Promise<EnsembleField> {
  const { cell, location, metres } = place;
  const inputs = await Promise.all(DERIVED_INPUTS[slug].map((input) => readSeries(dataset, input, cell)));
  const firstDay = Math.max(...inputs.map((input) => input.firstDay));
  const days = Math.min(...inputs.map((input) => input.firstDay + input.days)) - firstDay;
  const where = {
    latitude: Float64Array.of(location.latitude),
    longitude: Float64Array.of(location.longitude),
    firstDay,
    days: Math.max(0, days),
  };
  const series = deriveSeries(slug, inputs, where, { elevation: metres });
  const members = series.map((values, m) => new MemberColumn(`member ${m}`, [{ values }]));
  return { type: 'float32', order: 'day-fastest', firstDay, days: where.days, cells: 1, members };
}
