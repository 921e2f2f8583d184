import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RowLocations } from '../../../src/table/rows/row-locations.js';

const degrees = fc.constantFrom(0, -0, 8, 8.25, -20);
const rows = fc.array(fc.tuple(degrees, fc.oneof(degrees, fc.nat(100)), fc.integer({ min: -9, max: 9 })), {
  minLength: 1,
  maxLength: 400,
});

describe('RowLocations', () => {
  it('numbers places in the order of their first row, and knows their days and rows', () => {
    fc.assert(
      fc.property(rows, (given) => {
        const locations = new RowLocations();
        const expected = new Map<string, { number: number; days: number[] }>();
        for (const [latitude, longitude, day] of given) {
          // Texts of 0 and -0 are the same.
          const place = `${latitude}, ${longitude}`;
          const known = expected.get(place) ?? { number: expected.size, days: [] };
          expected.set(place, known);
          known.days.push(day);
          expect(locations.add(latitude, longitude, day)).toBe(known.number);
        }
        expect(locations.count).toBe(expected.size);
        for (const [place, { number, days }] of expected) {
          expect(`${locations.latitudeOf(number)}, ${locations.longitudeOf(number)}`).toBe(place);
          const found = [locations.firstDayOf(number), locations.lastDayOf(number), locations.rowsOf(number)];
          expect(found).toEqual([Math.min(...days), Math.max(...days), days.length]);
        }
      }),
      { numRuns: 100, seed: 20_261_123 },
    );
  });
});
