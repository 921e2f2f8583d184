import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tableFromIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { knownArchives } from '../../../src/files/archives/archive.js';
import { plumecastHere } from '../../cli/run-here.js';
import { icechunkPythons, jsonOfScript } from '../icechunk/icechunk-pythons.js';
import { serveFolder, type TestServer } from '../zarr/http-server.js';

const [python] = icechunkPythons('pandas').slice(-1);
const script = fileURLToPath(new URL('write_dynamical.py', import.meta.url));
/** By run, variable and date, the value of each member at the point. */
type Truth = Record<string, Record<'precipitation' | 'solar_radiation' | 'temp_mean', Record<string, number[]>>>;

const RUNS = {
  'noaa-gefs-forecast-35-day': 2,
  'noaa-gefs-analysis': 41,
  'ecmwf-ifs-ens-forecast-15-day-0-25-degree': 2,
  'ecmwf-aifs-ens-forecast': 5,
};
const VARIABLES = ['precipitation', 'solar_radiation', 'temp_mean'] as const;
const PLACE = ['--bbox', '59.45,5.45,59.55,5.55'];

describe.skipIf(python === undefined)('archives of dynamical.org', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumecast-dynamical-'));
  const truths = new Map<string, Truth>();
  let server: TestServer;
  const mirror = (name: string) => ['--mirror', `icechunk:${server.url}/${name}.icechunk`];

  /** Writes a repository in each format that Icechunk has. */
  function write(dataset: keyof typeof RUNS, name: string, format: number, ...incomplete: string[]): void {
    const args = [join(folder, `${name}.icechunk`), String(format), dataset, String(RUNS[dataset]), ...incomplete];
    truths.set(name, jsonOfScript(python.program, script, args));
  }

  /** The values of members by day, as `convert` writes them. */
  async function daysOf(archive: string, variable: string, ...options: string[]) {
    const args = ['--variable', variable, ...PLACE, '--to', 'csv', ...options];
    const { code, out, err } = await plumecastHere('convert', archive, '-', ...args);
    expect([code, err]).toEqual([0, expect.any(String)]);
    const [, ...rows] = out
      .trim()
      .split('\n')
      .map((row) => row.split(','));
    const at = rows[0].findIndex((cell) => /^\d{4}-\d\d-\d\d$/.test(cell));
    return { err, days: Object.fromEntries(rows.map((row) => [row[at], row.slice(at + 1).map(Number)])) };
  }

  beforeAll(async () => {
    for (const dataset of Object.keys(RUNS) as (keyof typeof RUNS)[])
      for (const format of python.formats) write(dataset, `${dataset}-${format}`, format);
    const missing = ['temperature_2m:4', 'temperature_2m:3'];
    write('ecmwf-aifs-ens-forecast', 'incomplete', python.formats[0], ...missing);
    server = await serveFolder(folder);
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  it.each(Object.keys(RUNS).flatMap((dataset) => (python?.formats ?? []).map((format) => [dataset, format] as const)))(
    '%s in format %i gives the days of each member of its newest run, as they follow from hours',
    async (dataset, format) => {
      const name = `${dataset}-${format}`;
      const runs = Object.entries(truths.get(name) as Truth);
      const [newest, truth] = runs[runs.length - 1];
      for (const variable of VARIABLES) {
        const { days, err } = await daysOf(`dynamical:${dataset}`, variable, ...mirror(name));
        if (newest !== 'analysis')
          expect(err).toContain(`run ${newest}:00:00Z, the newest of ${RUNS[dataset as keyof typeof RUNS]} runs`);
        const known = Object.entries(truth[variable]);
        expect(known.length).toBeGreaterThan(4);
        for (const [day, values] of known) {
          expect([variable, day, days[day]?.length]).toEqual([variable, day, values.length]);
          // Stored as float32.
          for (const [member, value] of values.entries())
            expect(Math.abs(days[day][member] - value)).toBeLessThan(5e-5 * Math.max(1, Math.abs(value)));
        }
        expect(Object.keys(days).length - known.length).toBeLessThanOrEqual(1);
      }
    },
  );

  it('are read of the run, and of the leads, that are named', async () => {
    const archive = 'dynamical:noaa-gefs-forecast-35-day';
    const name = `noaa-gefs-forecast-35-day-${python.formats[0]}`;
    const truth = (truths.get(name) as Truth)['2026-11-20T00'].precipitation;
    const options = ['--run', '2026-11-20', '--lead-hours', '240'];
    const { days, err } = await daysOf(archive, 'precipitation', ...mirror(name), ...options);
    expect(Object.keys(days)).toEqual(Object.keys(truth).slice(0, 10));
    expect(days['2026-11-20'][1]).toBeCloseTo(truth['2026-11-20'][1], 3);
    expect(err).toContain('run 2026-11-20T00:00:00Z, the only one');
    const failed = async (...more: string[]) =>
      (
        await plumecastHere(
          'convert',
          archive,
          '-',
          '--variable',
          'precipitation',
          '--to',
          'csv',
          ...mirror(name),
          ...more,
        )
      ).err;
    expect(await failed('--run', '2026-11-19')).toMatch(
      /run: is not there; received "2026-11-19T00:00:00Z"; allowed: 2026-11-20T00:00:00Z, 2026-11-21T00:00:00Z/,
    );
    expect(await failed('--lead-hours', '900')).toMatch(
      /lead: is beyond its runs; received 900; allowed: 0 to 840 hours/,
    );
    const analysis = ['stats', 'dynamical:noaa-gefs-analysis', '--variable', 'precipitation', '--run', '2026-11-20'];
    expect((await plumecastHere(...analysis, ...mirror(`noaa-gefs-analysis-${python.formats[0]}`))).err).toMatch(
      /has no runs to choose from/,
    );
  });

  it('are read of the newest run that has the wanted values, whatever it says to have received', async () => {
    const dataset = 'ecmwf-aifs-ens-forecast';
    const stats = (...more: string[]) =>
      plumecastHere('stats', `dynamical:${dataset}`, ...mirror('incomplete'), '--point', '59.5,5.5', ...more);
    const mean = await stats('--variable', 'temp_mean');
    expect(mean.err).toMatch(
      /run 2026-11-20T12:00:00Z, the newest of 5 runs that is complete: in 2026-11-21T00:00:00Z member 1 has no value/,
    );
    const rain = await stats('--variable', 'precipitation');
    expect(rain.err).toContain('run 2026-11-21T00:00:00Z, the newest of 5 runs;');
    // Of fewer leads it is complete.
    const short = await stats('--variable', 'temp_mean', '--lead-hours', '240');
    expect(short.err).toContain('run 2026-11-21T00:00:00Z, the newest of 5 runs;');
    const named = await stats('--variable', 'temp_mean', '--run', '2026-11-21T00');
    expect([named.code, named.err]).toEqual([1, expect.stringContaining('no run is complete')]);
  });

  it('name the licence and whom to credit in results', async () => {
    const out = join(folder, 'result.arrow');
    const name = `ecmwf-ifs-ens-forecast-15-day-0-25-degree-${python.formats[0]}`;
    const args = ['--variable', 'temp_mean', '--point', '59.5,5.5', ...mirror(name), '--out', out, '--quiet'];
    const { code } = await plumecastHere('stats', 'dynamical:ecmwf-ifs-ens-forecast-15-day-0-25-degree', ...args);
    expect(code).toBe(0);
    const { metadata } = tableFromIPC(readFileSync(out)).schema;
    expect(metadata.get('title')).toBe('ECMWF IFS ENS forecast, 15 day, 0.25 degree');
    expect(metadata.get('license')).toMatch(/CC.BY.4\.0/i);
    expect(metadata.get('references')).toBe('https://dynamical.org/catalog/ecmwf-ifs-ens-forecast-15-day-0-25-degree/');
    expect(metadata.get('init_time')).toContain('2026-11-21T00');
  });

  it('are read from the next mirror where one does not answer', async () => {
    const archives = join(folder, 'own.json');
    const own = knownArchives().get('dynamical:noaa-gefs-forecast-35-day');
    const mirrors = [
      'icechunk:http://127.0.0.1:65534/none',
      mirror(`noaa-gefs-forecast-35-day-${python.formats[0]}`)[1],
    ];
    writeFileSync(archives, JSON.stringify({ 'own:gefs': { ...own, mirrors } }));
    const args = ['--archives', archives, '--variable', 'temp_mean', '--point', '59.5,5.5'];
    const { code, err } = await plumecastHere('stats', 'own:gefs', ...args);
    expect([code, err]).toEqual([0, expect.stringContaining('icechunk:http://127.0.0.1:65534/none is not read: ')]);
  });

  it('are inspected as the newest run that is complete, with what is known of them', async () => {
    const name = `noaa-gefs-forecast-35-day-${python.formats[0]}`;
    const { code, out } = await plumecastHere('inspect', 'dynamical:noaa-gefs-forecast-35-day', ...mirror(name));
    const text = out.replaceAll(/\s+/g, ' ');
    expect([code, text]).toEqual([0, expect.stringContaining('run 2026-11-21T00:00:00Z, the newest of 2 runs')]);
    expect(text).toContain('NOAA GEFS forecast, 35 day');
  });
});
