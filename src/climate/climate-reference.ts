import { type FloatArray, floatArray } from '../core/number-arrays.js';
import type { Ensemble } from '../ensemble/ensemble.js';
import { DataError, OptionError } from '../errors.js';
import { dateText } from '../period/calendar.js';
import { type Granularity, periodKey } from '../period/period.js';
import { daysInWords } from '../period/stated-days.js';
import type { Categories } from '../statistics/categories.js';
import type { CheckedWindowOptions } from '../statistics/options.js';
import { resultColumn } from '../statistics/result-column.js';
import type { Statistic } from '../statistics/statistic.js';
import { type ConcatResults, type Reference, windowRule } from '../statistics/statistics-plan.js';
import { valueUnits } from '../statistics/window-value.js';
import { eachResult, resultsOf, type WindowedPart, windowedParts } from '../statistics/windowed-part.js';
import type { NewColumn } from '../table/build/create-table.js';
import { statedCalendar } from '../table/columns/day-column.js';
import { unitsAgree } from '../variable/unit-conversion.js';
import type { CheckedAgainstOptions } from './against-options.js';
import { isDegenerate } from './category-limits.js';
import { type ClimatePlace, climatePlace } from './climate-place.js';
import { areOfClimatology, type Climatology, climateKeyIndices } from './climatology.js';
import { nearestStart, referenceName, startOf, startText, statedStart } from './hindcast-runs.js';
import { formatReference } from './reference-years.js';

/** What is common to the references of ensembles that come one after the other. */
interface SharedReference {
  readonly place: ClimatePlace;
  /** The periods in which limits coincide at some place of any of the ensembles, where known. */
  readonly degenerate?: DegeneratePeriods;
}

/** Periods in which limits coincide at some place, by their keys: their first days. */
type DegeneratePeriods = ReadonlyMap<string, number>;

/**
 * A climatology as the reference of an ensemble's statistics: see `Comparison`. The constructor throws
 * OptionError and DataError where the two do not match.
 */
export class ClimateReference implements Reference {
  readonly metadata: ReadonlyMap<string, string>;
  readonly #climatology: Climatology;
  readonly #options: CheckedAgainstOptions;
  readonly #place: ClimatePlace;

  constructor(climatology: Climatology, ensemble: Ensemble, options: CheckedAgainstOptions, shared?: SharedReference) {
    const parts = windowedParts(ensemble, options);
    assertMatch(climatology, ensemble, parts, options);
    this.#climatology = climatology;
    this.#options = options;
    this.#place = shared?.place ?? climatePlace(climatology, () => cellsOf(ensemble) === 1, options.source);
    this.metadata = this.#describe(shared?.degenerate ?? this.degenerate(parts));
  }

  categories(part: WindowedPart): Categories[] {
    const { limits } = this.#climatology;
    const entries = this.#entries(part);
    const ofResults = (values: FloatArray) => valuesAt(entries, values);
    // Ties go to the middle: with terciles, they are normal.
    const shares = { limits: limits.map(ofResults), lower: Math.ceil(limits.length / 2) };
    const exceedances = this.#options.exceed.map((p) => ({ limits: [this.limitsAt(part, p)], lower: 0 }));
    return [shares, ...exceedances];
  }

  /** For each result of a part the climatology's quantile, which it must have; NaN where it has no value. */
  limitsAt(part: WindowedPart, probability: number): FloatArray {
    const { quantiles, quantileValues } = this.#climatology;
    return valuesAt(this.#entries(part), quantileValues[quantiles.indexOf(probability)]);
  }

  columns(parts: readonly WindowedPart[], concat: ConcatResults): NewColumn[] {
    const { exceed, anomaly } = this.#options;
    const share = (statistic: Statistic, set: number, category: number) =>
      resultColumn(
        statistic,
        concat(({ categories }) => categories[set][category]),
      );
    return [
      ...categoryShares(this.#climatology.categories).map((statistic, k) => share(statistic, 0, k)),
      ...exceed.map((probability, k) => share({ kind: 'climate-exceedance', probability }, k + 1, 1)),
      ...(anomaly ? [this.#anomaly(parts, concat)] : []),
    ];
  }

  #anomaly(parts: readonly WindowedPart[], concat: ConcatResults): NewColumn {
    const values = concat(({ mean }) => mean).slice();
    let row = 0;
    for (const part of parts) {
      for (const normal of valuesAt(this.#entries(part), this.#climatology.mean)) values[row++] -= normal;
    }
    return resultColumn({ kind: 'anomaly' }, values);
  }

  /** The entry of the climatology that each result of a part is compared with; -1 where the window is not complete. */
  #entries(part: WindowedPart): Int32Array {
    const { granularity, keys } = this.#climatology;
    const { windows } = part;
    const first = Array.from(part.latitude, (_, cell) => this.#place(part, cell) * keys.length);
    const key = climateKeyIndices(granularity, windows);
    const entries = new Int32Array(resultsOf(part));
    let row = 0;
    eachResult(part, (cell, w) => {
      entries[row++] = windows.complete[w] ? first[cell] + key[w] : -1;
    });
    return entries;
  }

  #describe(degenerate: DegeneratePeriods): Map<string, string> {
    const { reference, metadata } = this.#climatology;
    const described = new Map<string, string>();
    const name = referenceName(metadata);
    if (name !== undefined) described.set('tercile_reference', name);
    if (reference !== undefined) described.set('reference_period', formatReference(reference));
    const missing = metadata.get('lacking_years');
    if (missing !== undefined) described.set('reference_lacking_years', missing);
    const periods = [...degenerate].sort(([, a], [, b]) => a - b).map(([key]) => key);
    if (periods.length > 0) described.set('degenerate_periods', JSON.stringify(periods));
    return described;
  }

  /** The periods in which limits coincide at some place of the parts. */
  degenerate(parts: readonly WindowedPart[]): DegeneratePeriods {
    const periods = new Map<string, number>();
    for (const part of parts) {
      const entries = this.#entries(part);
      let row = 0;
      eachResult(part, (_, w) => {
        const entry = entries[row++];
        if (entry < 0 || !isDegenerate(this.#climatology, entry)) return;
        const { granularity, keys, start, calendar } = part.windows;
        periods.set(keys?.[w] ?? periodKey(granularity as Granularity, start[w], calendar), start[w]);
      });
    }
    return periods;
  }
}

/** The number of places of an ensemble. */
function cellsOf({ parts }: Ensemble): number {
  return parts.reduce((sum, { field }) => sum + field.cells, 0);
}

/** The values of entries; NaN where there is none. */
function valuesAt(entries: Int32Array, values: FloatArray): FloatArray {
  const found = floatArray('float64', entries.length);
  for (let i = 0; i < entries.length; i++) found[i] = entries[i] < 0 ? Number.NaN : values[entries[i]];
  return found;
}

/**
 * A climatology as the reference of ensembles that come one after the other, each with some places of one file: the
 * results are those of a single ensemble of all places.
 */
export class ClimateReferences {
  readonly #climatology: Climatology;
  readonly #options: CheckedAgainstOptions;
  readonly #place: ClimatePlace;
  /** The number of places of the ensembles so far. */
  #cells = 0;

  constructor(climatology: Climatology, options: CheckedAgainstOptions) {
    this.#climatology = climatology;
    this.#options = options;
    this.#place = climatePlace(climatology, () => this.#cells === 1, options.source);
  }

  /** Whether the climatology has limits that coincide. */
  get hasDegenerate(): boolean {
    return this.#climatology.mean.some((_, entry) => isDegenerate(this.#climatology, entry));
  }

  /**
   * Creates the reference of the next ensemble; `degenerate` are the periods to state in the metadata, by default those of
   * this ensemble. Throws as `ClimateReference` does.
   */
  of(ensemble: Ensemble, degenerate?: DegeneratePeriods): ClimateReference {
    this.#cells += cellsOf(ensemble);
    return new ClimateReference(this.#climatology, ensemble, this.#options, { place: this.#place, degenerate });
  }

  /**
   * The periods in which limits coincide at some place of the ensembles; these are only read where there are such
   * limits. Throws as `of` does.
   */
  async degenerate(ensembles: () => AsyncIterable<Ensemble>): Promise<DegeneratePeriods> {
    const periods = new Map<string, number>();
    if (!this.hasDegenerate) return periods;
    for await (const ensemble of ensembles()) {
      const found = this.of(ensemble, periods).degenerate(windowedParts(ensemble, this.#options));
      for (const [key, start] of found) periods.set(key, start);
    }
    this.#cells = 0;
    return periods;
  }
}

/**
 * Throws OptionError where the climatology has other windows, and DataError where the ensemble's calendar,
 * variable, units or window rule are not. What either does not state counts as equal.
 */
function assertMatch(
  climatology: Climatology,
  ensemble: Ensemble,
  parts: readonly WindowedPart[],
  options: CheckedWindowOptions,
): void {
  const { granularity, source } = options;
  const { granularity: normal } = climatology;
  // Windows of another text may be of the same days, as DJF among seasons.
  if (!parts.every(({ windows }) => areOfClimatology(normal, windows))) {
    const other = typeof normal === 'string' || !normal.rolling ? '' : `, or others of ${normal.rolling} days each`;
    throw new OptionError({
      subject: 'granularity',
      problem: 'not that of the climatology',
      received: `${granularity}`,
      allowed: `${normal}${other}`,
    });
  }
  const assertSame = (what: string, received: string | undefined, allowed: string | undefined, same = equal) => {
    if (received === undefined || allowed === undefined || same(received, allowed)) return;
    throw new DataError({ source, problem: `${what} of the climatology`, received, allowed });
  };
  const calendarOf = (metadata: ReadonlyMap<string, string>) => statedCalendar(metadata, source) ?? 'standard';
  assertSameStart(climatology, ensemble, source);
  assertSame('its calendar is not that', calendarOf(ensemble.metadata), calendarOf(climatology.metadata));
  const daysOf = (metadata: ReadonlyMap<string, string>) => daysInWords(metadata) ?? 'days of UTC';
  assertSame('its days are not those', daysOf(ensemble.metadata), daysOf(climatology.metadata));
  assertSame('its variable is not that', ensemble.variable?.slug, climatology.variable?.slug);
  const window = windowRule(ensemble, options);
  assertSame('its units are not those', valueUnits(window, ensemble.units), climatology.units, unitsAgree);
  assertSame('its window rule is not that', `${window}`, climatology.window && `${climatology.window}`);
}

/** Throws DataError for a forecast that starts on another day of the year than the runs of the climatology. */
function assertSameStart({ metadata }: Climatology, ensemble: Ensemble, source: string | undefined): void {
  const start = startOf(metadata);
  if (start === undefined) return;
  const calendar = statedCalendar(ensemble.metadata, source);
  const stated = statedStart(ensemble.metadata, calendar);
  const day = stated ?? Math.min(...ensemble.parts.map(({ field }) => field.firstDay));
  if (nearestStart(day, start.date, calendar).days <= start.days) return;
  throw new DataError({
    source,
    problem: 'starts on another day of the year than the runs of the climatology, which is by start and lead',
    received: `${dateText(calendar, day)}${stated === undefined ? ' (its first day)' : ''}`,
    allowed: `a run of ${startText(start)}; or a climatology of runs that start on ${dateText(calendar, day).slice(5)}`,
  });
}

function equal(a: string, b: string): boolean {
  return a === b;
}

/** The shares of members in each of a number of categories, from the lowest. */
function categoryShares(categories: number): Statistic[] {
  const named = { 2: ['below', 'above'] as const, 3: ['below', 'normal', 'above'] as const }[categories];
  if (named !== undefined) return named.map((category) => ({ kind: 'category', category }));
  return Array.from({ length: categories }, (_, k) => ({ kind: 'category', category: k + 1, categories }));
}
