import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Table, vectorFromArray } from 'apache-arrow';
import type { Page } from 'playwright-core';
import { loadCore, statistics } from 'plumecast';
import { demoTable } from 'plumecast/demo';
import { encodeTable } from 'plumecast/files';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wideTable } from '../../src/table/build/wide-table.js';
import { plumecastHere } from '../cli/run-here.js';
import { gribFile, T2M } from '../files/grib/write-grib.js';
import { isFullCheck } from '../full-check.js';
import { codestream } from '../reference/grib-jpeg2000.js';
import { chromiumAbsent } from '../runtimes/chromium.js';
import { chartOf, dataNamed, tableOf, useExplorer } from './open-explorer.js';

const core = await loadCore();
const rain = demoTable('precipitation', { days: 28, members: 7 });
const HOSTILE = '"><img src=x onerror=window.hit=1><script>window.hit=1</script>';

/** A table whose names and texts try to be markup. */
async function hostileFile(): Promise<Uint8Array> {
  const rows = rain.numRows;
  const texts = (value: string) => vectorFromArray(Array.from({ length: rows }, () => value));
  const columns: Record<string, unknown> = { date: rain.getChild('date') };
  for (const { name } of rain.schema.fields) {
    if (name.startsWith('member_')) columns[name] = rain.getChild(name);
  }
  columns[HOSTILE] = texts(HOSTILE);
  const table = new Table(columns as never);
  const metadata = { variable: 'precipitation', units: 'mm', init_time: HOSTILE, version: HOSTILE, horizon: HOSTILE };
  const horizons = [
    { name: HOSTILE, end: '2026-03-09' },
    { name: HOSTILE, end: '2026-03-29', hand_over: '2026-03-08' },
  ];
  for (const [key, text] of Object.entries({ ...metadata, horizons: JSON.stringify(horizons) })) {
    table.schema.metadata.set(key, text);
  }
  return encodeTable(table, 'arrow');
}

describe.skipIf(chromiumAbsent !== undefined)('files in the explorer', () => {
  const explorer = useExplorer();
  let folder = '';
  const path = (name: string) => join(folder, name);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plumecast-explorer-'));
    await writeFile(path('rain.arrow'), await encodeTable(rain, 'arrow'));
    // Without a variable and units, which `convert` would state.
    await writeFile(path('rain.csv'), await encodeTable(rain, 'csv'));
    for (const name of ['rain.parquet', 'rain.nc']) {
      expect((await plumecastHere('convert', path('rain.arrow'), path(name), '--quiet')).code).toBe(0);
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const means = Array.from(statistics(core, rain, { granularity: 'weekly' }).getChild('mean') ?? [], (mean) =>
    Number(mean).toFixed(2),
  );

  it.each(['rain.arrow', 'rain.parquet', 'rain.nc'])('opens %s, chosen in the dialog', async (name) => {
    const page = await explorer.open('#by=weekly');
    await page.locator('#files').setInputFiles(path(name));
    const chart = chartOf(page, 'precipitation (mm), weekly sums');
    await dataNamed(page, name).waitFor();
    await expect.poll(async () => (await tableOf(chart)).map(({ mean }) => mean)).toEqual(means);
    expect(explorer.faults).toEqual([]);
  });

  it('opens GRIB: the members of a forecast, a day of steps each', async () => {
    const steps = Array.from({ length: 8 }, (_, k) => 6 * k);
    const fields = [0, 1, 2].flatMap((member) =>
      steps.map((step) => ({ ...T2M, member, step, value: 280 + member + (step < 24 ? 0 : 3) })),
    );
    await writeFile(path('temperature.grib2'), gribFile(fields));
    const page = await explorer.open();
    await page.locator('#files').setInputFiles(path('temperature.grib2'));
    const meansShown = async () => (await tableOf(chartOf(page, 'temp mean (°C), daily'))).map(({ mean }) => mean);
    await dataNamed(page, 'temperature.grib2').waitFor();
    await expect.poll(meansShown).toEqual(['7.85', '10.85']);
    expect(explorer.faults).toEqual([]);
  });

  it('joins GRIB files of members and steps to one ensemble, dropped or at addresses; other runs are horizons', async () => {
    const file = (member: number, steps: readonly number[], value = 280) =>
      gribFile(steps.map((step) => ({ ...T2M, member, step, value: value + member + (step < 24 ? 0 : 3) })));
    const [first, second] = [
      [0, 6, 12, 18],
      [24, 30, 36, 42],
    ];
    const parts: Record<string, Uint8Array> = {};
    for (const member of [0, 1, 2]) {
      parts[`m${member}-d1.grib2`] = file(member, first);
      parts[`m${member}-d2.grib2`] = file(member, second);
    }
    const names = Object.keys(parts);
    for (const name of names) await writeFile(path(name), parts[name]);
    const page = await explorer.open();
    const shown = async () =>
      (await tableOf(chartOf(page, 'temp mean (°C), daily'))).map(({ mean, members }) => [mean, members]);
    const expected = [
      ['7.85', '3'],
      ['10.85', '3'],
    ];
    await page.locator('#files').setInputFiles(names.map(path));
    await dataNamed(page, 'm0-d1.grib2 and 5 more').waitFor();
    await expect.poll(shown).toEqual(expected);
    const { out } = await plumecastHere('stats', ...names.map(path), '--variable', 'temp_mean', '--out', '-');
    expect(
      out
        .split('\n')
        .slice(1, 3)
        .map((line) => Number(line.split(',')[10]).toFixed(2)),
    ).toEqual(['7.85', '10.85']);
    explorer.offer(parts);
    const addresses = names.toReversed().map((name) => `url=${explorer.address}${name}`);
    await enterLink(page, `#${addresses.join('&')}`);
    await dataNamed(page, 'm2-d2.grib2 and 5 more').waitFor();
    await expect.poll(shown).toEqual(expected);
    await writeFile(
      path('long.grib2'),
      Buffer.concat([0, 1, 2].map((member) => file(member, [...first, ...second], 285))),
    );
    await writeFile(path('short.grib2'), Buffer.concat([0, 1, 2].map((member) => file(member, first))));
    await page.locator('#files').setInputFiles([path('long.grib2'), path('short.grib2')]);
    await dataNamed(page, 'long.grib2, short.grib2').waitFor();
    await page.getByText('Seams:').click();
    expect(await page.locator('table.seams').textContent()).toContain('short.grib2 to long.grib2');
  });

  it('opens GRIB packed by JPEG 2000, whose decoder is loaded then', async () => {
    const [rows, columns] = [10, 20];
    const steps = Array.from({ length: 8 }, (_, k) => 6 * k);
    // The number of the second point is 111.
    const fields = steps.map((step) => ({ ...T2M, rows, columns, member: 0, step, value: 180, image: codestream() }));
    await writeFile(path('packed.grib2'), gribFile(fields));
    const page = await explorer.open('#at=59,11');
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await page.locator('#files').setInputFiles(path('packed.grib2'));
    await dataNamed(page, 'packed.grib2').waitFor();
    await page.getByLabel('Place').selectOption({ label: '59° N, 11° E' });
    const rowsShown = async () => (await tableOf(chartOf(page, 'temp mean'))).map(({ mean }) => mean);
    await expect.poll(rowsShown).toEqual(['17.85', '17.85']);
    expect(requested.some((url) => url.includes('/openjpegwasm'))).toBe(true);
    expect(explorer.faults).toEqual([]);
  });

  it('lets the reader say what values are that a file does not name', async () => {
    const page = await explorer.open('#by=weekly');
    await page.locator('#files').setInputFiles(path('rain.csv'));
    await page.getByLabel('They are').waitFor();
    expect(await page.locator('.card .error').count()).toBe(0);
    await page.getByText('Copy as', { exact: true }).click();
    await page.getByRole('button', { name: 'plumecast command' }).click();
    expect(await page.locator('.said').textContent()).toContain('Choose what the values are first');
    await page.getByLabel('They are').selectOption('precipitation');
    const rows = await tableOf(chartOf(page, 'precipitation'));
    expect(rows.map(({ mean }) => mean)).toEqual(means);
  });

  it('opens files that are dropped, and joins horizons', async () => {
    const page = await explorer.open('#by=weekly');
    const files = [demoTable('precipitation', { days: 15, horizon: 'short-term' }), demoTable('precipitation')];
    const contents = await Promise.all(files.map(async (table) => [...(await encodeTable(table, 'arrow'))]));
    await page.evaluate((all) => {
      const data = new DataTransfer();
      all.forEach((bytes, i) => {
        data.items.add(new File([new Uint8Array(bytes)], `${i}.arrow`));
      });
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    }, contents);
    await dataNamed(page, '0.arrow, 1.arrow').waitFor();
    await page.getByText('Seams:').click();
    expect(await page.locator('table.seams').textContent()).toContain('short-term to seasonal');
  });

  it('lets the reader choose one of several places, and a link name it', async () => {
    const locations = [
      { latitude: 10, longitude: 20 },
      { latitude: 10, longitude: 21 },
    ];
    const table = demoTable('precipitation', { days: 28, members: 5, locations });
    const extra = { 'several.arrow': await encodeTable(table, 'arrow') };
    const page = await explorer.open(`#by=weekly&url=${explorer.address}several.arrow`, extra);
    await page.getByLabel('Place').selectOption({ label: '10° N, 21° E' });
    const expected = statistics(core, table, { granularity: 'weekly', point: locations[1] }).getChild('mean');
    const texts = Array.from(expected ?? [], (mean) => Number(mean).toFixed(2));
    const shown = async () => (await tableOf(chartOf(page, 'precipitation'))).map(({ mean }) => mean);
    await expect.poll(shown).toEqual(texts);
    await page.waitForFunction(() => location.hash.includes('at=10,21'));
    await page.reload();
    await expect.poll(shown).toEqual(texts);
    const [link, sample] = [await page.evaluate(() => location.hash), '#var=precipitation&by=weekly'];
    await enterLink(page, sample);
    await dataNamed(page, 'Sample ensemble').waitFor();
    await enterLink(page, link);
    await dataNamed(page, 'several.arrow').waitFor();
    await expect.poll(shown).toEqual(texts);
    await page.locator('#files').setInputFiles(path('rain.arrow'));
    await dataNamed(page, 'rain.arrow').waitFor();
    await enterLink(page, '#by=monthly');
    await chartOf(page, 'precipitation (mm), monthly sums').waitFor();
    expect(await page.locator('.data-name').textContent()).toBe('rain.arrow');
    await enterLink(page, '#url=https://example.invalid/b.arrow');
    expect(await page.locator('.note').textContent()).toContain('This link opens https://example.invalid/b.arrow');
    expect(explorer.faults).toEqual([]);
  });

  it('runs no script of names and metadata', async () => {
    const extra = { 'hostile.arrow': await hostileFile() };
    const page = await explorer.open(`#url=${explorer.address}hostile.arrow`, extra);
    await chartOf(page, 'precipitation').waitFor();
    expect(await page.locator('.summary').textContent()).toContain(HOSTILE);
    expect(await page.locator('svg').filter({ hasText: 'img src=x' }).count()).toBeGreaterThan(0);
    const slider = page.getByRole('slider', { name: 'choose a window' });
    await slider.focus();
    await page.keyboard.press('End');
    expect(await page.locator('img[src="x"], main script, svg script').count()).toBe(0);
    expect(await page.evaluate(() => (window as { hit?: number }).hit)).toBeUndefined();
    expect(explorer.faults).toEqual([]);
    await page.locator('#files').setInputFiles({
      name: `${HOSTILE}.csv`,
      mimeType: 'text/csv',
      buffer: Buffer.from(`${HOSTILE},b\n1,2\n3,4\n`),
    });
    expect(await page.locator('.note.error').textContent()).toContain(HOSTILE);
    expect(await page.evaluate(() => (window as { hit?: number }).hit)).toBeUndefined();
  });

  it('says after some seconds why it does not start, as from a file', async () => {
    const page = await explorer.open();
    await page.route('**/explorer.js', (route) => route.abort());
    await page.reload();
    const hint = page.getByText('Browsers do not start this page from a file');
    expect(await hint.isVisible()).toBe(false);
    await page.evaluate(() => {
      for (const animation of document.getAnimations()) animation.finish();
    });
    expect(await hint.isVisible()).toBe(true);
    await page.unroute('**/explorer.js');
  });

  it('runs no script that is written into the page: the policy forbids it', async () => {
    const page = await explorer.open();
    const ran = await page.evaluate(async () => {
      const script = document.createElement('script');
      script.textContent = 'window.hit = 1';
      document.body.append(script);
      const image = document.createElement('div');
      image.innerHTML = '<img src="./none" onerror="window.hit = 2">';
      document.body.append(image);
      await new Promise((done) => setTimeout(done, 100));
      let evaluates = true;
      try {
        new Function('return 1')();
      } catch {
        evaluates = false;
      }
      return { hit: (window as { hit?: number }).hit, evaluates };
    });
    expect(ran).toEqual({ evaluates: false });
  });

  it.each([
    ['empty.csv', '', 'is empty'],
    ['cut.nc', 'CDF\u0001\u0000\u0000', 'is truncated'],
    ['noise.bin', '\u0000\u0001\u0002\u0003noise', 'is of no known format'],
    ['words.csv', 'a,b\nx,y\n', 'no column of dates'],
    [
      'run.sh',
      '#!/bin/sh\nread date, member, value\n',
      'is a script, which is not read; allowed: the data that it writes',
    ],
    ['picture.gif', 'GIF89a', 'is an image (GIF)'],
    ['song.mp3', 'ID3\u0003\u0000\u0000', 'NetCDF3, NetCDF4 or other HDF5, GRIB, Zarr'],
    ['no-values.csv', 'date,member\n2026-03-02,3\n', 'Such options are those of "plumecast convert"'],
  ])('says what is wrong with %s, and stays usable', async (name, content, words) => {
    const page = await explorer.open();
    await page.locator('#files').setInputFiles({ name, mimeType: '', buffer: Buffer.from(content, 'latin1') });
    const error = page.locator('.note.error');
    expect(await error.textContent()).toContain(name);
    expect(await error.textContent()).toContain(words);
    await error.getByRole('button', { name: 'Close' }).click();
    await page.getByText('Monthly').click();
    await chartOf(page, 'temp mean (°C), monthly means').waitFor();
  });

  it.each([
    ['long.csv', 'date,member,value\n'],
    ['long.nc', '\x89HDF\r\n\x1a\n\x00'],
  ])(
    'says at once that %s of 2 GiB is too long for it, what is read, and by what else, and stays usable',
    async (name, head) => {
      const page = await explorer.open();
      await page.evaluate(
        ({ name, head }) => {
          const first = new Blob([Uint8Array.from(head, (character) => character.charCodeAt(0))]);
          const piece = new Blob([new Uint8Array(2 ** 20)]);
          const files = new DataTransfer();
          files.items.add(new File([first, ...Array.from({ length: 2048 }, () => piece)], name));
          const input = document.querySelector('#files') as HTMLInputElement;
          input.files = files.files;
          input.dispatchEvent(new Event('change', { bubbles: true }));
        },
        { name, head },
      );
      const error = page.locator('.note.error');
      expect(await error.textContent()).toContain(
        `${name}: is too long for the page of the explorer; received "2.00 GiB"; allowed: tables and NetCDF4 up to 1 GiB, and GRIB, NetCDF3 and Zarr of any length: "plumecast stats FILE"`,
      );
      await error.getByRole('button', { name: 'Close' }).click();
      await page.getByText('Monthly').click();
      await chartOf(page, 'temp mean (°C), monthly means').waitFor();
      expect(explorer.faults).toEqual([]);
    },
  );

  it('shows coordinates to four decimals, which their fields have space for', async () => {
    const page = await explorer.open();
    const rows = Array.from({ length: 401 }, (_, i) => `2026-03-02,a,${40.123456789 + i / 100},7.00004,5`);
    const text = `date,member,latitude,longitude,temp_mean\n${rows.join('\n')}\n`;
    await page.locator('#files').setInputFiles({ name: 'places.csv', mimeType: '', buffer: Buffer.from(text) });
    await dataNamed(page, 'places.csv').waitFor();
    const shown = await Promise.all(['Latitude', 'Longitude'].map((name) => page.getByLabel(name).inputValue()));
    expect(shown).toEqual(['40.1235', '7']);
  });

  it('says that no window is complete, on an axis of the days of the data', async () => {
    const page = await explorer.open('#by=monthly');
    const short = await encodeTable(demoTable('temp_mean', { days: 20, members: 3 }), 'arrow');
    await page.locator('#files').setInputFiles({ name: 'short.arrow', mimeType: '', buffer: Buffer.from(short) });
    await dataNamed(page, 'short.arrow').waitFor();
    const texts = chartOf(page, 'temp mean (°C), monthly means').locator('svg text');
    await texts.first().waitFor();
    expect(await texts.allTextContents()).toEqual(['no window is complete', 'Mar', '2026']);
  });

  it('asks before it opens what a link of another host names', async () => {
    const page = await explorer.open('#url=https://example.invalid/a.arrow');
    expect(await page.locator('.note').textContent()).toContain('This link opens https://example.invalid/a.arrow');
    expect(explorer.faults).toEqual([]);
    await page.getByRole('button', { name: 'Open it' }).click();
    expect(await page.locator('.note.error').textContent()).toContain('cannot be reached');
  });

  if (isFullCheck) {
    it('needs at most three times the size of a large file', async () => {
      const bytes = await encodeTable(largeTable(), 'arrow');
      const extra = { 'large.arrow': bytes };
      const page = await explorer.open('', extra);
      const session = await page.context().newCDPSession(page);
      const used = async () => {
        await session.send('HeapProfiler.collectGarbage');
        const { usedSize, backingStorageSize } = (await session.send('Runtime.getHeapUsage')) as Record<string, number>;
        return usedSize + backingStorageSize;
      };
      await page.evaluate((url) => {
        location.hash = `#url=${url}`;
        location.reload();
      }, `${explorer.address}large.arrow`);
      await page.getByLabel('Latitude').waitFor();
      await chartOf(page, 'temp mean').waitFor();
      expect(bytes.length).toBeGreaterThan(48e6);
      expect(await used()).toBeLessThan(3 * bytes.length);
    });
  }

  it('show their time steps above the days, where they have some, and say when a step is', async () => {
    const time = Array.from({ length: 16 }, (_, i) => new Date(Date.UTC(2026, 2, 2, 3 * i)).toISOString());
    const degrees = vectorFromArray(Float64Array.from(time.keys()));
    const hours = new Table({ time: vectorFromArray(time), temp_mean: degrees } as never);
    hours.schema.metadata.set('units', 'degC');
    await writeFile(path('hours.arrow'), await encodeTable(hours, 'arrow'));
    const page = await explorer.open();
    await page.locator('#files').setInputFiles(path('rain.arrow'));
    await dataNamed(page, 'rain.arrow').waitFor();
    expect(await page.getByLabel('time steps').count()).toBe(0);
    await page.locator('#files').setInputFiles(path('hours.arrow'));
    await dataNamed(page, 'hours.arrow').waitFor();
    await page.getByLabel('time steps').check();
    await page.getByRole('heading', { name: 'temp mean (°C), time steps' }).waitFor();
    await page.getByRole('slider', { name: /time steps/ }).focus();
    await page.keyboard.press('End');
    expect(await page.locator('.chart .words').first().innerText()).toContain('Tuesday 3 March 2026, 21:00');
    expect(explorer.faults).toEqual([]);
  });
});

/** Changes the address of an open page, as a reader does who enters a link there. */
async function enterLink(page: Page, hash: string): Promise<void> {
  await page.evaluate((text) => {
    location.hash = text;
  }, hash);
}

/** Temperatures of 51 members on 365 days at 660 places. */
function largeTable(): Table {
  const [days, places] = [365, 660];
  const rows = days * places;
  const ofRow = (value: (place: number, day: number) => number) =>
    Float64Array.from({ length: rows }, (_, row) => value(Math.floor(row / days), row % days));
  const columns = {
    latitude: ofRow((place) => 30 + (place % 25) / 4),
    longitude: ofRow((place) => -100 + Math.floor(place / 25) / 4),
    date: Int32Array.from({ length: rows }, (_, row) => 20_000 + (row % days)),
    members: Array.from({ length: 51 }, (_, m) =>
      Float32Array.from({ length: rows }, (_, row) => ((row * 7 + m) % 41) - 10),
    ),
  };
  return wideTable(columns, new Map([['variable', 'temp_mean']]));
}
