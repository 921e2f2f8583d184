import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromArrays } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCore } from '../../../src/core/load.js';
import { demoTable } from '../../../src/demo/index.js';
import { contentOfTable } from '../../../src/files/cf/content/content-of-table.js';
import { encodeTable, type GeoObject, readTable, tableAtPoints, tableOverRegions } from '../../../src/files/index.js';
import { openArrays, writeNetcdf } from '../../../src/files/node.js';
import { ensemble } from '../../../src/statistics/open-ensemble.js';
import { statistics } from '../../../src/statistics/statistics.js';
import { plumecastHere } from '../../cli/run-here.js';

const core = await loadCore();
const folder = mkdtempSync(join(tmpdir(), 'plumecast-places-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string) => join(folder, name);

const corners = [50, 51, 52].flatMap((latitude) => [8, 9, 10].map((longitude) => ({ latitude, longitude })));
const points = [
  { id: 'north', latitude: 51.8, longitude: 8.2, owner: 'Ada' },
  { id: 'south', latitude: 50.1, longitude: 9.9, owner: 'Bo' },
];
const region = (name: string, [west, south, east, north]: readonly number[]) => ({
  type: 'Feature',
  properties: { name },
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  },
});
const collection = (...features: object[]) => ({ type: 'FeatureCollection', features }) as unknown as GeoObject;
const regions = collection(region('lower', [7.6, 49.7, 9.2, 50.9]), region('upper', [8.5, 51, 10.4, 52.3]));

beforeAll(async () => {
  const table = demoTable('precipitation', { days: 8, members: 3, locations: corners });
  await writeNetcdf(path('grid.nc'), contentOfTable(table));
  writeFileSync(path('regions.geojson'), JSON.stringify(regions));
  const rows = points.map(({ id, latitude, longitude, owner }) => [id, latitude, longitude, owner].join());
  writeFileSync(path('points.csv'), `id,latitude,longitude,owner\n${rows.join('\n')}\n`);
});

const rowsOf = (table: { toArray(): unknown }) => Array.from(table.toArray() as Iterable<unknown>, String);
const weekly = { granularity: 'weekly', partial: true } as const;

/** Results of the command as rows. */
async function rowsOfCommand(...flags: readonly string[]): Promise<string[]> {
  const args = ['stats', path('grid.nc'), ...flags, '--granularity', 'weekly', '--partial', '--out', path('out.arrow')];
  const { code, err } = await plumecastHere(...args);
  expect([code, err.includes('error')]).toEqual([0, false]);
  return rowsOf(await readTable(readFileSync(path('out.arrow'))));
}

describe('tableAtPoints', () => {
  it.each([
    ['nearest', []],
    ['bilinear', ['--point-method', 'bilinear']],
  ] as const)('gives what the command gives, by %s cells', async (method, flags) => {
    const file = await openArrays(path('grid.nc'));
    const { table, notes } = await tableAtPoints(core, file, points, { method });
    const own = await rowsOfCommand('--points', path('points.csv'), ...flags);
    expect(rowsOf(statistics(core, ensemble(table), weekly))).toEqual(own);
    expect(own[0]).toContain('Ada');
    expect(notes.join()).toContain('2 points by');
    await file.close();
  });

  it('takes GeoJSON, and stops where a signal says so', async () => {
    const file = await openArrays(path('grid.nc'));
    const features = points.map(({ id, latitude, longitude }) => ({
      ...{ type: 'Feature', id, properties: {} },
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
    }));
    const { table } = await tableAtPoints(core, file, collection(...features));
    const own = await tableAtPoints(core, file, points);
    expect([...(table.getChild('member_01') ?? [])]).toEqual([...(own.table.getChild('member_01') ?? [])]);
    const signal = AbortSignal.abort();
    await expect(tableAtPoints(core, file, points, { signal })).rejects.toThrow(/abort/i);
    await file.close();
  });
});

describe('tableOverRegions', () => {
  it('gives what the command gives of outlines, of a box and of a condition', async () => {
    const file = await openArrays(path('grid.nc'));
    const { table } = await tableOverRegions(core, file, regions, { minAreaShare: 0.2 });
    const outlines = ['--regions', path('regions.geojson')];
    const own = await rowsOfCommand(...outlines, '--min-area-share', '0.2');
    expect(rowsOf(statistics(core, ensemble(table), weekly))).toEqual(own);
    expect(own[0]).toContain('"area_share": 1');
    expect([...new Set(table.getChild('area_share') ?? [])]).toEqual([1]);
    const box = { south: 50, west: 8, north: 51.5, east: 9 };
    const ofBox = await tableOverRegions(core, file, box, { statistic: 'max' });
    expect(rowsOf(statistics(core, ensemble(ofBox.table), weekly))).toEqual(
      await rowsOfCommand('--bbox', '50,8,51.5,9', '--region-statistic', 'max'),
    );
    const condition = { text: '>1', holds: (value: number) => value > 1 };
    const wet = await tableOverRegions(core, file, regions, { condition });
    const shares = statistics(core, wet.table, { ...weekly, variable: 'precipitation_area_share', window: 'mean' });
    const ofCommand = await rowsOfCommand(...outlines, '--area-condition', '>1');
    const means = (rows: readonly string[]) => rows.map((row) => /"mean": ([\d.e-]+)/.exec(row)?.[1]);
    expect(means(rowsOf(shares))).toEqual(means(ofCommand));
    await file.close();
  });

  it('warns of a region beside the grid, and rejects regions that meet no cell', async () => {
    const file = await openArrays(path('grid.nc'));
    const out = region('out', [30, 0, 31, 1]);
    const { warnings } = await tableOverRegions(core, file, collection(region('in', [8, 50, 9, 51]), out));
    expect(warnings.join()).toContain('1 region meets no cell and has no values: out');
    await expect(tableOverRegions(core, file, collection(out))).rejects.toThrow('none of its regions meets the grid');
    await file.close();
  });
});

describe('what a file of points says of places', () => {
  it.each(['nc', 'zarr', 'parquet', 'arrow', 'csv'])(
    'is there again in results of a file .%s of them',
    async (ending) => {
      const big = 9_007_199_254_740_992n;
      const table = tableFromArrays({
        ...{ latitude: [51.8, 50.1, 50.2], longitude: [8.2, 9.9, 9.8], postcode: ['01067', '99084', '01067'] },
        ...{ id: BigInt64Array.from([big + 1n, big, 5n]), parcel: BigInt64Array.from([big + 3n, 7n, big + 4n]) },
        'field number': Float64Array.from([1.5, Number.NaN, 3]),
      });
      writeFileSync(path('ids.arrow'), await encodeTable(table, 'arrow'));
      const converted = await plumecastHere(
        'convert',
        path('grid.nc'),
        path(`ids.${ending}`),
        '--points',
        path('ids.arrow'),
      );
      expect(converted.code).toBe(0);
      const args = ['--granularity', 'weekly', '--partial', '--format', 'csv'];
      const { out } = await plumecastHere('stats', path(`ids.${ending}`), ...args);
      const [names, ...rows] = out.trim().split('\n');
      const columns = names.split(',');
      const found = rows.map((row) => Object.fromEntries(row.split(',').map((cell, c) => [columns[c], cell])));
      const weeks = new Set(found.map(({ period }) => period)).size;
      expect(new Set(found.map(({ id }) => id))).toEqual(new Set([`${big + 1n}`, `${big}`, '5']));
      const first = found.filter(({ id }) => id === `${big + 1n}`);
      expect(first).toHaveLength(weeks);
      const expected = { postcode: '01067', parcel: `${big + 3n}`, 'field number': '1.5', cell_latitude: '52' };
      expect(first[0]).toMatchObject(expected);
      expect(found.find(({ id }) => id === `${big}`)).toMatchObject({ 'field number': '', cell_longitude: '10' });
    },
  );

  it('keeps the zeros of codes in CSV', async () => {
    writeFileSync(
      path('codes.csv'),
      'id,latitude,longitude,postcode,crop code\n007,51.8,8.2,01067,012\n44,50.1,9.9,99084,13\n',
    );
    const { out } = await plumecastHere(
      ...['stats', path('grid.nc'), '--points', path('codes.csv'), '--granularity', 'weekly', '--partial'],
      ...['--format', 'csv'],
    );
    expect(out).toContain(',007,01067,012,');
  });
});
