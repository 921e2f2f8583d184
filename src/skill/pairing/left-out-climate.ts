import { climateKeyIndices, type ReferenceYears } from '../../climate/climatology.js';
import { hasDays, toClimateWindows } from '../../climate/options.js';
import {
  type ReferenceWindows,
  referenceWindows,
  type WindowsWithin,
  windowOfKey,
  windowsAround,
  windowsWithin,
} from '../../climate/reference-windows.js';
import { formatReference, yearsWithin } from '../../climate/reference-years.js';
import type { EnsembleField } from '../../core/field.js';
import type { Core } from '../../core/load.js';
import { type FloatArray, floatArray } from '../../core/number-arrays.js';
import type { DailySource } from '../../ensemble/daily-source.js';
import { DataError, mentionOption, OptionError } from '../../errors.js';
import { dateText, type ModelCalendar } from '../../period/calendar.js';
import type { WindowTable } from '../../period/period.js';
import { combineWindows } from '../../statistics/compute.js';
import type { WindowValue } from '../../statistics/window-value.js';
import type { CheckedVerify } from './options.js';

/** Windows of a run with equally many samples of the climatology. */
export interface SampledWindows {
  /** The windows of the run. */
  readonly windows: readonly number[];
  /** For each of them its samples, as places among the windows of the climatology. */
  readonly samples: readonly (readonly number[])[];
}

/** The samples of the windows of a run, and the most years, besides the verified one, that a window has samples of. */
interface PlannedSamples {
  readonly years: number;
  readonly sampled: readonly SampledWindows[];
}

/** How many years the climatology needs for the quantiles of these probabilities, besides the one that is verified. */
export function neededYears(probabilities: readonly number[]): number {
  return Math.max(2, ...probabilities.map((p) => Math.ceil(1 / Math.min(p, 1 - p) - 1e-9)));
}

/**
 * The climatology of observations without the year that is verified: for a window the values of the same period of the year in
 * all other years of the reference, as a climatology has them. Samples that share a day with the window are left out, too.
 */
export class LeftOutClimate {
  readonly years: ReferenceYears;
  readonly #reference: ReferenceWindows;
  readonly #within: WindowsWithin;
  readonly #halfWidth: number;
  readonly #calendar: ModelCalendar | undefined;
  readonly #observed: DailySource;
  readonly #plans = new WeakMap<WindowTable, PlannedSamples>();

  /** Throws OptionError for windows that do not recur in each year. */
  constructor(observed: DailySource, { granularity, reference, halfWidth }: CheckedVerify, calendar?: ModelCalendar) {
    const { firstDay, days } = observed;
    const lastDay = firstDay + days - 1;
    const windows = toClimateWindows(granularity);
    if (halfWidth !== undefined && !hasDays(windows)) {
      const problem = `is for days and rolling windows, not for ${windows} ones`;
      throw new OptionError({ subject: 'halfWidth', problem, received: halfWidth });
    }
    this.years = reference ?? yearsWithin(firstDay, lastDay);
    this.#reference = referenceWindows(windows, this.years, calendar);
    this.#within = windowsWithin(this.#reference, firstDay, lastDay, lastDay);
    this.#halfWidth = halfWidth ?? (hasDays(windows) ? 7 : 0);
    this.#calendar = calendar;
    this.#observed = observed;
  }

  /** The most years, besides the verified one, that a window has samples of. */
  yearsOf(windows: WindowTable): number {
    return this.#planned(windows).years;
  }

  /** The samples of windows; windows with as many samples are together. */
  plan(windows: WindowTable): readonly SampledWindows[] {
    return this.#planned(windows).sampled;
  }

  #planned(windows: WindowTable): PlannedSamples {
    const known = this.#plans.get(windows);
    if (known !== undefined) return known;
    const keys = climateKeyIndices(this.#reference.granularity, windows);
    const bySize = new Map<number, { windows: number[]; samples: number[][] }>();
    let most = 0;
    for (let w = 0; w < windows.count; w++) {
      const { samples, years } = this.#samplesOf(windows, w, keys[w]);
      most = Math.max(most, years);
      const own = bySize.get(samples.length) ?? { windows: [], samples: [] };
      own.windows.push(w);
      own.samples.push(samples);
      bySize.set(samples.length, own);
    }
    const planned = { years: most, sampled: [...bySize.values()] };
    this.#plans.set(windows, planned);
    return planned;
  }

  #samplesOf({ start, end }: WindowTable, w: number, key: number): { samples: number[]; years: number } {
    const { firstYear, lastYear, start: starts, end: ends } = this.#reference;
    const overlaps = (sample: number) => starts[sample] <= end[w] && ends[sample] >= start[w];
    const samples: number[] = [];
    let years = 0;
    for (let year = 0; key >= 0 && year <= lastYear - firstYear; year++) {
      const own = windowOfKey(this.#reference, year, key);
      if (overlaps(own)) continue;
      const { from, to } = windowsAround(own, this.#halfWidth, this.#within);
      const before = samples.length;
      for (let sample = from; sample < to; sample++) {
        const place = this.#within.places[sample];
        if (place >= 0 && !overlaps(sample)) samples.push(place);
      }
      if (samples.length > before) years++;
    }
    return { samples, years };
  }

  /** The values of all windows of the climatology, by cell. */
  values(core: Core, field: EnsembleField, rule: WindowValue): FloatArray {
    return combineWindows(core, field, this.#within.windows, rule)[0];
  }

  /** The number of windows of the climatology. */
  get count(): number {
    return this.#within.windows.count;
  }

  /** The error for too few years. */
  tooFew(found: number, needed: number, purpose: string): DataError {
    const { source, firstDay, days } = this.#observed;
    const span = [firstDay, firstDay + days - 1].map((day) => dateText(this.#calendar, day)).join(' to ');
    return new DataError({
      source,
      problem: `has too few years for ${purpose}, besides the one that is verified`,
      received: `${found} in ${formatReference(this.years)}, of the days ${span}`,
      allowed: `at least ${needed} other years; or ${mentionOption('against', 'none')} and ${mentionOption('categories', 0)}`,
    });
  }
}

/** The samples of cases, an array for each sample; cases are of each cell the windows. */
export function sampleMembers(
  values: FloatArray,
  count: number,
  cells: number,
  { windows, samples }: SampledWindows,
): FloatArray[] {
  const type = values instanceof Float32Array ? 'float32' : 'float64';
  return samples[0].map((_, s) => {
    const member = floatArray(type, cells * windows.length);
    for (let cell = 0; cell < cells; cell++) {
      for (let w = 0; w < windows.length; w++) member[cell * windows.length + w] = values[cell * count + samples[w][s]];
    }
    return member;
  });
}

/** The quantiles of type 7 of the samples of each case; NaN where fewer of them are valid than `minShare`. */
export function sampleQuantiles(
  members: readonly FloatArray[],
  cases: number,
  probabilities: readonly number[],
  needed: number,
): Map<number, FloatArray> {
  const type = members[0] instanceof Float32Array ? 'float32' : 'float64';
  const quantiles = new Map(probabilities.map((p) => [p, floatArray(type, cases).fill(Number.NaN)]));
  const sorted = new Float64Array(members.length);
  for (let i = 0; i < cases; i++) {
    let valid = 0;
    for (const member of members) if (!Number.isNaN(member[i])) sorted[valid++] = member[i];
    if (valid < needed) continue;
    sorted.subarray(0, valid).sort();
    for (const [p, into] of quantiles) {
      const at = (valid - 1) * p;
      const low = Math.floor(at);
      const next = Math.min(low + 1, valid - 1);
      into[i] = sorted[low] + (at - low) * (sorted[next] - sorted[low]);
    }
  }
  return quantiles;
}
