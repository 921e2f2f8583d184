import type { EnsembleField } from '../core/field.js';
import type { FloatArray } from '../core/float-array.js';
import type { Core } from '../core/load.js';
import type { ModelCalendar } from '../period/calendar.js';
import type { Granularity } from '../period/window-table.js';
import { limitProbabilities } from './category-limits.js';
import { climateKeys, type ReferenceYears } from './climatology.js';
import { computePools, type PoolRequest } from './compute-pools.js';
import { missingYears, missingYearsError } from './missing-years.js';
import { poolChanges } from './pool-changes.js';
import { referenceWindows } from './reference-windows.js';
import { createSampleSource } from './sample-source.js';

/** What to compute for a climatology: see `ClimatologyOptions`. */
export interface ClimateRequest extends PoolRequest {
  readonly granularity: Granularity;
  /** The calendar of the days, where it is not the real one. */
  readonly calendar?: ModelCalendar;
  readonly reference: ReferenceYears;
  readonly halfWidth: number;
  readonly categories: number;
  readonly fewerYears: boolean;
}

/** The entries of a climatology, laid out as in `Climatology`. */
export interface ClimateEntries {
  readonly keys: readonly string[];
  readonly samples: Int32Array;
  readonly mean: FloatArray;
  readonly quantileValues: readonly FloatArray[];
  readonly limits: readonly FloatArray[];
  readonly probabilities: readonly FloatArray[];
  /** Reference years without a single window. */
  readonly missingYears: readonly number[];
}

/**
 * Computes the reference distribution of fields with the same cells, rows by location: those of one history, or of runs
 * whose samples are pooled. Throws DataError, which names `source`, for missing reference years and for infinite
 * values.
 */
export function climateOfFields(
  core: Core,
  fields: readonly EnsembleField[],
  request: ClimateRequest,
  source?: string,
): ClimateEntries {
  const { granularity, calendar, reference, halfWidth, quantiles, categories, fewerYears } = request;
  const windows = referenceWindows(granularity, reference, calendar);
  const sources = fields.map((field) => createSampleSource(field, windows));
  const missing = missingYears(windows, sources);
  const maxMissing = fewerYears ? reference.lastYear - reference.firstYear : 0;
  if (missing.length > maxMissing) throw missingYearsError(windows, missing, sources, source);

  const keys = climateKeys(granularity, calendar);
  const pools = poolChanges(windows, keys.length, halfWidth, sources, missing);
  const requested = [...quantiles, ...limitProbabilities(categories)];
  const columns = computePools(core, sources, pools, { ...request, quantiles: requested });
  return {
    keys,
    samples: columns.samples,
    mean: columns.mean,
    quantileValues: columns.quantiles.slice(0, quantiles.length),
    limits: columns.quantiles.slice(quantiles.length),
    probabilities: columns.probabilities,
    missingYears: missing,
  };
}
