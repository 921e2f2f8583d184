import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableFromArrays } from 'apache-arrow';
import { beforeAll, expect } from 'vitest';
import { blend } from '../../src/blend/index.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { demoTables } from '../../src/demo/index.js';
import { statistics } from '../../src/index.js';
import { zarrSource } from '../../src/service/archive/index.js';
import { ingestForecast } from '../../src/service/ingest/index.js';
import { dailyTable } from '../../src/table/daily/index.js';
import { findVariable } from '../../src/variable/index.js';
import { plumecastHere } from '../cli/run-here.js';
import { zarrFixture } from '../files/zarr/zarr-fixture.js';
import { partArrays } from '../service/archive/weather-archive.js';
import { filesOf, RecordingWriter } from '../service/ingest/recording-writer.js';
import { temporaryFolder } from '../service/source/temporary-folder.js';
import { expectRounded } from './expect-rounded.js';
import { section, test } from './section.js';
import { AT, type Body, conformanceService, MISSING, type Service } from './service.js';
import { addDays, completeWindows, datesFrom, memberWindows } from './slow-statistics.js';
import { tinyDataset, tinyForecast, tinyService } from './tiny-service.js';

let service: Service;
let core: Core;
beforeAll(async () => {
  core = await loadCore();
  service = await conformanceService();
});

const legacy = (path: string, query = '') => service.get(`/v1/${path}?${AT}&${query}`);
const datesOf = ({ data }: Body): string[] => data.map(({ date }: Body) => date);
const membersOf = async (query: string) =>
  (await service.get(`/v2/forecast?${AT}&var=temp_mean&${query}`)).variables.temp_mean.members;
const historyOf = async (query: string) =>
  (await service.get(`/v2/history?${AT}&var=temp_mean&${query}`)).data.temp_mean.values;

/** The values of a date, smallest first. */
const sorted = (values: readonly number[]) => [...values].sort((a, b) => a - b);

/** Six-hourly rain in mm, `amount(step)` at the end of each step. */
function sixHourly(days: number, amounts: readonly ((step: number) => number)[]) {
  const time = Array.from({ length: 4 * days }, (_, step) =>
    new Date(Date.UTC(2026, 2, 2, 6 * (step + 1))).toISOString(),
  );
  const members = amounts.map((amount, m) => [`member_0${m}`, time.map((_, step) => amount(step))] as const);
  return tableFromArrays({
    time,
    ...Object.fromEntries(members.map(([name, values]) => [name, Float64Array.from(values)])),
  });
}

const SHOWERS = [1, 0, 2, 0.5, 0, 0, 3, 1, 0, 4, 0, 0, 1, 1, 0, 2, 0, 3, 0, 0];
/** Twenty days of rain in steps of six hours. */
const RAIN = Array.from({ length: 80 }, (_, step) => SHOWERS[(3 * step + (step >> 4)) % SHOWERS.length]);
const totalTo = (step: number, from = 0) => RAIN.slice(from, step + 1).reduce((sum, amount) => sum + amount, 0);

section('Days, horizons, periods', import.meta.url, {
  utc: test('days are those of UTC: none is skipped or doubled where summer time begins or ends', async () => {
    // Europe began summer time on 29 March 2026: no day is left out, none comes twice.
    const dates = Object.keys(await membersOf('start_date=2026-03-27&end_date=2026-03-31'));
    expect(dates).toEqual(['2026-03-27', '2026-03-28', '2026-03-29', '2026-03-30', '2026-03-31']);
    expect(Object.keys(await historyOf('start_date=2020-10-24&end_date=2020-10-26'))).toHaveLength(3);
  }),

  lead0: test('lead 0 is the day after a run of noon, and init_time is that noon', async () => {
    // The run was issued at noon of 4 March, and its files have that day, too.
    const { init_time, period } = await service.get(`/v2/forecast?${AT}&var=temp_mean`);
    expect([init_time, period.start_date]).toEqual(['2026-03-04T12:00:00Z', '2026-03-05']);
    expect(datesOf(await legacy('forecast/short-term'))[0]).toBe('2026-03-05');
  }),

  later: test('each horizon keeps its init_time; a date of the timeline is that date of the run', async () => {
    const initTimes = ['short-term', 'subseasonal', 'seasonal'].map((horizon) => legacy(`forecast/${horizon}`));
    expect((await Promise.all(initTimes)).map(({ meta }) => meta.init_time)).toEqual([
      ...['2026-03-04T12:00:00Z', '2026-03-03T00:00:00Z', '2026-03-01T00:00:00Z'],
    ]);
    // A day of the timeline is that day of the later run, although its lead is another.
    const date = '2026-04-01';
    const members = await membersOf(`start_date=${date}&end_date=${date}`);
    expectRounded(
      sorted(members[date]),
      sorted(memberWindows(service.run('subseasonal', 'temp_mean'), [date], 'mean')),
    );
  }),

  legacyLeads: test('each legacy horizon counts its leads from its own first complete day', async () => {
    const first = async (horizon: string) => datesOf(await legacy(`forecast/${horizon}`, 'var=temp_mean'))[0];
    expect(await first('short-term')).toBe('2026-03-05');
    expect(await first('subseasonal')).toBe(addDays('2026-03-03', 7));
    expect(await first('seasonal')).toBe(addDays('2026-03-01', 30));
  }),

  spans: test('the timeline has leads 0 to 214, of each horizon alone outside of the overlaps', async () => {
    const members = await membersOf('');
    const dates = Object.keys(members);
    expect(dates).toEqual(datesFrom('2026-03-05', addDays('2026-03-05', 214)));
    const isOf = (horizon: 'short-term' | 'subseasonal' | 'seasonal', date: string) => {
      const values = memberWindows(service.run(horizon, 'temp_mean'), [date], 'mean').map((value) => value.toFixed(2));
      return members[date].filter((value: number) => values.includes(value.toFixed(2))).length;
    };
    // Chance agreement of two decimals aside, members are of one run alone outside the overlaps.
    expect([isOf('short-term', addDays('2026-03-05', 11)), isOf('subseasonal', addDays('2026-03-05', 34))]).toEqual([
      31, 31,
    ]);
    expect(isOf('short-term', addDays('2026-03-05', 14))).toBeGreaterThan(3);
    expect(isOf('subseasonal', addDays('2026-03-05', 15))).toBe(31);
    expect(isOf('subseasonal', addDays('2026-03-05', 41))).toBeGreaterThan(1);
    expect(isOf('seasonal', addDays('2026-03-05', 42))).toBe(31);
    expect(isOf('seasonal', addDays('2026-03-05', 214))).toBe(31);
  }),

  forecastDefaults: test('by default a range begins and ends with the timeline', async () => {
    const ends = async (query: string) => Object.keys(await membersOf(query));
    expect((await ends('end_date=2026-03-07'))[0]).toBe('2026-03-05');
    expect((await ends('start_date=2026-10-01')).at(-1)).toBe('2026-10-05');
  }),

  historyDefaults: test('366 days to end_date or to the last day, in 1995 at the earliest', async () => {
    expect(Object.keys(await historyOf(''))).toEqual(datesFrom('2025-03-04', '2026-03-04'));
    expect(service.observed('reanalysis', 'temp_mean').first).toBe('1993-01-01');
    const [first] = Object.keys(await historyOf('start_date=1993-01-01&end_date=1995-02-01'));
    expect(first).toBe('1995-01-01');
    // The default is counted back from the last day requested.
    expect(Object.keys(await historyOf('end_date=2020-12-31'))).toEqual(datesFrom('2020-01-01', '2020-12-31'));
  }),

  inclusive: test('a range from a day to itself has that day; a range of seven days has its week', async () => {
    const one = 'start_date=2026-03-10&end_date=2026-03-10';
    expect(Object.keys(await membersOf(one))).toEqual(['2026-03-10']);
    expect(Object.keys(await historyOf('start_date=2026-03-01&end_date=2026-03-01'))).toEqual(['2026-03-01']);
    const week = 'granularity=weekly&start_date=2026-02-16&end_date=2026-02-22';
    expect(Object.keys(await historyOf(week))).toEqual(['2026-W08']);
  }),

  wrongDates: test('a start after the end, or a date that does not exist, is one fault in a 400', async () => {
    for (const path of ['/v2/forecast', '/v2/forecast/statistics', '/v2/history']) {
      for (const range of [
        'start_date=2026-03-11&end_date=2026-03-10',
        'end_date=2026-02-29',
        'start_date=2026-04-31',
      ]) {
        const { errors } = await service.problem(400, `${path}?${AT}&${range}`);
        expect(errors).toHaveLength(1);
      }
    }
  }),

  outside: test('a range partly outside of the data is cut to them; one wholly outside is an empty map', async () => {
    expect(Object.keys(await membersOf('start_date=2025-01-01&end_date=2026-03-06'))).toHaveLength(2);
    expect(Object.keys(await historyOf('start_date=2026-03-01&end_date=2030-01-01'))).toHaveLength(4);
    expect(await membersOf('start_date=2030-01-01')).toEqual({});
    expect(await historyOf('end_date=1994-12-31')).toEqual({});
    expect(await historyOf('start_date=2026-03-05')).toEqual({});
    const { variables } = await service.get(`/v2/forecast/statistics?${AT}&var=temp_mean&end_date=2026-03-04`);
    expect(variables.temp_mean.statistics).toEqual({});
  }),

  period: test('period gives the days used, or null where there are none', async () => {
    const cut = 'start_date=2020-01-01&end_date=2026-03-20';
    for (const path of ['/v2/forecast', '/v2/forecast/statistics']) {
      const { period } = await service.get(`${path}?${AT}&${cut}`);
      expect(period).toEqual({ start_date: '2026-03-05', end_date: '2026-03-20' });
      expect((await service.get(`${path}?${AT}&start_date=2030-01-01`)).period).toBeNull();
    }
    const { meta } = await service.get(`/v2/history?${AT}&${cut}`);
    expect(meta.period).toEqual({ start_date: '2020-01-01', end_date: '2026-03-04' });
    expect((await service.get(`/v2/history?${AT}&end_date=1990-01-01`)).meta.period).toBeNull();
  }),

  isoWeeks: test('weeks begin on Monday; 2020-W01 and 2020-W53 are the means of their seven days', async () => {
    const range = ['2019-12-20', '2021-01-20'] as const;
    const values = await historyOf(`granularity=weekly&start_date=${range[0]}&end_date=${range[1]}`);
    expect(Object.keys(values)).toEqual([...completeWindows('weekly', ...range).keys()]);
    expect(Object.keys(values)).toEqual(expect.arrayContaining(['2020-W01', '2020-W53', '2021-W01']));
    const series = service.observed('reanalysis', 'temp_mean');
    const [first] = memberWindows(series, datesFrom('2019-12-30', '2020-01-05'), 'mean');
    const [last] = memberWindows(series, datesFrom('2020-12-28', '2021-01-03'), 'mean');
    expectRounded([values['2020-W01'], values['2020-W53']], [first, last]);
  }),

  months: test('months are calendar months, February of 29 days in a leap year', async () => {
    const values = await historyOf('granularity=monthly&start_date=2019-12-01&end_date=2020-03-31');
    expect(Object.keys(values)).toEqual(['2019-12', '2020-01', '2020-02', '2020-03']);
    const series = service.observed('reanalysis', 'temp_mean');
    expectRounded([values['2020-02']], memberWindows(series, datesFrom('2020-02-01', '2020-02-29'), 'mean'));
  }),

  complete: test('a week that the range or the data cut is left out, in history and in statistics', async () => {
    const weeks = async (range: string) => {
      const query = `${AT}&var=temp_mean&granularity=weekly&${range}`;
      const { variables } = await service.get(`/v2/forecast/statistics?${query}`);
      return [
        ...Object.keys(await historyOf(`granularity=weekly&${range}`)),
        ...Object.keys(variables.temp_mean.statistics),
      ];
    };
    // The history ends on 4 March, the timeline begins on the 5th, both inside of W10.
    expect(await weeks('start_date=2026-02-17&end_date=2026-03-22')).toEqual(['2026-W09', '2026-W11', '2026-W12']);
    expect(await weeks('start_date=2026-02-16&end_date=2026-03-21')).toEqual(['2026-W08', '2026-W09', '2026-W11']);
  }),

  partial: test('the library returns partial weeks with `partial`; the endpoints reject that parameter', async () => {
    const { temp_mean } = demoTables({ days: 10, members: 3 });
    const periods = (partial: boolean) =>
      statistics(core, temp_mean, { granularity: 'weekly', partial }).getChild('period')?.toJSON();
    expect([periods(false), periods(true)]).toEqual([['2026-W10'], ['2026-W10', '2026-W11']]);
    for (const path of ['/v2/forecast/statistics', '/v2/history']) {
      const { errors } = await service.problem(400, `${path}?${AT}&partial=true`);
      expect(errors).toMatchObject([{ parameter: 'partial' }]);
    }
  }),

  nulls: test('a day without values has nulls; a day after the last gust has no entry', async () => {
    const missing = await historyOf(`start_date=${addDays(MISSING, -1)}&end_date=${addDays(MISSING, 1)}`);
    expect(missing).toMatchObject({ [MISSING]: null, [addDays(MISSING, 1)]: expect.any(Number) });
    const none = Number.NaN;
    const { get, statistics } = tinyService({
      forecast: tinyForecast('temp_mean', [
        [1, none, 3],
        [1, none, 3],
      ]),
    });
    const nothing = { mean: null, q05: null, q25: null, q50: null, q75: null, q95: null };
    expect((await statistics())['2026-03-06']).toEqual(nothing);
    const { variables } = await get(`/v2/forecast?${AT}`);
    expect(variables.temp_mean.members['2026-03-06']).toEqual([null, null]);
    const gusts = await service.get(`/v2/forecast/statistics?${AT}&var=wind_gust_max,temp_mean`);
    expect(Object.keys(gusts.variables.wind_gust_max.statistics)).toEqual(datesFrom('2026-03-05', '2026-03-14'));
    expect(Object.keys(gusts.variables.temp_mean.statistics)).toHaveLength(215);
  }),

  legacyDate: test('a legacy entry is dated with the first day of its month, week or day', async () => {
    const months = datesOf(await legacy('forecast/seasonal', 'granularity=monthly'));
    expect(months.slice(0, 3)).toEqual(['2026-03-01', '2026-04-01', '2026-05-01']);
    const weeks = datesOf(await legacy('forecast/subseasonal', 'granularity=weekly'));
    expect(weeks).toEqual(['2026-03-16', '2026-03-23', '2026-03-30', '2026-04-06']);
    expect(datesOf(await legacy('history'))[365]).toBe('2026-03-04');
  }),

  climatologyDate: test('climatology dates are MM-DD with 29 February, W01 to W53, or 01 to 12', async () => {
    const keys = async (granularity: string) =>
      datesOf(await legacy('climatology', `var=temp_mean&granularity=${granularity}`));
    expect(await keys('daily')).toEqual(datesFrom('2000-01-01', '2000-12-31').map((date) => date.slice(5)));
    expect(await keys('weekly')).toEqual(Array.from({ length: 53 }, (_, w) => `W${String(w + 1).padStart(2, '0')}`));
    expect(await keys('monthly')).toEqual(['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12']);
  }),

  legacySubseasonal: test('days 7 to 41 of the run, or the complete weeks among them', async () => {
    const [first, last] = [addDays('2026-03-03', 7), addDays('2026-03-03', 41)];
    expect(datesOf(await legacy('forecast/subseasonal'))).toEqual(datesFrom(first, last));
    const weeks = [...completeWindows('weekly', first, last).values()].map(([monday]) => monday);
    expect(datesOf(await legacy('forecast/subseasonal', 'granularity=weekly'))).toEqual(weeks);
  }),

  legacySeasonal: test('days 30 to 214 of the run, or at most six complete months from lead 0 on', async () => {
    const days = datesOf(await legacy('forecast/seasonal', 'var=temp_mean'));
    expect(days).toEqual(datesFrom(addDays('2026-03-01', 30), addDays('2026-03-01', 214)));
    // Lead 0 is the first of March: that month counts, and September, complete too, is the seventh.
    expect(datesOf(await legacy('forecast/seasonal', 'granularity=monthly'))).toEqual([
      ...['2026-03-01', '2026-04-01', '2026-05-01', '2026-06-01', '2026-07-01', '2026-08-01'],
    ]);
    const short = tinyService({
      forecast: tinyForecast('temp_mean', [new Array(60).fill(1), new Array(60).fill(2)]),
    });
    const body = await short.get(`/v1/forecast/seasonal?${AT}&granularity=monthly`);
    expect(datesOf(body)).toEqual(['2026-04-01']);
  }),

  legacyDefault: test('without granularity every legacy answer is the daily one', async () => {
    const data = { data: tinyDataset('temp_mean', [new Array(400).fill(1)], '2025-01-01'), isPreloaded: () => true };
    expect((await tinyService({ history: data }).get(`/v1/history?${AT}`)).meta.granularity).toBe('daily');
    for (const path of ['forecast/short-term', 'forecast/subseasonal', 'forecast/seasonal', 'climatology']) {
      const { meta, data: entries } = await legacy(path, 'var=temp_mean');
      expect(meta.granularity).toBe('daily');
      expect(await legacy(path, 'var=temp_mean&granularity=daily')).toEqual({ meta, data: entries });
    }
  }),

  accumulation: test('running totals, buckets and amounts of each step give the same days; which is reported', () => {
    const daysOf = (amounts: readonly ((step: number) => number)[], metadata: Record<string, string> = {}) => {
      const table = sixHourly(20, amounts);
      for (const [key, value] of Object.entries({ init_time: '2026-03-02T00:00:00Z', ...metadata }))
        table.schema.metadata.set(key, value);
      const daily = dailyTable(table, { variable: findVariable('precipitation'), units: 'mm', stamps: 'end' });
      const totals = Array.from(
        daily.table.getChild('member_00')?.toArray() as Float64Array,
        (total) => Math.round(1e6 * total) / 1e6,
      );
      return { totals, how: daily.accumulation, report: daily.conversions.join('; ') };
    };
    const days = Array.from({ length: 20 }, (_, day) => totalTo(4 * day + 3, 4 * day));
    const eachStep = daysOf([(step) => RAIN[step], (step) => 2 * RAIN[step]]);
    expect(eachStep).toMatchObject({
      totals: days,
      how: 'per-step',
      report: expect.stringContaining('of each step, by their values'),
    });
    const sinceStart = daysOf([(step) => totalTo(step), (step) => 2 * totalTo(step)]);
    expect(sinceStart).toMatchObject({
      totals: days,
      how: 'since-start',
      report: expect.stringContaining('by their values'),
    });
    const inBuckets = daysOf([0, 1].map((m) => (step: number) => (m + 1) * totalTo(step, step - (step % 2))));
    expect(inBuckets).toMatchObject({ totals: days, report: expect.stringContaining('bucket') });
    const byMetadata = daysOf([(step) => totalTo(step)], { GRIB_startStep: '0' });
    expect(byMetadata).toMatchObject({ totals: days, report: expect.stringContaining('by the step ranges') });
  }),

  dailyAmounts: test('daily amounts that never fall get a warning from 20 days on; an option decides', async () => {
    const csv = (days: number) =>
      `date,member_00,member_01,member_02\n${Array.from({ length: days }, (_, day) => {
        const date = new Date(Date.UTC(2026, 2, 1 + day)).toISOString().slice(0, 10);
        return `${date},${day},${2 * day},0`;
      }).join('\n')}\n`;
    const folder = temporaryFolder();
    const totals = (days: number, ...args: string[]) => {
      const file = join(folder, `${days}.csv`);
      writeFileSync(file, csv(days));
      const options = ['--variable', 'precipitation', '--granularity', 'daily', '--format', 'csv'];
      return plumecastHere('stats', file, ...options, ...args);
    };
    const mean = (out: string, day: number) => Number(out.split('\n')[1 + day].split(',')[10]);
    const month = await totals(31);
    expect([mean(month.out, 10), month.err.includes('never fall')]).toEqual([10, true]);
    expect((await totals(20)).err).toContain('never fall');
    expect((await totals(19)).err).not.toContain('never fall');
    expect(mean((await totals(31, '--accumulation', 'since-start')).out, 10)).toBe(1);
  }),

  neither: test('rain that may be accumulated or not is an error without an option that says which', () => {
    const table = sixHourly(1, [(step) => step + 1]);
    const options = { variable: findVariable('precipitation'), units: 'mm' };
    expect(() => dailyTable(table, options)).toThrow(/accumulation: nothing shows/);
    expect(dailyTable(table, { ...options, accumulation: 'per-step', stamps: 'end' }).accumulation).toBe('per-step');
  }),

  offsets: test('hourly rain with times of +01:00 is summed by the UTC days of its hours', () => {
    // The first hour ends at 00:00 UTC of 2 March, and so belongs to 1 March.
    const hours = Array.from({ length: 49 }, (_, hour) => new Date(Date.UTC(2026, 2, 2, 1 + hour)).toISOString());
    const time = hours.map((text) => text.replace('.000Z', '+01:00'));
    const member_00 = Float64Array.from(hours, (_, hour) => hour % 7);
    const options = { variable: findVariable('precipitation'), units: 'mm', accumulation: 'per-step', stamps: 'end' };
    const daily = dailyTable(tableFromArrays({ time, member_00 }), options as Parameters<typeof dailyTable>[1]);
    const statisticsOfDays = statistics(core, daily.table, { variable: 'precipitation' }).toArray();
    const totalOf = (first: number) => member_00.slice(first, first + 24).reduce((sum, amount) => sum + amount, 0);
    expect(statisticsOfDays.map(({ period, mean }) => [period, mean])).toEqual([
      ['2026-03-02', totalOf(1)],
      ['2026-03-03', totalOf(25)],
    ]);
  }),

  zones: test('daily values at midnight of another zone are an error that says how to get UTC days', () => {
    const rain = (offset: string) => {
      const date = datesFrom('2026-03-02', '2026-03-08').map((day) => `${day}T00:00:00${offset}`);
      return tableFromArrays({ date, member_00: Float64Array.from(date, (_, day) => day) });
    };
    const sum = (offset: string) =>
      statistics(core, rain(offset), { variable: 'precipitation', granularity: 'weekly' }).getChild('mean')?.get(0);
    expect([sum(''), sum('Z'), sum('+00:00')]).toEqual([21, 21, 21]);
    const error = { tag: 'data', allowed: expect.stringContaining('UTC days') };
    for (const offset of ['+01:00', '-05:00']) expect(() => sum(offset)).toThrow(expect.objectContaining(error));
  }),

  modelCalendars: [
    test('a 360-day calendar has months of 30 days with text dates, its own days, and no weeks', () => {
      const table = thirtyDayMonths();
      const rows = statistics(core, table, { granularity: 'monthly', quantiles: [1] }).toArray();
      expect(rows.map(({ period, start, end, mean }) => [period, start, end, mean])).toEqual([
        ['2026-02', '2026-02-01', '2026-02-30', 45],
        ['2026-03', '2026-03-01', '2026-03-30', 45],
      ]);
      const days = statistics(core, table, { startDate: '2026-02-29', endDate: '2026-03-01' });
      expect(days.getChild('period')?.toJSON()).toEqual(['2026-02-29', '2026-02-30', '2026-03-01']);
      expect(() => statistics(core, table, { granularity: 'weekly' })).toThrow('360_day');
    }),

    test('blending, ingest and a service of a gridded store reject a 360-day calendar', async () => {
      const table = thirtyDayMonths();
      const error = { tag: 'data', received: 'calendar 360_day' };
      expect(() => blend(core, [table, table])).toThrow(expect.objectContaining(error));
      const files = filesOf('short-term', { precipitation: table });
      await expect(ingestForecast(core, new RecordingWriter(), { files })).rejects.toMatchObject(error);
      const arrays = partArrays('history');
      const open = async (calendar: string) => {
        const time = { ...arrays.time, attributes: { ...arrays.time.attributes, calendar } };
        return zarrSource({ history: await zarrFixture(3, { ...arrays, time }) });
      };
      await open('standard');
      await expect(open('360_day')).rejects.toMatchObject(error);
    }),
  ],
});

/** Two months of thirty days each, of two members of rain: 1 and 2 mm on each day. */
function thirtyDayMonths() {
  const days = Array.from({ length: 30 }, (_, day) => String(day + 1).padStart(2, '0'));
  const date = ['02', '03'].flatMap((month) => days.map((day) => `2026-${month}-${day}`));
  const member = (amount: number) => new Float64Array(date.length).fill(amount);
  const table = tableFromArrays({ date, member_00: member(1), member_01: member(2) });
  for (const [key, value] of Object.entries({ variable: 'precipitation', units: 'mm', calendar: '360_day' }))
    table.schema.metadata.set(key, value);
  return table;
}
