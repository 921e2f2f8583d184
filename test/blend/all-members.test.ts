import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Table } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allMembers } from '../../src/blend/all-members.js';
import { blendFields } from '../../src/blend/blend-fields.js';
import { withFurtherMembers } from '../../src/blend/further-members.js';
import { blend, type Timeline } from '../../src/blend/index.js';
import { climatology } from '../../src/climate/index.js';
import { loadCore } from '../../src/core/load.js';
import { demoTable } from '../../src/demo/index.js';
import { encodeTable, readTable } from '../../src/files/index.js';
import { dayNumber } from '../../src/period/day.js';
import { statistics } from '../../src/statistics/statistics.js';
import { locationRows, wideTable } from '../../src/table/build/wide-table.js';
import { hasPython, python } from '../reference/foreign-programs.js';
import { horizonsExamples } from './horizons.js';

const core = await loadCore();

const START = dayNumber(2026, 3, 2);
const CITIES = [
  { latitude: 52.5, longitude: 13.4 },
  { latitude: 40.7, longitude: -74 },
  { latitude: -33.9, longitude: 151.2 },
];
const SPANS = [
  { days: 15, members: 11, seed: 2, horizon: 'short-term' },
  { days: 46, members: 51, seed: 3, horizon: 'subseasonal' },
  { days: 100, members: 25, seed: 1, horizon: 'seasonal' },
] as const;
const horizonsOf = (slug: 'temp_mean' | 'precipitation', locations?: typeof CITIES) =>
  SPANS.map((span) => demoTable(slug, { initDate: START, ...span, locations }));

type Row = Record<string, number | string | null>;
const rowsOf = (table: Table) => [...table].map((row) => row?.toJSON() as Row);

/** The days of a timeline of such horizons that are of one alone: leads 0 to 11, 15 to 34, 42 to 99. */
const ALONE: Readonly<Record<string, readonly [number, number]>> = {
  'short-term': [0, 11],
  subseasonal: [15, 34],
  seasonal: [42, 99],
};
const isAlone = ({ start, end }: Row, name: string) => {
  const [first, last] = ALONE[name].map((lead) => (START + lead) * 86_400_000);
  return Number(start) >= first && Number(end) <= last;
};

describe('the statistics of all members', () => {
  const tables = horizonsOf('precipitation', CITIES);
  const timeline = blend(core, tables);

  it.each(['daily', 'weekly', 'monthly'] as const)(
    'of %s windows are those of their horizon, else of the timeline',
    (granularity) => {
      const options = { granularity, thresholds: ['>5'], spread: true };
      const found = rowsOf(statistics(core, allMembers(timeline), options));
      const blended = rowsOf(statistics(core, timeline, options));
      const own = tables.map((table) => rowsOf(statistics(core, table, options)));
      expect(found.length).toBe(blended.length);
      const seen = new Map<unknown, number>();
      for (const [i, { horizon, ...row }] of found.entries()) {
        const h = SPANS.findIndex((span) => isAlone(row, span.horizon));
        seen.set(horizon, (seen.get(horizon) ?? 0) + 1);
        expect([row.period, horizon]).toEqual([row.period, SPANS[h]?.horizon ?? 'blended']);
        if (h < 1) {
          expect(row).toEqual(blended[i]);
          continue;
        }
        const isSame = (other: Row) => (['latitude', 'period'] as const).every((name) => other[name] === row[name]);
        const { mean, spread, ...exact } = own[h].find(isSame) as Row;
        expect(row).toMatchObject(exact);
        // The order of members decides the last bit of sums.
        for (const [name, value] of Object.entries({ mean, spread }))
          expect(Math.abs(Number(row[name]) - Number(value))).toBeLessThanOrEqual(2 ** -22 * Math.abs(Number(value)));
      }
      expect([...seen.keys()].toSorted()).toEqual(
        granularity === 'monthly' ? ['blended', 'seasonal'] : ['blended', 'seasonal', 'short-term', 'subseasonal'],
      );
    },
  );

  it('are those of its table, also when it was written to a file', async () => {
    const options = { granularity: 'weekly' } as const;
    const all = allMembers(timeline);
    const expected = rowsOf(statistics(core, all, options));
    for (const format of ['arrow', 'parquet'] as const) {
      const table = await readTable(await encodeTable(all.table, format));
      expect(rowsOf(statistics(core, allMembers(table), options))).toEqual(expected);
    }
  });

  it('are null where fewer members of the horizon are valid than requested, and only there', () => {
    const slug = 'temp_mean';
    const [short, sub, seasonal] = horizonsOf(slug);
    // 41 of 51 members are 80.4 %, 40 are not 80 %: on a day of the first week of April 40 are there, else 41.
    const rows = locationRows(Float64Array.of(37.3), Float64Array.of(-79.84), { firstDay: START, days: 46 });
    const members = Array.from({ length: 51 }, (_, m) => {
      const values = Float32Array.from(sub.getChild(`member_${String(m).padStart(2, '0')}`) as Iterable<number>);
      if (m < 10) values.fill(Number.NaN, 15);
      if (m === 10) values[31] = Number.NaN;
      return values;
    });
    const few = wideTable({ ...rows, members }, sub.schema.metadata);
    const all = allMembers(blend(core, [short, few, seasonal], { method: 'splice' }));
    const options = { granularity: 'weekly', thresholds: ['>5'], quantiles: [0.5] } as const;
    const row = (share: number | undefined, period: string) =>
      rowsOf(statistics(core, all, { ...options, minMemberShare: share })).find((one) => one.period === period);
    expect(row(undefined, '2026-W13')).toMatchObject({
      horizon: 'subseasonal',
      n_members: 41,
      mean: expect.any(Number),
    });
    const none = { mean: null, q50: null, p_gt_5: null };
    expect(row(undefined, '2026-W14')).toMatchObject({ horizon: 'subseasonal', n_members: 40, ...none });
    expect(row(0.78, '2026-W14')).toMatchObject({ n_members: 40, q50: expect.any(Number) });
    expect(row(0.81, '2026-W13')).toMatchObject({ n_members: 41, ...none });
    expect(row(1, '2026-W10')).toMatchObject({ horizon: 'short-term', n_members: 11, q50: expect.any(Number) });
    expect(() => row(2, '2026-W10')).toThrow('minMemberShare');
  });

  it('are compared with a climatology, whose terciles all members are counted in', () => {
    const [first] = CITIES;
    const history = demoTable('precipitation', {
      initDate: 8401,
      days: 10_957,
      members: 1,
      seed: 4,
      locations: [first],
    });
    const weeks = climatology(core, history, { granularity: 'weekly' });
    const own = horizonsOf('precipitation', [first]);
    const found = rowsOf(statistics(core, allMembers(blend(core, own)), { climatology: weeks, anomaly: true }));
    const compared = rowsOf(statistics(core, own[1], { climatology: weeks, anomaly: true }));
    const rows = found.filter(({ horizon }) => horizon === 'subseasonal');
    expect(rows.length).toBe(2);
    for (const row of rows) {
      const { n_members, p_below, p_normal, p_above } = compared.find(({ period }) => period === row.period) as Row;
      expect(row).toMatchObject({ n_members, p_below, p_normal, p_above });
      expect(n_members).toBe(51);
    }
  });

  it('of partial windows count only the days that are there', () => {
    const options = { granularity: 'weekly', partial: true, startDate: '2026-03-18', endDate: '2026-04-03' } as const;
    const rows = rowsOf(statistics(core, allMembers(timeline), options)).slice(0, 3);
    expect(rows.map(({ period, horizon, n_days, n_members }) => [period, horizon, n_days, n_members])).toEqual([
      ['2026-W12', 'subseasonal', 5, 51],
      ['2026-W13', 'subseasonal', 7, 51],
      ['2026-W14', 'subseasonal', 5, 51],
    ]);
  });
});

describe('a timeline with all members', () => {
  it('has on each day of one horizon alone all its members once, else the trajectories, at each place', () => {
    const examples = horizonsExamples({ method: fc.constantFrom('field', 'splice'), missing: fc.constant(0) });
    fc.assert(
      fc.property(examples, ({ horizons, options }) => {
        const { field, pairing } = blendFields(core, horizons, options);
        const all = withFurtherMembers(field, 0, horizons, pairing);
        const { members: count, seams, firstDay } = pairing;
        const values = (columns: typeof field.members, row: number) =>
          // Zeros of either sign are in any order.
          columns.map((column) => column.value(row) + 0).filter((value) => !Number.isNaN(value));
        for (let row = 0; row < field.cells * field.days; row++) {
          const cell = Math.floor(row / field.days);
          const day = firstDay + (row % field.days);
          const h = horizons.findIndex(
            (_, i) => (i === 0 || day >= seams[i - 1].complete) && (i === seams.length || day < seams[i].handOver),
          );
          const own = horizons[h]?.field;
          const isThere =
            own && day >= own.firstDay && day <= Math.min(own.firstDay + own.days - 1, pairing.horizons[h].lastDay);
          const isLarger = h > 0 && isThere && own.members.length > count;
          const expected = isLarger
            ? values(own.members, cell * own.days + day - own.firstDay)
            : values(field.members, row);
          const order = (list: number[]) => list.toSorted((a, b) => a - b);
          expect(order(values(all.members, row))).toEqual(order(expected));
          expect(values(all.members.slice(0, count), row)).toEqual(values(field.members, row));
        }
      }),
      { numRuns: 40 },
    );
  });

  it('states its trajectories, members and horizons', () => {
    const { table } = allMembers(blend(core, horizonsOf('temp_mean')));
    const { fields, metadata } = table.schema;
    expect(fields.length).toBe(3 + 51);
    expect([metadata.get('trajectories'), JSON.parse(metadata.get('member_names') ?? '').length]).toEqual(['11', 51]);
    expect(JSON.parse(metadata.get('horizons') ?? '').map(({ members }: { members: number }) => members)).toEqual([
      11, 51, 25,
    ]);
    expect(table.getChild('member_50')?.get(14)).toBe(null);
    expect(table.getChild('member_50')?.get(15)).toEqual(expect.any(Number));
  });

  it('is of one horizon what that is', () => {
    const [short] = horizonsOf('temp_mean');
    const found = rowsOf(statistics(core, allMembers(blend(core, [short]))));
    expect(found.map(({ horizon, ...row }) => row)).toEqual(rowsOf(statistics(core, blend(core, [short]))));
    expect(new Set(found.map(({ horizon }) => horizon))).toEqual(new Set(['short-term']));
  });

  it('is not made of other data, or by cell', () => {
    const tables = horizonsOf('temp_mean', CITIES);
    const broken = allMembers(blend(core, tables)).table;
    const changed = (name: string, value: string) => {
      broken.schema.metadata.set(name, value);
      return broken;
    };
    for (const [data, message] of [
      [tables[0], 'timeline'],
      [{}, 'table'],
      [blend(core, tables, { method: 'cell' }), 'cannot have all members'],
      [changed('horizons', '[]'), 'do not state the horizons'],
      [changed('horizons', 'none'), 'do not state the horizons'],
    ] as const) {
      expect(() => allMembers(data as Timeline)).toThrow(message);
    }
  });
});

const DATA = process.env.PLUMECAST_REFERENCE_DATA;

describe.skipIf(DATA === undefined || !hasPython('numpy'))(
  'of GEFS, 11 of 31 members for 15 days and then all of them',
  () => {
    it.each([
      ['t2m_degC', 'temp_mean'],
      ['precip_mm', 'precipitation'],
    ])('%s has the quantiles of numpy over 31 members', async (name, variable) => {
      const path = join(DATA ?? '', 'gefs-fcre-2022', `${name}_members_daily.csv`);
      const lines = readFileSync(path, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => line.split(','));
      const csv = (days: number, members: number) =>
        lines
          .slice(0, days + 1)
          .map((cells) => cells.slice(0, members + 1).join())
          .join('\n');
      const tables = await Promise.all(
        [csv(15, 11), csv(35, 31)].map((text) => readTable(new TextEncoder().encode(text))),
      );
      const timeline = blend(core, tables, { variable, names: ['short-term', 'subseasonal'] } as never);
      const found = rowsOf(
        statistics(core, allMembers(timeline), {
          granularity: 'weekly',
          quantiles: [0.05, 1 / 3, 0.5, 2 / 3, 0.95].map((q) => Number(q.toFixed(6))),
        }),
      );
      const windows = found.filter(({ horizon }) => horizon === 'subseasonal');
      expect(windows.map(({ period, n_members }) => [period, n_members])).toEqual([
        ['2022-W42', 31],
        ['2022-W43', 31],
      ]);
      const starts = windows.map(({ start }) => new Date(Number(start)).toISOString().slice(0, 10));
      const numpy = JSON.parse(
        python(
          `
import csv, json, sys
import numpy as np
path, rule, *starts = sys.argv[1:]
with open(path) as file:
    rows = list(csv.reader(file))
dates = [row[0] for row in rows[1:]]
values = np.array([row[1:] for row in rows[1:]], float)
out = []
for start in starts:
    at = dates.index(start)
    window = getattr(values[at:at + 7], rule)(axis=0)
    out.append([window.mean(), *np.quantile(window, [0.05, 0.333333, 0.5, 0.666667, 0.95])])
print(json.dumps(out))
`,
          { args: [path, variable === 'precipitation' ? 'sum' : 'mean', ...starts] },
        ),
      );
      for (const [w, expected] of numpy.entries()) {
        const { mean, ...row } = windows[w];
        const quantiles = Object.entries(row).flatMap(([key, value]) => (/^q\d/.test(key) ? [Number(value)] : []));
        for (const [i, value] of [Number(mean), ...quantiles].entries())
          expect(Math.abs(value - expected[i])).toBeLessThan(1e-9);
      }
    });
  },
);
