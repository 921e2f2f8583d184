import { expect, it } from 'vitest';
import { version } from '../../package.json';
import { loadCore } from '../../src/core/load.js';
import { demoTable } from '../../src/demo/index.js';
import { meteogramText } from '../../src/plot/index.js';
import { statistics } from '../../src/statistics/statistics.js';
import { daysFrom, table } from '../table/tables.js';

const core = await loadCore();
const members = (...values: (number | null)[][]) =>
  table(
    { date: daysFrom('2026-03-02', 4), ...Object.fromEntries(values.map((each, m) => [`m${m}`, each])) },
    { variable: 'temp_mean' },
  );
const quantiles = [0, 0.25, 0.5, 0.75, 1];

it('draws bands by shades, the median by blocks, and a missing day by a blank', () => {
  const ensemble = members([0, 2, null, 4], [1, 3, null, 4], [2, 4, null, 4], [3, 5, null, 4], [4, 6, null, 4]);
  const text = meteogramText({ statistics: statistics(core, ensemble, { quantiles }) }, { width: 30, panelRows: 7 });
  expect(text).toBe(
    `temp mean (°C), daily
  6 │      ░░░░░░
    │      ▒▒▒▒▒▒
  4 │░░░░░░██████       ██████
    │▒▒▒▒▒▒▒▒▒▒▒▒
  2 │██████░░░░░░
    │▒▒▒▒▒▒
  0 │░░░░░░
    └─────────────────────────
        2     3     4     5
              Mar 2026

░ 0 to 100 %  ▒ 25 to 75 %  █ median
5 members · plumecast VERSION
`
      .replace('4 to 5 members', '5 members')
      .replace('VERSION', version),
  );
});

it('draws thresholds where no shade is, within the axis, and names them beside the label', () => {
  const ensemble = members([0, 2, null, 4], [1, 3, null, 4]);
  const panel = { statistics: statistics(core, ensemble, { quantiles }), thresholds: [8] };
  const lines = meteogramText(panel, { width: 30, panelRows: 5 }).split('\n');
  expect(lines.slice(0, 4)).toEqual([
    'temp mean (°C), daily  ╌ 8 °C',
    ' 10 │',
    `    │${'╌'.repeat(25)}`,
    '  5 │                   ██████',
  ]);
});

it('has captions in lines of the width', () => {
  const ensemble = demoTable('temp_mean', { days: 7, members: 4 });
  const [, ...lines] = meteogramText({ statistics: statistics(core, ensemble, { quantiles }) }, { width: 40 })
    .trimEnd()
    .split('\n');
  expect(lines.filter((line) => line.length > 40)).toEqual([]);
  expect(lines.slice(-3).join(' · ')).toContain(`4 members · plumecast ${version}`);
});

it('draws the shares of members below, near and above normal', () => {
  const start = ['2026-03-02', '2026-03-03', '2026-03-04'];
  const shares = { p_below: [0.5, 0, null], p_normal: [0.25, 0, null], p_above: [0.25, 1, null] };
  const results = table({ start, end: start, mean: [1, 2, 3], ...shares, variable: start.map(() => 'temp_mean') });
  const lines = meteogramText({ statistics: results }, { width: 30, panelRows: 3 }).split('\n');
  expect(lines.slice(5, 9)).toEqual([
    '100% │++++++++++++++++',
    '     │........++++++++',
    '     │--------++++++++',
    '   0 │--------++++++++',
  ]);
  expect(lines).toContain('Shares of members: - below  . near  + above normal');
});

it('leaves columns blank where a window has no row', () => {
  const days = ['2026-03-02', '2026-03-04'];
  const means = table({ start: days, end: days, mean: [1, 1], variable: ['temp_mean', 'temp_mean'] });
  const lines = meteogramText({ statistics: means }, { width: 30, panelRows: 3 }).split('\n');
  expect(lines.find((line) => line.includes('█'))).toMatch(/│█{8} {8,9}█{8,9}$/);
});

it('says so where all values are missing', () => {
  const text = meteogramText({ statistics: statistics(core, members([null, null, null, null])) });
  expect(text).toContain('all values are missing');
});

it.each([
  [{ width: 29 }, 'width: cannot be used; received 29; allowed: a whole number from 30 to 1000'],
  [{ panelRows: 2 }, 'panelRows: cannot be used; received 2; allowed: a whole number from 3 to 200'],
])('rejects %o', (options, message) => {
  expect(() => meteogramText({ statistics: statistics(core, members([1, 2, 3, 4])) }, options)).toThrow(message);
});

it('says that there are no statistics where only members are given', () => {
  const text = meteogramText([{ ensemble: demoTable('temp_mean', { members: 3, days: 5 }) }]);
  expect(text).toContain('no statistics, which alone are drawn as text');
  expect(text).not.toContain('missing');
});
