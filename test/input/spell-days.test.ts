import { expect, it } from 'vitest';
import { readWindowTexts } from '../../src/input/window-texts.js';
import type { Granularity } from '../../src/period/period.js';
import type { WindowRule } from '../../src/variable/variable.js';

const read = (granularity: string, days: number) =>
  readWindowTexts({ granularity: granularity as Granularity, window: `spells <1 of ${days} d` as WindowRule });

it.each([
  ['daily', 1],
  ['weekly', 7],
  ['monthly', 31],
  ['seasons', 92],
  ['dekads', 11],
  ['years', 366],
  ['rolling 400', 400],
  ['days 1-7,8-21', 14],
  ['[{"name":"sowing","start":"2026-03-02","end":"2026-03-15"}]', 14],
])('spells of more days than a window of %s can have are an error, those of %i are not', (granularity, longest) => {
  expect(`${read(granularity, longest).window}`).toBe(`spells <1 of ${longest} d`);
  expect(() => read(granularity, longest + 1)).toThrow(
    `spellDays: is longer than any window, ${granularity.startsWith('[') ? 'list' : granularity}; received ${longest + 1}; allowed: at most ${longest} days, as the longest`,
  );
});

it('all days as one window may have any spells', () => {
  expect(`${read('all', 5000).window}`).toBe('spells <1 of 5000 d');
});
