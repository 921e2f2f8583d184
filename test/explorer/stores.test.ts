import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { loadCore, statistics } from 'plumecast';
import { demoTable } from 'plumecast/demo';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gribFile, T2M } from '../files/grib/write-grib.js';
import { type Fixture, type FixtureArray, zarrFixture } from '../files/zarr/zarr-fixture.js';
import { chromiumAbsent } from '../runtimes/chromium.js';
import { chartOf, dataNamed, tableOf, useExplorer } from './open-explorer.js';

const MEMBERS = 7;
const DAYS = 28;
const rain = demoTable('precipitation', { days: DAYS, members: MEMBERS });
const core = await loadCore();
const means = Array.from(statistics(core, rain, { granularity: 'weekly' }).getChild('mean') ?? [], (mean) =>
  Number(mean).toFixed(2),
);

/** The ensemble of the test as a store: members by days, in chunks of three members and a week. */
async function rainStore(version: 2 | 3, form: Partial<FixtureArray>): Promise<Fixture> {
  const columns = rain.schema.fields.filter(({ name }) => name.startsWith('member_'));
  const values = columns.flatMap(({ name }) => Array.from(rain.getChild(name) ?? [], Number));
  const coordinate = (name: string, length: number, attributes: Record<string, unknown>): FixtureArray => ({
    ...{ type: 'int32', dimensions: [name], shape: [length], chunk: [length], attributes },
    values: Array.from({ length }, (_, i) => i),
  });
  return zarrFixture(version, {
    precipitation: {
      ...{ type: 'float64', dimensions: ['number', 'time'], shape: [MEMBERS, DAYS], chunk: [3, 7], values },
      ...{ attributes: { units: 'mm', standard_name: 'precipitation_amount', cell_methods: 'time: sum' }, ...form },
    },
    number: coordinate('number', MEMBERS, { standard_name: 'realization' }),
    time: coordinate('time', DAYS, { units: 'days since 2026-03-02', standard_name: 'time', axis: 'T' }),
  });
}

/** The files of a store below a name, for the server of the page. */
function filesOf({ values }: Fixture, name: string): Record<string, Uint8Array> {
  return Object.fromEntries([...values].map(([key, bytes]) => [`${name}/${key}`, bytes]));
}

/** Drops files or folders of the file system on the page, as a desktop does. */
async function drop(page: Page, ...files: string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    const data = { items: [], files, dragOperationsMask: 1 };
    await session.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
  }
}

describe.skipIf(chromiumAbsent !== undefined)('Zarr stores in the explorer', () => {
  const explorer = useExplorer();
  let folder = '';
  const path = (name: string) => join(folder, name);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plumecast-stores-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const showsRain = async (page: Page) => {
    await expect
      .poll(async () => (await tableOf(chartOf(page, 'precipitation'))).map(({ mean }) => mean))
      .toEqual(means);
    expect(explorer.faults).toEqual([]);
  };

  it.each<[string, 2 | 3, Partial<FixtureArray>]>([
    ['version 2, Blosc', 2, { codec: 'blosc' }],
    ['version 3, shards of Zstandard', 3, { codec: 'zstd', perShard: [3, 4] }],
    ['version 2, LZ4', 2, { codec: 'lz4' }],
    ['version 2, gzip', 2, { codec: 'gzip' }],
  ])('opens one by its address: %s', async (_, version, form) => {
    const files = filesOf(await rainStore(version, form), 'rain.zarr');
    const page = await explorer.open(`#by=weekly&url=${explorer.address}rain.zarr`, files);
    await showsRain(page);
    expect(await page.locator('.data-name').textContent()).toBe('rain.zarr');
  });

  it('finds one at an address that does not say so, and sees what is missing where there is neither', async () => {
    const files = filesOf(await rainStore(2, {}), 'rain');
    const page = await explorer.open(`#by=weekly&url=${explorer.address}rain`, files);
    await expect
      .poll(async () => (await tableOf(chartOf(page, 'precipitation'))).map(({ mean }) => mean))
      .toEqual(means);
    await page.evaluate((address) => {
      location.hash = `#url=${address}nothing`;
      location.reload();
    }, explorer.address);
    expect(await page.locator('.note.error').textContent()).toContain('received "status 404"; allowed: status 200');
  });

  it('opens a folder that is dropped, also without consolidated metadata', async () => {
    const store = await rainStore(2, { codec: 'zstd' });
    store.values.delete('.zmetadata');
    await store.writeTo(path('dropped.zarr'));
    const page = await explorer.open('#by=weekly');
    await drop(page, path('dropped.zarr'));
    await dataNamed(page, 'dropped.zarr').waitFor();
    await showsRain(page);
  });

  it('opens a folder that is chosen in the dialog', async () => {
    await (await rainStore(3, { perShard: [3, 4], codec: 'gzip' })).writeTo(path('chosen.zarr'));
    const page = await explorer.open('#by=weekly');
    await page.locator('#folder').setInputFiles(path('chosen.zarr'));
    await dataNamed(page, 'chosen.zarr').waitFor();
    await showsRain(page);
  });

  it('opens a folder of GRIB files as one ensemble, dropped or chosen in the dialog', async () => {
    await mkdir(path('run'));
    for (const member of [0, 1, 2]) {
      const fields = [0, 6, 12, 18].map((step) => ({ ...T2M, member, step, value: 280 + member }));
      await writeFile(path(`run/member-${member}`), gribFile(fields));
    }
    await writeFile(path('run/notes.txt'), 'not read');
    const page = await explorer.open();
    const shown = async () => (await tableOf(chartOf(page, 'temp mean'))).map(({ mean, members }) => [mean, members]);
    await drop(page, path('run'));
    await dataNamed(page, 'member-0, member-1, member-2').waitFor();
    await expect.poll(shown).toEqual([['7.85', '3']]);
    await page.getByRole('button', { name: 'Sample' }).click();
    await dataNamed(page, 'Sample ensemble').waitFor();
    await page.locator('#folder').setInputFiles(path('run'));
    await dataNamed(page, 'member-0, member-1, member-2').waitFor();
    await expect.poll(shown).toEqual([['7.85', '3']]);
    expect(explorer.faults).toEqual([]);
  });

  it.each([
    ['at its root', ''],
    ['in a folder', 'rain.zarr'],
  ])('opens a zip archive with a store %s', async (_, below) => {
    const { values } = await rainStore(2, { codec: 'blosc' });
    const names = [...values].map(([key, bytes]) => [below === '' ? key : `${below}/${key}`, bytes] as const);
    await writeFile(path('rain.zarr.zip'), zipSync(Object.fromEntries(names)));
    const page = await explorer.open('#by=weekly');
    await page.locator('#files').setInputFiles(path('rain.zarr.zip'));
    await dataNamed(page, 'rain.zarr.zip').waitFor();
    await showsRain(page);
  });

  it('says what is wrong with folders and archives that are no stores, and with damaged ones', async () => {
    const page = await explorer.open('#by=weekly');
    const error = page.locator('.note.error');
    await (await rainStore(2, {})).writeTo(path('cut.zarr'));
    const chunk = path('cut.zarr/precipitation/0.0');
    await writeFile(chunk, (await readFile(chunk)).subarray(0, 50));
    await drop(page, path('cut.zarr'));
    await page.getByText('cut.zarr/precipitation/0.0: a chunk').waitFor();
    await writeFile(path('other.zip'), zipSync({ 'a.txt': new Uint8Array(3) }));
    await drop(page, path('other.zip'));
    await page.getByText('other.zip: is a zip archive').waitFor();
    await writeFile(path('half.zip'), zipSync({ 'a.txt': new Uint8Array(300) }).subarray(0, 60));
    await drop(page, path('half.zip'));
    await page.getByText('half.zip: is a damaged zip archive').waitFor();
    await drop(page, folder);
    await page.getByText('there is no Zarr store').waitFor();
    await error.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Sample' }).click();
    await chartOf(page, 'temp mean').waitFor();
  });
});
