import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leastCostAssignment } from '../../../src/blend/pairing/assignment.js';
import { chooseMembers, drawSwitchSteps, drawsOfRun } from '../../../src/blend/pairing/draws.js';
import { exchangeMembers, type Loyalty } from '../../../src/blend/pairing/exchange-members.js';
import { aimsOfScale, likeness, planeBytes, planeRow } from '../../../src/blend/pairing/seam-aims.js';
import {
  type Anomalies as CoreAnomalies,
  meansOfGroups,
  place,
  SampledValues,
  standardized,
} from '../../../src/blend/pairing/seam-anomalies.js';
import { loadCore } from '../../../src/core/load.js';
import { MemberColumn } from '../../../src/core/member-column.js';
import { holds } from '../../property/fuzz.js';
import { seeded } from '../../reference/fields.js';
import type { Aim, Anomalies } from '../../reference/member-fields.js';
import * as twin from '../../reference/member-fields.js';

const core = await loadCore();

/** Copies anomalies to scratch of the core. */
function inCore({ values, cells, ...rest }: Anomalies): CoreAnomalies {
  return { ...rest, address: place(core, values), columns: cells };
}

/** The numbers of a plane of the core, by earlier and later member. */
function planeOf(address: number, members: number): Float64Array {
  const row = planeRow(members);
  const plane = core.memory.float64(address, row * members);
  return Float64Array.from({ length: members ** 2 }, (_, i) => plane[Math.floor(i / members) * row + (i % members)]);
}

/** Exchanges members in the core by aims whose products are arrays. */
function exchange(partners: Int32Array, aims: readonly Aim[], settled: Uint8Array, loyalty?: Loyalty): void {
  const { memory } = core;
  const mark = memory.mark();
  const members = partners.length;
  const row = planeRow(members);
  const placed = aims.map(({ products, target }) => {
    const plane = memory.scratch(planeBytes(members));
    products.forEach((product, i) => {
      memory.float64(plane, row * members)[Math.floor(i / members) * row + (i % members)] = product;
    });
    return { products: plane, target };
  });
  exchangeMembers(core, partners, placed, settled, loyalty);
  memory.release(mark);
}

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

  const aimsInCore = (one: Anomalies, other: Anomalies, areas: Float64Array): Aim[] => {
    const mark = core.memory.mark();
    const found = aimsOfScale(core, [inCore(one), inCore(other)], areas, seam, 1);
    const aims = found.map(({ products, target }) => ({ target, products: planeOf(products, one.members) }));
    core.memory.release(mark);
    return aims;
  };

  it('counts what both days of all weeks across the switch have in common, averaged over its days', () => {
    const [weeks, neighbours] = aimsInCore(earlier, later, weights);
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
    const [weeks] = aimsInCore(part(94, 103), part(100, 109), Float64Array.of(1));
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
    exchange(partners, aims, new Uint8Array(members));
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
    exchange(free, aimsOf(1), new Uint8Array(members));
    exchange(kept, aimsOf(1), settled);
    exchange(loyal, aimsOf(1), new Uint8Array(members), { partners: start, worth: 100 });
    expect(free).not.toEqual(start);
    expect(kept).toEqual(start);
    expect(loyal).toEqual(start);
  });
});

describe('anomalies, aims and exchanges of the core', () => {
  const FORMS: Record<string, (x: number, random: () => number) => number> = {
    smooth: (x) => x,
    'whole numbers, which tie': (x) => Math.round(x),
    rain: (x) => Math.max(0, Math.round(10 * x) / 10),
    'missing here and there': (x, random) => (random() < 0.2 ? Number.NaN : x),
    'nothing but zero': () => 0,
  };
  /** An overlap of three days, horizons that touch, and a gap of two days, after which horizons do not have as many days. */
  const SEAMS = [
    { overlapDays: 3, handOver: 100, complete: 103, comparedDays: 3, comparedEarlier: 100, comparedLater: 100 },
    { overlapDays: 0, handOver: 100, complete: 100, comparedDays: 2, comparedEarlier: 98, comparedLater: 100 },
    { overlapDays: 0, handOver: 102, complete: 102, comparedDays: 7, comparedEarlier: 93, comparedLater: 102 },
  ];

  holds(
    'are the same as of the slow twin, to the last bit',
    60,
    fc.record({
      members: fc.integer({ min: 2, max: 13 }),
      cells: fc.integer({ min: 1, max: 9 }),
      isSingle: fc.boolean(),
      isLoyal: fc.boolean(),
      seam: fc.constantFrom(...SEAMS),
      form: fc.constantFrom(...Object.keys(FORMS)),
      seed: fc.nat(),
    }),
    ({ members, cells, isSingle, isLoyal, seam, form, seed }) => {
      const random = seeded(seed);
      const days = [
        { from: Math.min(seam.handOver - 6, seam.comparedEarlier), to: seam.overlapDays > 0 ? 103 : seam.handOver },
        { from: seam.handOver, to: Math.max(seam.complete + 6, seam.comparedLater + seam.comparedDays) },
      ];
      const sampled = days.map(({ from, to }) => {
        const columns = Array.from({ length: members }, (_, m) => {
          const values = Float64Array.from({ length: cells * (to - from) }, () =>
            FORMS[form](6 * random() - 3, random),
          );
          return new MemberColumn(`${m}`, [{ values: isSingle ? Float32Array.from(values) : values }]);
        });
        const type = isSingle ? ('float32' as const) : ('float64' as const);
        const field = { type, order: 'day-fastest' as const, firstDay: from, days: to - from, cells, members: columns };
        return new SampledValues(
          { name: 'horizon', field },
          Int32Array.from({ length: cells }, (_, c) => c),
          { from, to },
        );
      });
      // The first cells in another order; of the later horizon some members are repeated.
      const some = Array.from({ length: Math.max(1, cells - 1) }, (_, c) => cells - 1 - c);
      const chosen = [
        Int32Array.from({ length: members }, (_, m) => m),
        Int32Array.from({ length: members }, (_, m) => (isLoyal ? m >> 1 : members - 1 - m)),
      ];
      const weights = Float64Array.from(some, () => random()).map((weight, _, all) => weight / all.length);
      const groups = Uint8Array.from(some, (_, c) => c % 3);
      const mark = core.memory.mark();

      const [one, other] = sampled.map((own, h) => own.departures(core, chosen[h], some, days[h]));
      const both = standardized(core, [one, other], seam);
      const { means, areas } = meansOfGroups(core, both, groups, weights);
      const found = [...aimsOfScale(core, both, weights, seam, 1), ...aimsOfScale(core, means, areas, seam, 0.5)];

      const [first, second] = sampled.map((own, h) => twin.departures(own, chosen[h], some, days[h]));
      const compared = (from: number) => ({ from, to: from + seam.comparedDays });
      twin.standardize(first, second, { earlier: compared(seam.comparedEarlier), later: compared(seam.comparedLater) });
      const [ours, theirs] = [first, second].map((anomalies) => twin.meansOfGroups(anomalies, groups, weights));
      const expected = [
        ...twin.aimsOfScale(first, second, weights, seam, 1),
        ...twin.aimsOfScale(ours.means, theirs.means, ours.weights, seam, 0.5),
      ];

      [first, second].forEach(({ values }, h) => {
        expect(core.memory.float64(both[h].address, values.length)).toEqual(values);
      });
      expect(planeOf(likeness(core, both, weights, seam), members).map((x) => x + 0)).toEqual(
        twin.likeness(first, second, weights, seam).map((x) => x + 0),
      );
      expect(found.map(({ target }) => target)).toEqual(expected.map(({ target }) => target));
      const planes = found.map(({ products }) => planeOf(products, members));
      // Zeros of both signs are the same.
      expect(planes.map((plane) => plane.map((x) => x + 0))).toEqual(
        expected.map(({ products }) => products.map((x) => x + 0)),
      );
      const start = Int32Array.from({ length: members }, (_, m) => (m + 1) % members);
      const settled = Uint8Array.from(start, () => (random() < 0.2 ? 1 : 0));
      const loyalty = isLoyal ? { partners: start.slice().reverse(), worth: 0.3 } : undefined;
      const [partners, expectedPartners] = [start.slice(), start.slice()];
      exchangeMembers(core, partners, found, settled, loyalty);
      twin.exchangeMembers(expectedPartners, expected, settled, loyalty);
      expect(partners).toEqual(expectedPartners);
      core.memory.release(mark);
    },
  );
});
