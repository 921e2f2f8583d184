import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { demoTable } from 'plumecast/demo';
import { encodeTable } from 'plumecast/files';
import { verificationFigure } from 'plumecast/plot';
import { loadSkill, readVerification, Verification, verificationState } from 'plumecast/skill';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folderWith } from '../cli/run-command.js';
import { chromiumAbsent } from '../runtimes/chromium.js';
import { chartOf, useExplorer } from './open-explorer.js';

const { folder, remove } = folderWith({});
afterAll(remove);
const path = (name: string) => join(folder, name);
const ABOUT = { variable: 'precipitation', units: 'mm', granularity: 'daily', lead_unit: 'days' };

/** The state of some years, of forecasts at two places and three leads. */
async function stateOf(years: readonly number[]): Promise<string> {
  const skill = await loadSkill();
  const verification = new Verification(skill, { conditions: ['>2', '>8'] });
  for (const year of years) {
    for (const lead of [0, 1, 2]) {
      for (const latitude of [50, 51]) {
        const noise = (i: number) =>
          Math.abs(Math.sin(i * 12.9898 + year * 78.233 + lead * 37.7 + latitude) * 43758.5453) % 1;
        const observations = Float64Array.from({ length: 30 }, (_, i) => 12 * noise(i) ** 2);
        const members = Array.from({ length: 9 }, (_, m) =>
          observations.map((value, i) => Math.max(0, value + (lead + 1) * 4 * (noise(100 * m + i + 31) - 0.5))),
        );
        const labels = { lead, latitude, longitude: 8 };
        verification.add({ members, observations, groups: [{ labels, block: year }] });
      }
    }
  }
  return JSON.stringify(verificationState(verification, { ...ABOUT, scored: [] }));
}

describe.skipIf(chromiumAbsent !== undefined)('verifications in the explorer', () => {
  const explorer = useExplorer();
  beforeAll(async () => {
    await writeFile(path('early.json'), await stateOf([2011, 2012, 2013]));
    await writeFile(path('late.json'), await stateOf([2014, 2015, 2016]));
    await writeFile(path('cut.json'), (await stateOf([2014])).slice(0, 400));
    await writeFile(
      path('rain.arrow'),
      await encodeTable(demoTable('precipitation', { days: 14, members: 5 }), 'arrow'),
    );
  });

  it('are pooled, and have the figures of plumecast verify', async () => {
    const page = await explorer.open();
    await page.emulateMedia({ colorScheme: 'light' });
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles([path('early.json'), path('late.json')]);
    const card = page.getByRole('region', { name: 'Verification' });
    await card.getByRole('heading', { name: 'How good it was: precipitation, daily' }).waitFor();
    const skill = await loadSkill();
    const all = readVerification(skill, JSON.parse(await stateOf([2011, 2012, 2013, 2014, 2015, 2016])), 'all');
    const shown = async () => {
      const download = page.waitForEvent('download');
      await card.getByRole('button', { name: 'Download the picture' }).click();
      return readFile(await (await download).path(), 'utf8');
    };
    const expected = (options: object) =>
      verificationFigure({ verification: all, about: ABOUT }, { theme: 'light', width: 880, ...options });
    const by: string[] = [];
    await expect.poll(shown).toBe(expected({ figure: 'reliability', by }));
    expect(await card.locator('img').getAttribute('alt')).toContain('eliability');
    await card.getByLabel('Event').selectOption({ label: 'more than 8 mm' });
    await expect.poll(shown).toBe(expected({ figure: 'reliability', events: ['>8'], by }));
    await card.getByRole('checkbox', { name: 'each lead by itself' }).check();
    await expect.poll(shown).toBe(expected({ figure: 'reliability', events: ['>8'], by: ['lead'] }));
    await card.getByRole('radio', { name: 'Reliability' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(shown).toBe(expected({ figure: 'ranks', by: ['lead'] }));
    await card.getByText('Map', { exact: true }).click();
    await card.getByRole('checkbox', { name: 'intervals of 90 %' }).check();
    await expect.poll(shown).toBe(expected({ figure: 'map', confidence: 0.9 }));
    await card.getByRole('button', { name: 'Close' }).click();
    expect(await card.count()).toBe(0);
    expect(explorer.faults).toEqual([]);
  });

  it('are opened by their addresses, beside the open data or with others', async () => {
    const files = {
      'early.json': await readFile(path('early.json')),
      'late.json': await readFile(path('late.json')),
      'rain.arrow': await readFile(path('rain.arrow')),
    };
    const page = await explorer.open('#by=weekly&above=2', files);
    const before = await page.locator('main .card h2').allTextContents();
    expect(before.length).toBeGreaterThan(0);
    const card = page.getByRole('region', { name: 'Verification' });
    const openAddresses = async (...names: string[]) => {
      await page.getByRole('button', { name: 'Open address' }).click();
      await page
        .getByLabel('Addresses, one on each line')
        .fill(names.map((name) => explorer.address + name).join('\n'));
      await page.getByRole('button', { name: 'Open', exact: true }).click();
    };
    await openAddresses('early.json', 'late.json');
    await card.getByRole('heading', { name: 'How good it was: precipitation, daily' }).waitFor();
    expect(await page.locator('main .card h2').allTextContents()).toEqual(before);
    expect(await card.locator('img').getAttribute('alt')).toContain('eliability');
    await card.getByRole('button', { name: 'Close' }).click();
    await openAddresses('rain.arrow', 'late.json');
    await card.locator('img').waitFor();
    await chartOf(page, 'precipitation (mm), weekly').waitFor();
    const link = await explorer.open(`#url=${explorer.address}late.json`, files);
    await link.getByRole('region', { name: 'Verification' }).locator('img').waitFor();
    expect(explorer.faults).toEqual([]);
  });

  it('stand above an ensemble that is opened with them, and say what is wrong', async () => {
    const page = await explorer.open();
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles([path('late.json'), path('rain.arrow')]);
    const card = page.getByRole('region', { name: 'Verification' });
    await card.locator('img').waitFor();
    await chartOf(page, 'precipitation (mm), daily').waitFor();
    await card.getByText('Skill by lead', { exact: true }).click();
    await card.getByRole('checkbox', { name: 'intervals of 90 %' }).check();
    expect(await card.getByRole('alert').textContent()).toContain('intervals need more blocks of time');
    await page.locator('input[type=file]').first().setInputFiles(path('cut.json'));
    await expect
      .poll(() => card.getByRole('alert').textContent())
      .toBe('cut.json: is no complete JSON; allowed: a state of a verification');
    expect(await card.locator('img').count()).toBe(0);
    expect(explorer.faults).toEqual([]);
  });
});
