import { expect, it } from 'vitest';
import { addTime } from '../../../src/files/grib/product/time-unit.js';

const seconds = (date: string) => Date.parse(`${date}T06:30Z`) / 1000;

it.each([
  ['2026-01-15', 1, 3, '2026-02-15'],
  ['2026-01-31', 1, 3, '2026-02-28'],
  ['2024-01-31', 13, 3, '2025-02-28'],
  ['2026-03-31', -1, 3, '2026-02-28'],
  ['2026-01-15', -13, 3, '2024-12-15'],
  ['2024-02-29', 1, 4, '2025-02-28'],
  ['2024-02-29', -1, 7, '1924-02-29'],
  ['2024-02-29', 1, 2, '2024-03-01'],
])('%s and %d times the unit %d is %s: months end with their last day', (date, count, unit, expected) => {
  expect(addTime(seconds(date), count, unit)).toBe(seconds(expected));
});
