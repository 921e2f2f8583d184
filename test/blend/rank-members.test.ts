import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { sortedIndices } from '../reference/blend.js';
import { seeded } from '../reference/fields.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

/** Ranks of each location's members, those of a location side by side. */
function ranksOf(values: Float64Array, members: number): number[] {
  const { memory, kernels } = core;
  const mark = memory.mark();
  const valuesAt = memory.allocate(values.byteLength);
  const ranksAt = memory.allocate(values.length * 4);
  memory.float64(valuesAt, values.length).set(values);
  kernels.rankMembers(valuesAt, members, values.length / members, ranksAt);
  const ranks = [...memory.int32(ranksAt, values.length)];
  memory.release(mark);
  return ranks;
}

function twinRanks(values: Float64Array, members: number): number[] {
  const ranks = new Array<number>(values.length);
  for (let start = 0; start < values.length; start += members) {
    sortedIndices([...values.subarray(start, start + members)]).forEach((m, rank) => {
      ranks[start + m] = rank;
    });
  }
  return ranks;
}

describe('rankMembers', () => {
  it('counts lower members and equal ones of lower index, and ranks missing ones last by index', () => {
    const values = Float64Array.of(3, Number.NaN, -1, 3, 0, -0, Number.NaN, -1);
    expect(ranksOf(values, 8)).toEqual([4, 6, 0, 5, 2, 3, 7, 1]);
  });

  it.each([
    ['continuous values', (random: () => number) => random() * 80 - 40],
    ['values of which many are equal', (random: () => number) => Math.floor(random() * 6) - 2],
    ['values of which many are missing', (random: () => number) => (random() < 0.3 ? Number.NaN : random())],
    ['nothing but missing values', () => Number.NaN],
    ['zeros of both signs', (random: () => number) => (random() < 0.5 ? 0 : -0)],
  ])('equals a stable sort for 1 to 300 members: %s', (_, value) => {
    const random = seeded(7);
    for (let members = 1; members <= 300; members++) {
      const values = Float64Array.from({ length: members * 3 }, () => value(random));
      expect(ranksOf(values, members), `${members} members`).toEqual(twinRanks(values, members));
    }
  });

  it('ranks each of 1,500 locations separately', () => {
    const random = seeded(8);
    const values = Float64Array.from({ length: 1500 * 31 }, () =>
      random() < 0.05 ? Number.NaN : Math.round(random() * 40) / 4,
    );
    expect(ranksOf(values, 31)).toEqual(twinRanks(values, 31));
  });
});
