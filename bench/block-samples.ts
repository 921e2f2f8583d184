import { createRandomStream } from '../src/demo/random.js';

/** Values of a variable at some places, and what no code can do better than, by the model that made them. */
export interface BlockSample {
  readonly name: string;
  readonly members: number;
  readonly days: number;
  /** Place after place, member after member. */
  readonly values: Float32Array;
  readonly places: number;
  /** Bits of all values: see `entropyOf...`; with `precision` of values rounded to it. */
  bound?(precision?: number): number;
  readonly precision: number;
}

const KELVIN = 273.15;
/** Of bits of a normal distribution with standard deviation 1 and quantum 1: half of log2(2 pi e). */
const NORMAL_BITS = 0.5 * Math.log2(2 * Math.PI * Math.E);
/** Correlation of a day with the next one, of members around what they have in common, and of the latter. */
const CORRELATION = 0.8;
/** Shape of the gamma distribution of a wet day's rain. */
const SHAPE = 0.7;

interface Packing {
  readonly places: number;
  readonly members: number;
  readonly days: number;
  /** Steps of a day, whose mean or sum is taken. */
  readonly steps: number;
  /** Bits of a packed value. */
  readonly bits: number;
  readonly seed: number;
}

/**
 * Temperature: members around a day that they have in common, both autoregressive; errors grow over ten days to 0.7 K
 * (tropics) to 4 K. Each step of each member is packed as GRIB does it: a reference of its own, which is the smallest
 * value of the field as float32, and integers times a power of two. Daily means are computed in float64, in degrees
 * Celsius, and rounded to float32.
 */
export function temperatureSample({ places, members, days, steps, bits, seed }: Packing): BlockSample {
  const { uniform, normal } = numbers(seed);
  const step = 2 ** Math.ceil(Math.log2(120 / (2 ** bits - 1)));
  const references = Float32Array.from({ length: members * days * steps }, () => 205 + 4 * normal());
  const values = new Float32Array(places * members * days);
  const innovation = Math.sqrt(1 - CORRELATION ** 2);
  const spreads: number[] = [];
  for (let place = 0, at = 0; place < places; place++) {
    const spread = 0.7 + 3.3 * uniform() ** 2;
    spreads.push(spread);
    const climate = 255 + 45 * uniform();
    const common = new Float64Array(days);
    for (let day = 0, x = 0; day < days; day++) {
      x = day === 0 ? normal() : CORRELATION * x + innovation * normal();
      common[day] = climate + 0.6 * spread * x;
    }
    for (let member = 0; member < members; member++) {
      for (let day = 0, x = 0; day < days; day++, at++) {
        x = day === 0 ? normal() : CORRELATION * x + innovation * normal();
        const mean = common[day] + errorAt(day, spread) * x;
        let sum = 0;
        for (let s = 0; s < steps; s++) {
          const value = mean + 3 * Math.sin((2 * Math.PI * s) / steps) + 0.3 * normal();
          const reference = references[(member * days + day) * steps + s];
          sum += reference + step * Math.round((value - reference) / step);
        }
        values[at] = sum / steps - KELVIN;
      }
    }
  }
  return {
    name: `temperature, ${bits} bits, means of ${steps} steps`,
    ...{ members, days, values, places, precision: 0.05 },
    bound(precision = step / steps) {
      let sum = 0;
      for (const spread of spreads) {
        for (let day = 0; day < days; day++) {
          const share = day === 0 ? 1 : innovation;
          const own = Math.hypot(errorAt(day, spread) * share, 0.3 / Math.sqrt(steps));
          const shared = 0.6 * spread * share;
          sum += members * (NORMAL_BITS + Math.log2(own / precision));
          sum += 0.5 * Math.log2(1 + (members * shared ** 2) / own ** 2);
        }
      }
      return sum;
    },
  };
}

function errorAt(day: number, spread: number): number {
  return spread * (0.2 + 0.8 * Math.min(1, day / 10));
}

/**
 * Rain: each day of a place has a probability, of which members are wet independently; a wet day's amount has a gamma
 * distribution. Steps are packed from a reference of 0, and summed.
 */
export function rainSample({ places, members, days, steps, bits, seed }: Packing): BlockSample {
  const { uniform, normal } = numbers(seed);
  const step = 2 ** Math.ceil(Math.log2(60 / (2 ** bits - 1)));
  const values = new Float32Array(places * members * days);
  const probabilities = new Float64Array(places * days);
  const means: number[] = [];
  for (let place = 0, at = 0; place < places; place++) {
    const wetness = uniform() ** 1.5;
    const mean = 2 + 6 * uniform();
    means.push(mean);
    for (let day = 0; day < days; day++) {
      probabilities[place * days + day] = Math.min(0.98, 2 * wetness * uniform());
    }
    for (let member = 0; member < members; member++) {
      for (let day = 0; day < days; day++, at++) {
        if (uniform() >= probabilities[place * days + day]) continue;
        const amount = (mean / SHAPE) * gamma(SHAPE, uniform, normal);
        let sum = 0;
        const first = uniform();
        for (let s = 0; s < steps; s++) {
          const share = s === 0 ? first : (1 - first) / (steps - 1);
          sum += step * Math.round((amount * share) / step);
        }
        values[at] = sum;
      }
    }
  }
  return {
    name: `rain, ${bits} bits, sums of ${steps} steps`,
    ...{ members, days, values, places, precision: 0.1 },
    bound(precision = step) {
      const ofMean = new Map<number, { zero: number; bits: number }>();
      let sum = 0;
      means.forEach((mean, place) => {
        const key = Math.round(4 * mean) / 4;
        const amounts = ofMean.get(key) ?? gammaEntropy(key / SHAPE, precision);
        ofMean.set(key, amounts);
        for (let day = 0; day < days; day++) {
          const p = probabilities[place * days + day] * (1 - amounts.zero);
          if (p === 0) continue;
          sum += members * (-p * Math.log2(p) - (1 - p) * Math.log2(1 - p) + p * amounts.bits);
        }
      });
      return sum;
    },
  };
}

/** The share of amounts that round to 0, and the entropy of the others in bits, by the density between two quanta. */
function gammaEntropy(scale: number, quantum: number): { zero: number; bits: number } {
  const chances: number[] = [];
  const fine = 64;
  const density = (x: number) => x ** (SHAPE - 1) * Math.exp(-x);
  for (let n = 0; n * quantum < 25 * scale; n++) {
    let sum = 0;
    const [low, high] = [Math.max(0, n - 0.5) * (quantum / scale), (n + 0.5) * (quantum / scale)];
    // Of the first, whose density has a pole, the integral without the exponential.
    if (n === 0) sum = (fine / (high - low)) * (high ** SHAPE / SHAPE);
    else for (let i = 0; i < fine; i++) sum += density(low + ((i + 0.5) * (high - low)) / fine);
    chances.push((sum * (high - low)) / fine);
  }
  const all = chances.reduce((a, b) => a + b);
  const zero = chances[0] / all;
  let bits = 0;
  for (const chance of chances.slice(1)) {
    const p = chance / (all - chances[0]);
    if (p > 0) bits -= p * Math.log2(p);
  }
  return { zero, bits };
}

/** Marsaglia and Tsang (2000), for shapes below 1 by a power of a uniform number. */
function gamma(shape: number, uniform: () => number, normal: () => number): number {
  const d = shape + 1 - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normal();
    const v = (1 + c * x) ** 3;
    if (v <= 0) continue;
    if (Math.log(uniform()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v * uniform() ** (1 / shape);
  }
}

/** Wind speed from two components: no grid is left. */
export function windSample({ places, members, days, seed }: Packing): BlockSample {
  const { normal } = numbers(seed);
  const values = Float32Array.from({ length: places * members * days }, () =>
    Math.hypot(3 + 2 * normal(), 2 * normal()),
  );
  return { name: 'wind speed of two components, no grid', members, days, values, places, precision: 0.1 };
}

/** Uniform numbers, and normal ones by the transform of Box and Muller. */
function numbers(seed: number) {
  const { nextUniform: uniform } = createRandomStream([seed]);
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal };
}
