import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { MemberColumn } from '../../src/core/member-column.js';
import { windowsOf } from '../../src/period/windows.js';
import { computeMemberWindows, computeStatistics } from '../../src/statistics/compute.js';
import { daysThat, excess, firstDayThat, longestSpell, spells } from '../../src/statistics/window-measure.js';
import type { WindowValue } from '../../src/statistics/window-value.js';
import { WINDOW_RULES } from '../../src/variable/variable.js';
import { placed, seededField } from '../reference/fields.js';
import { borderOf, roundedLimit, windowTotal } from '../reference/statistics.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const VALUES: readonly WindowValue[] = [
  ...WINDOW_RULES,
  ...['>0', '<=0.1', '>=2.3'].flatMap((condition) => [
    daysThat(condition),
    longestSpell(condition),
    spells(condition, 1),
    spells(condition, 3),
    firstDayThat(condition),
    excess(condition),
  ]),
];

const KINDS = {
  weeks: 'weekly',
  months: 'monthly',
  dekads: 'dekads',
  'the whole': 'all',
  'counted days': 'days 1-7,3-12,3-5,20,40-60',
  'windows that roll by 2 days': 'rolling 2',
  'windows that roll by 7 days': 'rolling 7',
  'windows that roll by 30 days': 'rolling 30',
};

const bits = (x: number) => (Number.isNaN(x) ? 'NaN' : Object.is(x, -0) ? 0 : x);

describe('what a window holds of a member', () => {
  for (const type of ['float32', 'float64'] as const) {
    for (const order of ['day-fastest', 'cell-fastest'] as const) {
      for (const [what, text] of Object.entries(KINDS)) {
        it(`is what its twin says to the last bit: ${what}, ${type}, ${order}`, () => {
          for (const [members, cells, missing, first] of [
            [5, 3, 0.03, 19_000],
            [1, 1, 0.1, -77],
            [2, 6, 0.01, 12],
            [1, 13, 0.02, 3],
          ]) {
            const field = seededField({ type, order, days: 61, members, cells, missing, firstDay: first });
            const round = type === 'float32' ? Math.fround : undefined;
            for (const partial of [false, true]) {
              const windows = windowsOf(text).table(first + 1, first + 59, { partial });
              for (const value of VALUES) {
                const shift = windows.firstDay - first;
                const expected = field.members.map((member) =>
                  Array.from({ length: cells * windows.count }, (_, lane) => {
                    const isSeries = order === 'day-fastest';
                    const cell = isSeries ? Math.floor(lane / windows.count) : lane % cells;
                    const w = isSeries ? lane % windows.count : Math.floor(lane / cells);
                    const days = Array.from({ length: windows.days[w] }, (__, d) => {
                      const day = shift + windows.first[w] + d;
                      return member.value(isSeries ? cell * field.days + day : day * cells + cell);
                    });
                    const total = windowTotal(days, roundedLimit(value, round), borderOf(windows, w));
                    const result = value === 'mean' ? total / days.length : total;
                    return bits(round ? round(result) : result);
                  }),
                );
                for (const each of [field, placed(core, field)]) {
                  const found = computeMemberWindows(core, each, windows, value).map((x) => Array.from(x, bits));
                  expect(found, `${value}`).toEqual(expected);
                }
              }
            }
          }
        });
      }
    }
  }

  it.each(['rolling 7', 'rolling 30', 'rolling 45'])(
    'does not depend on the order of rows, for many cells: %s',
    (text) => {
      // More cells and windows than are filled together.
      const [days, cells] = [90, 700];
      const series = seededField({ type: 'float32', order: 'day-fastest', days, members: 3, cells, missing: 0.001 });
      const members = series.members.map((member) => {
        const values = new Float32Array(days * cells);
        for (let i = 0; i < values.length; i++) values[i] = member.value((i % cells) * days + Math.floor(i / cells));
        return new MemberColumn('', [{ values }]);
      });
      const field = { ...series, order: 'cell-fastest', members } as const;
      const windows = windowsOf(text).table(field.firstDay, field.firstDay + days - 1);
      for (const value of ['sum', 'mean', 'max', longestSpell('>0'), excess('<=0.1')] as const) {
        const bySeries = computeMemberWindows(core, series, windows, value);
        for (const [m, found] of computeMemberWindows(core, field, windows, value).entries()) {
          const expected = Array.from(
            found,
            (_, i) => bySeries[m][(i % cells) * windows.count + Math.floor(i / cells)],
          );
          expect(Array.from(found, bits)).toEqual(expected.map(bits));
        }
        const request = {
          quantiles: [0.1, 0.5],
          quantileType: 7,
          thresholds: [],
          spread: true,
          minMemberShare: 0.5,
        } as const;
        const [mine, theirs] = [field, series].map((each) =>
          computeStatistics(core, each, windows, { ...request, window: value }),
        );
        const expected = Array.from(
          mine.mean,
          (_, i) => theirs.mean[(i % cells) * windows.count + Math.floor(i / cells)],
        );
        expect(Array.from(mine.mean, bits)).toEqual(expected.map(bits));
      }
    },
  );

  for (const windows of ['weekly', 'rolling 7']) {
    for (const value of VALUES) {
      it(`is an error where a day is infinite, ${windows}, ${value}`, () => {
        const field = seededField({ type: 'float32', order: 'day-fastest', days: 35, members: 5, cells: 2 });
        const days = windowsOf(windows).table(field.firstDay, field.firstDay + 34);
        const request = {
          quantiles: [0.5],
          quantileType: 7,
          thresholds: [],
          spread: false,
          minMemberShare: 0.5,
        } as const;
        const place = { first: days.first[1], last: days.first[1] + 6 }[`${value}`] ?? days.first[1] + 3;
        const values = Float32Array.from({ length: 70 }, (_, row) => field.members[3].value(row));
        values[35 + place] = Number.POSITIVE_INFINITY;
        const members = field.members.map((member, m) => (m === 3 ? new MemberColumn('', [{ values }]) : member));
        const compute = () => computeStatistics(core, { ...field, members }, days, { ...request, window: value });
        expect(compute).toThrow(/infinite/);
      });
    }
  }
});
