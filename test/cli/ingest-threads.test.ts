import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Table } from 'apache-arrow';
import { afterAll, describe, expect, it } from 'vitest';
import { demoTables } from '../../src/demo/index.js';
import { contentOfTable } from '../../src/files/cf/content/content-of-table.js';
import type { ValueBox } from '../../src/files/netcdf4/netcdf-content.js';
import { writeNetcdf4 } from '../../src/files/netcdf4/write-netcdf4.node.js';
import { dayNumber } from '../../src/period/day.js';
import { folderWith, plumecast } from './run-command.js';

const { folder, remove } = folderWith({});
afterAll(remove);
const at = (name: string) => join(folder, name);

const SLUGS = ['temp_mean', 'precipitation'] as const;
const locations = [37, 37.25].flatMap((latitude) => [-80, -79.75].map((longitude) => ({ latitude, longitude })));
const grid = { locations, initDate: dayNumber(2026, 3, 3), members: 3 };
const short = demoTables({ ...grid, days: 18, horizon: 'short-term' });
const seasonal = demoTables({ ...grid, days: 60, horizon: 'seasonal', seed: 3 });
const corner = demoTables({ ...grid, locations: locations.slice(0, 1), days: 18, horizon: 'short-term', seed: 9 });

/** Writes tables of one grid as one NetCDF file; the first value of the last variable may be replaced. */
async function gridFile(name: string, tables: readonly Table[], firstValue?: number): Promise<void> {
  const [first, ...others] = tables.map((table) => contentOfTable(table));
  const arrays = [...first.arrays, ...others.map((content) => content.arrays[content.arrays.length - 1])];
  const last = arrays[arrays.length - 1];
  async function* boxes() {
    for await (const box of last.values as AsyncIterable<ValueBox>) {
      if (firstValue !== undefined) box.values[0] = firstValue;
      yield box;
    }
  }
  await writeNetcdf4(at(name), { ...first, arrays: [...arrays.slice(0, -1), { ...last, values: boxes() }] });
}

await gridFile(
  'short.nc',
  SLUGS.map((slug) => short[slug]),
);
await gridFile(
  'seasonal.nc',
  SLUGS.map((slug) => seasonal[slug]),
);
await gridFile(
  'corner.nc',
  SLUGS.map((slug) => corner[slug]),
);
await gridFile(
  'infinite.nc',
  SLUGS.map((slug) => short[slug]),
  Number.POSITIVE_INFINITY,
);

const ingest = (store: string, threads: number, ...args: string[]) =>
  plumecast(['ingest', '--store', store, '--threads', String(threads), ...args], { cwd: folder });

/** The digests of all files of values that a store names, and what it says of their days and members. */
function contentsOf(store: string): string[] {
  const names = readdirSync(join(at(store), 'generations'));
  const text = names.map((name) => readFileSync(join(at(store), 'generations', name), 'utf8')).join();
  return (text.match(/"sha256":"[0-9a-f]+"|"days":\d+|"members":\d+/g) ?? []).sort();
}

describe('ingest --threads', () => {
  it('writes the same bytes and says the same as one thread, of horizons, timelines and parts of a run', () => {
    const said = [1, 3].map((threads) => {
      const store = `store-${threads}`;
      const first = ingest(store, threads, '--short-term', 'short.nc', '--seasonal', 'seasonal.nc');
      const region = ingest(store, threads, '--short-term', 'corner.nc', '--precision', 'precipitation=0.1');
      expect([first.code, region.code], first.err + region.err).toEqual([0, 0]);
      return `${first.err}${region.err}`.split('\n').sort();
    });
    expect(contentsOf('store-3')).toEqual(contentsOf('store-1'));
    expect(said[1]).toEqual(said[0]);
    const { out } = plumecast(['store', 'check', '--store', 'store-3'], { cwd: folder });
    expect(out).toContain('nothing is damaged');
  });

  it('fails as one thread does, and leaves nothing', () => {
    const [one, three] = [1, 3].map((threads) => ingest(`failed-${threads}`, threads, '--short-term', 'infinite.nc'));
    expect(one).toMatchObject({ code: 1, err: expect.stringContaining('infinite.nc') });
    expect(three).toEqual(one);
    expect(readdirSync(folder).filter((name) => name.startsWith('failed'))).toEqual([]);
  });

  it('is a number', () => {
    expect(plumecast(['ingest', '--store', 'x', '--short-term', 'short.nc', '--threads', 'all'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Expected a number from 1 to 999'),
    });
  });
});
