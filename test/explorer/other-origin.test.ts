import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { loadCore, statistics } from 'plumecast';
import { demoTable } from 'plumecast/demo';
import { encodeTable } from 'plumecast/files';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gribFile, T2M } from '../files/grib/write-grib.js';
import { icechunkPythons, runScript } from '../files/icechunk/icechunk-pythons.js';
import { serveValues, type TestServer } from '../files/zarr/http-server.js';
import { zarrFixture } from '../files/zarr/zarr-fixture.js';
import { chromiumAbsent } from '../runtimes/chromium.js';
import { chartOf, dataNamed, tableOf, useExplorer } from './open-explorer.js';

const MEMBERS = 5;
const DAYS = 28;
const rain = demoTable('precipitation', { days: DAYS, members: MEMBERS });
const columns = rain.schema.fields.filter(({ name }) => name.startsWith('member_'));
const values = columns.flatMap(({ name }) => Array.from(rain.getChild(name) ?? [], Number));
const core = await loadCore();
/** What Node computes. */
const means = Array.from(statistics(core, rain, { granularity: 'weekly' }).getChild('mean') ?? [], (mean) =>
  Number(mean).toFixed(2),
);
const [python] = icechunkPythons().slice(-1);

/** The same ensemble as a Zarr store, with shards whose indices are read by the ends of files. */
async function zarrStore(): Promise<ReadonlyMap<string, Uint8Array>> {
  const along = (name: string, length: number, attributes: Record<string, unknown>) => ({
    ...{ type: 'int32' as const, dimensions: [name], shape: [length], chunk: [length], attributes },
    values: Array.from({ length }, (_, i) => i),
  });
  const store = await zarrFixture(3, {
    precipitation: {
      ...{ type: 'float64', dimensions: ['number', 'time'], shape: [MEMBERS, DAYS], chunk: [1, 7], values },
      ...{ attributes: { units: 'mm', standard_name: 'precipitation_amount', cell_methods: 'time: sum' } },
      ...{ codec: 'zstd', perShard: [5, 2] },
    },
    number: along('number', MEMBERS, { standard_name: 'realization' }),
    time: along('time', DAYS, { units: 'days since 2026-03-02', standard_name: 'time', axis: 'T' }),
  });
  return store.values;
}

describe.skipIf(chromiumAbsent !== undefined)('data at another origin than the page', () => {
  const explorer = useExplorer();
  const folder = mkdtempSync(join(tmpdir(), 'plumecast-origin-'));
  let server: TestServer | undefined;
  /** Whether the server lets pages of other origins read, and whether also by headers such as ranges of ends. */
  let allows: 'all' | 'plain requests' | 'nothing' = 'all';

  beforeAll(async () => {
    const served = new Map<string, Uint8Array>();
    for (const [key, bytes] of await zarrStore()) served.set(`rain.zarr/${key}`, bytes);
    served.set('rain.parquet', await encodeTable(rain, 'parquet'));
    const fields = [0, 1, 2].flatMap((member) =>
      [0, 6, 12, 18].map((step) => ({ ...T2M, member, step, value: 280 + member })),
    );
    served.set('run.grib2', gribFile(fields));
    if (python !== undefined) {
      writeFileSync(join(folder, 'values.json'), JSON.stringify(values));
      const repository = join(folder, 'rain.icechunk');
      const script = fileURLToPath(new URL('write-rain.py', import.meta.url));
      runScript(python.program, script, [repository, `${python.formats.at(-1)}`, `${MEMBERS}`]);
      for (const entry of readdirSync(repository, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        if (entry.isFile()) served.set(path.slice(folder.length + 1), readFileSync(path));
      }
    }
    server = await serveValues(served);
    server.mischief = ({ method }, response) => {
      if (allows !== 'nothing') response.setHeader('access-control-allow-origin', '*');
      if (method !== 'OPTIONS') return false;
      if (allows === 'all') response.setHeader('access-control-allow-headers', 'range');
      response.writeHead(allows === 'all' ? 204 : 403).end();
      return true;
    };
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = async (name: string, by = 'weekly'): Promise<Page> => {
    const page = await explorer.open(`#by=${by}&url=${server?.url}/${name}`);
    page.setDefaultTimeout(15_000);
    // The page asks before it opens what a link of another host names.
    await page.getByRole('button', { name: 'Open it' }).click();
    return page;
  };

  const stores = python === undefined ? ['rain.zarr'] : ['rain.zarr', 'rain.icechunk'];
  if (python === undefined) console.log('skipped: Icechunk at another origin, as there is no Python with icechunk');
  it.each([...stores, 'rain.parquet'])('has the numbers of Node where its server allows it: %s', async (name) => {
    allows = 'all';
    const page = await open(name);
    await dataNamed(page, name).waitFor();
    const shown = async () => (await tableOf(chartOf(page, 'precipitation'))).map(({ mean }) => mean);
    await expect.poll(shown).toEqual(means);
  });

  it('has the numbers of Node where its server allows it: GRIB', async () => {
    allows = 'all';
    const page = await open('run.grib2', 'daily');
    await dataNamed(page, 'run.grib2').waitFor();
    const shown = async () => (await tableOf(chartOf(page, 'temp mean'))).map(({ mean, members }) => [mean, members]);
    await expect.poll(shown).toEqual([['7.85', '3']]);
  });

  it.each([...stores, 'rain.parquet', 'run.grib2'])(
    'is an error in words where its server does not: %s',
    async (name) => {
      allows = 'nothing';
      const page = await open(name);
      await page.getByText('cannot be reached, or does not let this page read it').waitFor();
      expect(await page.locator('.note.error').textContent()).toContain('sends Access-Control-Allow-Origin');
    },
  );

  it('is an error in words where its server does not allow ranges', async () => {
    allows = 'plain requests';
    const page = await open('rain.zarr');
    const note = page.locator('.note.error, .card .error').first();
    await expect
      .poll(() => note.textContent())
      .toMatch(/rain\.zarr\/.*Access-Control-Allow-Origin.*Range.*Access-Control-Allow-Headers/);
  });
});
