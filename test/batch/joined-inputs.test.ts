import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JoinedMembers, JoinedPlaces } from '../../src/batch/joined-inputs.js';
import { parseDate } from '../../src/period/day.js';
import { createTable, dates, numbers } from '../../src/table/build/create-table.js';
import { holds } from '../property/fuzz.js';

/** Windows of a place, by their first and last days. */
function windows(spans: readonly (readonly [number, number])[], latitude = 1) {
  const column = (of: 0 | 1) => Int32Array.from(spans, (span) => span[of]);
  const place = Float64Array.from(spans, () => latitude);
  return createTable(
    [numbers('latitude', place), numbers('longitude', place), dates('start', column(0)), dates('end', column(1))],
    new Map(),
  );
}

describe('JoinedPlaces', () => {
  it('accepts other places, other days and other kinds', () => {
    const places = new JoinedPlaces();
    places.add(
      windows([
        [0, 6],
        [7, 13],
      ]),
      'a.csv',
      'rain weekly',
    );
    places.add(windows([[14, 20]]), 'b.csv', 'rain weekly');
    places.add(windows([[0, 6]], 2), 'c.csv', 'rain weekly');
    places.add(windows([[0, 6]]), 'd.csv', 'temp_mean weekly');
    places.add(windows([[0, 6]], Number.NaN), 'd.csv', 'rain weekly');
  });

  it('throws for a place and day that another input has, and names both files and the day', () => {
    const places = new JoinedPlaces();
    const first = parseDate('2024-01-01');
    places.add(windows([[first, first + 6]]), 'a.csv', '');
    expect(() => places.add(windows([[first + 6, first + 12]]), 'b.csv', '')).toThrow(
      'b.csv: has a place and day that a.csv has too, and both go into one file; received "2024-01-07"',
    );
  });

  const inputs = fc.array(fc.array(fc.tuple(fc.nat(2), fc.nat(30)), { maxLength: 6 }), { maxLength: 4 });
  holds('throws exactly where two inputs have the same day of a place', 200, inputs, (files) => {
    const days = files.map((rows) => [...new Set(rows.map(([place, day]) => `${place} ${day}`))]);
    const all = days.flat();
    const places = new JoinedPlaces();
    const add = () =>
      days.forEach((keys, index) => {
        for (const key of keys.sort()) {
          const [place, day] = key.split(' ').map(Number);
          places.add(windows([[day, day]], place), `${index}.csv`, '');
        }
      });
    if (new Set(all).size === all.length) add();
    else expect(add).toThrow('has a place and day');
  });
});

describe('JoinedMembers', () => {
  it('accepts inputs with the same number of members', () => {
    const joined = new JoinedMembers();
    for (const input of ['a.nc', 'b.nc', 'a.nc']) expect(() => joined.add(input, 31)).not.toThrow();
  });

  it('throws for inputs with different numbers of members, and names both', () => {
    const joined = new JoinedMembers();
    joined.add('a.nc', 31);
    expect(() => joined.add('b.nc', 21)).toThrow(
      'b.nc: has a different number of members than a.nc, and both go into one file; received 21; allowed: 31, or a name with {input}',
    );
  });
});
