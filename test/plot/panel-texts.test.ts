import { expect, it } from 'vitest';
import { windowWords } from '../../src/plot/panel-texts.js';
import { readStatistic } from '../../src/statistics/result-column.js';
import { kindOf } from '../../src/statistics/statistic-kinds.js';

it.each([
  ['weekly', 'sum', 'weekly sums'],
  ['list', 'sum', 'sums of windows'],
  ['weekly', 'days <0', 'weekly, days below 0'],
  ['weekly', 'days >=20', 'weekly, days of at least 20'],
  ['all', 'spells <=-1 of 5 d', 'all, spells of at most -1 of 5 d'],
])('windows %s that hold %s are "%s"', (granularity, window, words) => {
  expect(windowWords(granularity, window)).toBe(words);
});

it.each([
  ['p_ge_1', 'd', 'share of members with at least 1 day'],
  ['p_gt_3', 'd', 'share of members with more than 3 days'],
  ['p_gt_20', 'mm', 'share of members with more than 20 mm'],
])('%s in %s is "%s"', (column, units, words) => {
  const statistic = readStatistic({ name: column });
  expect(statistic && kindOf(statistic).words(statistic, units)).toBe(words);
});
