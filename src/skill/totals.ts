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

/** Numbers of groups with one layout, so that groups can be added up many times: a row of numbers for each group. */
export class TotalsLayout {
  readonly #groups: readonly GroupSums[];
  readonly #keys: readonly (readonly number[])[];
  readonly #quantiles: number;
  readonly length: number;

  constructor(groups: readonly GroupSums[]) {
    this.#groups = groups;
    const [{ forecast }] = groups;
    this.#quantiles = forecast.quantiles.length;
    const forecasts = groups.flatMap((group) => [
      group.forecast,
      ...(group.reference === undefined ? [] : [group.reference]),
    ]);
    this.#keys = forecast.events.map((_, e) => {
      const keys = new Set(forecasts.flatMap(({ events }) => events[e].entries().map(([key]) => key)));
      return [...keys].sort((a, b) => a - b);
    });
    this.length = 3 + 2 * this.#forecastLength;
  }

  get #forecastLength(): number {
    return 1 + FORECAST_SUMS.length + this.#quantiles + this.#keys.reduce((sum, { length }) => sum + length, 0);
  }

  /** The numbers of a group. */
  rowOf(group: GroupSums): Float64Array {
    const numbers = [group.weight, group.observed.value(), group.squaredObserved.value()];
    for (const forecast of [group.forecast, group.reference]) {
      if (forecast === undefined) numbers.push(...new Array(this.#forecastLength).fill(0));
      else numbers.push(...this.#numbersOf(forecast));
    }
    return Float64Array.from(numbers);
  }

  #numbersOf(forecast: ForecastSums): number[] {
    const events = forecast.events.flatMap((tally, e) => {
      const counts = new Map(tally.entries());
      return this.#keys[e].map((key) => counts.get(key) ?? 0);
    });
    const sums = FORECAST_SUMS.map((name) => forecast.sums[name].value());
    return [forecast.fairWeight, ...sums, ...forecast.quantiles.map((sum) => sum.value()), ...events];
  }

  /** The totals that a row, or a sum of rows, stands for. */
  totalsOf(row: Float64Array): Totals {
    const all = this.#groups;
    const hasReference = all.some(({ reference }) => reference !== undefined);
    const least = Math.min(...all.map(({ leastObserved }) => leastObserved));
    const greatest = Math.max(...all.map(({ greatestObserved }) => greatestObserved));
    return {
      ...{ weight: row[0], observed: row[1], squaredObserved: row[2], isConstant: least >= greatest },
      forecast: this.#forecastOf(
        row,
        3,
        all.map(({ forecast }) => forecast),
      ),
      reference: hasReference
        ? this.#forecastOf(
            row,
            3 + this.#forecastLength,
            all.flatMap(({ reference }) => reference ?? []),
          )
        : undefined,
    };
  }

  #forecastOf(row: Float64Array, from: number, all: readonly ForecastSums[]): ForecastTotals {
    let at = from + 1;
    const sums = Object.fromEntries(FORECAST_SUMS.map((name) => [name, row[at++]])) as Record<ForecastSum, number>;
    const quantiles = Array.from({ length: this.#quantiles }, () => row[at++]);
    const events = this.#keys.map((keys) => {
      const counts = row.subarray(at, at + keys.length);
      at += keys.length;
      return { keys, counts };
    });
    const least = Math.min(...all.map(({ leastMean }) => leastMean));
    const greatest = Math.max(...all.map(({ greatestMean }) => greatestMean));
    return { fairWeight: row[from], sums, quantiles, events, isConstant: least >= greatest };
  }
}
