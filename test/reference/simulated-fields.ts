import type { EnsembleField } from '../../src/core/field.js';
import { MemberColumn } from '../../src/core/member-column.js';
import type { Places } from '../../src/ensemble/nearest-place.js';
import { normalStream } from './autoregressive.js';

/** A square field of cells, its side `across` cells of `kilometres` each. */
export interface FieldShape {
  readonly across: number;
  readonly kilometres: number;
}

/** Daily fields: temperature in standard deviations; rain in mm, by itself or with a correlation to temperature. */
export type SimulatedVariable = 'temperature' | 'rain' | 'rain with temperature';

export interface ProcessOptions {
  readonly shape: FieldShape;
  /** The correlations of a day with the day before of temperature, and of the Gaussian field behind rain. */
  readonly memory: number;
  readonly rainMemory: number;
  readonly seed: number;
}

/**
 * Members of one known process: Gaussian fields that are AR(1) in time. Temperature has a Matern covariance of order 3/2,
 * rain an exponential one, which fall to 1/e in 800 and 500 km. Rain is 55 % dry days, else gamma of shape 0.7 and mean
 * 6 mm. The rain with temperature comes from a Gaussian field that correlates with temperature by 0.5.
 */
export class SimulatedProcess {
  readonly places: Places;
  readonly cells: number;
  readonly #options: ProcessOptions;
  readonly #normal: () => number;
  readonly #temperature: Float64Array;
  readonly #rain: Float64Array;

  constructor(options: ProcessOptions) {
    const { across, kilometres } = options.shape;
    this.#options = options;
    this.cells = across * across;
    this.#normal = normalStream(options.seed);
    const degrees = (index: number) => ((index - (across - 1) / 2) * kilometres) / 111.195;
    this.places = {
      latitude: Float64Array.from({ length: this.cells }, (_, cell) => degrees(Math.floor(cell / across))),
      longitude: Float64Array.from({ length: this.cells }, (_, cell) => degrees(cell % across)),
    };
    this.#temperature = covarianceRoot(options.shape, (distance) => {
      const scaled = (2.146 * distance) / 800;
      return (1 + scaled) * Math.exp(-scaled);
    });
    this.#rain = covarianceRoot(options.shape, (distance) => Math.exp(-distance / 500));
  }

  /** An ensemble of new members, all variables of the same ones. */
  draw(members: number, firstDay: number, days: number): Record<SimulatedVariable, EnsembleField> {
    const { memory, rainMemory } = this.#options;
    const temperature: Float32Array[] = [];
    const rain: Float32Array[] = [];
    const both: Float32Array[] = [];
    for (let m = 0; m < members; m++) {
      const warmth = this.#series(days, memory, this.#temperature);
      const wetness = this.#series(days, rainMemory, this.#rain);
      temperature.push(warmth);
      rain.push(wetness.map(rainOf));
      both.push(wetness.map((wet, row) => rainOf(Math.sqrt(0.75) * wet + 0.5 * warmth[row])));
    }
    const field = (values: readonly Float32Array[]): EnsembleField => ({
      ...{ type: 'float32', order: 'day-fastest', firstDay, days, cells: this.cells },
      members: values.map((each, m) => new MemberColumn(`member ${m}`, [{ values: each }])),
    });
    return { temperature: field(temperature), rain: field(rain), 'rain with temperature': field(both) };
  }

  /** A member's Gaussian values, the day fastest. */
  #series(days: number, memory: number, root: Float64Array): Float32Array {
    const { cells } = this;
    const values = new Float32Array(cells * days);
    const noise = new Float64Array(cells);
    for (let day = 0; day < days; day++) {
      for (let cell = 0; cell < cells; cell++) noise[cell] = this.#normal();
      for (let cell = 0; cell < cells; cell++) {
        let sum = 0;
        for (let other = 0; other <= cell; other++) sum += root[cell * cells + other] * noise[other];
        const row = cell * days + day;
        values[row] = day === 0 ? sum : memory * values[row - 1] + Math.sqrt(1 - memory * memory) * sum;
      }
    }
    return values;
  }
}

/** The lower triangle whose product with its transpose is the covariance of the cells (Cholesky). */
function covarianceRoot({ across, kilometres }: FieldShape, covariance: (distance: number) => number): Float64Array {
  const cells = across * across;
  const root = new Float64Array(cells * cells);
  for (let i = 0; i < cells; i++) {
    for (let j = 0; j <= i; j++) {
      const distance = Math.hypot(Math.floor(i / across) - Math.floor(j / across), (i % across) - (j % across));
      let sum = covariance(distance * kilometres) + (i === j ? 1e-6 : 0);
      for (let k = 0; k < j; k++) sum -= root[i * cells + k] * root[j * cells + k];
      root[i * cells + j] = i === j ? Math.sqrt(sum) : sum / root[j * cells + j];
    }
  }
  return root;
}

const SHAPE = 0.7;
const MEAN = 6;
const DRY = 0.55;
const [LOWEST, STEPS_OF_ONE, STEPS] = [-6, 400, 4800];
let rainTable: Float64Array | undefined;

/** The rain of a standard normal number. */
function rainOf(normal: number): number {
  rainTable ??= Float64Array.from({ length: STEPS + 1 }, (_, i) => {
    const share = normalShare(LOWEST + i / STEPS_OF_ONE);
    return share <= DRY ? 0 : (MEAN / SHAPE) * gammaQuantile((share - DRY) / (1 - DRY));
  });
  const at = Math.min(Math.max((normal - LOWEST) * STEPS_OF_ONE, 0), STEPS - 1e-6);
  const low = Math.floor(at);
  const [below, above] = [rainTable[low], rainTable[low + 1]];
  return below === 0 ? 0 : below + (at - low) * (above - below);
}

/** The share of a standard normal distribution below a number: Abramowitz and Stegun 26.2.17, to 1e-7. */
function normalShare(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const series = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
  const sum = series.reduceRight((total, coefficient) => (total + coefficient) * t, 0);
  const tail = (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * sum;
  return x > 0 ? 1 - tail : tail;
}

/** The quantile of a gamma distribution of shape 0.7, by bisection. */
function gammaQuantile(share: number): number {
  let [low, high] = [0, 60];
  for (let i = 0; i < 80; i++) {
    const middle = (low + high) / 2;
    if (gammaShare(middle) < Math.min(share, 1 - 1e-12)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The share of a gamma distribution of shape 0.7 below x: the series of the incomplete gamma function. */
function gammaShare(x: number): number {
  let term = 1 / SHAPE;
  let sum = term;
  for (let n = 1; n < 300; n++) {
    term *= x / (SHAPE + n);
    sum += term;
  }
  // Gamma(0.7)
  return (sum * Math.exp(SHAPE * Math.log(x) - x)) / 1.298055332647558;
}
