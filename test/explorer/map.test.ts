import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Table, tableFromIPC } from 'apache-arrow';
import { loadCore, readClimatology, statistics } from 'plumecast';
import { readTable, tableAtPoint } from 'plumecast/files';
import { openArrays } from 'plumecast/files/node';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { fieldOfWindow, windowsOfGrid } from '../../src/explorer/map/grid-window.js';
import { KeptFields } from '../../src/explorer/map/kept-fields.js';
import { mapFrame } from '../../src/explorer/map/place-on-map.js';
import { shownUnit, shownWindows } from '../../src/explorer/view/units.js';
import { windowChoice } from '../../src/explorer/view/window-choice.js';
import { gridEnsemble } from '../../src/files/cf/open-grid-ensemble.js';
import { tableNetcdf } from '../../src/files/cf/table-ensemble.js';
import { writeNetcdf4 } from '../../src/files/netcdf4/write-netcdf4.node.js';
import { weatherMap } from '../../src/plot/map/map.js';
import type { MapField } from '../../src/plot/map/map-field.js';
import { folderWith } from '../cli/run-command.js';
import { plumecastHere } from '../cli/run-here.js';
import { chromiumAbsent } from '../runtimes/chromium.js';
import { chartOf, dataNamed, useExplorer } from './open-explorer.js';

const core = await loadCore();
const latitudes = [52, 51, 50, 49];
const longitudes = [4, 5.5, 7, 8.5, 10];

/** Daily temperatures on a grid, of five members and twenty days from a Thursday. */
function gridTable(): string {
  const rows = ['latitude,longitude,date,member,temp_mean (degC)'];
  for (const latitude of latitudes)
    for (const longitude of longitudes)
      for (let day = 0; day < 20; day++)
        for (let m = 0; m < 5; m++) {
          const value = latitude / 10 + 3 * Math.sin(longitude + day / 3) + m * Math.cos(day);
          const date = new Date(Date.UTC(2026, 2, 5 + day)).toISOString().slice(0, 10);
          rows.push([latitude, longitude, date, m, value.toFixed(3)].join(','));
        }
  return `${rows.join('\n')}\n`;
}

const { folder, remove } = folderWith({ 'grid.csv': gridTable() });
afterAll(remove);
const path = join(folder, 'grid.nc');
expect((await plumecastHere('convert', join(folder, 'grid.csv'), path, '--quiet')).code).toBe(0);

/** Normal values of each cell by day of the year: what the cells have about it, of three years. */
async function normals(): Promise<Table> {
  const rows = ['latitude,longitude,date,temp_mean (degC)'];
  for (const latitude of latitudes)
    for (const longitude of longitudes)
      for (let year = 2021; year <= 2023; year++)
        for (let day = 0; day < 20; day++) {
          const value = latitude / 10 + 3 * Math.sin(longitude + day / 3) + longitude - 7 + 3 * (year - 2022);
          const date = new Date(Date.UTC(year, 2, 5 + day)).toISOString().slice(0, 10);
          rows.push([latitude, longitude, date, value.toFixed(3)].join(','));
        }
  await writeFile(join(folder, 'history.csv'), `${rows.join('\n')}\n`);
  const [from, to] = ['history.csv', 'normal.arrow'].map((name) => join(folder, name));
  const years = ['--reference', '2021-2023', '--half-width', '1', '--fewer-years'];
  const run = await plumecastHere('climatology', from, ...years, '--out', to, '--quiet');
  expect(run).toMatchObject({ code: 0 });
  return tableFromIPC(await readFile(to));
}

/** What reads a map, with nothing kept from before. */
const reading = () => ({ signal: new AbortController().signal, onProgress: () => {}, kept: new KeptFields() });

describe('the map of a grid', () => {
  it('has at each cell what statistics give there, of the days of one window, in the shown unit', async () => {
    const file = await openArrays(path);
    const grid = await gridEnsemble(file, { variable: 'temp_mean' });
    const choice = windowChoice('weekly', true);
    const shown = shownUnit('degC', { degC: 'degF' });
    const windows = windowsOfGrid(grid, choice);
    expect(windows.count).toBe(4);
    const request = { choice, window: 1, shown, ...reading() };
    const threshold = { operator: '>', limit: 6 } as const;
    const mean = await fieldOfWindow(core, grid, { ...request, statistic: { kind: 'mean' } });
    const share = await fieldOfWindow(core, grid, { ...request, statistic: { kind: 'exceedance', threshold } });
    for (const [y, latitude] of latitudes.entries())
      for (const [x, longitude] of longitudes.entries()) {
        const { table } = await tableAtPoint(core, file, { variable: 'temp_mean', point: { latitude, longitude } });
        const own = statistics(core, table, { granularity: 'weekly', partial: true, thresholds: [threshold] }).get(1);
        const cell = y * longitudes.length + x;
        expect(mean.values[cell]).toBeCloseTo((own?.mean ?? Number.NaN) * 1.8 + 32, 5);
        expect(share.values[cell]).toBeCloseTo(own?.p_gt_6 as number, 6);
      }
    expect(share.statistic).toEqual({ kind: 'exceedance', threshold: { operator: '>', limit: 42.8 } });
    const spells = windowChoice('days 1-7,8-14', false, 'spells >5 of 2 d');
    const inDays = shownWindows(shown, spells.window);
    const ofSpells = { ...request, choice: spells, shown: inDays, statistic: { kind: 'mean' } as const };
    const svg = weatherMap(await fieldOfWindow(core, grid, ofSpells));
    expect(svg).toContain('spells above 41 of 2 d');
    await file.close?.();
  });

  it('has the most likely tercile of each cell, as statistics with the climatology give it', async () => {
    const file = await openArrays(path);
    const grid = await gridEnsemble(file, { variable: 'temp_mean' });
    const choice = windowChoice('daily', false);
    const shown = shownUnit('degC', { degC: 'degF' });
    const request = { choice, window: 3, shown, ...reading() };
    const climatology = await normals();
    const { values, categories, statistic, ...field } = await fieldOfWindow(core, grid, {
      ...{ ...request, statistic: { kind: 'tercile', climatology } },
    });
    expect(statistic).toBeUndefined();
    for (const [y, latitude] of latitudes.entries())
      for (const [x, longitude] of longitudes.entries()) {
        const { table } = await tableAtPoint(core, file, { variable: 'temp_mean', point: { latitude, longitude } });
        const own = statistics(core, table, { climatology: readClimatology(climatology) }).get(3);
        const shares = [own?.p_below, own?.p_normal, own?.p_above].map(Number);
        const cell = y * longitudes.length + x;
        expect(values[cell]).toBeCloseTo(Math.max(...shares), 6);
        const likely = [0, 1, 2].filter((category) => shares[category] === Math.max(...shares));
        expect(categories?.[cell]).toBe(likely.length === 1 ? likely[0] : -1);
      }
    expect(new Set(Array.from(categories ?? [])).size).toBeGreaterThan(1);
    expect(weatherMap({ ...field, values, categories })).toContain('most likely tercile');
    const weekly = { ...request, choice: windowChoice('weekly', true) };
    await expect(fieldOfWindow(core, grid, { ...weekly, statistic: { kind: 'tercile', climatology } })).rejects.toThrow(
      /climatology/,
    );
    await file.close?.();
  });

  it('reads compressed chunks once for all windows whose days they hold, and other values window by window', async () => {
    const table = await readTable(await readFile(join(folder, 'grid.csv')));
    const written = (name: string, deflate: number) => {
      const content = tableNetcdf(table);
      const arrays = content.arrays.map((array) =>
        array.dimensions.length < 3
          ? array
          : { ...array, chunk: array.dimensions.map((d) => content.dimensions.get(d) as number) },
      );
      return writeNetcdf4(join(folder, name), { ...content, arrays }, { deflate });
    };
    await written('deflated.nc', 4);
    await written('plain.nc', 0);
    const fields = async (name: string, order: readonly number[], kept = new KeptFields()) => {
      const file = await openArrays(join(folder, name));
      const grid = await gridEnsemble(file, { variable: 'temp_mean' });
      const reads = vi.spyOn(grid, 'read');
      const shown = shownUnit('degC', {});
      const signal = new AbortController().signal;
      const request = { choice: windowChoice('weekly', true), shown, signal, onProgress: () => {}, kept };
      const found: MapField[] = [];
      for (const window of order)
        found.push(await fieldOfWindow(core, grid, { ...request, window, statistic: { kind: 'mean' } }));
      const days = reads.mock.calls.map(([block]) => block.days);
      await file.close?.();
      return { found, days };
    };
    const [plain, deflated] = [await fields('plain.nc', [0, 1, 2, 1]), await fields('deflated.nc', [2, 1, 0, 1])];
    expect(plain.days).toEqual([4, 7, 7]);
    expect(deflated.days).toEqual([20]);
    expect(deflated.found.map(({ start }) => start)).toEqual([2, 1, 0, 1].map((at) => plain.found[at].start));
    for (const [at, window] of [2, 1, 0].entries())
      expect(deflated.found[at].values).toEqual(plain.found[window].values);
    // Where one field fits alone, the others are read again.
    expect((await fields('deflated.nc', [2, 1, 2], new KeptFields(200))).days).toEqual([7, 7, 7]);
  });

  it('finds the place of a pixel, and the pixel of a place', async () => {
    const file = await openArrays(path);
    const grid = await gridEnsemble(file, { variable: 'temp_mean' });
    const choice = windowChoice('daily', false);
    const request = {
      choice,
      window: 0,
      shown: shownUnit('degC', {}),
      signal: new AbortController().signal,
      kept: new KeptFields(),
    };
    const field = await fieldOfWindow(core, grid, { ...request, statistic: { kind: 'mean' }, onProgress: () => {} });
    const frame = mapFrame(weatherMap(field, { width: 700, projection: 'equirectangular' }), grid.grid);
    const at = frame?.find({ latitude: 51, longitude: 7 }) ?? [0, 0];
    expect(frame?.placeAt(...at)?.latitude).toBeCloseTo(51, 6);
    expect(frame?.placeAt(...at)?.longitude).toBeCloseTo(7, 6);
    // Longitudes are in the middle of the map, and half a cell is around them.
    expect(frame?.find({ latitude: 51, longitude: 7 + 360 })).toEqual(at);
    expect(frame?.find({ latitude: 51, longitude: 20 })).toBeUndefined();
    expect(frame?.placeAt(0, 0)).toBeUndefined();
    const west = frame?.find({ latitude: 52, longitude: 4 }) ?? [0, 0];
    const east = frame?.find({ latitude: 52, longitude: 10 }) ?? [0, 0];
    expect((west[0] + east[0]) / 2).toBeCloseTo(at[0], 6);
    await file.close?.();
  });
});

describe.skipIf(chromiumAbsent !== undefined)('the map in the explorer', () => {
  const explorer = useExplorer();

  it('is loaded when it is opened; a press and the arrow keys choose a place, a slider the window', async () => {
    const page = await explorer.open();
    expect(await page.locator('details.map').count()).toBe(0);
    await page.locator('#files').setInputFiles(path);
    await dataNamed(page, 'grid.nc').waitFor();
    await chartOf(page, 'temp mean (°C), daily').waitFor();
    await page.getByText('Map: choose a place').click();
    const image = page.locator('.map-picture img');
    await image.waitFor();
    expect(await image.getAttribute('alt')).toMatch(/2026-03-05/);
    const place = page.locator('.summary h2');
    const pressAt = async (latitude: number, longitude: number) => {
      // The page may not request what it shows as a picture: it is drawn again.
      const file = await openArrays(path);
      const grid = await gridEnsemble(file, { variable: 'temp_mean' });
      const [choice, statistic] = [windowChoice('daily', false), { kind: 'mean' } as const];
      const request = { choice, statistic, window: 0, shown: shownUnit('degC', {}), onProgress: () => {} };
      const { signal } = new AbortController();
      const field = await fieldOfWindow(core, grid, { ...request, signal, kept: new KeptFields() });
      await file.close?.();
      const width = await image.evaluate((img: HTMLImageElement) => img.naturalWidth);
      const svg = weatherMap(field, { width, height: 620, projection: 'equirectangular' });
      const box = (await image.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      const [across, down] = mapFrame(svg, grid.grid)?.find({ latitude, longitude }) ?? [0, 0];
      await image.click({ position: { x: across * box.width, y: down * box.height } });
    };
    await pressAt(50.2, 8.2);
    await expect.poll(() => place.textContent()).toBe('50° N, 8.5° E');
    await page.locator('.map-picture').focus();
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => place.textContent()).toBe('51° N, 8.5° E');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => place.textContent()).toBe('51° N, 7° E');
    await page.locator('details.map').getByLabel('Window').focus();
    await page.keyboard.press('End');
    await expect.poll(() => image.getAttribute('alt')).toMatch(/2026-03-24/);
    await chartOf(page, 'temp mean').getByRole('button', { name: 'Add threshold' }).click();
    await page.locator('details.map').getByLabel('Statistic').selectOption({ label: 'share beyond the threshold' });
    await expect.poll(() => image.getAttribute('alt')).toMatch(/[Ss]hare/);
    expect(explorer.faults).toEqual([]);
  });
});
