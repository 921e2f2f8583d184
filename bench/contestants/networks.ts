import { type Contestant, newResults } from '../contestant.js';
import { addUpWindows, divisorsOf } from '../window-totals.js';
import { DAYS, MEMBERS } from '../workloads.js';
import { compileNetwork, type NetworkDialect, type NetworkFunction } from './network-source.js';

const float64Value = (a: string) => a;

/** Selection network on numbers, by `Math.min` and `Math.max`. */
export const mathNetwork = network('network of Math.min and Math.max', Float64Array, {
  exchange: (a, b, keep) => {
    if (keep === 'low') return `${a} = Math.min(${a}, ${b});`;
    if (keep === 'high') return `${b} = Math.max(${a}, ${b});`;
    return `{ const t = Math.min(${a}, ${b}); ${b} = Math.max(${a}, ${b}); ${a} = t; }`;
  },
  value: float64Value,
});

/** Selection network on numbers, by comparing and swapping. */
export const swapNetwork = network('network of conditional swaps', Float64Array, {
  exchange: (a, b) => `if (${b} < ${a}) { const t = ${a}; ${a} = ${b}; ${b} = t; }`,
  value: float64Value,
});

/**
 * Selection network on the bits of float32 totals as integers, without a branch: the sign of the difference is the mask. Right
 * for values that are not negative; windows of several days are rounded to float32 before selection.
 */
export const nonNegativeKeyNetwork: Contestant = {
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

/** As before, for values of either sign: the bits of negative ones are turned around, and a comparison makes the mask. */
export const keyNetwork = network('integer-key network', Float32Array, {
  exchange: (a, b, keep) => {
    const step = `const t = (${a} ^ ${b}) & -(${b} < ${a});`;
    const low = keep === 'high' ? '' : `${a} ^= t;`;
    const high = keep === 'low' ? '' : `${b} ^= t;`;
    return `{ ${step} ${low} ${high} }`;
  },
  key: (bits) => `(${bits} ^ (${bits} >> 31 & 0x7fffffff))`,
  value: (a) => `(bits[0] = ${a} ^ (${a} >> 31 & 0x7fffffff), single[0])`,
});

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
      const divisors = divisorsOf(rule, windows);
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
