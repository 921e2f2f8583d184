import fc from 'fast-check';
import type { EnsembleField } from '../../src/core/field.js';
import type { Core } from '../../src/core/load.js';
import { MemberColumn } from '../../src/core/member-column.js';
import type { FloatArray, FloatType } from '../../src/core/number-arrays.js';
import { GRANULARITIES, type Granularity, windowTable } from '../../src/period/period.js';
import { computeStatistics } from '../../src/statistics/compute.js';
import type { QuantileType } from '../../src/statistics/options.js';
import type { StatisticsColumns } from '../../src/statistics/statistics-columns.js';
import type { StatisticsRequest } from '../../src/statistics/statistics-request.js';
import { seeded } from '../reference/fields.js';

/** The request where a property makes no other. */
export const request: StatisticsRequest = {
  window: 'sum',
  quantiles: [0, 0.05, 0.1, 0.25, 1 / 3, 0.5, 0.58, 0.75, 0.9, 0.95, 1],
  quantileType: 7,
  thresholds: [],
  spread: true,
  minMemberShare: 0.8,
};

export const quantileTypes = fc.constantFrom<QuantileType>(1, 2, 3, 4, 5, 6, 7, 8, 9);
export const granularities = fc.constantFrom<Granularity>(...GRANULARITIES);

/** Daily rain: mostly dry, never negative. */
export const rain = (random: () => number) => (random() < 0.6 ? 0 : -8 * Math.log(1 - random()));

/** Multiples of 1/16 from -2,000 to 2,000: the sums of a few thousand are exact, in Float64 and of a few in Float32. */
export const sixteenths = (random: () => number) => Math.floor(random() * 64_001 - 32_000) / 16;

/** Sizes, order and seed of a field; its values are made from them. */
export function fieldOptions(more: { members?: [number, number]; types?: FloatType[] } = {}) {
  const [min, max] = more.members ?? [1, 40];
  return fc.record({
    seed: fc.nat(),
    members: fc.integer({ min, max }),
    days: fc.integer({ min: 1, max: 70 }),
    cells: fc.integer({ min: 1, max: 6 }),
    firstDay: fc.integer({ min: 18_980, max: 19_020 }),
    type: fc.constantFrom<FloatType>(...(more.types ?? ['float32', 'float64'])),
    order: fc.constantFrom('day-fastest' as const, 'cell-fastest' as const),
  });
}

/** Every window that the field's days touch, with the request for it. */
export function compute(
  core: Core,
  field: EnsembleField,
  granularity: Granularity,
  requested: Partial<StatisticsRequest> = {},
): StatisticsColumns {
  const windows = windowTable(granularity, field.firstDay, field.firstDay + field.days - 1, { partial: true });
  return computeStatistics(core, field, windows, { ...request, ...requested });
}

/** The field with each value, in order of its place in the input, changed. */
export function mapField(field: EnsembleField, change: (x: number, member: number, row: number) => number) {
  const members = field.members.map((member, m) => {
    const values = valuesOf(field, m).map((x, row) => change(x, m, row));
    return new MemberColumn(member.name, [{ values }]);
  });
  return { ...field, members };
}

/** A member's values in one array; NaN where missing. */
export function valuesOf(field: EnsembleField, member: number): FloatArray {
  const column = field.members[member];
  const values = field.type === 'float32' ? new Float32Array(column.length) : new Float64Array(column.length);
  column.copyTo(values, 0, 0, column.length);
  return values;
}

/** A permutation of 0 to `count` - 1. */
export function shuffled(count: number, seed: number): number[] {
  const random = seeded(seed);
  return Array.from({ length: count }, (_, i) => ({ i, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ i }) => i);
}

/** The distance from |x| to the next number of its type. */
export function ulp(x: number, type: FloatType): number {
  const [bits, smallest] = type === 'float32' ? [23, 2 ** -149] : [52, 2 ** -1074];
  let power = Math.floor(Math.log2(Math.abs(x)));
  if (2 ** power > Math.abs(x)) power--;
  return Math.max(smallest, 2 ** (power - bits));
}
