import type { EnsembleField } from '../../core/field.js';
import type { Location } from '../../respond/answers.js';
import type { Dataset } from '../../store/dataset.js';
import type { Snapshot } from '../../store/source.js';
import type { DerivedVariable } from '../../variable/derived-inputs.js';
import type { Variable } from '../../variable/variable.js';
import { isDerived } from './available-variables.js';
import { coveredPlace, type Place, placeAt } from './covered-place.js';
import { elevationAt } from './data-of.js';
import { readDerived } from './derived-field.js';
import { axisOf, readSeries, type SeriesBuffers } from './point-series.js';

/** A coarse dataset, the same at 1 km where that may be used, and where to read them. */
export interface SeriesSource {
  readonly coarse: Dataset;
  readonly place: Place;
  readonly fine?: Dataset;
  readonly finePlace?: Place;
  /** Elevation of the coarse place in metres, NaN where it is not known. */
  readonly metres: () => number;
}

/** A variable's values at one place. */
export interface VariableSeries {
  readonly variable: Variable;
  readonly field: EnsembleField;
  readonly downscaled: boolean;
  readonly location: Location;
  /** The field's values, all members one after the other, where they lie so. */
  readonly values?: Float32Array;
  /** Gives back the field's memory, which then must not be read any more. */
  release(): void;
}

/** Where to read the variables of a point from: fine data only where they are allowed and cover it. Throws ProblemError where the coarse ones do not. */
export function seriesSource(
  data: Snapshot,
  { coarse, fine }: { readonly coarse: Dataset; readonly fine?: Dataset },
  { point, downscaling }: { readonly point: Location; readonly downscaling: boolean },
): SeriesSource {
  const place = coveredPlace(coarse, point);
  const metres = elevationAt(data, coarse, place.cell);
  const finePlace = downscaling && fine !== undefined ? placeAt(fine, point) : undefined;
  return { coarse, place, metres, fine: finePlace && fine, finePlace };
}

/** Reads a variable: from the 1 km data where these have it; a derived one is computed from coarse inputs. Fields use buffers again where some are given. */
export function readVariable(
  source: SeriesSource,
  variable: Variable,
  buffers?: SeriesBuffers,
): VariableSeries | Promise<VariableSeries> {
  const { coarse, place, fine, finePlace, metres } = source;
  const { slug } = variable;
  if (isDerived(variable)) {
    const derived = { ...place, metres: slug === 'evapotranspiration' ? metres() : Number.NaN };
    return readDerived(coarse, slug as DerivedVariable, derived).then((field) => ({
      ...{ variable, field, downscaled: false, location: place.location, release: nothing },
    }));
  }
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

/** All of some results, at once where none is a promise. */
export function whenAll<T, R>(
  results: readonly (T | Promise<T>)[],
  then: (all: readonly T[]) => R | Promise<R>,
): R | Promise<R> {
  const isLater = results.some((result) => result instanceof Promise);
  return isLater ? Promise.all(results).then(then) : then(results as readonly T[]);
}

function nothing(): void {}
