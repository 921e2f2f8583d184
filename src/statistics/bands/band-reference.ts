import type { Core } from '../../core/load.js';
import { type FloatArray, floatArray } from '../../core/number-arrays.js';
import { OptionError } from '../../errors.js';
import type { NewColumn } from '../../table/build/create-table.js';
import { combineWindows } from '../compute.js';
import type { CheckedStatisticsOptions } from '../options.js';
import { BANDS, type Bands } from '../own-statistics.js';
import { readStatistic, resultColumn } from '../result-column.js';
import { quantileName, thresholdName } from '../statistic.js';
import { type ConcatResults, type EnsembleHead, type Reference, windowRule } from '../statistics-plan.js';
import type { WindowValue } from '../window-value.js';
import { eachResult, groupsOfParts, resultsOf, type WindowedPart } from '../windowed-part.js';
import { distinctMembers, horizonMembers } from './distinct-members.js';
import { type Band, meanBand, membersForBand, quantileRanks, shareBand } from './sampling-bands.js';

/**
 * What adds the bands of sampling error to `statistics`: two columns for the mean, for each quantile and for each share,
 * `mean_low`, `mean_high`, `q05_low`, ..., after all others. In a band lies, with the probability `level`, the value of
 * the distribution that the members are drawn from. An end beyond the members is null. Throws OptionError for a
 * level that is not from 0.01 to 0.9999.
 *
 * @example
 * ```js
 * import { loadCore, samplingBands, statistics } from 'plumecast';
 * import { demoTable } from 'plumecast/demo';
 *
 * const options = { granularity: 'weekly', thresholds: ['>20'], bands: samplingBands(0.9) };
 * const { p_gt_20, p_gt_20_low, p_gt_20_high } = statistics(await loadCore(), demoTable('precipitation'), options).get(0);
 * console.log(p_gt_20.toFixed(2), 'within', p_gt_20_low.toFixed(2), 'to', p_gt_20_high.toFixed(2));
 * ```
 *
 * ```text
 * 0.23 within 0.13 to 0.37
 * ```
 */
export function samplingBands(level: number): Bands {
  assertBandLevel(level, 'level');
  return {
    level,
    [BANDS]: (core, ensemble, options, inner) => new BandReference(core, ensemble, options, { level, inner }),
  };
}

/** Throws OptionError for what is no level of bands. */
export function assertBandLevel(level: number, subject = 'bands'): void {
  if (typeof level === 'number' && level >= 0.01 && level <= 0.9999) return;
  throw new OptionError({
    subject,
    problem: 'is not a probability of bands',
    received: level,
    allowed: 'from 0.01 to 0.9999, such as 0.9',
  });
}

/** So many results are looked at together: their windows are in memory for all members. */
const RESULTS_AT_ONCE = 65_536;

/** The bands of an ensemble, and what compares it with others. */
export interface BandOptions {
  /** The probability that a band has the true value, between 0 and 1. */
  readonly level: number;
  /** What adds other columns, of whose shares of valid members there are bands, too. */
  readonly inner?: Reference;
}

/**
 * Adds the bands of sampling error to the statistics of an ensemble: two columns for the mean, for each quantile and for
 * each share, `mean_low`, `mean_high`, `q05_low`, ..., after all others. A share of a condition that is given another
 * has none, as it is of fewer members than the table states.
 */
export class BandReference implements Reference {
  readonly metadata: ReadonlyMap<string, string>;
  readonly #core: Core;
  readonly #options: CheckedStatisticsOptions;
  readonly #rule: WindowValue;
  readonly #level: number;
  readonly #inner: Reference | undefined;
  readonly #horizons: ReturnType<typeof horizonMembers>;

  constructor(core: Core, ensemble: EnsembleHead, options: CheckedStatisticsOptions, { level, inner }: BandOptions) {
    this.metadata = new Map([...(inner?.metadata ?? []), ['bands', String(level)]]);
    this.#core = core;
    this.#options = options;
    this.#rule = windowRule(ensemble, options);
    this.#level = level;
    this.#inner = inner;
    this.#horizons = horizonMembers(ensemble.metadata);
  }

  categories(part: WindowedPart) {
    return this.#inner?.categories(part) ?? [];
  }

  columns(parts: readonly WindowedPart[], concat: ConcatResults): NewColumn[] {
    const others = this.#inner?.columns(parts, concat) ?? [];
    const mean = concat((results) => results.mean);
    const counts = concat((results) => Float64Array.from(results.members));
    const { quantiles, thresholds } = this.#options;
    const most = this.#most(parts);
    const bands = this.#bandsOfMembers(parts, mean, most);
    const shares = [
      ...thresholds.map(
        (threshold, k) => [thresholdName(threshold), concat(({ probabilities }) => probabilities[k])] as const,
      ),
      ...others.filter(hasBand).map(({ name, data }) => [name, data.values as FloatArray] as const),
    ];
    const own = [
      ...this.#pair('value-band', 'mean', bands[0]),
      ...quantiles.flatMap((p, k) => this.#pair('value-band', quantileName(p), bands[k + 1])),
      ...shares.flatMap(([name, values]) => {
        const ends = [floatArray('float64', values.length), floatArray('float64', values.length)];
        for (let i = 0; i < values.length; i++) {
          // A share is a whole number of members, which float32 may have rounded.
          const share = Math.round(values[i] * counts[i]) / counts[i];
          [ends[0][i], ends[1][i]] = shareBand(share, Math.min(counts[i], most[i]), this.#level);
        }
        return this.#pair('share-band', name, ends);
      }),
    ];
    return [...others, ...own.map((column) => inType(column, mean))];
  }

  /** The lower and upper ends of the bands of the mean and of each quantile. */
  #bandsOfMembers(parts: readonly WindowedPart[], mean: FloatArray, most: Float64Array): FloatArray[][] {
    const { quantiles } = this.#options;
    const pair = () => [floatArray('float64', mean.length), floatArray('float64', mean.length)];
    const bands = [pair(), ...quantiles.map(pair)];
    let row = 0;
    for (const part of [...groupsOfParts(parts, RESULTS_AT_ONCE)].flat()) {
      const count = resultsOf(part);
      if (count === 0) continue;
      const members = combineWindows(this.#core, part.field, part.windows, this.#rule);
      const values = new Float64Array(members.length);
      for (let i = 0; i < count; i++, row++) {
        let n = 0;
        for (const member of members) if (!Number.isNaN(member[i])) values[n++] = member[i];
        const valid = values.subarray(0, Number.isNaN(mean[row]) ? 0 : n).sort();
        const set = (band: FloatArray[], ends: Band) => {
          [band[0][row], band[1][row]] = ends;
        };
        set(bands[0], meanBandOf(valid, Math.min(n, most[row]), this.#level));
        for (const [k, p] of quantiles.entries())
          set(bands[k + 1], this.#quantileBand(valid, p, Math.min(valid.length, most[row])));
      }
    }
    return bands;
  }

  #quantileBand(sorted: Float64Array, p: number, size: number): Band {
    const n = sorted.length;
    if (n === 0) return [Number.NaN, Number.NaN];
    const [low, high] = quantileRanks(p, size, this.#level);
    // Of members that are there twice, the rank among all: the lowest for the lower end, the highest for the upper.
    const from = low < 1 ? 0 : Math.floor(((low - 1) * n) / size) + 1;
    const to = high > size ? n + 1 : Math.ceil((high * n) / size);
    return [sorted[from - 1] ?? Number.NaN, sorted[to - 1] ?? Number.NaN];
  }

  /** For each result the most members that are distinct. */
  #most(parts: readonly WindowedPart[]): Float64Array {
    const most: number[] = [];
    for (const part of parts) {
      const { start, end } = part.windows;
      eachResult(part, (_, w) => {
        most.push(
          this.#horizons.length === 0 ? Number.POSITIVE_INFINITY : distinctMembers(this.#horizons, start[w], end[w]),
        );
      });
    }
    return Float64Array.from(most);
  }

  #pair(kind: 'value-band' | 'share-band', of: string, ends: readonly FloatArray[]): NewColumn[] {
    return ['low', 'high'].map((end, k) => resultColumn({ kind, of, column: `${of}_${end}` }, ends[k]));
  }
}

/**
 * A note for quantiles of which so many members have no band, with the number of members that would do; undefined where
 * there are none.
 */
export function describeMissingBands(quantiles: readonly number[], members: number, level: number): string | undefined {
  const few = quantiles.filter((p) => {
    const [low, high] = quantileRanks(p, members, level);
    return low < 1 || high > members;
  });
  if (few.length === 0) return undefined;
  const names = few.map((p) => {
    const needed = membersForBand(p, level);
    return Number.isFinite(needed) ? `${quantileName(p)} (${needed} members)` : quantileName(p);
  });
  const what = few.length === 1 ? 'the band' : 'bands';
  return `${members} members are too few for both ends of ${what} of ${Math.round(100 * level * 1e4) / 1e4} % of ${names.join(', ')}: ends beyond the members are missing`;
}

/** Whether a column is a share of all valid members. */
function hasBand(column: NewColumn): boolean {
  const statistic = readStatistic(column);
  if (statistic?.kind === 'condition') return !/ given /.test(statistic.condition);
  return statistic?.kind === 'category' || statistic?.kind === 'climate-exceedance';
}

function meanBandOf(values: Float64Array, size: number, level: number): Band {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return meanBand(mean, Math.sqrt(squares / (n - 1)), size, level);
}

/** A column of bands in the type of the other columns. */
function inType(column: NewColumn, like: FloatArray): NewColumn {
  const values = column.data.values as FloatArray;
  if (!(like instanceof Float32Array) || !(values instanceof Float64Array)) return column;
  const statistic = readStatistic(column);
  return statistic === undefined ? column : resultColumn(statistic, Float32Array.from(values));
}
