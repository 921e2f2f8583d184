import { type Field, tableFromIPC } from 'apache-arrow';
import { beforeAll, expect } from 'vitest';
import { climatologyTable, climatology as computeClimatology } from '../../src/climate/index.js';
import type { ConditionLimit } from '../../src/condition/condition.js';
import { parseCondition } from '../../src/condition/parse-condition.js';
import { loadCore } from '../../src/core/load.js';
import { memoryDataset, type Snapshot } from '../../src/service/source/index.js';
import { readStatistic } from '../../src/statistics/result-column.js';
import { wideTable } from '../../src/table/build/wide-table.js';
import { shareOver } from '../reference/conditions.js';
import { expectRounded } from './expect-rounded.js';
import { section, test } from './section.js';
import { AT, AT_FINE, type Body, conformanceService, createService, FINE_KEY, type Service, TODAY } from './service.js';
import { samplesOf } from './slow-climatology.js';
import { completeWindows, memberWindows, quantile } from './slow-statistics.js';
import { tinyForecast, tinyService } from './tiny-service.js';

let service: Service;
beforeAll(async () => {
  service = await conformanceService();
});

const PATH = `/v2/forecast/statistics?${AT}`;
const ARROW = 'application/vnd.apache.arrow.stream';
/** Days on which the timeline is of the short-term run alone. */
const SHORT = ['2026-03-05', '2026-03-16'] as const;
const RULES = { precipitation: 'sum', temp_mean: 'mean' } as const;
type Slug = keyof typeof RULES;

const thresholds = (...conditions: string[]) => `threshold=${encodeURIComponent(conditions.join())}`;

/** The slow twin's share of the short-term run in a window; quantiles are of the history's samples. */
function slowShare(text: string, key: string, dates: readonly string[]): number {
  const windowsOf = (slug: string) => memberWindows(service.run('short-term', slug), dates, RULES[slug as Slug]);
  const values = Object.fromEntries(Object.keys(RULES).map((slug) => [slug, windowsOf(slug)]));
  const limitOf = (limit: ConditionLimit) => {
    if (typeof limit === 'number') return limit;
    const slug = /temp_mean\S*q/.test(text) ? 'temp_mean' : 'precipitation';
    const samples = samplesOf(service.observed('reanalysis', slug), key.slice(5), RULES[slug]);
    return Math.fround(quantile(samples, limit.quantile));
  };
  return shareOver(parseCondition(text), 31, (m, slug) => values[slug as string][m], limitOf, 25);
}

/** A timeline of several variables at one place, each with its own days. */
function timelineOf(variables: Record<Slug, readonly (readonly number[])[]>): NonNullable<Snapshot['forecast']> {
  const [day] = [Date.parse(TODAY) / 86_400_000];
  const timeline = memoryDataset({
    ...{ revision: 'two', latitude: Float64Array.of(37.25), longitude: Float64Array.of(-80) },
    variables: Object.fromEntries(
      Object.entries(variables).map(([slug, members]) => [
        slug,
        { firstDay: day, days: members[0].length, members: members.length, values: Float32Array.from(members.flat()) },
      ]),
    ),
  });
  return { initTime: `${TODAY}T00:00:00Z`, version: 'two', generation: 'two-1', timeline, horizons: {} };
}

section('Extension: conditions', import.meta.url, {
  one: test('ranges, unions and shares given another of one variable are those counted, by their names', async () => {
    const names = {
      'precipitation 1..8': 'p_1_to_8',
      'precipitation<0.5 or precipitation>=5': 'p_lt_0.5_or_ge_5',
      'precipitation>5 given precipitation>1': 'p_gt_5_given_gt_1',
      'precipitation>q50': 'p_gt_clim_q50',
      'precipitation q25..q90': 'p_clim_q25_to_clim_q90',
    };
    const conditions = Object.keys(names);
    const path = `${PATH}&var=precipitation&${thresholds(...conditions, 'precipitation>2')}&statistics=0.5`;
    const { statistics } = (await service.get(path)).variables.precipitation;
    let between = 0;
    for (const [key, dates] of completeWindows('daily', ...SHORT)) {
      const expected = conditions.map((text) => slowShare(text, key, dates));
      expectRounded(
        Object.values(names).map((name) => statistics[key][name]),
        expected,
        4,
      );
      between += expected.filter((share) => share > 0 && share < 1).length;
    }
    expect(between).toBeGreaterThan(10);
    expect(Object.keys(Object.values(statistics)[0] as object)).toEqual([
      'mean',
      'q50',
      'p_gt_2',
      ...Object.values(names),
    ]);
  }),

  several: [
    test('weekly shares of rain and temperature together are those counted, in the entries of both', async () => {
      const names = {
        'precipitation>5 and temp_mean<6': 'p_precipitation_gt_5_and_temp_mean_lt_6',
        'precipitation>12 or (temp_mean>8 and precipitation<=3)':
          'p_precipitation_gt_12_or_temp_mean_gt_8_and_precipitation_le_3',
        'precipitation given temp_mean 2..7': 'p_precipitation_gt_0_given_temp_mean_2_to_7',
        'precipitation>4 and temp_mean>q75': 'p_precipitation_gt_4_and_temp_mean_gt_clim_q75',
      };
      const path = `${PATH}&var=temp_mean,precipitation&granularity=weekly&${thresholds(...Object.keys(names))}`;
      const { variables } = await service.get(path);
      let between = 0;
      for (const [key, dates] of completeWindows('weekly', ...SHORT)) {
        const expected = Object.keys(names).map((text) => slowShare(text, key, dates));
        between += expected.filter((share) => share > 0 && share < 1).length;
        for (const slug of Object.keys(RULES)) {
          expectRounded(
            Object.values(names).map((name) => variables[slug].statistics[key][name]),
            expected,
            4,
          );
        }
      }
      expect(between).toBeGreaterThan(1);
    }),

    test('days that only one of them has are null; of the others the missing member is left out where it decides', async () => {
      const none = Number.NaN;
      const forecast = timelineOf({
        precipitation: [
          [0, 9, 9],
          [9, 9, 9],
          [9, none, 9],
          [9, 9, 9],
          [0, 9, 9],
        ],
        temp_mean: [
          [none, 1],
          [-1, 1],
          [-1, -1],
          [1, -1],
          [1, 1],
        ],
      });
      const { get } = tinyService({ forecast });
      const { variables } = await get(`${PATH}&${thresholds('precipitation>5 and temp_mean<0')}`);
      const shares = (slug: string) =>
        Object.values<Body>(variables[slug].statistics).map((entry) => entry.p_precipitation_gt_5_and_temp_mean_lt_0);
      // The first member is dry: it fails whatever its temperature is. On the second day the third member is not known.
      expect(shares('precipitation')).toEqual([0.4, 0.25, null]);
      expect(shares('temp_mean')).toEqual([0.4, 0.25]);
    }),
  ],

  tables:
    test('CSV and Arrow have its column in the rows of both variables, and Arrow says the condition', async () => {
      const path = `${PATH}&var=temp_mean,precipitation,temp_max&statistics=0.5&granularity=weekly&${thresholds('precipitation>5 and temp_mean<6')}`;
      const csv = await (await service.request(path, { Accept: 'text/csv' })).text();
      const [head, ...rows] = csv
        .trimEnd()
        .split('\n')
        .map((row) => row.split(','));
      expect(head.at(-1)).toBe('p_precipitation_gt_5_and_temp_mean_lt_6');
      const cells = (slug: string) => rows.filter(([variable]) => variable === slug).map((row) => row.at(-1));
      expect(cells('temp_mean')).toEqual(cells('precipitation'));
      expect(cells('temp_mean')[0]).toMatch(/^[01]/);
      expect(new Set(cells('temp_max'))).toEqual(new Set(['']));
      const bytes = new Uint8Array(await (await service.request(path, { Accept: ARROW })).arrayBuffer());
      expect(readStatistic(tableFromIPC(bytes).schema.fields.at(-1) as Field)).toMatchObject({
        kind: 'condition',
        condition: 'precipitation>5 and temp_mean<6',
      });
    }),

  members: test('with members=all those of one variable are of all members, several variables a 400', async () => {
    const path = `${PATH}&var=precipitation,temp_mean&granularity=weekly&members=all`;
    const { variables } = await service.get(`${path}&${thresholds('precipitation 5..20')}`);
    const windows = completeWindows('weekly', '2026-04-16', '2026-10-05');
    expect(windows.size).toBeGreaterThan(20);
    for (const [key, dates] of windows) {
      const members = memberWindows(service.run('seasonal', 'precipitation'), dates, 'sum');
      expect(members).toHaveLength(51);
      const share = members.filter((amount) => amount >= 5 && amount <= 20).length / 51;
      expectRounded([variables.precipitation.statistics[key].p_5_to_20], [share], 4);
    }
    const { errors } = await service.problem(400, `${path}&${thresholds('precipitation>5 and temp_mean<0')}`);
    expect(errors).toMatchObject([
      { parameter: 'threshold', allowed: 'conditions on one variable each, or members=blended' },
    ]);
  }),

  climatology: [
    test('quantiles are those of the coarse history, whose years are stated; a supplied one must have them', async () => {
      const path = `/v2/forecast/statistics?${AT_FINE}&var=temp_mean&granularity=weekly`;
      expect((await service.get(`${path}&${thresholds('temp_mean>5')}`, FINE_KEY)).variables.temp_mean.downscaled).toBe(
        true,
      );
      const compared = await service.get(`${path}&${thresholds('temp_mean<=q10')}`, FINE_KEY);
      expect(compared).toMatchObject({ reference_period: '1993-2022', tercile_reference: 'observations' });
      expect(compared.variables.temp_mean.downscaled).toBe(false);

      const days = 11_000;
      const table = wideTable(
        {
          latitude: new Float64Array(days).fill(37.25),
          longitude: new Float64Array(days).fill(-80),
          date: Int32Array.from({ length: days }, (_, day) => 11_323 + day),
          members: [new Float64Array(days).fill(4)],
        },
        new Map([['variable', 'precipitation']]),
      );
      const options = { granularity: 'weekly', reference: '2001-2030', quantiles: [0.1, 0.9] } as const;
      const normal = climatologyTable(computeClimatology(await loadCore(), table, options));
      const forecast = tinyForecast(
        'precipitation',
        [2, 4, 5].map((value) => new Array(14).fill(value)),
      );
      const { get, problem } = tinyService({ forecast, climatology: () => normal });
      const body = await get(`${PATH}&granularity=weekly&${thresholds('precipitation>=q90')}`);
      expect([body.reference_period, body.variables.precipitation.statistics['2026-W11'].p_ge_clim_q90]).toEqual([
        '2001-2030',
        0.6667,
      ]);
      const { errors } = await problem(400, `${PATH}&granularity=weekly&${thresholds('precipitation>q50')}`);
      expect(errors).toMatchObject([{ parameter: 'threshold', received: 'precipitation>q50', allowed: 'q10, q90' }]);
    }),

    test('without a history of the variable it is a 503 that names it', async () => {
      const { problem } = createService({ source: { snapshot: () => ({ forecast: service.data.forecast }) } });
      const { code, detail } = await problem(503, `${PATH}&${thresholds('precipitation>1 and temp_mean>q90')}`);
      expect([code, detail]).toEqual(['climatology-unavailable', expect.stringContaining('temp_mean')]);
    }),
  ],

  faults:
    test('what is no condition is a 400 that says at which character, so is a variable that is not there', async () => {
      for (const [text, detail, allowed, received = text] of [
        ['precipitation>5 and', 'expected a condition at character 20', 'a comparison such as'],
        ['precipitation>5 and <9', 'names no variable', 'a variable in each comparison'],
        ['precipitation>5 or rain>2', 'is not known', 'such as precipitation>20', 'rain'],
      ]) {
        const { errors } = await service.problem(400, `${PATH}&${thresholds(text)}`);
        expect(errors).toMatchObject([
          { detail: expect.stringContaining(detail), received, allowed: expect.stringContaining(allowed) },
        ]);
      }
      const left = await service.problem(400, `${PATH}&var=temp_mean&${thresholds('temp_mean>1 or precipitation>5')}`);
      expect(left.errors).toMatchObject([
        {
          detail: expect.stringContaining('var leaves out'),
          allowed: 'conditions on temp_mean; or var=temp_mean,precipitation',
        },
      ]);
      const { problem } = tinyService({ forecast: tinyForecast('precipitation', [[1]]) });
      const { errors } = await problem(400, `${PATH}&${thresholds('precipitation>1 or temp_mean>5')}`);
      expect(errors).toMatchObject([{ allowed: 'conditions on precipitation' }]);
      const different = timelineOf({ precipitation: [[1], [2]], temp_mean: [[1], [2], [3]] });
      const other = await tinyService({ forecast: different }).problem(
        400,
        `${PATH}&${thresholds('precipitation>1 or temp_mean>5')}`,
      );
      expect(other.errors[0].detail).toContain('2 of precipitation, 3 of temp_mean');
    }),
});
