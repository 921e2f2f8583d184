import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Table } from 'apache-arrow';
import { afterAll, describe, expect } from 'vitest';
import { climatology } from '../../src/climate/index.js';
import type { ClimatologyOptions } from '../../src/climate/options.js';
import { loadCore } from '../../src/core/load.js';
import { isPlumecastError } from '../../src/errors.js';
import { openedFiles } from '../../src/files/cf/join/file-set.js';
import { joinArrays, joinIfOne, readContents } from '../../src/files/cf/join/join-arrays.js';
import { gridEnsemble } from '../../src/files/cf/open-grid-ensemble.js';
import { encodeTable } from '../../src/files/index.js';
import { statistics } from '../../src/statistics/statistics.js';
import { plumecastHere } from '../cli/run-here.js';
import { memoryFile } from '../files/cf/memory-file.js';
import { openGribBytes } from '../files/grib/grib-bytes.js';
import { gribFile, RAIN, T2M, type TestField } from '../files/grib/write-grib.js';
import { casePath } from '../reference/data-folder.js';
import { testRows } from '../reference/documented-rows.js';
import { daysFrom, messageOf, table } from '../table/tables.js';

/*
 * The tables of units, climatologies and runs in docs/what-a-value-stands-for.md, row by row.
 */

const core = await loadCore();
const folder = mkdtempSync(join(tmpdir(), 'plumecast-meanings-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What `stats` says of a table of these columns, by day. */
async function stats(columns: Record<string, readonly (string | number)[]>, ...args: string[]) {
  const path = join(folder, 'table.csv');
  const names = Object.keys(columns);
  const rows = columns[names[0]].map((_, i) => names.map((name) => columns[name][i]).join(','));
  writeFileSync(path, `${names.join(',')}\n${rows.join('\n')}\n`);
  const { code, out, err } = await plumecastHere('stats', path, '--format', 'csv', ...args);
  return {
    code,
    err,
    means: out
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',')),
  };
}

const days = (count: number) =>
  Array.from({ length: count }, (_, day) => new Date(Date.UTC(2026, 2, 2 + day)).toISOString().slice(0, 10));
const rain = (values: readonly number[], ...args: string[]) =>
  stats({ date: days(values.length), member_0: values }, '-v', 'precipitation', ...args);

describe('the table of units', () => {
  testRows('Units', [
    [
      'a value outside the bounds of the variable',
      async () => {
        const { code, err } = await stats({ date: days(2), member_0: [281, 282] }, '-v', 'temp_mean');
        expect([code, err]).toEqual([1, expect.stringMatching(/received 28[12]; .*--units K.*--missing 28[12]/)]);
      },
    ],
    [
      '28 days of rain that never exceed 1',
      async () => {
        const metres = Array.from({ length: 28 }, (_, day) => (day % 7) / 100);
        expect(await rain(metres)).toMatchObject({ code: 1, err: expect.stringMatching(/seem to be m: .*--units m/) });
        expect(await rain(metres.slice(1))).toMatchObject({ code: 0 });
        expect(await rain([...metres.slice(1), 1.5])).toMatchObject({ code: 0 });
        expect(await rain(metres, '--units', 'm')).toMatchObject({
          code: 0,
          err: expect.not.stringMatching(/warning/),
        });
      },
    ],
    [
      'anything else',
      async () => {
        const { code, err } = await rain([1, 2]);
        expect([code, err]).toEqual([
          0,
          expect.stringMatching(
            /^warning: .*units of member_0 are not stated: taken for mm.*; --units states others\n$/,
          ),
        ]);
      },
    ],
  ]);
});

/** A run of temperatures that begins on this day, or the history of one member. */
function run(start: string, length: number, members = 2): Table {
  const columns = Array.from({ length: members }, (_, m) => [
    `member_${m}`,
    Array.from({ length }, (_, lead) => lead + m),
  ]);
  const metadata = { variable: 'temp_mean', units: 'degC', ...(members > 1 && { init_time: `${start}T00:00:00Z` }) };
  return table({ date: daysFrom(start, length), ...Object.fromEntries(columns) }, metadata as Record<string, string>);
}

const YEARS = Array.from({ length: 10 }, (_, i) => 2001 + i);
const pool = (tables: readonly Table[], options: ClimatologyOptions = {}) =>
  climatology(core, tables, { granularity: 'monthly', reference: '2001-2010', quantiles: [0.5], ...options });
const samplesOf = ({ keys, samples }: ReturnType<typeof pool>) =>
  Object.fromEntries(keys.flatMap((key, k) => (samples[k] > 0 ? [[key, samples[k]]] : [])));

/** What the command says of a climatology of runs of any start. */
async function mixed(runs: readonly Table[]) {
  const paths = runs.map((_, i) => join(folder, `run-${i}.arrow`));
  for (const [i, path] of paths.entries()) writeFileSync(path, await encodeTable(runs[i], 'arrow'));
  const request = ['--granularity', 'monthly', '--reference', '2001-2010', '--mix-leads', '--format', 'csv'];
  return plumecastHere('climatology', ...paths, ...request);
}

describe('the table of climatologies', () => {
  testRows('Climatologies', [
    [
      'several runs that state when they start',
      async () => {
        const march = YEARS.map((year) => run(`${year}-03-01`, 100));
        expect(samplesOf(pool(march))).toEqual({ '03': 20, '04': 20, '05': 20 });
        const both = [...march, ...YEARS.map((year) => run(`${year}-04-01`, 100))];
        expect(messageOf(() => pool(both))).toMatch(/03-01.*04-01.*option start.*mixLeads/);
        expect(samplesOf(pool(both, { start: '04-01' }))).toEqual({ '04': 20, '05': 20, '06': 20 });
        expect(samplesOf(pool(both, { mixLeads: true }))['04']).toBe(40);
        const { code, err } = await mixed(both);
        expect([code, err]).toEqual([0, expect.stringMatching(/^warning: .*each period mixes leads/m)]);
      },
    ],
    [
      'a run that starts within the reference years',
      () => {
        // The run of November 2010 ends in 2011, beyond the reference.
        expect(samplesOf(pool(YEARS.map((year) => run(`${year}-11-01`, 100))))).toEqual({
          '01': 20,
          '11': 20,
          '12': 20,
        });
        const longer = pool(YEARS.map((year) => run(`${year}-11-01`, 400)));
        expect(samplesOf(longer)['11']).toBe(20);
      },
    ],
    [
      'the start of a forecast, else its first day',
      () => {
        const climate = pool(YEARS.map((year) => run(`${year}-03-01`, 100)));
        const against = (start: string) =>
          statistics(core, run(start, 95), { climatology: climate, granularity: 'monthly' });
        expect(against('2026-03-01').schema.metadata.get('tercile_reference')).toMatch(/^runs that start on 03-01/);
        expect(messageOf(() => against('2026-05-01'))).toMatch('starts on another day of the year than the runs');
      },
    ],
    [
      'tables of one member each',
      () => {
        const pieces = [run('2001-01-01', 1826, 1), run('2006-01-01', 1826, 1)];
        expect(samplesOf(pool(pieces))['01']).toBe(10);
        expect(messageOf(() => pool([pieces[0], run('2005-12-31', 1827, 1)]))).toMatch('2005-12-31');
      },
    ],
  ]);
});

/** Daily values of a file of GRIB, of fields by run and lead. */
async function grib(fields: readonly TestField[], init?: string) {
  const file = await openGribBytes(gribFile(fields), { source: 'a.grib2' });
  const options = { ...(init !== undefined && { init }), accumulation: 'per-step' as const };
  const ofRain = fields[0].process === 1;
  const ensemble = await gridEnsemble(file, ofRain ? options : { init, stamps: 'instant' });
  return { days: ensemble.days, members: ensemble.members.length, notes: ensemble.conversions.join('\n') };
}

/** Amounts of steps of these hours of runs that begin on these days of March 2026. */
const amounts = (runs: readonly number[], ends: readonly number[], hours = 24) =>
  runs.flatMap((day) =>
    ends.map((end) => ({
      ...{ ...RAIN, reference: `2026-03-0${day}T00:00Z`, step: end - hours, end },
      ...{ value: day, member: 1 },
    })),
  );
const LEADS = [24, 48, 72];
const tagOf = (work: Promise<unknown>) =>
  work.then(
    () => 'read',
    (error: unknown) => (isPlumecastError(error) ? `${error.tag}: ${error.message}` : String(error)),
  );

/** Days of arrays, each with the day of January on which its run began. */
function joined(runs: readonly number[], name = 'forecast_reference_time', standard = true) {
  const along = { time: runs.length };
  return memoryFile({
    time: { dimensions: along, values: runs.map((_, day) => day), attributes: { units: 'days since 2026-01-01' } },
    [name]: {
      dimensions: along,
      values: runs.map((day) => day - 1),
      attributes: { units: 'days since 2026-01-01', ...(standard && { standard_name: name }) },
    },
    t2m: {
      dimensions: along,
      values: runs.map(() => 280),
      attributes: { units: 'K', cell_methods: 'time: mean', coordinates: name },
    },
  });
}

/** A file of two members on two days from one of January on, of a run that starts on a day of January, or of none. */
function slice(from: number, run?: number) {
  const days = { time: [from, from + 1], number: [0, 1] };
  const file = memoryFile(
    {
      time: { dimensions: { time: 2 }, values: days.time, attributes: { units: 'days since 2026-01-01' } },
      number: { dimensions: { number: 2 }, values: days.number, attributes: { standard_name: 'realization' } },
      t2m: { dimensions: { time: 2, number: 2 }, values: [1, 2, 3, 4], attributes: { units: 'degC' } },
    },
    run === undefined ? {} : { init_time: `2026-01-0${run}T00:00:00Z` },
  );
  return { ...file, source: `day${20260101 + from}.nc` };
}

/** What files are together: one, or runs, and why. */
async function joiningOf(files: readonly ReturnType<typeof slice>[]): Promise<string> {
  const set = openedFiles(files);
  const joining = await joinIfOne(set, set.sources, await readContents(set));
  return joining.kind === 'one' ? 'one' : `${joining.kind}: ${joining.why}`;
}

describe('the table of runs', () => {
  testRows('Runs', [
    [
      '`--init` with the time or the day of a run',
      async () => {
        const two = amounts([2, 3], LEADS);
        for (const init of ['2026-03-03', '2026-03-03T00:00:00Z']) expect((await grib(two, init)).days).toBe(3);
        expect(await tagOf(grib(two, '2026-03-04'))).toMatch(
          /^option: .*no such run; .*2026-03-02T00:00:00Z, 2026-03-03T00:00:00Z/,
        );
        const none = memoryFile({
          time: { dimensions: { time: 2 }, values: [0, 1], attributes: { units: 'days since 2026-01-01' } },
          t2m: { dimensions: { time: 2 }, values: [1, 2], attributes: { units: 'degC' } },
        });
        expect(await tagOf(gridEnsemble(none, { init: '2026-01-01' }))).toMatch('does not state when its run begins');
      },
    ],
    [
      'a dimension of runs, or GRIB fields whose runs overlap in different leads',
      async () => {
        const two = amounts([2, 3], LEADS);
        expect(await tagOf(grib(two))).toMatch(/holds 2 runs; .*2026-03-02T00:00:00Z, 2026-03-03T00:00:00Z; or all/);
        const { days, members, notes } = await grib(two, 'all');
        expect([days, members, notes]).toEqual([4, 2, expect.stringContaining('one lagged ensemble')]);
      },
    ],
    [
      'GRIB: runs that all have the same times',
      async () => {
        const same = [2, 3].flatMap((day) =>
          [24, 48].map((hours) => ({
            ...{ ...T2M, reference: `2026-03-0${day}T00:00Z`, step: hours - 24 * (day - 2) + 24, value: 280 + day },
          })),
        );
        expect(await grib(same)).toMatchObject({ days: 2, members: 2 });
        expect(await grib(same, '2026-03-03')).toMatchObject({ days: 2, members: 1 });
      },
    ],
    [
      'GRIB: runs with one time each, their own start',
      async () => {
        const analyses = [2, 3, 4].flatMap((day) =>
          [0, 12].map((hour) => ({
            ...{ ...T2M, reference: `2026-03-0${day}T${String(hour).padStart(2, '0')}:00Z`, step: 0, value: 280 },
          })),
        );
        const { days, members, notes } = await grib(analyses);
        expect([days, members, notes.includes('runs')]).toEqual([3, 1, false]);
      },
    ],
    [
      'GRIB: the same few leads, up to 24 hours, in runs of which most begin where the one before ends',
      async () => {
        const analysis = await grib(amounts([2, 3, 4], [12, 24], 12));
        expect(analysis).toMatchObject({ days: 3, members: 1, notes: expect.stringContaining('an analysis') });
        expect((await grib(amounts([2, 3, 4], [12, 24], 12), '2026-03-03')).days).toBe(1);
      },
    ],
    [
      'GRIB: other runs whose times do not overlap',
      async () => {
        const two = amounts([2, 6], LEADS);
        expect(await tagOf(grib(two))).toMatch(/holds 2 runs; .*2026-03-02T00:00:00Z, 2026-03-06T00:00:00Z; or all/);
        expect(await grib(two, 'all')).toMatchObject({ members: 1 });
        expect(await grib(two, '2026-03-06')).toMatchObject({ days: 3 });
      },
    ],
    [
      'GRIB: monthly means of several runs, whose months have different lengths',
      async () => {
        const path = casePath('runs/monthly-means-of-two-runs.grib');
        if (path === undefined) return;
        const of = (...args: string[]) =>
          plumecastHere('stats', path, '--granularity', 'native', '--format', 'csv', ...args);
        expect((await of()).err).toMatch(/holds 2 runs; .*2016-01-01T00:00:00Z, 2016-02-01T00:00:00Z; or all/);
        expect((await of('--init', 'all')).code).toBe(0);
        const { out } = await of('--init', '2016-02-01');
        expect(new Set(out.match(/2016-\d\d(?=,)/g))).toEqual(new Set(['2016-02', '2016-03']));
      },
    ],
    [
      'tables: a column of the starts of runs',
      async () => {
        const init_time = ['2026-03-01', '2026-03-01', '2026-03-03', '2026-03-03'];
        const found = await stats({ date: days(4), init_time, member_0: [1, 2, 3, 4] }, '-v', 'temp_mean');
        expect([found.code, found.err]).toEqual([1, expect.stringMatching(/2026-03-01.*2026-03-03/)]);
        const one = await stats(
          { date: days(2), init_time: init_time.slice(0, 2), member_0: [1, 2] },
          '-v',
          'temp_mean',
        );
        expect([one.code, one.means.length]).toEqual([0, 2]);
      },
    ],
    [
      'files of arrays: the start of its run for each time',
      async () => {
        for (const file of [joined([1, 1, 4, 4]), joined([1, 1, 4, 4], 'v2_reftime', false)]) {
          expect(await tagOf(gridEnsemble(file))).toMatch(/holds 2 runs; .*2026-01-01T00:00:00Z, 2026-01-04T00:00:00Z/);
          expect((await gridEnsemble(file, { init: 'all' })).days).toBe(4);
        }
        expect((await gridEnsemble(joined([1, 2, 3]))).days).toBe(3);
      },
    ],
    [
      'files of arrays that state a run each',
      async () => {
        expect(await joiningOf([slice(0, 1), slice(2, 3)])).toMatch(
          /^runs: files of 2 runs, from 2026-01-01T00:00:00Z to 2026-01-03T00:00:00Z: each run is an input of its own/,
        );
        expect(await joiningOf([slice(0, 1), slice(2, 1)])).toBe('one');
      },
    ],
    [
      'files of an ensemble that state no run',
      async () => {
        expect(await joiningOf([slice(0), slice(30)])).toMatch(
          /^runs: .*no times from 2026-01-03T00:00:00Z to 2026-01-31T00:00:00Z, and state no run: taken for 2 runs/,
        );
        expect(await joiningOf([slice(0), slice(2)])).toBe('one');
        const file = await joinArrays([slice(0), slice(30)], { join: 'day{time}.nc' });
        expect(file.arrays.get('t2m')?.shape).toEqual([4, 2]);
      },
    ],
    [
      "ECMWF's local definition 12 (C3S): the nominal start",
      async () => {
        // Both messages begin on a day that is not the nominal one: see nominal-starts.test.ts for members of several days.
        const path = casePath('runs/monthly-means-of-two-runs.grib');
        if (path === undefined) return;
        const { err } = await plumecastHere('stats', path, '--granularity', 'native', '--init', '2016-02-02');
        expect(err).toMatch(/no such run; .*2016-01-01T00:00:00Z, 2016-02-01T00:00:00Z/);
      },
    ],
  ]);
});
