import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Table, tableFromIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { loadCore } from '../../src/core/load.js';
import { tableOverRegions } from '../../src/files/index.js';
import { openArrays, writeNetcdf } from '../../src/files/node.js';
import { RowOverlap } from '../../src/files/regions/cell-rows-overlap.js';
import { folderWith } from './run-command.js';
import { plumecastHere } from './run-here.js';

const [DAYS, MEMBERS] = [3, 2];
const circle = (lon: number, lat: number, radius: number) =>
  Array.from({ length: 41 }, (_, i) => {
    const angle = (-2 * Math.PI * (i % 40)) / 40;
    return [lon + radius * Math.cos(angle), lat + radius * Math.sin(angle)];
  });
const geoJson = (radius: number, name = 'Far') => ({
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      properties: { name: 'A' },
      geometry: { type: 'Polygon', coordinates: [circle(12, 47, radius)] },
    },
    { type: 'Feature', properties: { name }, geometry: { type: 'Polygon', coordinates: [circle(80, 47, 2)] } },
    { type: 'Feature', properties: { name: 'B' }, geometry: { type: 'Polygon', coordinates: [circle(14, 48, 1)] } },
  ],
});
const { folder, remove } = folderWith({
  'regions.geojson': JSON.stringify(geoJson(2)),
  'others.geojson': JSON.stringify(geoJson(2.001)),
  'renamed.geojson': JSON.stringify(geoJson(2, 'Farther')),
});
afterAll(remove);
const at = (name: string) => join(folder, name);

async function writeGrid(name: string, shift: number): Promise<void> {
  const latitude = Float64Array.from({ length: 9 }, (_, y) => 51 - y + shift);
  const longitude = Float64Array.from({ length: 11 }, (_, x) => 8 + x);
  const dimensions = ['number', 'time', 'latitude', 'longitude'];
  const lengths = [MEMBERS, DAYS, latitude.length, longitude.length];
  const axis = (own: string, values: Float64Array, units: string) => ({
    ...{ name: own, type: 'float64' as const, dimensions: [own], values },
    attributes: new Map([['units', units]]),
  });
  const count = lengths.reduce((product, length) => product * length, 1);
  await writeNetcdf(at(name), {
    attributes: new Map(),
    dimensions: new Map(dimensions.map((own, i) => [own, lengths[i]])),
    arrays: [
      axis('latitude', latitude, 'degrees_north'),
      axis('longitude', longitude, 'degrees_east'),
      axis('number', Float64Array.of(0, 1), '1'),
      axis('time', Float64Array.of(0, 1, 2), 'days since 2026-03-02'),
      {
        ...{ name: 't2m', type: 'float32' as const, dimensions },
        values: Float32Array.from({ length: count }, (_, i) => ((i * 37) % 101) / 7),
        attributes: new Map([
          ['units', 'degC'],
          ['standard_name', 'air_temperature'],
          ['cell_methods', 'time: mean'],
        ]),
      },
    ],
  } as never);
}

const overlaps = vi.spyOn(RowOverlap.prototype, 'overlap');
beforeAll(async () => {
  await writeGrid('run.nc', 0);
  await writeGrid('other.nc', 0.25);
});

const rowsOf = (table: Table) => table.toArray().map((row) => ({ ...row, date: Number(row.date) }));

async function stats(file: string, regions: string, ...options: string[]) {
  overlaps.mockClear();
  const given = ['stats', at(file), '-v', 'temp_mean', '--format', 'csv', '--regions', at(regions), ...options];
  return { ...(await plumecastHere(...given)), computed: overlaps.mock.calls.length };
}

describe('--region-weights', () => {
  it('keeps the weights, and computes none where they are kept: results are the same to the last bit', async () => {
    const without = await stats('run.nc', 'regions.geojson');
    const first = await stats('run.nc', 'regions.geojson', '--region-weights', at('kept.arrow'));
    const second = await stats('run.nc', 'regions.geojson', '--region-weights', at('kept.arrow'));
    expect([without.code, first.computed, second.computed]).toEqual([0, 3, 0]);
    expect([first.out, first.err]).toEqual([without.out, without.err]);
    expect([second.out, second.err]).toEqual([without.out, without.err]);
    expect(without.err).toContain('meets no cell');
    expect(readdirSync(folder).filter((name) => name.includes('.tmp'))).toEqual([]);
    const kept = tableFromIPC(readFileSync(at('kept.arrow')));
    expect(kept.schema.fields.map(({ name }) => name)).toEqual(['region', 'first_cell', 'cells', 'weight']);
    expect([...new Set(kept.toArray().map(({ region }) => region))]).toEqual(['A', 'B']);
  });

  it('is the same in the library, with any place for the bytes', async () => {
    const core = await loadCore();
    const file = await openArrays(at('run.nc'));
    let kept: Uint8Array | undefined;
    const weights = { read: async () => kept, write: async (bytes: Uint8Array) => void (kept = bytes) };
    const run = (more: object) =>
      tableOverRegions(core, file, geoJson(2), { variable: 'temp_mean', minAreaShare: 0.9, ...more });
    const without = await run({});
    const first = await run({ regionWeights: weights });
    overlaps.mockClear();
    const second = await run({ regionWeights: weights });
    expect(overlaps).not.toHaveBeenCalled();
    for (const { table } of [first, second]) expect(rowsOf(table)).toEqual(rowsOf(without.table));
    await expect(run({ regionWeights: { read: 1 } })).rejects.toThrow(/regionWeights\.read/);
    await expect(tableOverRegions(core, file, file, { regionWeights: weights })).rejects.toThrow(
      /regionWeights: are kept of outlines/,
    );
    await file.close();
  });

  it.each([
    [
      'other.nc',
      'regions.geojson',
      /kept.arrow: has weights of another grid; allowed: weights of the grid of .*other.nc/,
    ],
    [
      'run.nc',
      'others.geojson',
      /kept.arrow: has weights of other regions; allowed: weights of the regions of .*others/,
    ],
    ['run.nc', 'renamed.geojson', /kept.arrow: has weights of other regions/],
    ['run.nc', 'run.nc', /--region-weights: are kept of outlines, and .*run.nc is a mask/],
  ])('%s with %s is an error', async (file, regions, message) => {
    await stats('run.nc', 'regions.geojson', '--region-weights', at('kept.arrow'));
    const before = readFileSync(at('kept.arrow'));
    const { code, err } = await stats(file, regions, '--region-weights', at('kept.arrow'));
    expect(err).toMatch(message);
    expect(code).not.toBe(0);
    expect(readFileSync(at('kept.arrow'))).toEqual(before);
  });

  it('says that a file is damaged, whatever is wrong with it', async () => {
    await stats('run.nc', 'regions.geojson', '--region-weights', at('kept.arrow'));
    const bytes = readFileSync(at('kept.arrow'));
    const kept = tableFromIPC(bytes);
    const weight = kept.getChild('weight')?.data[0].values as Float64Array;
    const begin = bytes.indexOf(Buffer.from(weight.buffer, weight.byteOffset, 16));
    const damaged = [bytes.subarray(0, bytes.length >> 1), Buffer.alloc(0), Buffer.from('id,weight\nA,1\n')];
    for (const bit of [0, 5, 20, 51]) {
      const changed = Buffer.from(bytes);
      changed[begin + (bit >> 3)] ^= 1 << (bit & 7);
      damaged.push(changed);
    }
    for (const content of damaged) {
      writeFileSync(at('damaged.arrow'), content);
      const { code, err } = await stats('run.nc', 'regions.geojson', '--region-weights', at('damaged.arrow'));
      expect(err).toMatch(
        /damaged.arrow: is no file of weights, or is damaged; allowed: .*without the file they are computed/,
      );
      expect(code).not.toBe(0);
    }
  });

  it('needs regions', async () => {
    const { err } = await plumecastHere('stats', at('run.nc'), '--region-weights', at('kept.arrow'));
    expect(err).toContain('--region-weights: has no effect alone');
  });
});
