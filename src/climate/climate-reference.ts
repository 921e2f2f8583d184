import { type FloatArray, floatArray } from '../core/float-array.js';
import type { Ensemble } from '../ensemble/ensemble.js';
import { periodKey } from '../period/period-key.js';
import type { Categories } from '../statistics/categories.js';
import type { Reference, ResultsInRow } from '../statistics/reference.js';
import { eachResult, resultsOf, type WindowedPart, windowedParts } from '../statistics/windowed-part.js';
import { statedCalendar } from '../table/table-calendar.js';
import { type NewColumn, numbers } from '../table/write-table.js';
import type { CheckedAgainstOptions } from './against-options.js';
import { isDegenerate } from './category-limits.js';
import { categoryNames, exceedanceName } from './category-names.js';
import { type ClimatePlace, climatePlace } from './climate-place.js';
import { type Climatology, climateKeyIndex } from './climatology.js';
import { matchClimatology } from './match-climatology.js';
import { formatReference } from './reference-years.js';

/** What references of ensembles that come one after the other share. */
export interface SharedReference {
  readonly place: ClimatePlace;
  /** First days of the periods in which limits coincide at some place of any of the ensembles, where known. */
  readonly degenerate?: readonly number[];
}

/**
 * A climatology as the reference of an ensemble's statistics: see `statisticsAgainst`. Throws OptionError and DataError where the
 * two do not belong together.
 */
export class ClimateReference implements Reference {
  readonly metadata: ReadonlyMap<string, string>;
  readonly #climatology: Climatology;
  readonly #options: CheckedAgainstOptions;
  readonly #place: ClimatePlace;

  constructor(climatology: Climatology, ensemble: Ensemble, options: CheckedAgainstOptions, shared?: SharedReference) {
    matchClimatology(climatology, ensemble, options);
    this.#climatology = climatology;
    this.#options = options;
    this.#place = shared?.place ?? climatePlace(climatology, () => cellsOf(ensemble) === 1, options.source);
    this.metadata = this.#describe(shared?.degenerate ?? this.degenerate(windowedParts(ensemble, options)));
  }

  categories(part: WindowedPart): Categories[] {
    const { limits, quantiles, quantileValues } = this.#climatology;
    const entries = this.#entries(part);
    const ofResults = (values: FloatArray) => valuesAt(entries, values);
    // Ties go to the middle: with terciles, they are normal.
    const shares = { limits: limits.map(ofResults), lower: Math.ceil(limits.length / 2) };
    const exceedances = this.#options.exceed.map((p) => ({
      limits: [ofResults(quantileValues[quantiles.indexOf(p)])],
      lower: 0,
    }));
    return [shares, ...exceedances];
  }

  columns(parts: readonly WindowedPart[], inRow: ResultsInRow): NewColumn[] {
    const { exceed, anomaly } = this.#options;
    const share = (name: string, set: number, category: number) => {
      const values = inRow(({ categories }) => categories[set][category]);
      return numbers(name, values);
    };
    return [
      ...categoryNames(this.#climatology.categories).map((name, k) => share(name, 0, k)),
      ...exceed.map((p, k) => share(exceedanceName(p), k + 1, 1)),
      ...(anomaly ? [this.#anomaly(parts, inRow)] : []),
    ];
  }

  #anomaly(parts: readonly WindowedPart[], inRow: ResultsInRow): NewColumn {
    const values = inRow(({ mean }) => mean).slice();
    let row = 0;
    for (const part of parts) {
      for (const normal of valuesAt(this.#entries(part), this.#climatology.mean)) values[row++] -= normal;
    }
    return numbers('anomaly', values);
  }

  /** Which entry of the climatology each result of a part is set against; none, -1, where the window is not complete. */
  #entries(part: WindowedPart): Int32Array {
    const { granularity, keys } = this.#climatology;
    const { windows, latitude, longitude } = part;
    const first = Array.from(latitude, (north, cell) => this.#place(north, longitude[cell]) * keys.length);
    const key = Array.from(windows.start, (day) => climateKeyIndex(granularity, day, windows.calendar));
    const entries = new Int32Array(resultsOf(part));
    let row = 0;
    eachResult(part, (cell, w) => {
      entries[row++] = windows.complete[w] ? first[cell] + key[w] : -1;
    });
    return entries;
  }

  #describe(degenerate: readonly number[]): Map<string, string> {
    const { granularity, reference, metadata } = this.#climatology;
    const described = new Map<string, string>();
    const source = metadata.get('tercile_reference') ?? metadata.get('source');
    if (source !== undefined) described.set('tercile_reference', source);
    if (reference !== undefined) described.set('reference_period', formatReference(reference));
    const missing = metadata.get('lacking_years');
    if (missing !== undefined) described.set('reference_lacking_years', missing);
    const calendar = statedCalendar(metadata);
    const periods = degenerate.map((start) => periodKey(granularity, start, calendar));
    if (periods.length > 0) described.set('degenerate_periods', JSON.stringify(periods));
    return described;
  }

  /** The first days of the periods in which limits coincide at some place of the parts, in order. */
  degenerate(parts: readonly WindowedPart[]): number[] {
    const starts = new Set<number>();
    for (const part of parts) {
      const entries = this.#entries(part);
      let row = 0;
      eachResult(part, (_, w) => {
        const entry = entries[row++];
        if (entry >= 0 && isDegenerate(this.#climatology, entry)) starts.add(part.windows.start[w]);
      });
    }
    return [...starts].sort((a, b) => a - b);
  }
}

/** The number of places of an ensemble. */
export function cellsOf({ parts }: Ensemble): number {
  return parts.reduce((sum, { field }) => sum + field.cells, 0);
}

/** The values of entries; NaN where there is none. */
function valuesAt(entries: Int32Array, values: FloatArray): FloatArray {
  const found = floatArray('float64', entries.length);
  for (let i = 0; i < entries.length; i++) found[i] = entries[i] < 0 ? Number.NaN : values[entries[i]];
  return found;
}
