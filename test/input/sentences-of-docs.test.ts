import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect } from 'vitest';
import { loadCore } from '../../src/core/load.js';
import { type GridOptions, gridEnsemble } from '../../src/files/cf/index.js';
import { readNasaPower } from '../../src/files/nasa-power/read-nasa-power.js';
import { plumecastHere } from '../cli/run-here.js';
import { dailyValues } from '../files/cf/daily-values.js';
import { type MemoryArray, memoryFile } from '../files/cf/memory-file.js';
import { shownBy, testSentences } from '../reference/documented-rows.js';

/*
 * The sentences of docs/what-a-value-stands-for.md beside its tables, one by one: those that no other test shows are
 * shown here.
 */

const core = await loadCore();
const folder = mkdtempSync(join(tmpdir(), 'plumecast-sentences-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Attributes = NonNullable<MemoryArray['attributes']>;

/** The values of an array along times: how they are read, or the message of the error. */
async function read(
  array: Pick<MemoryArray, 'values' | 'attributes'>,
  time: Pick<MemoryArray, 'type' | 'values' | 'attributes'>,
  options: GridOptions = {},
  others: Readonly<Record<string, MemoryArray>> = {},
) {
  const dimensions = { time: time.values.length };
  const file = memoryFile({ ...others, time: { ...time, dimensions }, x: { ...array, dimensions } });
  try {
    const ensemble = await gridEnsemble(file, { array: 'x', ...options });
    const [[values]] = await dailyValues(ensemble, core);
    const { days, conversions, warnings, firstDay } = ensemble;
    return { date: dateOf(firstDay), days, values, notes: conversions.join('; '), warnings };
  } catch (error) {
    return { error: String(error) };
  }
}

const dateOf = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);
const counted = (length: number) => Array.from({ length }, (_, i) => i);
const DAYS: Attributes = { units: 'days since 2026-01-01' };
const RAIN: Attributes = { units: 'mm', standard_name: 'precipitation_amount', cell_methods: 'time: sum' };
const HEAT: Attributes = { units: 'K', standard_name: 'air_temperature' };

/** What `stats` says of a table in CSV. */
async function stats(lines: readonly string[], ...args: string[]) {
  const path = join(folder, 'table.csv');
  writeFileSync(path, `${lines.join('\n')}\n`);
  const { code, out, err } = await plumecastHere('stats', path, '--format', 'csv', ...args);
  return { code, err, out: out.trim().split('\n').slice(1) };
}

const datesFrom = (start: string, length: number) =>
  counted(length).map((day) => dateOf(Date.parse(start) / 86_400_000 + day));

describe('the head of the page', () => {
  testSentences('', [
    ['Which day, unit, place and run', () => {}],
    ['What a file states is followed', shownBy('cli/inspect.test.ts', 'says of a table how dates, units, members')],
    [
      'A default is one note',
      shownBy('ensemble/time-meaning-of-docs.test.ts', 'is said where it is no statement, and another end would give'),
    ],
    [
      'An option that no input of a command',
      () => {
        shownBy('cli/options-of-inputs.test.ts', 'of %s changes what becomes of %s, or is an error')();
        shownBy('cli/option-of-several-inputs.test.ts', 'is an error of a panel of results')();
      },
    ],
  ]);
});

/** Float32 times of steps of some hours, counted in hours from 1900 on or in days from 1 on: how they are rounded. */
async function rounded(units: string, factor: number, from: number, stepHours: number) {
  const values = counted(80).map((i) => Math.fround((from + i * stepHours) * factor));
  const heat = { values: counted(80), attributes: HEAT };
  return read(heat, { type: 'float32', values, attributes: { units } }, { stamps: 'start' });
}

/** CSV of NASA POWER of two days, in a zone, at a longitude. */
async function nasa(zone: string, longitude: number, hasHours = false): Promise<string[]> {
  const rows = hasHours
    ? counted(48).map((hour) => `2026,3,${2 + Math.floor(hour / 24)},${hour % 24},${hour}`)
    : ['2026,3,2,1', '2026,3,3,2'];
  const text = [
    '-BEGIN HEADER-',
    `NASA/POWER Source Native Resolution ${hasHours ? 'Hourly' : 'Daily'} Data `,
    `Dates (month/day/year): 03/02/2026 through 03/03/2026${zone} `,
    `Location: Latitude  50.5   Longitude ${longitude} `,
    'The value for missing source data that cannot be computed or is outside of the sources availability range: -999 ',
    'Parameter(s): ',
    'T2M                   MERRA-2 Temperature at 2 Meters (C) ',
    '-END HEADER-',
    `YEAR,MO,DY,${hasHours ? 'HR,' : ''}T2M`,
    ...rows,
  ];
  const notes: string[] = [];
  const table = await readNasaPower(new TextEncoder().encode(text.join('\n')), 'power.csv', (note) => notes.push(note));
  expect(new Date(Number(table.getChild('date')?.get(0))).toISOString()).toMatch(/^2026-03-02T00:00/);
  return notes;
}

describe('the sentences on days', () => {
  testSentences('Days', [
    [
      'One function decides',
      shownBy('ensemble/time-meaning-of-docs.test.ts', 'is documented line by line, in its order'),
    ],
    [
      'The first line that applies counts',
      shownBy(
        'ensemble/time-meaning-of-docs.test.ts',
        'is stronger than all lines below: %s',
        'contradicts in a warning',
      ),
    ],
    ['`--stamps start`', shownBy('writers/days-of-writers.test.ts', 'are right wherever the caller states them')],
    [
      'Amounts that grow over the steps of a run',
      shownBy('files/cf/days/stamps-of-arrays.test.ts', 'are a warning of amounts that grow, too'),
    ],
    [
      'Daily amounts of a run of which GRIB says',
      shownBy(
        'files/cf/accumulation.test.ts',
        'of whole days from lead %i on',
        'of a few days that never fall are those since',
      ),
    ],
    [
      'Where GRIB says nothing',
      () => {
        shownBy('files/cf/accumulation.test.ts', 'never fall over 20 days', 'after eight wet days')();
        shownBy('input/long-tables.test.ts', 'warns of amounts that never fall over fewer days, as of arrays')();
      },
    ],
    ['Amounts of ERA5', shownBy('files/cf/accumulation.test.ts', 'of ERA5 whose hours are further apart than it has')],
    [
      'Means that overlap',
      shownBy('files/cf/days/overlapping-means.test.ts', 'values of a run that overlap and have lost the ranges'),
    ],
    [
      'Other means since the start',
      shownBy(
        'files/cf/days/overlapping-means.test.ts',
        'temperatures of 6 h since the start',
        'A week does not show it',
      ),
    ],
    [
      'Times in float32',
      async () => {
        // Whole hours and eighths of days are exact.
        const since = (Date.UTC(2026, 2, 2) - Date.UTC(1900, 0, 1)) / 3_600_000;
        for (const [units, factor, step, taken] of [
          ['hours since 1900-01-01', 1, 1, undefined],
          ['days since 1900-01-01', 1 / 24, 1, '1 h'],
          ['days since 1900-01-01', 1 / 24, 3, undefined],
          ['days since 1900-01-01', 1 / 24, 0.5, '30 min'],
        ] as const) {
          const found = await rounded(units, factor, since, step);
          expect(found).toMatchObject({ date: '2026-03-02', warnings: [] });
          if (taken === undefined) expect(found.notes).not.toContain('float32');
          else
            expect(found.notes).toMatch(
              new RegExp(`times of time are float32, up to \\d+ s off: rounded to ${taken};`),
            );
        }
      },
    ],
    [
      'Monthly values without bounds',
      async () => {
        const run = { values: [0], attributes: { ...DAYS, standard_name: 'forecast_reference_time' } };
        const along = { forecast_reference_time: 1, forecastMonth: 3 };
        const file = memoryFile({
          forecast_reference_time: { ...run, dimensions: { forecast_reference_time: 1 } },
          forecastMonth: { dimensions: { forecastMonth: 3 }, values: [1, 2, 3], attributes: { units: '1' } },
          valid_time: { dimensions: along, values: [0, 31, 59], attributes: { ...DAYS, standard_name: 'time' } },
          x: { dimensions: along, values: [280, 281, 282], attributes: HEAT },
        });
        const ensemble = await gridEnsemble(file, { array: 'x', native: true });
        const [[values]] = await dailyValues(ensemble, core);
        expect([dateOf(ensemble.firstDay), ensemble.days, values[0], values[31]].map(String)).toEqual(
          ['2026-01-01', 90, 280 - 273.15, 281 - 273.15].map(String),
        );
        expect(ensemble.conversions.join()).toContain('monthly values, as stored, each of the month of its time');
      },
    ],
    [
      'Bounds of weeks or months may end',
      async () => {
        const ending = async (edges: readonly number[]) => {
          const times = edges.filter((_, i) => i % 2 === 0);
          const bounds = { dimensions: { time: times.length, two: 2 }, values: [...edges] };
          const rain = { values: times.map(() => 70), attributes: RAIN };
          return read(
            rain,
            { values: times, attributes: { ...DAYS, bounds: 'edges' } },
            { native: true },
            { edges: bounds },
          );
        };
        // From Monday, 5 January, on.
        const weeks = await ending([4, 10, 11, 17]);
        expect(weeks).toMatchObject({ date: '2026-01-05', days: 14, warnings: [] });
        expect([weeks.values?.[0], weeks.notes]).toEqual([
          10,
          expect.stringContaining('weekly values, as stored, whose bounds'),
        ]);
        for (const hour of [0, 12]) {
          const atHour = (day: number) => day + hour / 24;
          const months = await ending([0, 30, 31, 58].map(atHour));
          expect(months).toMatchObject({ date: '2026-01-01', days: 59, warnings: [] });
        }
        expect((await ending([0, 30])).days).toBe(31);
        expect((await ending([0, 31, 31, 58])).error).toContain('no day, ISO week or calendar month');
      },
    ],
    [
      "Amounts of ECMWF's monthly means",
      shownBy('files/cf/days/stamps-of-arrays.test.ts', 'of ECMWF are means of daily amounts: by their type of steps'),
    ],
    [
      'Rates that CDO added up',
      shownBy('files/cf/days/stamps-of-arrays.test.ts', 'of rates that CDO added up, whose units it keeps'),
    ],
    [
      'Months since the first of a month',
      shownBy('files/cf/days/stamps-of-arrays.test.ts', 'since the first of a month are months of the calendar'),
    ],
    ['Days are those of UTC', shownBy('table/daily/utc-days.test.ts', 'UTC')],
    [
      'Dates of NASA POWER',
      async () => {
        expect(await nasa(' in UTC', -104.99)).toEqual([]);
        expect(await nasa(' in LST', 7.25)).toEqual([]);
        expect(await nasa(' in LST', 7.25, true)).toEqual([]);
        expect(await nasa(' in LST', -104.99)).toEqual([expect.stringContaining('begin 7 hours after UTC days')]);
        expect(await nasa(' in LST', 8)).toEqual([expect.stringContaining('begin 1 hour before UTC days')]);
        await expect(nasa(' in LST', 139.7, true)).rejects.toThrow('hours are of local solar time, not of UTC');
        expect(await nasa(' in UTC', 139.7, true)).toEqual([]);
      },
    ],
  ]);
});

describe('the sentences on units', () => {
  const hours = (unit: string) => [
    `time,m1${unit}`,
    ...['00', '06', '12', '18'].map((h, i) => `2026-03-02T${h}:00:00Z,${i}`),
  ];
  const dates = (unit: string) => [`date,m1${unit}`, '2026-03-02,1', '2026-03-03,2'];
  const of = (units: string) => ['date,units,m1', `2026-03-02,${units},1`, `2026-03-03,${units},2`];
  testSentences('Units', [
    [
      'Units are those of a column',
      shownBy('table/daily/unstated-units.test.ts', 'are stated by %s', "'the whole name'"),
    ],
    [
      'A number before a unit of an array counts it',
      async () => {
        const times = { values: [0, 1], attributes: DAYS };
        for (const [units, factor] of [
          ['0.1 mm', 0.1],
          ['10 mm', 10],
          ['0.1 kg m-2', 0.1],
        ] as const) {
          const found = await read({ values: [20, 30], attributes: { ...RAIN, units } }, times);
          expect(found.values).toEqual([expect.closeTo(20 * factor, 9), expect.closeTo(30 * factor, 9)]);
        }
        const heat = await read({ values: [20, 30], attributes: { ...HEAT, units: '0.1 K' } }, times);
        expect(heat.values?.[0]).toBeCloseTo(2 - 273.15, 9);
      },
    ],
    [
      'An array without units is an error',
      async () => {
        const { units: _, ...unstated } = RAIN;
        const times = { values: [0, 1], attributes: DAYS };
        expect((await read({ values: [1, 2], attributes: unstated }, times)).error).toMatch(
          /OptionError.*option units|units: '/,
        );
        expect((await read({ values: [1, 2], attributes: unstated }, times, { units: 'mm' })).values).toEqual([1, 2]);
        const steps = await stats(hours(''), '-v', 'temp_mean', '--stamps', 'instant');
        expect([steps.code, steps.err]).toEqual([
          1,
          expect.stringContaining('allowed: a column named units, or --units K'),
        ]);
        expect((await stats(hours(''), '-v', 'temp_mean', '--units', 'degC')).code).toBe(0);
      },
    ],
    [
      'Units of an array or a table that cannot become',
      async () => {
        shownBy(
          'files/cf/days/stamps-of-arrays.test.ts',
          'give way to the option units: %s',
          'keep others: the option',
        )();
        const steps = hours('').map((line, i) => `${line},${i === 0 ? 'units' : 'unknown'}`);
        for (const lines of [of('furlong'), of('unknown'), of('mm/6hr'), steps]) {
          const wrong = await stats(lines, '-v', 'temp_mean');
          expect([wrong.code, wrong.err]).toEqual([1, expect.stringMatching(/--units/)]);
          const stated = await stats(lines, '-v', 'temp_mean', '--units', 'degC');
          expect([stated.code, stated.err]).toEqual([0, expect.stringContaining('are degC, not')]);
        }
        const beside = await stats(dates(' (K)'), '-v', 'temp_mean', '--units', 'degC');
        expect([beside.code, beside.err]).toEqual([1, expect.stringMatching(/--units: not those .*received "degC"/)]);
      },
    ],
    ['Daily tables without units:', shownBy('input/meanings-of-docs.test.ts', "testRows('Units', [")],
  ]);
});

describe('the sentences on what is left out', () => {
  const days = (from: string, count: number) =>
    datesFrom(from, count).map((date, day) => `${date},${day % 9},${(day + 4) % 9}`);
  const means = (from: string, count: number, ...args: string[]) =>
    stats(['date,temp_mean_m1,temp_mean_m2', ...days(from, count)], '--units', 'degC', ...args);
  testSentences('What is left out', [
    [
      'Results of which all are missing',
      () => {
        shownBy('cli/nothing-lost.test.ts', 'are an error, and leave no file: %s')();
        shownBy('cli/empty-outputs.test.ts', 'and nothing is written')();
      },
    ],
    [
      'A member without a value on any day',
      () => {
        shownBy('cli/empty-parts.test.ts', 'names the file and the member, or the days: %s')();
        shownBy('files/cf/join/join-arrays.test.ts', 'are none where they are a tile')();
      },
    ],
    [
      'Where the days at the ends',
      async () => {
        // March has 31 of 61 days, and of 62.
        for (const [count, note] of [
          [61, ''],
          [62, '62 days make 1 complete month; 31 days at the ends are left out, which --partial keeps'],
        ] as const) {
          const { code, err } = await means('2026-02-15', count, '--granularity', 'monthly');
          expect([code, err]).toEqual([0, note === '' ? '' : expect.stringContaining(note)]);
        }
        expect((await means('2026-02-15', 62, '--granularity', 'monthly', '--partial')).err).toBe('');
      },
    ],
    [
      'A condition on a mean of weeks or months',
      async () => {
        for (const [granularity, condition, noun, extreme] of [
          ['weekly', '>5', 'weekly mean of temp_mean is above 5 degC', '--window max'],
          ['weekly', '<=1', 'weekly mean of temp_mean is at or below 1 degC', '--window min'],
          ['monthly', '>=5', 'monthly mean of temp_mean is at or above 5 degC', '--window max'],
        ]) {
          const { err } = await means('2026-03-01', 62, '--granularity', granularity, '--threshold', condition);
          expect(err).toContain(`is the share of members whose ${noun}; with ${extreme}, of members with any day`);
        }
        for (const args of [
          ['--granularity', 'daily'],
          ['--granularity', 'weekly', '--window', 'min'],
        ])
          expect((await means('2026-03-01', 62, ...args, '--threshold', '<0')).err).toBe('');
      },
    ],
  ]);
});
