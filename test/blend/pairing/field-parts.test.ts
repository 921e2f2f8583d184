import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leastCostAssignment } from '../../../src/blend/pairing/assignment.js';
import { chooseMembers, drawSwitchSteps, drawsOfRun } from '../../../src/blend/pairing/draws.js';
import { exchangeMembers } from '../../../src/blend/pairing/exchange-members.js';
import { type Aim, aimsOfScale, likeness } from '../../../src/blend/pairing/seam-aims.js';
import type { Anomalies } from '../../../src/blend/pairing/seam-anomalies.js';
import { loadCore } from '../../../src/core/load.js';
import { holds } from '../../property/fuzz.js';
import { seeded } from '../../reference/fields.js';
import { memberProducts, slowExchange } from '../../reference/member-fields.js';

const core = await loadCore();

const isPermutation = (list: Int32Array) => [...list].sort((a, b) => a - b).every((value, i) => value === i);

/** All permutations of 0 to `count` - 1. */
function permutations(count: number): number[][] {
  if (count === 0) return [[]];
  return permutations(count - 1).flatMap((shorter) =>
    Array.from({ length: count }, (_, at) => [...shorter.slice(0, at), count - 1, ...shorter.slice(at)]),
  );
}

const costOf = (costs: Float64Array, columns: ArrayLike<number>) =>
  Array.from(columns).reduce((sum, column, row) => sum + costs[row * columns.length + column], 0);

describe('leastCostAssignment', () => {
  holds(
    'is the best of all permutations',
    200,
    fc.record({ size: fc.integer({ min: 1, max: 6 }), seed: fc.nat(), isWhole: fc.boolean() }),
    ({ size, seed, isWhole }) => {
      const random = seeded(seed);
      const costs = Float64Array.from({ length: size * size }, () => {
        const cost = 20 * random() - 10;
        return isWhole ? Math.round(cost / 4) : cost;
      });
      const found = leastCostAssignment(costs, size);
      expect(isPermutation(found)).toBe(true);
      const least = Math.min(...permutations(size).map((columns) => costOf(costs, columns)));
      expect(costOf(costs, found)).toBeCloseTo(least, 9);
    },
  );

  it('keeps members in order where all are alike', () => {
    expect([...leastCostAssignment(new Float64Array(49), 7)]).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });
});

describe('chooseMembers', () => {
  it('takes each member with the same probability: mean, variance and tails have no bias', () => {
    const random = seeded(3);
    const values = Float64Array.from({ length: 51 }, () => random() ** 3);
    for (const wanted of [11, 31, 50]) {
      const counts = new Float64Array(51);
      const draws = 51_000;
      // Starts of equal distance stand for all numbers from 0 to 1.
      for (let k = 0; k < draws; k++) for (const m of chooseMembers(values, wanted, k / draws)) counts[m] += 51 / draws;
      for (const count of counts) expect(count).toBeCloseTo(wanted, 2);
    }
  });

  holds(
    'takes some members once, or repeats all of them about as often',
    200,
    fc.record({ members: fc.integer({ min: 1, max: 60 }), wanted: fc.integer({ min: 1, max: 60 }), seed: fc.nat() }),
    ({ members, wanted, seed }) => {
      const random = seeded(seed);
      const keys = Float64Array.from({ length: members }, () =>
        random() < 0.1 ? Number.NaN : Math.round(9 * random()),
      );
      const counts = new Array<number>(members).fill(0);
      for (const m of chooseMembers(keys, wanted, random())) counts[m]++;
      expect(Math.max(...counts)).toBeLessThanOrEqual(Math.ceil(wanted / members));
      expect(Math.min(...counts)).toBeGreaterThanOrEqual(Math.floor(wanted / members));
    },
  );
});

describe('drawSwitchSteps', () => {
  it('lets each member switch on each day with the same probability', () => {
    const [members, overlap] = [7, 3];
    const counts = new Float64Array(members * (overlap + 1));
    for (let run = 0; run < 20_000; run++) {
      drawSwitchSteps(members, overlap, drawsOfRun(run, 0, 'days')).forEach((step, m) => {
        counts[m * (overlap + 1) + step] += 1 / 20_000;
      });
    }
    const steps = drawSwitchSteps(members, overlap, drawsOfRun(5, 0, 'days'));
    expect([0, 1, 2, 3].map((step) => steps.filter((each) => each <= step).length)).toEqual([2, 4, 5, 7]);
    counts.forEach((share, at) => {
      expect(Math.abs(share - [2, 2, 1, 2][at % 4] / members)).toBeLessThan(0.015);
    });
  });

  it('differs by run, seam and purpose, and does not differ from call to call', () => {
    const of = (...run: Parameters<typeof drawsOfRun>) => drawSwitchSteps(31, 3, drawsOfRun(...run)).join();
    expect(of(20_514, 0, 'days')).toBe(of(20_514, 0, 'days'));
    expect(
      new Set([of(20_514, 0, 'days'), of(20_515, 0, 'days'), of(20_514, 1, 'days'), of(20_514, 0, 'members')]).size,
    ).toBe(4);
  });
});

/** Anomalies of independent values, member by member, day by day, cell by cell. */
function drawn(members: number, from: number, to: number, cells: number, seed: number): Anomalies {
  const random = seeded(seed);
  const values = Float64Array.from({ length: members * (to - from) * cells }, () => random() - 0.5);
  return { members, days: { from, to }, cells, values };
}

describe('aimsOfScale', () => {
  const seam = {
    ...{ overlapDays: 3, handOver: 100, complete: 103, comparedDays: 3, comparedEarlier: 100, comparedLater: 100 },
  };
  const [earlier, later] = [drawn(4, 94, 103, 2, 1), drawn(4, 100, 109, 2, 2)];
  const weights = Float64Array.of(0.25, 0.75);
  const value = ({ values, days, cells }: Anomalies, m: number, day: number, cell: number) =>
    values[(m * (days.to - days.from) + day - days.from) * cells + cell];

  it('counts what both days of all weeks across the switch have in common, averaged over its days', () => {
    const [weeks, neighbours] = aimsOfScale(core, earlier, later, weights, seam, 1);
    const direct = (i: number, j: number, span: number) => {
      let sum = 0;
      for (let switchDay = 100; switchDay <= 103; switchDay++) {
        for (let first = switchDay - span + 1; first < switchDay; first++) {
          for (let d = first; d < switchDay; d++) {
            for (let e = switchDay; e < first + span; e++) {
              for (const cell of [0, 1])
                sum += (weights[cell] * value(earlier, i, d, cell) * value(later, j, e, cell)) / 4;
            }
          }
        }
      }
      return sum;
    };
    const ratios = (aim: Aim, span: number) =>
      Array.from(aim.products, (product, pair) => product / direct(Math.floor(pair / 4), pair % 4, span));
    for (const [aim, span] of [
      [weeks, 7],
      [neighbours, 2],
    ] as const) {
      const found = ratios(aim, span);
      for (const ratio of found) expect(ratio).toBeCloseTo(found[0], 9);
    }
  });

  holds(
    'has products of members as the slow twin, to the last bit, and so has how much alike they are',
    60,
    fc.record({
      members: fc.integer({ min: 2, max: 19 }),
      cells: fc.integer({ min: 1, max: 7 }),
      gap: fc.integer({ min: 0, max: 3 }),
      overlapDays: fc.constantFrom(0, 1, 3),
      seed: fc.nat(),
    }),
    ({ members, cells, gap, overlapDays, seed }) => {
      // Horizons with a gap between them do not have as many days.
      const handOver = overlapDays > 0 ? 100 : 100 + gap;
      const complete = handOver + overlapDays;
      const comparedEarlier = overlapDays > 0 ? 100 : 98;
      const days = { comparedEarlier, comparedLater: handOver, comparedDays: overlapDays || 2 };
      const own = { overlapDays, handOver, complete, ...days };
      const ours = drawn(members, Math.min(handOver - 6, comparedEarlier), complete, cells, seed);
      const theirs = drawn(members, handOver, complete + 6, cells, seed + 1);
      const areas = Float64Array.from({ length: cells }, (_, c) => 1 / (c + 2));
      const last = comparedEarlier + days.comparedDays - 1;
      const isCompared = (d: number, e: number) =>
        Number(overlapDays > 0 ? d === e && d >= comparedEarlier && d <= last : d === last && e === handOver);
      const isNext = (d: number, e: number) => Number(e === d + 1 && e >= handOver && e <= complete);

      expect(likeness(core, ours, theirs, areas, own)).toEqual(memberProducts(ours, theirs, areas, isCompared));
      if (gap > 0 && overlapDays === 0) return;
      const [, neighbours] = aimsOfScale(core, ours, theirs, areas, own, 1);
      const plain = memberProducts(ours, theirs, areas, isNext);
      const tolerance = plain[0] / neighbours.products[0];
      neighbours.products.forEach((product, pair) => {
        expect(Math.abs(product * tolerance - plain[pair])).toBeLessThan(1e-12);
      });
    },
  );

  it('is reached by the members of one run that was cut in two', () => {
    const whole = drawn(40, 94, 109, 1, 9);
    // A memory of 0.8 from day to day.
    for (let row = 0; row < whole.values.length; row++) {
      if (row % 15 > 0) whole.values[row] = 0.8 * whole.values[row - 1] + 0.6 * whole.values[row];
    }
    const part = (from: number, to: number): Anomalies => {
      const values = whole.values.filter((_, row) => row % 15 >= from - 94 && row % 15 < to - 94);
      return { ...whole, days: { from, to }, values };
    };
    const [weeks] = aimsOfScale(core, part(94, 103), part(100, 109), Float64Array.of(1), seam, 1);
    let sum = 0;
    for (let m = 0; m < 40; m++) sum += weeks.products[m * 41];
    expect(sum / weeks.target).toBeGreaterThan(0.8);
    expect(sum / weeks.target).toBeLessThan(1.2);
  });
});

describe('exchangeMembers', () => {
  const members = 12;
  const aimsOf = (seed: number): Aim[] => {
    const random = seeded(seed);
    return [0.3, -0.2].map((target) => ({
      products: Float64Array.from({ length: members * members }, () => (random() - 0.5) / 2),
      target: target * 4,
    }));
  };
  const deviation = (aims: readonly Aim[], partners: ArrayLike<number>) =>
    aims.reduce((sum, { products, target }) => sum + (costOf(products, partners) - target) ** 2, 0);

  holds('comes nearer to what is aimed at, until no exchange does', 50, fc.nat(), (seed) => {
    const aims = aimsOf(seed);
    const partners = Int32Array.from({ length: members }, (_, i) => i);
    const before = deviation(aims, partners);
    exchangeMembers(partners, aims, new Uint8Array(members));
    expect(isPermutation(partners)).toBe(true);
    const after = deviation(aims, partners);
    expect(after).toBeLessThanOrEqual(before);
    for (let i = 0; i < members; i++) {
      for (let j = 0; j < i; j++) {
        const other = partners.slice();
        [other[i], other[j]] = [other[j], other[i]];
        expect(deviation(aims, other)).toBeGreaterThan(after - 2e-6);
      }
    }
  });

  it('leaves members that are settled, and the partners that they are loyal to where these are worth more', () => {
    const start = Int32Array.from({ length: members }, (_, i) => i);
    const settled = new Uint8Array(members).fill(1);
    const [free, kept, loyal] = [start.slice(), start.slice(), start.slice()];
    exchangeMembers(free, aimsOf(1), new Uint8Array(members));
    exchangeMembers(kept, aimsOf(1), settled);
    exchangeMembers(loyal, aimsOf(1), new Uint8Array(members), { partners: start, worth: 100 });
    expect(free).not.toEqual(start);
    expect(kept).toEqual(start);
    expect(loyal).toEqual(start);
  });

  holds('is the same as with all steps found anew each time', 50, fc.nat(), (seed) => {
    const random = seeded(seed);
    const start = Int32Array.from({ length: members }, (_, i) => (i + 5) % members);
    const settled = Uint8Array.from(start, () => (random() < 0.2 ? 1 : 0));
    const loyalty = random() < 0.5 ? { partners: start.slice().reverse(), worth: 0.3 } : undefined;
    const [found, expected] = [start.slice(), start.slice()];
    exchangeMembers(found, aimsOf(seed), settled, loyalty);
    slowExchange(expected, aimsOf(seed), settled, loyalty);
    expect(found).toEqual(expected);
  });
});
