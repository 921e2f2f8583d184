import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { plumecastHere } from '../../cli/run-here.js';
import { hasPython, pythonFile } from '../../reference/foreign-programs.js';
import { type ObjectServer, serveObjects } from '../remote/object-server.js';

const HOUR = 3_600_000;
/** By variable, of each member the values by date. */
type Truth = Record<'temp_mean' | 'precipitation', Record<string, number>[]>;

describe.skipIf(!hasPython('eccodes', 'numpy'))('archives with all steps of a field in one file', () => {
  const newest = Math.floor(Date.now() / (6 * HOUR)) * 6 * HOUR - 6 * HOUR;
  const runs = [0, 1, 2, 3, 4].map((i) => newest - 6 * i * HOUR);
  const digits = (run: number) => new Date(run).toISOString().slice(0, 13).replace(/\D/g, '');
  const iso = (run: number) => new Date(run).toISOString().slice(0, 13);
  const starts = ['2001-11-29', '2002-11-29', '2003-11-29'];
  const truths = new Map<string, Truth>();
  const written = new Map<string, Uint8Array>();
  const objects = new Map<string, Uint8Array>();
  let folder: string;
  let server: ObjectServer;
  const mirror = () => ['--mirror', `${server.url}/mirror`];
  const days = (table: string, members: number) => {
    const [, ...rows] = table
      .trim()
      .split('\n')
      .map((row) => row.split(','));
    const at = rows[0].findIndex((cell) => /^\d{4}-\d\d-\d\d$/.test(cell));
    return new Map(
      rows.map((row) => [row[at], row.slice(-members).map((cell) => (cell === '' ? Number.NaN : Number(cell)))]),
    );
  };
  const PLACE = ['--bbox', '54.9,9.9,55.1,10.1', '--to', 'csv'];

  beforeAll(async () => {
    server = await serveObjects(objects);
    folder = mkdtempSync(join(tmpdir(), 'plumecast-series-'));
    const write = (archive: string, run: string) =>
      truths.set(
        run,
        JSON.parse(pythonFile(resolve(import.meta.dirname, 'write_series.py'), [folder, archive, run, '96'])),
      );
    for (const run of runs) write('noaa:cfsv2', digits(run));
    for (const start of starts) write('noaa:gefs-reforecast', `${start.replaceAll('-', '')}00`);
    for (const name of readdirSync(folder, { recursive: true }) as string[]) {
      const path = join(folder, name);
      if (statSync(path).isFile()) written.set(`mirror/${relative(folder, path)}`, readFileSync(path));
    }
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    for (const [key, bytes] of written) objects.set(key, bytes);
    server.reset();
  });
  afterEach(() => objects.clear());

  it('noaa:cfsv2 gives the runs of a day as one lagged ensemble, as ecCodes reads them', async () => {
    for (const variable of ['temp_mean', 'precipitation'] as const) {
      server.reset();
      const args = ['--runs', '4', '--lead-hours', '96', '--variable', variable, ...PLACE];
      const { code, out, err } = await plumecastHere('convert', 'noaa:cfsv2', '-', ...mirror(), ...args);
      expect([code, err]).toEqual([0, expect.stringContaining('4 runs from')]);
      expect(err).toContain('messages do not state a member');
      const found = days(out, 4);
      // Members are in the order of their runs.
      let compared = 0;
      for (const [member, run] of runs.slice(0, 4).reverse().entries()) {
        for (const [date, value] of Object.entries((truths.get(digits(run)) as Truth)[variable][0])) {
          expect(Math.abs((found.get(date) as number[])[member] - value)).toBeLessThan(3e-4);
          compared++;
        }
      }
      expect(compared).toBeGreaterThan(10);
      // An index file of each run, and the wanted steps of its file alone, together.
      const ofMessages = server.requests.filter((request) => request.includes('bytes='));
      expect(ofMessages).toHaveLength(4);
      const files = [...written].filter(([key]) => /(tmp2m|prate)\..*grb2$/.test(key));
      expect(server.bytes).toBeLessThan(files.reduce((sum, [, bytes]) => sum + bytes.length, 0) / 2);
    }
  });

  it('noaa:cfsv2 leaves out a run that lacks a step, and says so', async () => {
    const own = `mirror/cfs.${digits(newest).slice(0, 8)}/${digits(newest).slice(8)}/time_grib_01/tmp2m.01.${digits(newest)}.daily.grb2.idx`;
    const lines = Buffer.from(objects.get(own) as Uint8Array)
      .toString()
      .split('\n');
    objects.set(own, Buffer.from(lines.filter((line) => !line.includes(':54 hour fcst')).join('\n')));
    const args = ['--runs', '4', '--lead-hours', '96', '--variable', 'temp_mean', '--point', '55,10'];
    const { code, err } = await plumecastHere('stats', 'noaa:cfsv2', ...mirror(), ...args);
    expect([code, err]).toEqual([0, expect.stringContaining('step 54 lacks 2t of member 1')]);
    expect(err).toContain(`4 runs from ${iso(runs[4]).replace('T', ' ')} UTC`);
    const named = await plumecastHere('stats', 'noaa:cfsv2', ...mirror(), ...args, '--run', iso(newest));
    expect([named.code, named.err]).toEqual([1, expect.stringContaining('is not complete at')]);
    const many = await plumecastHere('stats', 'noaa:cfsv2', ...mirror(), ...args.slice(2), '--runs', '6');
    expect(many.err).toMatch(/has 4 complete runs, not 6, of the last/);
  });

  it('noaa:cfsv2 is the seasonal horizon of a store', async () => {
    const store = join(folder, 'store');
    const args = ['--runs', '4', '--lead-hours', '96', '--variable', 'temp_mean,precipitation', '--quiet'];
    const { code, out, err } = await plumecastHere('fetch', 'noaa:cfsv2', ...mirror(), ...args, '--store', store);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^short-term +2 +96 +4 /m);
    rmSync(store, { recursive: true });
  });

  it('noaa:gefs-reforecast gives the members of a run, as ecCodes reads them', async () => {
    for (const variable of ['temp_mean', 'precipitation'] as const) {
      const args = ['--run', '2002-11-29', '--lead-hours', '96', '--variable', variable, ...PLACE];
      const { code, out, err } = await plumecastHere('convert', 'noaa:gefs-reforecast', '-', ...mirror(), ...args);
      expect([code, err]).toEqual([0, expect.stringContaining('run of 2002-11-29 00 UTC, 5 members')]);
      const found = days(out, 5);
      for (const [member, values] of (truths.get('2002112900') as Truth)[variable].entries())
        for (const [date, value] of Object.entries(values))
          expect(Math.abs((found.get(date) as number[])[member] - value)).toBeLessThan(3e-4);
    }
    const none = await plumecastHere('stats', 'noaa:gefs-reforecast', '--variable', 'temp_mean', ...mirror());
    expect(none.err).toMatch(/run: is not named, and there is no newest one; allowed: one of 2000-01-01 to 2019-12-31/);
    const later = ['--variable', 'temp_mean', '--run', '2020-01-01', ...mirror()];
    expect((await plumecastHere('stats', 'noaa:gefs-reforecast', ...later)).err).toMatch(/is not one of the archive/);
  });

  it('noaa:gefs-reforecast makes a climatology by start and lead', async () => {
    const files: string[] = [];
    for (const start of starts) {
      files.push(join(folder, `${start}.nc`));
      const args = ['--run', start, '--lead-hours', '96', '--variable', 'precipitation', '--quiet', ...mirror()];
      const { code, err } = await plumecastHere(
        'fetch',
        'noaa:gefs-reforecast',
        ...args,
        '--out',
        files[files.length - 1],
      );
      expect([code, err]).toEqual([0, '']);
    }
    const args = [
      '--variable',
      'precipitation',
      '--point',
      '55,10',
      '--granularity',
      'daily',
      '--reference',
      '2001-2003',
      '--half-width',
      '0',
    ];
    const { code, out, err } = await plumecastHere('climatology', ...files, ...args, '--quiet');
    expect([code, err]).toEqual([0, '']);
    const [header, ...rows] = out
      .trim()
      .split('\n')
      .map((row) => row.split(','));
    const mean = header.indexOf('mean');
    const all = starts.flatMap((start) => (truths.get(`${start.replaceAll('-', '')}00`) as Truth).precipitation);
    for (const [lead, date] of ['11-29', '11-30', '12-01', '12-02'].entries()) {
      const values = all.flatMap((days) =>
        Object.entries(days).flatMap(([day, value]) => (day.endsWith(date) ? value : [])),
      );
      const expected = values.reduce((sum, value) => sum + value, 0) / values.length;
      expect(values).toHaveLength(15);
      const row = rows.find((cells) => cells.includes(date));
      expect([lead, Number(row?.[mean])]).toEqual([lead, expect.closeTo(expected, 3)]);
    }
  });
});
