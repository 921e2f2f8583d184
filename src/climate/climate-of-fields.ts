import type { EnsembleField } from '../core/field.js';
import { PoolJob } from '../core/generated/jobs.js';
import { overflow } from '../core/infinite-value.js';
import type { Core } from '../core/load.js';
import { type FloatArray, type FloatType, floatArray } from '../core/number-arrays.js';
import { hasValues, noValues } from '../ensemble/has-values.js';
import { DataError, mentionOption } from '../errors.js';
import { dateText, type ModelCalendar } from '../period/calendar.js';
import { combineWindows, makePlan, writeThresholds } from '../statistics/compute.js';
import type { QuantileType, Threshold } from '../statistics/options.js';
import { rowBytes } from '../statistics/tiles.js';
import type { WindowValue } from '../statistics/window-value.js';
import { limitProbabilities } from './category-limits.js';
import { type ClimateWindows, climateKeys, type ReferenceYears, type YearlyWindows } from './climatology.js';
import type { ChosenRuns } from './hindcast-runs.js';
import { type PoolChanges, poolChanges } from './pool-changes.js';
import { type ReferenceWindows, referenceWindows } from './reference-windows.js';
import { formatReference, yearRanges, yearsWithin } from './reference-years.js';
import { cellsInFloat64, createSampleSource, type SampleSource, samplesOf } from './sample-source.js';

/** What to compute for a climatology: see `ClimatologyOptions`. */
interface ClimateRequest extends PoolRequest {
  readonly granularity: ClimateWindows;
  /** The calendar of the days, where it is not the real one. */
  readonly calendar?: ModelCalendar;
  readonly reference: ReferenceYears;
  readonly halfWidth: number;
  readonly categories: number;
  readonly fewerYears: boolean;
  /** Where fields are runs: the years to which they belong, and the day of the year on which all of them start. */
  readonly runs?: Pick<ChosenRuns, 'years' | 'start'> | undefined;
}

/** The entries of a climatology, laid out as in `Climatology`. */
interface ClimateEntries {
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
  const { granularity, calendar, reference, halfWidth, quantiles, categories, fewerYears, runs } = request;
  // A run is used whole: it may begin before the first year, and end after the last one.
  const years = runs ? { firstYear: reference.firstYear - 1, lastYear: reference.lastYear + 1 } : reference;
  const windows = referenceWindows(granularity, years, calendar);
  const sources = fields.map((field) => createSampleSource(field, windows, runs && YEAR_DAYS));
  const missing = runs ? yearsWithout(reference, runs.years) : missingYears(windows, sources);
  const maxMissing = fewerYears ? reference.lastYear - reference.firstYear : 0;
  if (missing.length > maxMissing) {
    throw runs
      ? missingRunsError(reference, missing, runs, source)
      : missingYearsError(windows, missing, sources, source);
  }
  const keys = climateKeys(granularity, calendar);
  // One side alone would be of later leads at the start of a run, and of earlier ones at its end.
  const pools = poolChanges(windows, keys.length, halfWidth, sources, runs ? [] : missing, runs?.start !== undefined);
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

/** No period of the year comes twice within so many days. */
const YEAR_DAYS = 365;

function yearsWithout({ firstYear, lastYear }: ReferenceYears, years: readonly number[]): number[] {
  const all = Array.from({ length: lastYear - firstYear + 1 }, (_, i) => firstYear + i);
  return all.filter((year) => !years.includes(year));
}

function missingRunsError(
  reference: ReferenceYears,
  missing: readonly number[],
  { years, start }: NonNullable<ClimateRequest['runs']>,
  source: string | undefined,
): DataError {
  const found = { firstYear: Math.min(...years), lastYear: Math.max(...years) };
  return new DataError({
    source,
    problem: `the reference ${formatReference(reference)} has years without a run${start === undefined ? '' : ` that starts on ${start.date}`}`,
    received: yearRanges(missing),
    allowed: `${mentionOption('reference', formatReference(found))}; or ${mentionOption('fewerYears', true)}, to use the available years only`,
  });
}

/** Finds the reference years of which no source has a single complete window, at any cell and of any member. */
function missingYears(
  { firstYear, lastYear, yearStart }: ReferenceWindows,
  sources: readonly SampleSource[],
): number[] {
  const missing: number[] = [];
  for (let year = firstYear; year <= lastYear; year++) {
    const [from, to] = [yearStart[year - firstYear], yearStart[year - firstYear + 1]];
    if (!sources.some((source) => hasWindow(source, from, to))) missing.push(year);
  }
  return missing;
}

/** Whether one of the reference's windows from `from` up to, not including, `to` is complete. */
function hasWindow({ field, places, windows }: SampleSource, from: number, to: number): boolean {
  for (const w of places.subarray(from, to)) {
    if (w < 0) continue;
    for (let cell = 0; cell < field.cells; cell++) {
      const first = cell * field.days + windows.first[w];
      if (field.members.some((member) => isComplete(member, first, windows.days[w]))) return true;
    }
  }
  return false;
}

function isComplete(member: EnsembleField['members'][number], first: number, days: number): boolean {
  for (let row = first; row < first + days; row++) if (Number.isNaN(member.value(row))) return false;
  return true;
}

const WINDOWS = { daily: 'day', weekly: 'complete ISO week', monthly: 'complete month' };

/** Creates the error for missing reference years, which states the available days. */
function missingYearsError(
  { granularity, calendar, ...reference }: ReferenceWindows,
  missing: readonly number[],
  sources: readonly SampleSource[],
  source: string | undefined,
): DataError {
  const first = Math.min(...sources.map(({ field }) => field.firstDay));
  const last = Math.max(...sources.map(({ field }) => field.firstDay + field.days - 1));
  const isKnown = typeof granularity === 'string';
  const found = isKnown ? yearsWithin(first, last) : yearsOfWindows(granularity, first, last, calendar);
  const years = found === undefined ? 'other windows' : mentionOption('reference', formatReference(found));
  const within = `${years}, within the days available, ${dateText(calendar, first)} to ${dateText(calendar, last)}`;
  const isAll = missing.length > reference.lastYear - reference.firstYear;
  if (isAll && !sources.some(hasValues)) return noValues(source);
  const what = isKnown ? WINDOWS[granularity] : `complete window of ${granularity}`;
  return new DataError({
    source,
    problem: `the reference ${formatReference(reference)} has years without a ${what}`,
    received: yearRanges(missing),
    allowed: isAll ? within : `${within}; or ${mentionOption('fewerYears', true)}, to use the available years only`,
  });
}

/** The first and the last year of which some days have a window; undefined where they have none. */
function yearsOfWindows(
  granularity: YearlyWindows,
  firstDay: number,
  lastDay: number,
  calendar: ModelCalendar | undefined,
): ReferenceYears | undefined {
  const yearOf = (day: number) => Number(dateText(calendar, day).slice(0, 4));
  const years: number[] = [];
  for (let year = yearOf(firstDay); year <= yearOf(lastDay); year++) {
    const isWithin = granularity.ofYear(year, calendar).some(([from, to]) => from >= firstDay && to <= lastDay);
    if (isWithin) years.push(year);
  }
  return years.length === 0 ? undefined : { firstYear: years[0], lastYear: years[years.length - 1] };
}

/** What to compute of each pool of samples. */
interface PoolRequest {
  readonly window: WindowValue;
  /** Numbers in [0, 1]. */
  readonly quantiles: readonly number[];
  readonly quantileType: QuantileType;
  readonly thresholds: readonly Threshold[];
  /** The share of a pool's samples that must be valid, in [0, 1]; at least one always must. */
  readonly minSampleShare: number;
}

/** Statistics by cell, then key; NaN where too few samples are valid. */
interface PoolColumns {
  /** The number of valid samples. */
  readonly samples: Int32Array;
  readonly mean: FloatArray;
  readonly quantiles: readonly FloatArray[];
  readonly probabilities: readonly FloatArray[];
}

/** The number of daily values that become samples at a time, unless a single cell has more. */
const VALUES_AT_ONCE = 1_048_576;

/**
 * Computes mean, quantiles and exceedance of the pools of samples of all cells, a pool for each key. Sources have the
 * same cells. Arithmetic is in float64 throughout and rounded once to the sources' type. Throws DataError for an
 * infinite value, and for sums that this type cannot hold.
 */
function computePools(
  core: Core,
  sources: readonly SampleSource[],
  pools: PoolChanges,
  request: PoolRequest,
): PoolColumns {
  const [{ field }] = sources;
  const keys = pools.sizes.length;
  const column = () => floatArray(field.type, field.cells * keys);
  const mean = column();
  const quantiles = request.quantiles.map(column);
  const probabilities = request.thresholds.map(column);
  const counts = new Int32Array(mean.length);
  const samplesPerCell = sources.reduce((sum, source) => sum + samplesOf(source), 0);
  const columns = [mean, ...quantiles, ...probabilities];
  const mark = core.memory.mark();
  try {
    const job = createCellJob(core, field.type, samplesPerCell, pools, request);
    const valuesPerCell = sources.reduce((sum, source) => sum + source.field.members.length * source.field.days, 0);
    const cells = Math.max(1, Math.floor(VALUES_AT_ONCE / valuesPerCell));
    for (let from = 0; from < field.cells; from += cells) {
      const to = Math.min(from + cells, field.cells);
      const members = sources.flatMap((source) =>
        combineWindows(core, cellsInFloat64(source.field, from, to), source.windows, request.window),
      );
      for (let cell = from; cell < to; cell++) {
        fillSamples(core.memory.float64(job.samples, samplesPerCell), members, cell - from, to - from);
        job.run();
        columns.forEach((column, k) => {
          const results = resultsAt(core, field.type, job.out + k * job.outBytes, keys);
          const infinite = results.find((x) => Math.abs(x) === Number.POSITIVE_INFINITY);
          if (infinite !== undefined) throw overflow(field, 0, cell * field.days, infinite);
          column.set(results, cell * keys);
        });
        counts.set(core.memory.int32(job.counts, keys), cell * keys);
      }
    }
  } finally {
    core.memory.release(mark);
  }
  return { samples: counts, mean, quantiles, probabilities };
}

/** The kernel's work on one cell, and the addresses of its input and output. */
interface CellJob {
  readonly samples: number;
  /** Rows of mean, quantiles and shares, `outBytes` apart. */
  readonly out: number;
  readonly outBytes: number;
  readonly counts: number;
  run(): void;
}

/** Lays out the kernel's input and output in scratch of the core's memory. */
function createCellJob(
  core: Core,
  type: FloatType,
  samplesPerCell: number,
  { changes, sizes }: PoolChanges,
  request: PoolRequest,
): CellJob {
  const { memory, kernels } = core;
  const { quantiles, thresholds, minSampleShare } = request;
  const largest = sizes.reduce((most, size) => Math.max(most, size), 1);
  // 1e-9: the product may be above a whole number by its last bit, and must not be rounded up then.
  const required = sizes.map((size) => Math.max(1, Math.ceil(minSampleShare * size - 1e-9)));
  const samples = memory.scratch(8 * samplesPerCell);
  const bufferBytes = rowBytes(largest + 1);
  const outBytes = rowBytes(sizes.length);
  const out = memory.scratch(outBytes * (1 + quantiles.length + thresholds.length));
  const counts = memory.scratch(4 * sizes.length);
  const job = new PoolJob(memory, {
    samples,
    changes: integersInScratch(core, changes),
    keys: sizes.length,
    required: integersInScratch(core, required),
    plan: makePlan(core, largest + 1, request),
    buffers: memory.scratch(2 * bufferBytes),
    bufferBytes,
    thresholds: writeThresholds(core, thresholds, type === 'float32'),
    thresholdCount: thresholds.length,
    out,
    outBytes,
    counts,
  });
  const kernel = type === 'float32' ? kernels.poolsF32 : kernels.poolsF64;
  const run = () => kernel(job.address);
  return { samples, out, outBytes, counts, run };
}

function integersInScratch({ memory }: Core, values: Int32Array): number {
  const address = memory.scratch(values.byteLength);
  memory.int32(address, values.length).set(values);
  return address;
}

/** Copies the values of cell `cell` of `cells`, member after member. */
function fillSamples(samples: Float64Array, members: readonly FloatArray[], cell: number, cells: number): void {
  let filled = 0;
  for (const values of members) {
    const count = values.length / cells;
    samples.set(values.subarray(cell * count, (cell + 1) * count), filled);
    filled += count;
  }
}

function resultsAt({ memory }: Core, type: FloatType, address: number, count: number): FloatArray {
  return type === 'float32' ? memory.float32(address, count) : memory.float64(address, count);
}
