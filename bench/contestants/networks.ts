import { type Comparator, selectionNetwork } from '../../assembly/core/sorting-networks.mjs';
import type { WindowTable } from '../../src/period/period.js';
import { type Contestant, newResults } from '../contestant.js';
import type { Members } from '../members.js';
import { DAYS, MEMBERS, neededRanks, type QuantilePlace, quantilePlaces } from '../workloads.js';

/**
 * How a network is written as JavaScript: the statements of a comparator, and the expressions between a value's key and
 * the value.
 */
interface NetworkDialect {
  /** Statements that bring the lesser of `a` and `b` into `a` and the greater into `b`, or one of the two only. */
  readonly exchange: (a: string, b: string, keep: Comparator['keep']) => string;
  /** An expression for the key of an entry of `keys`, where it is not the entry itself. */
  readonly key?: (entry: string) => string;
  /** An expression for the value of key `a`. */
  readonly value: (a: string) => string;
}

/** Selection network on numbers, by comparing and swapping. */
const swapNetwork = network('network of conditional swaps', Float64Array, {
  exchange: (a, b) => `if (${b} < ${a}) { const t = ${a}; ${a} = ${b}; ${b} = t; }`,
  value: (a) => a,
});

/**
 * Selection network on the bits of float32 totals as integers, without a branch: the sign of the difference is the
 * mask. Correct for values that are not negative; windows of several days are rounded to float32 before selection.
 */
const nonNegativeKeyNetwork: Contestant = {
  ...network('integer-key network, values >= 0', Float32Array, {
    exchange: (a, b, keep) => {
      const step = `const t = (${b} - ${a}) & ((${b} - ${a}) >> 31);`;
      const low = keep === 'high' ? '' : `${a} = (${a} + t) | 0;`;
      const high = keep === 'low' ? '' : `${b} = (${b} - t) | 0;`;
      return `{ ${step} ${low} ${high} }`;
    },
    value: (a) => `(bits[0] = ${a}, single[0])`,
  }),
  suits: ({ data }) => data === 'rain',
};

/** The same for values of either sign: the bits of negative ones are inverted, and a comparison makes the mask. */
const keyNetwork = network('integer-key network', Float32Array, {
  exchange: (a, b, keep) => {
    const step = `const t = (${a} ^ ${b}) & -(${b} < ${a});`;
    const low = keep === 'high' ? '' : `${a} ^= t;`;
    const high = keep === 'low' ? '' : `${b} ^= t;`;
    return `{ ${step} ${low} ${high} }`;
  },
  key: (bits) => `(${bits} ^ (${bits} >> 31 & 0x7fffffff))`,
  value: (a) => `(bits[0] = ${a} ^ (${a} >> 31 & 0x7fffffff), single[0])`,
});

/** The fastest plain JavaScript that is known for this: selection networks in straight-line code. */
export const plainContestants: readonly Contestant[] = [swapNetwork, nonNegativeKeyNetwork, keyNetwork];

function network(
  formulation: string,
  Totals: Float64ArrayConstructor | Float32ArrayConstructor,
  dialect: NetworkDialect,
): Contestant {
  let compiled: NetworkFunction | undefined;
  return {
    name: Totals === Float64Array ? 'JavaScript' : 'JavaScript, float32 sums',
    formulation,
    kind: 'plain JavaScript',
    order: 'cell-first',
    prepare({ windows, rule }, parts) {
      compiled ??= compileNetwork(MEMBERS, dialect);
      const run = compiled;
      const cells = parts[0][0].length / DAYS;
      const totals = new Totals(MEMBERS * windows.count);
      const keys = totals instanceof Float64Array ? totals : new Int32Array(totals.buffer);
      const divisors = Float64Array.from(windows.days, (days) => (rule === 'mean' ? days : 1));
      const single = new Float32Array(1);
      const bits = new Int32Array(single.buffer);

      return (part) => {
        const members = parts[part];
        const results = newResults(cells * windows.count);
        const [mean, q0, q1, q2, q3, q4] = results;
        for (let cell = 0; cell < cells; cell++) {
          addUpWindows(members, cell * DAYS, windows, totals);
          const out = cell * windows.count;
          run(keys, totals, windows.count, divisors, out, mean, q0, q1, q2, q3, q4, bits, single);
        }
        return results;
      };
    },
  };
}

/**
 * Adds up each member's windows of one cell, in `totals` at `window * members + member`. `start` is the row of the
 * cell's first day.
 */
function addUpWindows(
  members: Members,
  start: number,
  { first, days, count }: WindowTable,
  totals: Float64Array | Float32Array,
): void {
  const width = members.length;
  for (let m = 0; m < width; m++) {
    const values = members[m];
    for (let w = 0, to = m; w < count; w++, to += width) {
      const from = start + first[w];
      const length = days[w];
      // Weeks and days without a loop, the rest in four chains of additions: in one, each addition waits for the one
      // before.
      if (length === 7) {
        totals[to] =
          values[from] +
          values[from + 1] +
          (values[from + 2] + values[from + 3]) +
          (values[from + 4] + values[from + 5] + values[from + 6]);
      } else if (length === 1) {
        totals[to] = values[from];
      } else {
        const end = from + length;
        let a = 0;
        let b = 0;
        let c = 0;
        let d = 0;
        let i = from;
        for (; i < end - 3; i += 4) {
          a += values[i];
          b += values[i + 1];
          c += values[i + 2];
          d += values[i + 3];
        }
        for (; i < end; i++) a += values[i];
        totals[to] = a + b + (c + d);
      }
    }
  }
}

/**
 * Selects and summarizes the windows of one cell. `keys` and `totals` hold `window * members + member`; results begin
 * at `out`. `bits` and `single` are views of one word, through which keys become numbers again.
 */
type NetworkFunction = (
  keys: Float64Array | Int32Array,
  totals: Float64Array | Float32Array,
  windows: number,
  divisors: Float64Array,
  out: number,
  mean: Float32Array,
  q0: Float32Array,
  q1: Float32Array,
  q2: Float32Array,
  q3: Float32Array,
  q4: Float32Array,
  bits: Int32Array,
  single: Float32Array,
) => void;

/** A function in straight-line code, one local variable for each member. */
function compileNetwork(members: number, { exchange, key = (entry) => entry, value }: NetworkDialect): NetworkFunction {
  const parameters = 'keys totals windows divisors out mean q0 q1 q2 q3 q4 bits single'.split(' ');
  const places = quantilePlaces(members);
  const ranks = neededRanks(places);
  const wires = Array.from({ length: members }, (_, m) => m);
  const sum = (part: number) => wires.filter((m) => m % 4 === part).map((m) => `totals[o + ${m}]`);
  const quantile = ({ low, high, weight }: QuantilePlace) =>
    low === high ? `v${low} / d` : `(v${low} + ${weight} * (v${high} - v${low})) / d`;
  const body = [
    `for (let w = 0, o = 0; w < windows; w++, o += ${members}, out++) {`,
    ...wires.map((m) => `let a${m} = ${key(`keys[o + ${m}]`)};`),
    ...selectionNetwork(members, ranks).map(({ low, high, keep }) => exchange(`a${low}`, `a${high}`, keep)),
    'const d = divisors[w];',
    ...[0, 1, 2, 3].map((part) => `const s${part} = ${sum(part).join(' + ')};`),
    `mean[out] = (s0 + s1 + (s2 + s3)) / (${members} * d);`,
    ...ranks.map((rank) => `const v${rank} = ${value(`a${rank}`)};`),
    ...places.map((place, k) => `q${k}[out] = ${quantile(place)};`),
    '}',
  ];
  return new Function(...parameters, body.join('\n')) as NetworkFunction;
}
