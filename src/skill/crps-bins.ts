import { ExactSums, type SumRow } from './exact-sums.js';
import { type NumberRow, Rows } from './rows.js';

/** What the decomposition of the CRPS needs of ensembles with the same number of members, of forecasts of groups. */
export class BinsTable {
  readonly #members: number;
  readonly #numbers = new Rows(new Float64Array(3));
  readonly #sums: ExactSums;
  /** The rows of those forecasts that have some. */
  readonly #rows = new Map<number, number>();

  constructor(members: number) {
    this.#members = members;
    this.#sums = new ExactSums(2 * (members + 1));
  }

  has(forecast: number): boolean {
    return this.#rows.has(forecast);
  }

  of(forecast: number): CrpsBins {
    let row = this.#rows.get(forecast);
    if (row === undefined) {
      row = this.#numbers.add();
      this.#sums.addRow();
      this.#rows.set(forecast, row);
    }
    return new CrpsBins(this.#members, this.#numbers.rowAt(row), this.#sums.rowAt(row));
  }

  clear(): void {
    this.#numbers.clear();
    this.#sums.clear();
    this.#rows.clear();
  }
}

/** Mean widths below and above observations, between neighbouring members (Hersbach 2000). */
export class CrpsBins {
  readonly members: number;
  readonly #numbers: NumberRow;
  /** Of each bin alpha, then of each beta. */
  readonly #sums: SumRow;

  constructor(members: number, numbers: NumberRow, sums: SumRow) {
    this.members = members;
    this.#numbers = numbers;
    this.#sums = sums;
  }

  get weight(): number {
    return this.#numbers.numbers[this.#numbers.at];
  }

  /** The weight of observations below all members. */
  get below(): number {
    return this.#numbers.numbers[this.#numbers.at + 1];
  }

  /** The weight of observations above all members. */
  get above(): number {
    return this.#numbers.numbers[this.#numbers.at + 2];
  }

  addWeights(weight: number, below: number, above: number): void {
    const { numbers, at } = this.#numbers;
    numbers[at] += weight;
    numbers[at + 1] += below;
    numbers[at + 2] += above;
  }

  addAlpha(bin: number, value: number): void {
    this.#sums.add(bin, value);
  }

  addBeta(bin: number, value: number): void {
    this.#sums.add(this.members + 1 + bin, value);
  }

  alpha(bin: number): number {
    return this.#sums.value(bin);
  }

  beta(bin: number): number {
    return this.#sums.value(this.members + 1 + bin);
  }

  /** The parts of the alpha of each bin. */
  alphaParts(): number[][] {
    return Array.from({ length: this.members + 1 }, (_, bin) => this.#sums.parts(bin));
  }

  /** The parts of the beta of each bin. */
  betaParts(): number[][] {
    return Array.from({ length: this.members + 1 }, (_, bin) => this.#sums.parts(this.members + 1 + bin));
  }

  addBins(other: CrpsBins): void {
    this.addWeights(other.weight, other.below, other.above);
    this.#sums.addRow(other.#sums, 2 * (this.members + 1));
  }
}
