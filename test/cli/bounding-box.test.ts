import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gribFile, T2M } from '../files/grib/write-grib.js';
import { casesOf } from '../full-check.js';
import { plumecast } from './run-command.js';
import { plumecastHere } from './run-here.js';

const folder = mkdtempSync(join(tmpdir(), 'plumecast-box-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

/** Daily values of two members at 12 places, and the same in every format. */
const LATITUDES = [52, 51, 50];
const LONGITUDES = [10, 11, 12, 13];
const BOX = ['--bbox', '49.5,10.9,51,12'];
const CELLS = ['51,11', '51,12', '50,11', '50,12'];
const FILES = ['run.grib2', 'run.csv', 'run.nc', 'run.parquet', 'run.arrow'];
const variable = ['--variable', 'temp_mean'];

beforeAll(async () => {
  const fields = [1, 2].flatMap((member) =>
    Array.from({ length: 12 }, (_, i) => ({
      ...{ ...T2M, step: 6 * i, member, rows: LATITUDES.length, columns: LONGITUDES.length, value: 280 + member + i },
    })),
  );
  writeFileSync(at('run.grib2'), gribFile(fields));
  for (const name of FILES.slice(1)) await plumecastHere('convert', at('run.grib2'), at(name), ...variable, '--quiet');
});

/** The places in the rows of CSV, each once. */
function placesOf(csv: string): string[] {
  const [head, ...rows] = csv.trim().split('\n');
  const names = head.split(',');
  const [lat, lon] = [names.indexOf('latitude'), names.indexOf('longitude')];
  return [...new Set(rows.map((row) => row.split(',')).map((cells) => `${cells[lat]},${cells[lon]}`))];
}

describe.each(casesOf(FILES, [0, 2, 3]))('--bbox of %s', (name) => {
  it('selects the same cells in stats, convert and climatology', async () => {
    const [all, within] = [
      await plumecastHere('stats', at(name), ...variable),
      await plumecastHere('stats', at(name), ...variable, ...BOX),
    ];
    expect(within.err).toContain('4 of 12 cells are within latitude 49.5 to 51, longitude 10.9 to 12');
    expect(placesOf(within.out)).toEqual(CELLS);
    expect(all.out.split('\n')).toEqual(expect.arrayContaining(within.out.split('\n')));
    const converted = await plumecastHere('convert', at(name), '-', '--to', 'csv', ...variable, ...BOX);
    expect(placesOf(converted.out)).toEqual(CELLS);
    const netcdf = await plumecastHere('convert', at(name), at('box.nc'), ...variable, ...BOX);
    expect(netcdf.code).toBe(0);
    expect(placesOf((await plumecastHere('stats', at('box.nc'))).out)).toEqual(CELLS);
    const years = ['--reference', '2026-2026', '--fewer-years', '--half-width', '0', '--granularity', 'daily'];
    const climatology = await plumecastHere('climatology', at(name), ...variable, ...years, '--format', 'csv', ...BOX);
    expect(placesOf(climatology.out)).toEqual(CELLS);
  });

  it('selects the same cells in batch, blend and ingest', async () => {
    const out = at(`batch-${name}`);
    const batch = plumecast([
      'batch',
      at(name),
      ...variable,
      '--out',
      out,
      '--format',
      'csv',
      '--workers',
      '1',
      ...BOX,
    ]);
    expect([batch.code, batch.err]).toEqual([0, expect.any(String)]);
    const results = join(out, `${name.slice(0, name.indexOf('.'))}.csv`);
    expect(placesOf((await plumecastHere('convert', results, '-', '--to', 'csv')).out)).toEqual(CELLS);
    const blended = await plumecastHere('blend', at(name), ...variable, '--format', 'csv', ...BOX);
    expect(placesOf(blended.out)).toEqual(CELLS);
    const store = at(`store-${name}`);
    const ingested = await plumecastHere('ingest', '--store', store, '--short-term', at(name), ...variable, ...BOX);
    expect(ingested.out).toMatch(/short-term +1 +4 +2 /);
  });

  it('without cells is an error that names their extent', async () => {
    const { code, err } = await plumecastHere('stats', at(name), ...variable, '--bbox', '-10,10,10,12');
    expect([code, err]).toEqual([
      1,
      `error: ${at(name)}, --bbox: no cell has its centre within the box; received "latitude -10 to 10, longitude 10 to 12"; ` +
        'allowed: a box with cells, which are at latitude 50 to 52, longitude 10 to 13\n',
    ]);
  });

  it('cannot be given together with --point', async () => {
    const { code, err } = await plumecastHere('stats', at(name), ...BOX, '--point', '50,11');
    expect([code, err]).toEqual([1, 'error: --bbox: cannot be given together with --point; allowed: one of the two\n']);
  });
});

describe('--bbox', () => {
  it.each([
    ['48,11,49', '.'],
    ['south,11,49,12', '.'],
    ['50,11,49,12', ': its south is greater than its north.'],
    ['-100,40,20,60', ': south cannot be used.'],
  ])('says the order of its edges: %s', async (box, more) => {
    const { code, err } = await plumecastHere('stats', at('run.csv'), '--bbox', box);
    expect(code).toBe(2);
    expect(err).toContain(`Expected SOUTH,WEST,NORTH,EAST in degrees, in this order, such as 35,-10,60,30${more}`);
  });

  it('of statistics and of rows without places is an error', async () => {
    await plumecastHere('stats', at('run.nc'), '--out', at('results.nc'));
    await plumecastHere('stats', at('run.nc'), '--out', at('results.csv'));
    for (const out of ['box.csv', 'box.nc']) {
      const { err } = await plumecastHere('convert', at('results.nc'), at(out), ...BOX);
      expect(err).toContain('--bbox: statistics and climatologies are converted as they are');
    }
    expect((await plumecastHere('convert', at('results.csv'), at('box.csv'), ...BOX)).code).toBe(1);
    writeFileSync(at('series.csv'), 'date,m1\n2026-03-02,1\n');
    const { err } = await plumecastHere('stats', at('series.csv'), ...variable, ...BOX);
    expect(err).toContain('has no coordinates to find a box by');
  });

  it('of a plan is an object, which excludes a point', async () => {
    const plan = (more: object) => {
      const bbox = { south: 49.5, west: 10.9, north: 51, east: 12 };
      writeFileSync(at('plan.json'), JSON.stringify({ inputs: [at('run.nc')], out: at('plan'), bbox, ...more }));
      return plumecast(['batch', '--plan', at('plan.json'), '--workers', '1']);
    };
    const both = await plan({ point: { latitude: 50, longitude: 11 } });
    expect(both.err).toContain('cannot be given together with --point');
    expect((await plan({ format: 'csv' })).code).toBe(0);
    const { out } = await plumecastHere('convert', join(at('plan'), 'run.csv'), '-', '--to', 'csv');
    expect(placesOf(out)).toEqual(CELLS);
  });
});
