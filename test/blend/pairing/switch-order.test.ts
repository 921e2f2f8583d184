import { describe, expect, it } from 'vitest';
import { evenRank, switchOrder } from '../../../src/blend/pairing/switch-order.js';

const sizes = Array.from({ length: 99 }, (_, i) => i + 2);
const overlaps = [1, 2, 3, 4, 5, 6, 7, 8, 9, 14];
const cases = sizes.flatMap((members) => overlaps.map((days): [number, number] => [members, days]));

/** The ranks that have switched by day `day` of an overlap, counted from 1. */
function switchedBy(members: number, overlapDays: number, day: number): number[] {
  return [...switchOrder(members, overlapDays).steps.entries()].flatMap(([rank, step]) => (step < day ? [rank] : []));
}

/**
 * How unevenly ranks lie (the star discrepancy, in ranks): the greatest difference, over all lowest ranks, between how
 * many of these are among `chosen` and how many would be, were they spread evenly.
 */
function unevenness(chosen: readonly number[], members: number): number {
  let worst = 0;
  for (let lowest = 0; lowest <= members; lowest++) {
    const found = chosen.filter((rank) => rank < lowest).length;
    worst = Math.max(worst, Math.abs(found - (chosen.length * lowest) / members));
  }
  return worst;
}

describe('switchOrder', () => {
  it('lets round(n * d / (L + 1)) of n members switch by day d of an overlap of L days, and all on the day after it', () => {
    const wrong: string[] = [];
    for (const [members, days] of cases) {
      for (let day = 1; day <= days + 1; day++) {
        const expected = Math.round((members * day) / (days + 1));
        const { length } = switchedBy(members, days, day);
        if (length !== expected)
          wrong.push(`${length} of ${members} members, not ${expected}, on day ${day} of ${days}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('lets all switch at once where there is no overlap', () => {
    expect(switchOrder(5, 0)).toEqual({ steps: new Int32Array(5), swaps: [] });
  });

  it('spreads the members that have switched by a day evenly over the ranks: no part differs from its share by more than two', () => {
    let worst = 0;
    for (const [members, days] of cases) {
      for (let day = 1; day <= days; day++) {
        worst = Math.max(worst, unevenness(switchedBy(members, days, day), members));
      }
    }
    // Low ranks first would be 25 off, ranks at random 7, even ranks before odd ones 12.
    expect(worst).toBeLessThanOrEqual(2);
  });

  it('is checked by a measure that bad orders fail: low ranks first, or random ranks', () => {
    const lowest = Array.from({ length: 15 }, (_, rank) => rank);
    expect(unevenness(lowest, 31)).toBeGreaterThan(7);
    const atRandom = [0, 3, 4, 6, 7, 9, 10, 11, 15, 17, 22, 24, 25, 28, 30];
    expect(unevenness(atRandom, 31)).toBeGreaterThan(2);
  });

  it('lets low ranks switch as early as high ones late: of two mirrored ranks, one switches in each half', () => {
    for (const [members, days] of cases.filter(([, overlapDays]) => overlapDays % 2 === 1)) {
      const { steps } = switchOrder(members, days);
      // On the middle day and the rounding of one member aside, those that have switched mirror those that have not.
      const early = [...steps.keys()].filter((rank) => steps[rank] < (days + 1) / 2);
      const mirrored = new Set(early.map((rank) => members - 1 - rank));
      const both = early.filter((rank) => mirrored.has(rank));
      expect(both.length, `${members} members, ${days} days`).toBeLessThanOrEqual(1);
    }
  });

  it('offers swaps between neighbouring ranks of which one switches at an edge and one inside, each rank once', () => {
    for (const [members, days] of cases) {
      const { steps, swaps } = switchOrder(members, days);
      const isEdge = (rank: number) => steps[rank] === 0 || steps[rank] === days;
      const isRight = ({ atEdge, inside }: (typeof swaps)[number]) =>
        Math.abs(atEdge - inside) === 1 && isEdge(atEdge) && !isEdge(inside);
      expect(swaps.filter((swap) => !isRight(swap))).toEqual([]);
      const ranks = swaps.flatMap(({ atEdge, inside }) => [atEdge, inside]);
      expect(new Set(ranks).size).toBe(ranks.length);
      expect(ranks.every((rank) => rank >= 0 && rank < members)).toBe(true);
    }
  });

  it('finds a neighbour for most ranks at the edges, for 31 members and overlaps of 3 and 7 days', () => {
    // Of 31 members, 16 switch at the edges of 3 days (8 each), 8 at those of 7 (4 each); 15 and 23 do inside.
    expect(switchOrder(31, 3).swaps.length).toBeGreaterThanOrEqual(12);
    expect(switchOrder(31, 7).swaps.length).toBe(8);
  });
});

describe('evenRank', () => {
  it('keeps every rank for equal sizes', () => {
    for (const size of sizes) {
      expect(Array.from({ length: size }, (_, rank) => evenRank(rank, size, size))).toEqual([...Array(size).keys()]);
    }
  });

  it('thins to distinct even ranks and repeats each as often as another or once more, the same from both ends', () => {
    for (const wanted of [2, 3, 11, 31, 50, 51]) {
      for (const available of [2, 3, 11, 31, 50, 51]) {
        const ranks = Array.from({ length: wanted }, (_, rank) => evenRank(rank, wanted, available));
        const uses = Array.from({ length: available }, (_, m) => ranks.filter((rank) => rank === m).length);
        expect(Math.min(...uses)).toBe(Math.floor(wanted / available));
        expect(Math.max(...uses)).toBe(Math.ceil(wanted / available));
        const middle = ranks.reduce((sum, rank) => sum + rank, 0) / wanted;
        expect(Math.abs(middle - (available - 1) / 2)).toBeLessThanOrEqual(0.5);
      }
    }
  });
});
