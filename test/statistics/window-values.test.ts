import { beforeAll, describe, expect, it } from 'vitest';
import type { EnsembleField } from '../../src/core/field.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { MemberColumn } from '../../src/core/member-column.js';
import { windowsOf } from '../../src/period/windows.js';
import { combineWindows, computeMemberWindows, computeStatistics } from '../../src/statistics/compute.js';
import { daysThat, excess, firstDayThat, longestSpell, spells } from '../../src/statistics/window-measure.js';
import type { WindowValue } from '../../src/statistics/window-value.js';
import { WINDOW_RULES } from '../../src/variable/variable.js';
import { casesOf } from '../full-check.js';
import { exactOf, roundedToFloat32 } from '../reference/exact.js';
import { placed, seeded, seededField } from '../reference/fields.js';
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

/** Windows whose days kernels make bits: of at most eight, which they look up, or of a month. */
const SHORT_KINDS = {
  'two months': 'monthly',
  'dekads, and a day': 'days 1-10,11-20,12,21-31,40-70',
  'eleven weeks': 'weekly',
  'days that overlap': 'days 1-7,3-10,3-5,20,41-44,70-77',
  'few days': 'days 3-9,5-6',
  'a day': 'days 30',
};
const COUNTS = VALUES.filter((value) => /count|days|spell|first day/.test(`${value}`)).concat([
  spells('>0', 7),
  spells('>0', 8),
  spells('<=0.1', 2 ** 33),
]);

/** Limits above and below zero, at it, and so near to it that values tie with them. */
const EXCESS = ['<0', '>0', '>=-2.5', '<7.25', '>0.00001', '<-0.00005'].map(excess);

const bits = (x: number) => (Number.isNaN(x) ? 'NaN' : Object.is(x, -0) ? 0 : x);

describe('what a window holds of a member', () => {
  for (const type of ['float32', 'float64'] as const) {
    for (const order of ['day-fastest', 'cell-fastest'] as const) {
      for (const [what, text] of Object.entries(KINDS)) {
        it(`is what its twin says to the last bit: ${what}, ${type}, ${order}`, () => {
          const fields = [
            [5, 3, 0.03, 19_000],
            [1, 1, 0.1, -77],
            [2, 6, 0.01, 12],
            [1, 13, 0.02, 3],
          ];
          for (const [members, cells, missing, firstDay] of casesOf(fields, [1, 2, 3])) {
            const field = seededField({ type, order, days: 61, members, cells, missing, firstDay });
            for (const partial of [false, true]) expectTwins(field, text, partial, [...VALUES, ...EXCESS]);
          }
        });
      }
      for (const [what, text] of Object.entries(SHORT_KINDS)) {
        it(`is what its twin says to the last bit where windows are short: ${what}, ${type}, ${order}`, () => {
          const fields = [
            [5, 3, 0.03],
            [1, 1, 0],
            [2, 16, 0.01],
            [1, 37, 0.02],
          ];
          for (const [members, cells, missing] of casesOf(fields, [0, 2])) {
            expectTwins(seededField({ type, order, days: 83, members, cells, missing }), text, false, COUNTS);
          }
        });
      }
    }
  }

  function expectTwins(field: EnsembleField, text: string, partial: boolean, values: readonly WindowValue[]): void {
    const { type, order, cells, firstDay, days: fieldDays } = field;
    const round = type === 'float32' ? Math.fround : undefined;
    const windows = windowsOf(text).table(firstDay + 1, firstDay + fieldDays - 2, { partial });
    for (const value of values) {
      const shift = windows.firstDay - firstDay;
      const expected = field.members.map((member) =>
        Array.from({ length: cells * windows.count }, (_, lane) => {
          const isSeries = order === 'day-fastest';
          const cell = isSeries ? Math.floor(lane / windows.count) : lane % cells;
          const w = isSeries ? lane % windows.count : Math.floor(lane / cells);
          const days = Array.from({ length: windows.days[w] }, (__, d) => {
            const day = shift + windows.first[w] + d;
            return member.value(isSeries ? cell * fieldDays + day : day * cells + cell);
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

  for (const type of ['float32', 'float64'] as const) {
    for (const order of ['day-fastest', 'cell-fastest'] as const) {
      it(`is the same where members are more than caches hold, and read ahead: ${type}, ${order}`, () => {
        const field = seededField({ type, order, days: 40, members: 5, cells: 70, missing: 0.01 });
        const mark = core.memory.mark();
        const far = placed(core, field, 9 * 2 ** 20);
        for (const text of ['weekly', 'monthly', 'all', 'rolling 7']) {
          const windows = windowsOf(text).table(field.firstDay, field.firstDay + 39, { partial: true });
          for (const value of VALUES) {
            const [found, expected] = [far, field].map((each) =>
              computeMemberWindows(core, each, windows, value).map((x) => Array.from(x, bits)),
            );
            expect(found, `${text}, ${value}`).toEqual(expected);
          }
        }
        core.memory.release(mark);
      });
    }
  }

  it.each(['day-fastest', 'cell-fastest'] as const)('ties with a limit near zero, of float32, too: %s', (order) => {
    const [days, cells] = [14, 9];
    const near = [0, 5e-13, -5e-13, 2e-12, -2e-12, 1, -1, 0.25];
    const values = Float32Array.from({ length: days * cells }, (_, i) => near[(i * 5) % 8]);
    const field = {
      ...seededField({ type: 'float32', order, days, members: 1, cells }),
      members: [new MemberColumn('', [{ values }])],
    };
    const conditions = ['>0', '>=0', '<0', '<=0', '>0.0000000000001', '<0.0000000000001', '>0.00001', '<-0.00001'];
    for (const text of ['weekly', 'days 2-3', 'all']) expectTwins(field, text, true, conditions.map(excess));
  });

  it('holds extremes and counts of any number of weeks and members of float64, where days are missing, infinite or a zero', () => {
    const random = seeded(431);
    const counts = [daysThat('>0'), longestSpell('<=0'), spells('>0', 2), firstDayThat('>=5')];
    const rules = ['min', 'max', 'range', ...counts] as const;
    for (let weeks = 1; weeks <= 5; weeks++) {
      for (let members = 1; members <= 9; members++) {
        const [days, cells] = [7 * weeks + 3, 2];
        const text = `days ${Array.from({ length: weeks }, (_, w) => `${7 * w + 2}-${7 * w + 8}`)}`;
        // Members that hold only zeros of both signs and a few other values, of one sign: then zeros are the extremes.
        const values = Array.from({ length: members }, (_, m) =>
          Float64Array.from({ length: days * cells }, () => {
            const at = random();
            if (at < 0.02) return Number.NaN;
            return m % 3 === 2 ? 20 * random() - 8 : at < 0.5 ? -0 : at < 0.8 ? 0 : m % 3 === 0 ? random() : -random();
          }),
        );
        const fieldOf = (order: 'day-fastest' | 'cell-fastest', from = values) => ({
          ...seededField({ type: 'float64', order, days, cells, members: 1 }),
          members: from.map((each) => {
            const turned = each.map((_, i) => each[(i % cells) * days + Math.floor(i / cells)]);
            return new MemberColumn('', [{ values: order === 'day-fastest' ? each : turned }]);
          }),
        });
        const field = fieldOf('day-fastest');
        expectTwins(field, text, true, rules);
        const table = windowsOf(text).table(field.firstDay, field.firstDay + days - 1);
        for (const rule of rules) {
          const found = computeMemberWindows(core, field, table, rule);
          const other = computeMemberWindows(core, fieldOf('cell-fastest'), table, rule);
          const turned = other.map((row) => row.map((_, i) => row[(i % weeks) * cells + Math.floor(i / weeks)]));
          expect(found, `${rule}`).toEqual(turned);
          expect(found.every((row) => row.every((x) => !Object.is(x, -0)))).toBe(true);
        }
        const day = 1 + ((7 * members + weeks) % (7 * weeks));
        const spoilt = values.map((each, m) =>
          each.map((x, i) => (m === members - 1 && i === days + day ? (weeks % 2 ? 1 : -1) / 0 : x)),
        );
        for (const rule of rules) {
          expect(() => computeMemberWindows(core, fieldOf('day-fastest', spoilt), table, rule)).toThrow(/infinite/);
        }
      }
    }
  });

  it.each(['day-fastest', 'cell-fastest'] as const)(
    'is the exact excess, rounded once, of float32 of any size: %s',
    (order) => {
      const [days, cells, limits] = [31, 21, [300, 0.25, -41.5, 0, 2 ** -20, -(2 ** -15)]] as const;
      const random = seeded(43);
      const sizes = Array.from({ length: days * cells }, () =>
        Math.fround((random() - 0.5) * 2 ** (60 * random() - 40)),
      );
      for (const limit of limits) {
        // Values of all sizes, and values near the limit.
        const values = Float32Array.from(sizes, (x, i) => (i % 3 === 0 ? x : limit + x / 2 ** 20));
        const members = [new MemberColumn('', [{ values }])];
        const field = { ...seededField({ type: 'float32', order, days, cells }), members };
        const windows = windowsOf('days 1-31').table(field.firstDay, field.firstDay + days - 1);
        for (const [operator, sign] of [
          ['>', 1n],
          ['<', -1n],
        ] as const) {
          const [found] = computeMemberWindows(core, field, windows, excess({ operator, limit }));
          const expected = Array.from({ length: cells }, (_, c) => {
            const exact = Array.from({ length: days }, (__, d) => {
              const x = values[order === 'day-fastest' ? c * days + d : d * cells + c];
              const beyond = sign * (exactOf(x) - exactOf(limit));
              return Math.abs(x - limit) <= 1e-12 * Math.max(1, Math.abs(limit)) || beyond < 0n ? 0n : beyond;
            });
            return roundedToFloat32({ numerator: exact.reduce((sum, x) => sum + x, 0n), denominator: 1n });
          });
          expect(Array.from(found), `${operator}${limit}`).toEqual(expected);
        }
      }
    },
  );

  for (const type of ['float32', 'float64'] as const) {
    it.each(['day-fastest', 'cell-fastest'] as const)(
      `is an error where a day is infinite on either side of an excess's limit: ${type}, %s`,
      (order) => {
        const [days, cells] = [14, 13];
        const field = seededField({ type, order, days, cells, members: 5 });
        const windows = windowsOf('days 1-7,9-12').table(field.firstDay, field.firstDay + days - 1);
        const withInfinite = (member: number, day: number, cell: number, infinite: number) => {
          const values = Float64Array.from({ length: days * cells }, (_, row) => field.members[member].value(row));
          values[order === 'day-fastest' ? cell * days + day : day * cells + cell] = infinite;
          const column = new MemberColumn('', [{ values: type === 'float32' ? new Float32Array(values) : values }]);
          return { ...field, members: field.members.map((each, m) => (m === member ? column : each)) };
        };
        for (const value of EXCESS) {
          for (const day of [0, 3, 4, 5, 6, 11]) {
            for (let member = 0; member < 5; member++) {
              const bad = withInfinite(member, day, (5 * day + member) % cells, day % 2 ? 1 / 0 : -1 / 0);
              const other = withInfinite(member, day, (5 * day + member) % cells, day % 2 ? -1 / 0 : 1 / 0);
              for (const each of [bad, other]) {
                expect(() => computeMemberWindows(core, each, windows, value), `${value}`).toThrow(/infinite/);
              }
            }
          }
        }
      },
    );
  }

  it.each([
    ['day-fastest', '>1'],
    ['cell-fastest', '>1'],
    ['day-fastest', '<1'],
    ['cell-fastest', '<1'],
  ] as const)('is an error where an excess is more than float32 holds: %s, %s', (order, condition) => {
    const field = seededField({
      order,
      days: 14,
      members: 1,
      cells: 9,
      value: () => (condition === '>1' ? 1e38 : -1e38),
    });
    const weeks = windowsOf('weekly').table(field.firstDay, field.firstDay + 13);
    expect(() => computeMemberWindows(core, field, weeks, excess(condition))).toThrow(/float32/);
  });

  it.each(casesOf(['rolling 7', 'rolling 30', 'rolling 45'], [1]))(
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

  it.each(['day-fastest', 'cell-fastest'] as const)(
    'takes time linear in days to find infinite ones, whatever the length of rolling windows: %s',
    (order) => {
      const size = { days: 400, members: 2, cells: 40 };
      // Where nothing is missing, the sums tell that nothing is infinite.
      const field = placed(core, seededField({ type: 'float32', order, missing: 0.2, ...size }));
      const visited = [2, 30, 90].map((length) => {
        let values = 0;
        const anyInfiniteF32: Core['kernels']['anyInfiniteF32'] = (...args) => {
          const [, members, , , runs, count] = args;
          values += members * runs * count;
          return core.kernels.anyInfiniteF32(...args);
        };
        const counting = { ...core, kernels: { ...core.kernels, anyInfiniteF32 } };
        const windows = windowsOf(`rolling ${length}`).table(field.firstDay, field.firstDay + 399);
        combineWindows(counting, field, windows, 'sum');
        return values / (2 * 40 * 400);
      });
      for (const times of visited) expect(times).toBeLessThanOrEqual(2);
      expect(Math.min(...visited)).toBeGreaterThanOrEqual(1);
    },
  );

  for (const [windows, order, cells] of [
    ['weekly', 'day-fastest', 2],
    ['weekly', 'cell-fastest', 17],
    ['rolling 7', 'day-fastest', 2],
  ] as const) {
    for (const [value, infinite] of VALUES.flatMap((value) => [1, -1].map((sign) => [value, sign / 0] as const))) {
      it(`is an error where a day is ${infinite}, ${windows}, ${order}, ${value}`, () => {
        const field = seededField({ type: 'float32', order, days: 35, members: 5, cells });
        const days = windowsOf(windows).table(field.firstDay, field.firstDay + 34);
        const request = {
          quantiles: [0.5],
          quantileType: 7,
          thresholds: [],
          spread: false,
          minMemberShare: 0.5,
        } as const;
        const place = { first: days.first[1], last: days.first[1] + 6 }[`${value}`] ?? days.first[1] + 3;
        const values = Float32Array.from({ length: 35 * cells }, (_, row) => field.members[3].value(row));
        values[order === 'day-fastest' ? 35 + place : place * cells + 1] = infinite;
        const members = field.members.map((member, m) => (m === 3 ? new MemberColumn('', [{ values }]) : member));
        const compute = () => computeStatistics(core, { ...field, members }, days, { ...request, window: value });
        expect(compute).toThrow(/infinite/);
      });
    }
  }
});
