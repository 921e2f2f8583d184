import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Table } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { climatology } from '../../src/climate/compute-climatology.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { demoTable } from '../../src/demo/index.js';
import { tableNetcdf } from '../../src/files/cf/table-ensemble.js';
import { encodeTable } from '../../src/files/encode-tables.js';
import { writeNetcdf4 } from '../../src/files/netcdf4/write-netcdf4.node.js';
import { computeBlocks, computeResults, openResultsFile, planBlocks } from '../../src/input/compute-grid.js';
import { openGridStatistics } from '../../src/input/grid-statistics.js';
import { type ArrayInput, openInput } from '../../src/input/input.js';
import { statisticsOfInput } from '../../src/input/statistics-of-input.js';
import { statistics } from '../../src/statistics/statistics.js';
import { zarrFixture } from '../files/zarr/zarr-fixture.js';

const folder = mkdtempSync(join(tmpdir(), 'plumecast-compute-grid-'));
const locations = [50, 49.5, 49, 48.5, 48, 47.5].flatMap((latitude) =>
  [5, 5.5, 6, 6.5, 7].map((longitude) => ({ latitude, longitude })),
);
const rain = demoTable('precipitation', { locations, days: 60, members: 9 });
const options = { granularity: 'weekly', thresholds: ['>20'], spread: true } as const;
let core: Core;
let input: ArrayInput;
beforeAll(async () => {
  core = await loadCore();
  await writeNetcdf4(join(folder, 'rain.nc'), tableNetcdf(rain));
  input = (await openInput(join(folder, 'rain.nc'), {}, () => {})) as ArrayInput;
});
afterAll(async () => {
  await input.close();
  rmSync(folder, { recursive: true });
});

const work = (bytes: number, name = 'rain.results') => ({
  core,
  bytes,
  results: join(folder, name),
  progress: () => {},
});

/** Rows as text, in the order of their places and windows. */
async function rowsOf(tables: Iterable<Table>): Promise<string[]> {
  const rows: string[] = [];
  for (const table of tables) {
    const lines = new TextDecoder()
      .decode(await encodeTable(table, 'csv'))
      .trimEnd()
      .split('\n');
    rows.push(...lines.slice(1));
  }
  return rows.sort();
}

describe('an array of which chunks are not in its store', () => {
  it.each([false, true])('is reported once it was read, with what they may be (some is there: %s)', async (isThere) => {
    const store = await zarrFixture(2, {
      time: {
        ...{ type: 'float64', dimensions: ['time'], shape: [14], chunk: [14] },
        values: Float64Array.from({ length: 14 }, (_, day) => day),
        attributes: { units: 'days since 2026-03-02' },
      },
      rain: {
        ...{ type: 'float32', dimensions: ['time'], shape: [14], chunk: [7], values: new Float32Array(14) },
        attributes: { units: 'mm' },
      },
    });
    store.values.delete('rain/0');
    if (!isThere) store.values.delete('rain/1');
    const path = join(folder, `${isThere}.zarr`);
    await store.writeTo(path);
    const notices: string[] = [];
    const request = { statistics: { granularity: 'weekly', variable: 'precipitation' }, values: {} } as const;
    const tables = statisticsOfInput(core, path, request, ({ kind, text }) => notices.push(`${kind}: ${text}`));
    for await (const _ of tables);
    const found = isThere
      ? 'some chunks of rain that were read are not in the store: their values are missing'
      : 'not one chunk of rain that was read is in the store: all of its values are missing';
    const filled = "if their writer left out what is all 0, use missingChunks: 'fill'";
    expect(notices.filter((text) => text.includes('chunk'))).toEqual([`warning: ${found}; ${filled}`]);
  });
});

describe('statistics of a grid', () => {
  it('equal those of the same values in a table, with any memory', async () => {
    const expected = await rowsOf([statistics(core, rain, options)]);
    expect(expected.length).toBe(30 * 8);
    const plan = await openGridStatistics(core, input, { statistics: options, values: {} });
    for (const bytes of [1e9, 200_000, 140_000]) {
      const { results, close } = await computeResults(plan, work(bytes));
      expect(await rowsOf(plan.tables(results))).toEqual(expected);
      close();
    }
  });

  it('are the same if several threads compute the blocks, in any order', async () => {
    const plan = await openGridStatistics(core, input, { statistics: options, values: {} });
    const small = work(140_000, 'shared.results');
    const count = planBlocks(plan, small).length;
    expect(count).toBeGreaterThan(3);
    const cuts = [0, 1, Math.floor(count / 2), count];
    for (const part of [2, 0, 1]) await computeBlocks(plan, small, cuts[part], cuts[part + 1]);
    const { results, close } = openResultsFile(plan, small);
    expect(await rowsOf(plan.tables(results))).toEqual(await rowsOf([statistics(core, rain, options)]));
    close();
  });

  it('against a climatology equal those of the table', async () => {
    const history = demoTable('precipitation', { locations, initDate: 8401, days: 3652, members: 1, seed: 4 });
    const normal = climatology(core, history, { granularity: 'monthly', reference: '1993-2002' });
    const requested = { granularity: 'monthly', partial: true, anomaly: true } as const;
    const plan = await openGridStatistics(core, input, { statistics: requested, climatology: normal, values: {} });
    const { results, close } = await computeResults(plan, work(140_000));
    expect(await rowsOf(plan.tables(results))).toEqual(
      await rowsOf([statistics(core, rain, { ...requested, climatology: normal })]),
    );
    close();
  });
});
