import { FORECAST_SUMS, type ForecastSum, type ForecastSums, type GroupSums } from './group-sums.js';

/** Counts by key, in the order of keys. */
export interface CountList {
  readonly keys: readonly number[];
  readonly counts: Float64Array;
}

/** The sums of a forecast as numbers. */
export interface ForecastTotals {
  readonly fairWeight: number;
  readonly sums: Readonly<Record<ForecastSum, number>>;
  readonly quantiles: readonly number[];
  readonly events: readonly CountList[];
  readonly isConstant: boolean;
}

/** The sums of a group as numbers, of which scores are made. */
export interface Totals {
  readonly weight: number;
  readonly observed: number;
  readonly squaredObserved: number;
  readonly isConstant: boolean;
  readonly forecast: ForecastTotals;
  readonly reference: ForecastTotals | undefined;
}

/** Numbers of the parts of a group with one layout, so that they can be added up many times: a row of numbers for each part. */
export class TotalsLayout {
  readonly #group: GroupSums;
  readonly #keys: readonly (readonly number[])[];
  readonly length: number;

  /** `group` has all cases. */
  constructor(group: GroupSums) {
    this.#group = group;
    const { forecast, reference } = group;
    this.#keys = Array.from({ length: forecast.events }, (_, e) => {
      const entries = [...forecast.eventEntries(e), ...(reference?.eventEntries(e) ?? [])];
      return [...new Set(entries.map(([key]) => key))].sort((a, b) => a - b);
    });
    this.length = 3 + 2 * this.#forecastLength;
  }

  get #forecastLength(): number {
    const { quantiles } = this.#group.forecast;
    return 1 + FORECAST_SUMS.length + quantiles + this.#keys.reduce((sum, { length }) => sum + length, 0);
  }

  /** The numbers of a part of the group. */
  rowOf(group: GroupSums): Float64Array {
    const row = new Float64Array(this.length);
    row.set([group.weight, ...group.observed()]);
    this.#writeForecast(row, 3, group.forecast);
    if (group.reference !== undefined) this.#writeForecast(row, 3 + this.#forecastLength, group.reference);
    return row;
  }

  #writeForecast(row: Float64Array, from: number, forecast: ForecastSums): void {
    row[from] = forecast.fairWeight;
    let at = from + 1;
    for (let sum = 0; sum < FORECAST_SUMS.length + forecast.quantiles; sum++) row[at++] = forecast.value(sum);
    this.#keys.forEach((keys, e) => {
      for (const [key, count] of forecast.eventEntries(e)) row[at + keys.indexOf(key)] = count;
      at += keys.length;
    });
  }

  /** The totals that a row, or a sum of rows, stands for. */
  totalsOf(row: Float64Array): Totals {
    const { leastObserved, greatestObserved, forecast, reference } = this.#group;
    return {
      ...{ weight: row[0], observed: row[1], squaredObserved: row[2], isConstant: leastObserved >= greatestObserved },
      forecast: this.#forecastOf(row, 3, forecast),
      reference: reference && this.#forecastOf(row, 3 + this.#forecastLength, reference),
    };
  }

  #forecastOf(row: Float64Array, from: number, { quantiles, leastMean, greatestMean }: ForecastSums): ForecastTotals {
    let at = from + 1;
    const sums = Object.fromEntries(FORECAST_SUMS.map((name) => [name, row[at++]])) as Record<ForecastSum, number>;
    const values = Array.from({ length: quantiles }, () => row[at++]);
    const events = this.#keys.map((keys) => {
      const counts = row.subarray(at, at + keys.length);
      at += keys.length;
      return { keys, counts };
    });
    return { fairWeight: row[from], sums, quantiles: values, events, isConstant: leastMean >= greatestMean };
  }
}
