import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearestName } from '../../src/variable/nearest-name.js';

test('nearestName finds a name after one insertion, deletion, replacement or swap', () => {
  const known = ['start_date', 'end_date', 'statistics', 'granularity'];
  expect(nearestName('start_datee', known)).toBe('start_date');
  expect(nearestName('strt_date', known)).toBe('start_date');
  expect(nearestName('statisticz', known)).toBe('statistics');
  expect(nearestName('garnularity', known)).toBe('granularity');
  expect(nearestName('GRANULARITY', known)).toBe('granularity');
});

test('nearestName counts a swap of neighbours as one edit', () => {
  // Two replacements would be too many for three letters.
  expect(nearestName('lta', ['lat'])).toBe('lat');
  expect(nearestName('lxy', ['lat'])).toBeUndefined();
});

test('nearestName takes the least distance, and the first of equals', () => {
  expect(nearestName('temp_man', ['temp_max', 'temp_mean'])).toBe('temp_max');
  expect(nearestName('temp_meen', ['temp_min', 'temp_mean'])).toBe('temp_mean');
});

test('nearestName finds nothing if more than a third is different, or no names are known', () => {
  expect(nearestName('abcdef', ['abcxyz'])).toBeUndefined();
  expect(nearestName('abcdef', ['abcdxy'])).toBe('abcdxy');
  expect(nearestName('anything', [])).toBeUndefined();
});

test('nearestName does not depend on names that are farther away', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '_'), minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 6 }), (name, others) => {
      expect(nearestName(name, [...others, name])?.toLowerCase()).toBe(name);
    }),
  );
});
