import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { sortedIndices } from '../reference/blend.js';
import { seeded } from '../reference/fields.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const { MAX_VALUE, MIN_VALUE, POSITIVE_INFINITY, NEGATIVE_INFINITY } = Number;
const EXTREMES = [MAX_VALUE, -MAX_VALUE, MIN_VALUE, -MIN_VALUE, 0, POSITIVE_INFINITY, NEGATIVE_INFINITY, Number.NaN];

/** The members of each location from the lowest value to the highest, those of a location side by side. */
function ordersOf(values: Float64Array, members: number): number[] {
  const { memory, kernels } = core;
  const mark = memory.mark();
  const valuesAt = memory.allocate(values.byteLength);
  const ordersAt = memory.allocate(values.length * 4);
  const column = memory.allocate(kernels.sortBytes(members));
  memory.float64(valuesAt, values.length).set(values);
  kernels.orderMembers(valuesAt, members, values.length / members, column, ordersAt);
  const orders = [...memory.int32(ordersAt, values.length)];
  memory.release(mark);
  return orders;
}

function twinOrders(values: Float64Array, members: number): number[] {
  return Array.from({ length: values.length / members }, (_, location) =>
    sortedIndices([...values.subarray(location * members, (location + 1) * members)]),
  ).flat();
}

/** A value that differs from `x` in its last bits only. */
function close(x: number, random: () => number): number {
  return x * (1 + Math.floor(random() * 9) * 2 ** -52);
}

describe('orderMembers', () => {
  it('puts lower members first, equal ones by index, and missing ones last by index', () => {
    const values = Float64Array.of(3, Number.NaN, -1, 3, 0, -0, Number.NaN, -1);
    expect(ordersOf(values, 8)).toEqual([2, 7, 4, 5, 0, 3, 1, 6]);
  });

  it.each([
    ['continuous values', (random: () => number) => random() * 80 - 40],
    ['values of which many are equal', (random: () => number) => Math.floor(random() * 6) - 2],
    ['values of which many are missing', (random: () => number) => (random() < 0.3 ? Number.NaN : random())],
    ['nothing but missing values', () => Number.NaN],
    ['zeros of both signs', (random: () => number) => (random() < 0.5 ? 0 : -0)],
    ['values that differ in their last bits', (random: () => number) => close(random() < 0.5 ? 280 : -280, random)],
    [
      'the largest and the smallest numbers',
      (random: () => number) => EXTREMES[Math.floor(random() * EXTREMES.length)],
    ],
  ])('equals a stable sort for 1 to 300 members: %s', (_, value) => {
    const random = seeded(7);
    for (let members = 1; members <= 300; members++) {
      const values = Float64Array.from({ length: members * 3 }, () => value(random));
      expect(ordersOf(values, members), `${members} members`).toEqual(twinOrders(values, members));
    }
  });

  it('sorts each of 1,501 locations separately', () => {
    const random = seeded(8);
    const values = Float64Array.from({ length: 1501 * 31 }, () =>
      random() < 0.05 ? Number.NaN : Math.round(random() * 40) / 4,
    );
    expect(ordersOf(values, 31)).toEqual(twinOrders(values, 31));
  });
});
