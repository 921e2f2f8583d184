import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Comparator, selectionNetwork } from '../../assembly/core/sorting-networks.mjs';
import { inRegisterOrder } from '../../bench/native/network-header.js';
import { neededRanks, quantilePlaces } from '../../bench/workloads.js';
import { holds } from '../property/fuzz.js';

/** What a network leaves on its wires; a result that is not kept is NaN. */
function run(comparators: readonly Comparator[], values: readonly number[]): number[] {
  const wires = [...values];
  for (const { low, high, keep } of comparators) {
    const [a, b] = [wires[low], wires[high]];
    wires[low] = keep === 'high' ? Number.NaN : Math.min(a, b);
    wires[high] = keep === 'low' ? Number.NaN : Math.max(a, b);
  }
  return wires;
}

const everyRank = (size: number) => Array.from({ length: size }, (_, i) => i);
const sorted = (values: readonly number[]) => [...values].sort((a, b) => a - b);

/** By the 0-1 principle, what is right for zeros and ones is right for all numbers. */
const zerosAndOnes = fc.integer({ min: 2, max: 40 }).chain((size) =>
  fc.record({
    values: fc.array(fc.constantFrom(0, 1), { minLength: size, maxLength: size }),
    ranks: fc.subarray(everyRank(size), { minLength: 1 }),
  }),
);

describe('a selection network', () => {
  holds('leaves the requested order statistics on their wires', 400, zerosAndOnes, ({ values, ranks }) => {
    const wires = run(selectionNetwork(values.length, ranks), values);
    expect(ranks.map((rank) => wires[rank])).toEqual(ranks.map((rank) => sorted(values)[rank]));
  });

  holds('does the same in the order that suits registers', 200, zerosAndOnes, ({ values, ranks }) => {
    const wires = run(inRegisterOrder(selectionNetwork(values.length, ranks), 12), values);
    expect(ranks.map((rank) => wires[rank])).toEqual(ranks.map((rank) => sorted(values)[rank]));
  });

  it('sorts every sequence of sixteen zeros and ones followed by ones in half of 32 wires', () => {
    const network = selectionNetwork(32, everyRank(32));
    for (let bits = 0; bits < 65_536; bits++) {
      const values = everyRank(32).map((i) => (i < 16 ? (bits >> i) & 1 : 1));
      const wires = run(network, values);
      if (wires.some((value, i) => i > 0 && value < wires[i - 1])) expect.fail(`not sorted: ${values.join('')}`);
    }
  });

  it('has 185 comparators for 32 wires, as the best that is known', () => {
    expect(selectionNetwork(32, everyRank(32))).toHaveLength(185);
  });

  it('takes 314 minima and maxima for the quantiles of 31 members', () => {
    const network = selectionNetwork(31, neededRanks(quantilePlaces(31)));
    expect(network.reduce((sum, { keep }) => sum + (keep === 'both' ? 2 : 1), 0)).toBe(314);
  });
});
