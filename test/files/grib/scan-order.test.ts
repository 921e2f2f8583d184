import { describe, expect, it } from 'vitest';
import { OptionError } from '../../../src/errors.js';
import { orderByRows } from '../../../src/files/grib/scan-order.js';

/** A grid of two rows of three columns. */
const shape = { columns: 3, rows: 2 };
const order = (values: number[], mode: number) => [...orderByRows(Float64Array.from(values), shape, mode, 'file')];

describe('orderByRows', () => {
  it('returns what is stored row by row itself, whatever the directions', () => {
    const values = Float64Array.of(1, 2, 3, 4, 5, 6);
    for (const mode of [0, 0x40, 0x80, 0xc0]) expect(orderByRows(values, shape, mode, 'file')).toBe(values);
    expect([...values]).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('turns every second row where rows alternate', () => {
    expect(order([1, 2, 3, 6, 5, 4], 0x10)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('makes rows of columns', () => {
    expect(order([1, 4, 2, 5, 3, 6], 0x20)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('turns every second column where columns alternate', () => {
    expect(order([1, 4, 5, 2, 3, 6], 0x30)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('turns rows of a reduced grid, which have lengths of their own', () => {
    const values = Float64Array.of(1, 2, 5, 4, 3, 6, 7);
    orderByRows(values, { rowLengths: [2, 3, 2] }, 0x10, 'file');
    expect([...values]).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('rejects shifted rows, columns of a reduced grid, and another number of values', () => {
    expect(() => order([1, 2, 3, 4, 5, 6], 0x08)).toThrow(
      'file: has a scanning mode that is not read; received 8; allowed: rows without shifts',
    );
    const columns = () => orderByRows(Float64Array.of(1, 2), { rowLengths: [1, 1] }, 0x20, 'file');
    expect(columns).toThrow('a reduced grid row by row');
    expect(() => order([1, 2], 0)).toThrow(OptionError);
    expect(() => orderByRows(Float64Array.of(1, 2), { rowLengths: [1] }, 0x10, 'file')).toThrow(OptionError);
  });
});
