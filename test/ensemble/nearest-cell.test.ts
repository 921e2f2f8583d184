import { describe, expect, it } from 'vitest';
import { nearestCell } from '../../src/ensemble/nearest-cell.js';
import type { Point } from '../../src/ensemble/nearest-place.js';
import { readEnsemble } from '../../src/table/rows/read-ensemble.js';
import { dates, daysFrom, messageOf, table } from '../table/tables.js';

/** A grid of two by two cells on two days, by day; values count up. */
const grid = (longitudes: [number, number]) =>
  readEnsemble(
    table({
      date: dates(...Array(4).fill('2024-01-01'), ...Array(4).fill('2024-01-03')),
      lat: [10, 10, 11, 11, 10, 10, 11, 11],
      lon: [...longitudes, ...longitudes, ...longitudes, ...longitudes],
      m1: [1, 2, 3, 4, 5, 6, 7, 8],
    }),
  );
const at = (longitudes: [number, number], point: Point) => {
  const [{ field, latitude, longitude }] = nearestCell(grid(longitudes), point).parts;
  const values = Array.from({ length: field.members[0].length }, (_, day) => field.members[0].value(day));
  return [latitude[0], longitude[0], ...values];
};

describe('nearestCell', () => {
  it('is one series of the nearest cell, with days without rows missing', () => {
    expect(at([20, 21], { latitude: 10.4, longitude: 20.6 })).toEqual([10, 21, 2, Number.NaN, 6]);
    expect(at([20, 21], { latitude: 11.9, longitude: 19.1 })).toEqual([11, 20, 3, Number.NaN, 7]);
  });

  it('counts longitudes from -180 or from 0, across the date line and Greenwich', () => {
    expect(at([359, 360], { latitude: 10, longitude: -0.9 }).slice(0, 2)).toEqual([10, -1]);
    expect(at([-180, 179], { latitude: 10, longitude: 180 }).slice(0, 2)).toEqual([10, -180]);
    expect(at([0, 1], { latitude: 11, longitude: 359.8 }).slice(0, 2)).toEqual([11, 0]);
  });

  it('knows the row of a value in the table', () => {
    const [{ field }] = nearestCell(grid([20, 21]), { latitude: 11, longitude: 20 }).parts;
    expect(field.place?.(0, 2)).toMatchObject({ row: 7, column: 'm1' });
  });

  it('rejects a point more than one grid step away', () => {
    const far = { latitude: 12.1, longitude: 20 };
    expect(messageOf(() => nearestCell(grid([20, 22]), far, 'a.csv'))).toBe(
      'DataError a.csv, point: is not covered; received "12.1, 20"; allowed: within one grid step (1 by 2 degrees) of the data; the nearest is 11, 20',
    );
    const lone = readEnsemble(table({ date: daysFrom('2024-01-01', 1), lat: [0], lon: [0], m1: [1] }));
    expect(nearestCell(lone, { latitude: 1, longitude: -1 }).parts).toHaveLength(1);
    expect(messageOf(() => nearestCell(lone, { latitude: 1.01, longitude: 0 }, 'a.csv'))).toBe(
      'DataError a.csv, point: is not covered; received "1.01, 0"; allowed: within 1 degree of latitude and longitude of the data; the nearest is 0, 0',
    );
  });

  it('rejects a table without coordinates, and a point off the globe', () => {
    const series = readEnsemble(table({ date: daysFrom('2024-01-01', 1), m1: [1] }));
    expect(messageOf(() => nearestCell(series, { latitude: 0, longitude: 0 }, 'a.csv'))).toBe(
      'DataError a.csv: has no coordinates to find a point by; allowed: columns latitude and longitude, or both in the metadata; without a point, all rows are used',
    );
    expect(messageOf(() => nearestCell(series, { lat: 1, lon: 2 } as never))).toBe(
      'OptionError point: latitude cannot be used; received undefined; allowed: a number from -90 to 90',
    );
    expect(messageOf(() => nearestCell(series, null as never))).toContain('point: latitude cannot be used; received');
    expect(messageOf(() => nearestCell(series, { latitude: 1, longitude: '2' } as never))).toBe(
      'OptionError point: longitude cannot be used; received "2"; allowed: a number from -180 to 360',
    );
    expect(messageOf(() => nearestCell(series, { latitude: 91, longitude: 0 }))).toBe(
      'OptionError point: latitude cannot be used; received 91; allowed: a number from -90 to 90',
    );
    expect(messageOf(() => nearestCell(series, { latitude: 0, longitude: Number.NaN }))).toBe(
      'OptionError point: longitude cannot be used; received NaN; allowed: a number from -180 to 360',
    );
  });
});
