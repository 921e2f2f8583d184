import { BinsTable, type CrpsBins } from './crps-bins.js';
import { ExactSums, type SumRow } from './exact-sums.js';
import { type NumberRow, Rows } from './rows.js';
import { Tallies, type TallyRow } from './tallies.js';

/** The sums of a forecast's scores over cases, each times the weight of its case. */
export const FORECAST_SUMS = [
  ...['error', 'absoluteError', 'squaredError', 'mean', 'squaredMean', 'product'],
  ...['crps', 'fairCrps', 'variance', 'inflatedVariance'],
] as const;

export type ForecastSum = (typeof FORECAST_SUMS)[number];

/** What sums there are of each group. */
export interface SumsShape {
  /** How many quantiles are scored. */
  readonly quantiles: number;
  readonly events: number;
  readonly hasReference: boolean;
}

/** Sums of observations, and of their squares, before the sums of forecasts. */
const OBSERVED_SUMS = 2;

/** Numbers of a group: counts, weights and ranges. Then of each forecast `FORECAST_NUMBERS`. */
const NUMBERS = { cases: 0, weight: 1, missing: 2, leastObserved: 3, greatestObserved: 4 } as const;
const FORECAST_NUMBERS = { fairWeight: 0, leastMean: 1, greatestMean: 2 } as const;
const OWN_NUMBERS = [0, 0, 0, Infinity, -Infinity];
const OF_FORECAST = [0, Infinity, -Infinity];

/**
 * The sums of groups of cases, a row each, side by side in memory. They do not depend on the order in which cases and other sums
 * were added.
 *
 * ```text
 * numbers: | cases weight missing range | fairWeight range | of the reference |
 * sums:    | observed squared           | FORECAST_SUMS quantiles | of the reference |
 * tallies: |                            | events ranks     | of the reference |
 * ```
 */
export class SumsTable {
  readonly shape: SumsShape;
  readonly #numbers: Rows;
  readonly #sums: ExactSums;
  readonly #tallies: Tallies;
  /** By the number of members. */
  readonly #bins = new Map<number, BinsTable>();

  constructor(shape: SumsShape) {
    this.shape = shape;
    const forecasts = shape.hasReference ? 2 : 1;
    const numbers = [...OWN_NUMBERS, ...new Array<number[]>(forecasts).fill(OF_FORECAST).flat()];
    this.#numbers = new Rows(Float64Array.from(numbers));
    this.#sums = new ExactSums(sumsOf(shape));
    this.#tallies = new Tallies(talliesOf(shape));
  }

  /** Adds a group without cases. */
  addGroup(): GroupSums {
    this.#sums.addRow();
    this.#tallies.addRow();
    return this.groupAt(this.#numbers.add());
  }

  /** Takes all groups away, and keeps their memory for others. */
  clear(): void {
    this.#numbers.clear();
    this.#sums.clear();
    this.#tallies.clear();
    for (const bins of this.#bins.values()) bins.clear();
  }

  groupAt(row: number): GroupSums {
    return new GroupSums(
      this.shape,
      row,
      this.#numbers.rowAt(row),
      this.#sums.rowAt(row),
      this.#tallies.rowAt(row),
      this.#bins,
    );
  }
}

function sumsOf({ quantiles, hasReference }: SumsShape): number {
  return OBSERVED_SUMS + (hasReference ? 2 : 1) * (FORECAST_SUMS.length + quantiles);
}

function talliesOf({ events, hasReference }: SumsShape): number {
  return (hasReference ? 2 : 1) * (events + 1);
}

/** The sums of one group of cases: a row of a table. */
export class GroupSums {
  readonly row: number;
  readonly forecast: ForecastSums;
  /** Where a reference was given. */
  readonly reference: ForecastSums | undefined;
  readonly #shape: SumsShape;
  readonly #numbers: NumberRow;
  readonly #sums: SumRow;
  readonly #tallies: TallyRow;

  constructor(
    shape: SumsShape,
    row: number,
    numbers: NumberRow,
    sums: SumRow,
    tallies: TallyRow,
    bins: Map<number, BinsTable>,
  ) {
    this.row = row;
    this.#shape = shape;
    this.#numbers = numbers;
    this.#sums = sums;
    this.#tallies = tallies;
    const of = (place: number) => new ForecastSums(shape, 2 * row + place, place, { numbers, sums, tallies, bins });
    this.forecast = of(0);
    this.reference = shape.hasReference ? of(1) : undefined;
  }

  get cases(): number {
    return this.#number('cases');
  }

  get weight(): number {
    return this.#number('weight');
  }

  /** Cases without an observation, with too few members, or without a reference, which nothing else counts. */
  get missing(): number {
    return this.#number('missing');
  }

  get leastObserved(): number {
    return this.#number('leastObserved');
  }

  get greatestObserved(): number {
    return this.#number('greatestObserved');
  }

  #number(name: keyof typeof NUMBERS): number {
    return this.#numbers.numbers[this.#numbers.at + NUMBERS[name]];
  }

  /** The sum of observations, and of their squares. */
  observed(): number[] {
    return [this.#sums.value(0), this.#sums.value(1)];
  }

  /** Their parts. */
  observedParts(): number[][] {
    return [this.#sums.parts(0), this.#sums.parts(1)];
  }

  /** Adds parts of these sums. */
  addObservedParts(parts: readonly (readonly number[])[]): void {
    parts.forEach((own, sum) => {
      for (const part of own) this.#sums.add(sum, part);
    });
  }

  addCase(observed: number, weight: number): void {
    this.addCounts({ cases: 1, weight, missing: 0 }, observed, observed);
    this.#sums.add(0, weight * observed);
    this.#sums.add(1, weight * (observed * observed));
  }

  addMissing(): void {
    this.#numbers.numbers[this.#numbers.at + NUMBERS.missing]++;
  }

  /** Adds cases, with the range of their observations. */
  addCounts(
    counts: { readonly cases: number; readonly weight: number; readonly missing: number },
    least: number,
    greatest: number,
  ): void {
    const { numbers, at } = this.#numbers;
    numbers[at + NUMBERS.cases] += counts.cases;
    numbers[at + NUMBERS.weight] += counts.weight;
    numbers[at + NUMBERS.missing] += counts.missing;
    widenRange(numbers, at + NUMBERS.leastObserved, least, greatest);
  }

  /** Adds another group, of the same shape. */
  addGroup(other: GroupSums): void {
    this.addCounts(other, other.leastObserved, other.greatestObserved);
    this.forecast.addNumbers(other.forecast);
    if (other.reference !== undefined) this.reference?.addNumbers(other.reference);
    this.#sums.addRow(other.#sums, sumsOf(this.#shape));
    this.#tallies.addRow(other.#tallies, talliesOf(this.#shape));
  }
}

function widenRange(numbers: Float64Array, at: number, least: number, greatest: number): void {
  if (least < numbers[at]) numbers[at] = least;
  if (greatest > numbers[at + 1]) numbers[at + 1] = greatest;
}

/** The sums of one forecast of a group: of the one that is verified, or of its reference. */
export class ForecastSums {
  readonly events: number;
  readonly quantiles: number;
  /** The row, with one for each forecast. */
  readonly #row: number;
  readonly #at: number;
  readonly #numbers: Float64Array;
  readonly #sums: SumRow;
  readonly #firstSum: number;
  readonly #tallies: TallyRow;
  readonly #firstTally: number;
  readonly #bins: Map<number, BinsTable>;

  constructor(
    { events, quantiles }: SumsShape,
    row: number,
    place: number,
    of: {
      readonly numbers: NumberRow;
      readonly sums: SumRow;
      readonly tallies: TallyRow;
      readonly bins: Map<number, BinsTable>;
    },
  ) {
    this.events = events;
    this.quantiles = quantiles;
    this.#row = row;
    this.#numbers = of.numbers.numbers;
    this.#at = of.numbers.at + OWN_NUMBERS.length + place * OF_FORECAST.length;
    this.#sums = of.sums;
    this.#firstSum = OBSERVED_SUMS + place * (FORECAST_SUMS.length + quantiles);
    this.#tallies = of.tallies;
    this.#firstTally = place * (events + 1);
    this.#bins = of.bins;
  }

  /** The weight of cases with at least two members, of which there are fair scores and spread. */
  get fairWeight(): number {
    return this.#numbers[this.#at + FORECAST_NUMBERS.fairWeight];
  }

  get leastMean(): number {
    return this.#numbers[this.#at + FORECAST_NUMBERS.leastMean];
  }

  get greatestMean(): number {
    return this.#numbers[this.#at + FORECAST_NUMBERS.greatestMean];
  }

  /** Adds the weight of cases with at least two members, and the range of means. */
  addRange(fairWeight: number, least: number, greatest: number): void {
    this.#numbers[this.#at + FORECAST_NUMBERS.fairWeight] += fairWeight;
    widenRange(this.#numbers, this.#at + FORECAST_NUMBERS.leastMean, least, greatest);
  }

  /** Adds to a sum, by its place in `FORECAST_SUMS`, after which are the quantiles. */
  add(sum: number, value: number): void {
    this.#sums.add(this.#firstSum + sum, value);
  }

  value(sum: number): number {
    return this.#sums.value(this.#firstSum + sum);
  }

  parts(sum: number): number[] {
    return this.#sums.parts(this.#firstSum + sum);
  }

  /** Adds to an event: see `eventKey`. */
  addEvent(event: number, key: number, weight: number): void {
    this.#tallies.add(this.#firstTally + event, key, weight);
  }

  eventEntries(event: number): [key: number, count: number][] {
    return this.#tallies.entries(this.#firstTally + event);
  }

  /** Adds to ranks: see `rankKey`. */
  addRank(key: number, weight: number): void {
    this.addEvent(this.events, key, weight);
  }

  rankEntries(): [key: number, count: number][] {
    return this.eventEntries(this.events);
  }

  /** What the decomposition of the CRPS needs of ensembles with so many members. */
  binsOf(members: number): CrpsBins {
    let bins = this.#bins.get(members);
    if (bins === undefined) {
      bins = new BinsTable(members);
      this.#bins.set(members, bins);
    }
    return bins.of(this.#row);
  }

  /** All of these, by the number of members. */
  bins(): CrpsBins[] {
    const sizes = [...this.#bins].filter(([, bins]) => bins.has(this.#row)).map(([members]) => members);
    return sizes.sort((a, b) => a - b).map((members) => this.binsOf(members));
  }

  /** Adds weights, ranges and bins of another forecast. */
  addNumbers(other: ForecastSums): void {
    this.addRange(other.fairWeight, other.leastMean, other.greatestMean);
    for (const bins of other.bins()) this.binsOf(bins.members).addBins(bins);
  }
}
