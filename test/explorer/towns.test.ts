import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findTowns, readTowns } from '../../src/files/places/towns.js';
import { root } from '../runtimes/bundle.js';
import { chromiumAbsent } from '../runtimes/chromium.js';
import { dataNamed, useExplorer } from './open-explorer.js';

const text = readFileSync(join(root, 'dist/explorer/towns.txt'), 'utf8');
const towns = readTowns(text);
const namesOf = (typed: string, max = 3) => findTowns(towns, typed, max).map(({ name }) => name);

describe('findTowns', () => {
  it('has the towns above 15,000 inhabitants with their source, and is where they are to a kilometre', () => {
    expect(towns.length).toBeGreaterThan(24_000);
    expect(text.split('\n')[0]).toContain('GeoNames (geonames.org), CC BY 4.0');
    expect(findTowns(towns, 'reykjavik', 1)).toMatchObject([
      { name: 'Reykjavík', country: 'Iceland', latitude: 64.14, longitude: -21.9 },
    ]);
    for (const { latitude, longitude, name, country } of towns) {
      expect([Math.abs(latitude) <= 90, Math.abs(longitude) <= 180, name !== '', country !== '']).toEqual(
        Array(4).fill(true),
      );
    }
  });

  it('takes names without their accents, case and hyphens, larger towns first', () => {
    expect(namesOf('zuri')[0]).toBe('Zürich');
    expect(namesOf('ZÜRICH')[0]).toBe('Zürich');
    expect(namesOf('lodz')[0]).toBe('Łódź');
    expect(namesOf('saint deni')[0]).toBe('Saint-Denis');
    expect(namesOf('paris', 2)[0]).toBe('Paris');
  });

  it('takes a word within a name after names that begin with it, and a country after a comma', () => {
    expect(namesOf('york', 8)).toContain('New York City');
    expect(namesOf('york')[0]).toMatch(/^York/);
    expect(findTowns(towns, 'paris, united st', 5).map(({ country }) => country)).toEqual(
      Array(findTowns(towns, 'paris, united st', 5).length).fill('United States'),
    );
    expect(findTowns(towns, 'paris, united st', 5).length).toBeGreaterThan(0);
  });

  it('finds nothing for nothing, for signs alone, and for what is no name', () => {
    for (const typed of ['', '  ', ',', '<img src=x>', 'xqxqxq', '.*', 'a'.repeat(10_000)])
      expect(namesOf(typed)).toEqual([]);
  });

  it('leaves out comments and lines that lack something', () => {
    expect(readTowns('# x\ty\t1\t2\nBern\tCH\t46.95\t7.45\n\nBern\tCH\t46\n').map(({ name }) => name)).toEqual([
      'Bern',
    ]);
  });
});

/** Eight days at places of a latitude and the longitudes 7.5 and -74. */
function places(...latitudes: number[]) {
  const days = [1, 2, 3, 4, 5, 6, 7, 8];
  const rows = latitudes.flatMap((latitude) =>
    [7.5, -74].flatMap((longitude) => days.map((day) => `${latitude},${longitude},2026-03-0${day},0,${day}`)),
  );
  const text = ['latitude,longitude,date,member,temp_mean (degC)', ...rows].join('\n');
  return { name: 'places.csv', mimeType: 'text/csv', buffer: Buffer.from(`${text}\n`) };
}

describe.skipIf(chromiumAbsent !== undefined)('the search for a town in the explorer', () => {
  const explorer = useExplorer();

  it('lists towns while a name is typed, and shows the place nearest to the one that is chosen', async () => {
    const page = await explorer.open();
    await page.locator('#files').setInputFiles(places(46, 47, 40.75));
    await dataNamed(page, 'places.csv').waitFor();
    const field = page.getByRole('combobox', { name: 'Find a town' });
    const place = page.getByLabel('Place', { exact: true });
    const chosen = () => place.evaluate((select: HTMLSelectElement) => select.selectedOptions[0].textContent);
    await field.fill('bern,');
    await page.getByRole('option', { name: 'Bern Switzerland' }).waitFor();
    expect(await page.getByText('from GeoNames (CC BY 4.0)').count()).toBe(1);
    await field.press('Enter');
    await page.getByText('The nearest place of the data is 6.7 km from Bern.').waitFor();
    expect(await field.inputValue()).toBe('Bern, Switzerland');
    expect(await page.getByRole('option', { name: 'Bern Switzerland' }).count()).toBe(0);
    expect(await chosen()).toContain('47° N');
    await field.fill('york');
    await page.getByRole('option', { name: /^New York City/ }).click();
    await page.getByText('The nearest place of the data is 4.5 km from New York City.').waitFor();
    expect(await chosen()).toContain('74° W');
    await place.selectOption({ index: 0 });
    await expect.poll(() => page.getByText('The nearest place of the data').count()).toBe(0);
    await field.fill('no such town');
    await page.getByText('No town above 15,000 inhabitants has a name that begins with this.').waitFor();
    await field.press('Escape');
    expect(explorer.faults).toEqual([]);
  });

  it('says where a server is asked first, in the dialog that connects to it, which shows the whole list', async () => {
    const page = await explorer.open();
    await page.getByRole('button', { name: 'Connect' }).click();
    const dialog = page.getByRole('dialog');
    const field = dialog.getByRole('combobox', { name: 'Find a town' });
    await field.fill('bern,');
    await dialog.getByRole('option', { name: 'Bern Switzerland' }).waitFor();
    const bottomOf = async (locator: Locator) => {
      const box = await locator.boundingBox();
      return box === null ? Number.NaN : box.y + box.height;
    };
    expect(await bottomOf(dialog.locator('.popup'))).toBeLessThan(await bottomOf(dialog));
    await field.press('Enter');
    expect(await dialog.getByLabel('Latitude').inputValue()).toBe('46.95');
    expect(await dialog.getByLabel('Longitude').inputValue()).toBe('7.45');
    expect(await dialog.count()).toBe(1);
  });

  it('says so where the list cannot be loaded, and tries again', async () => {
    const page = await explorer.open();
    await page.locator('#files').setInputFiles(places(46, 47));
    await dataNamed(page, 'places.csv').waitFor();
    const field = page.getByRole('combobox', { name: 'Find a town' });
    await page.route('**/towns.txt', (route) => route.fulfill({ status: 503 }));
    await field.focus();
    await page.getByText('the list of towns is missing: 503').waitFor();
    await page.unroute('**/towns.txt');
    await field.blur();
    await field.fill('bern');
    await page.getByRole('option', { name: 'Bern Switzerland' }).waitFor();
  });
});
