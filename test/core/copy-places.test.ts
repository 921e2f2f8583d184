import { describe, expect, it } from 'vitest';
import { copyPlaces, findInfinite } from '../../src/core/copy-places.js';
import { type EnsembleField, memberColumns } from '../../src/core/field.js';
import { MemberColumn } from '../../src/core/member-column.js';

const [MEMBERS, DAYS, CELLS] = [3, 7, 41];
/** Of each value its member, cell and day. */
const madeValue = (m: number, cell: number, day: number) => 10_000 * m + 100 * cell + day;

function fieldOf(order: EnsembleField['order'], type: 'float32' | 'float64'): EnsembleField {
  const values = Array.from({ length: MEMBERS * DAYS * CELLS }, (_, i) => {
    const [m, row] = [Math.floor(i / (DAYS * CELLS)), i % (DAYS * CELLS)];
    const [cell, day] =
      order === 'day-fastest' ? [Math.floor(row / DAYS), row % DAYS] : [row % CELLS, Math.floor(row / CELLS)];
    return madeValue(m, cell, day);
  });
  const all = type === 'float32' ? Float32Array.from(values) : Float64Array.from(values);
  return { type, order, firstDay: 0, days: DAYS, cells: CELLS, members: memberColumns(all, DAYS * CELLS) };
}

describe.each(['day-fastest', 'cell-fastest'] as const)('copyPlaces of a field, %s', (order) => {
  it.each(['float32', 'float64'] as const)('puts a row of days for each member of each place, of %s', (type) => {
    const into = new Float32Array(CELLS * MEMBERS * DAYS);
    copyPlaces(fieldOf(order, type), {}, { day: 0, days: DAYS, at: 0, width: DAYS }, into);
    const expected = Array.from(into, (_, i) =>
      madeValue(Math.floor(i / DAYS) % MEMBERS, Math.floor(i / DAYS / MEMBERS), i % DAYS),
    );
    expect([...into]).toEqual(expected);
  });

  it('takes some cells in another order, and some days into wider rows', () => {
    const from = Int32Array.of(40, 3, 17);
    const to = Int32Array.of(1, 0, 2);
    const width = 9;
    const into = new Float32Array(3 * MEMBERS * width).fill(-1);
    copyPlaces(fieldOf(order, 'float32'), { from, to }, { day: 2, days: 4, at: 3, width }, into);
    const expected = Array.from(into, (_, i) => {
      const [row, column] = [Math.floor(i / width), i % width];
      const cell = [3, 40, 17][Math.floor(row / MEMBERS)];
      return column >= 3 && column < 7 ? madeValue(row % MEMBERS, cell, column - 1) : -1;
    });
    expect([...into]).toEqual(expected);
  });
});

describe('copyPlaces', () => {
  it('makes NaN of values that are not valid', () => {
    const values = Float32Array.of(1, 2, 3, 4);
    const members = [new MemberColumn('a', [{ values, bitmap: Uint8Array.of(0b1101) }])];
    const into = new Float32Array(4);
    const field: EnsembleField = { type: 'float32', order: 'day-fastest', firstDay: 0, days: 2, cells: 2, members };
    copyPlaces(field, {}, { day: 0, days: 2, at: 0, width: 2 }, into);
    expect([...into]).toEqual([1, Number.NaN, 3, 4]);
  });
});

describe('findInfinite', () => {
  it('finds the first infinite value, and no missing one', () => {
    expect(findInfinite(Float32Array.of(1, Number.NaN, -0, 3.4e38))).toBe(-1);
    expect(findInfinite(Float32Array.of(Number.NaN, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY))).toBe(1);
    expect(findInfinite(new Float32Array([1, 1, 1e300]).subarray(1))).toBe(1);
  });
});
