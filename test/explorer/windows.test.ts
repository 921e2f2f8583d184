import { blend, climatology, conditionShares, daysThat, loadCore, pairMembers, statistics, windowsOf } from 'plumecast';
import { demoTable, demoTables } from 'plumecast/demo';
import { describe, expect, it } from 'vitest';
import { chromiumAbsent } from '../runtimes/chromium.js';
import { chartOf, tableOf, useExplorer } from './open-explorer.js';

const core = await loadCore();
const horizons = [
  demoTables({ horizon: 'short-term', days: 15, seed: 2 }),
  demoTables({ horizon: 'subseasonal', days: 46, seed: 3 }),
  demoTables(),
];

/** The sample as the page joins it. */
function timeline(variable: 'temp_mean' | 'precipitation') {
  const of = (slug: 'temp_mean' | 'precipitation') => horizons.map((tables) => tables[slug]);
  const pairing = pairMembers(core, of('temp_mean'), { also: [of('precipitation')] });
  return blend(core, of(variable), { pairing }).table;
}

const fixed = (values: Iterable<number>, decimals = 2) =>
  Array.from(values, (value) => value.toFixed(decimals).replace('-', '−'));
const percents = (shares: Iterable<number>) => Array.from(shares, (share) => `${Math.round(share * 100)}\u00A0%`);

describe.skipIf(chromiumAbsent !== undefined)('windows and conditions in the explorer', () => {
  const explorer = useExplorer();

  it('says which days are in no window, and keeps windows that are not complete', async () => {
    const page = await explorer.open('#var=temp_mean&by=weekly');
    const chart = chartOf(page, 'temp mean (°C), weekly means');
    const note = page.locator('.left-out');
    expect(await note.textContent()).toContain('180 days have 25 complete weeks; 5 days are in none.');
    expect((await tableOf(chart)).length).toBe(25);
    await note.getByRole('button', { name: 'Show windows that are not complete' }).click();
    const expected = statistics(core, timeline('temp_mean'), { granularity: 'weekly', partial: true });
    await expect
      .poll(async () => (await tableOf(chart)).map(({ mean }) => mean))
      .toEqual(fixed((expected.getChild('mean') ?? []) as Iterable<number>));
    expect(await note.count()).toBe(0);
    expect(await chart.locator('text.partial').allTextContents()).toEqual(['5 of 7 days']);
    await chart.getByRole('slider', { name: 'choose a window' }).focus();
    await page.keyboard.press('End');
    expect(await chart.locator('.words').first().textContent()).toMatch(
      /31 members, 5 of 7 days, from \d+ (\w+ )?to \d+ \w+ 2026/,
    );
    await expect.poll(() => page.url()).toContain('partial=on');
    expect(explorer.faults).toEqual([]);
  });

  it('shows windows by a text, and what they hold, also in other units', async () => {
    const page = await explorer.open('#var=temp_mean&by=monthly');
    await page.getByText('Other', { exact: true }).click();
    await chartOf(page, 'temp mean (°C), means of seasons').waitFor();
    const field = page.getByLabel('Which windows');
    await field.fill('fortnights');
    await field.press('Enter');
    expect(await page.getByRole('alert').textContent()).toContain('windows: is not known; received "fortnights"');
    await field.fill('days 1-7,8-14');
    await field.press('Enter');
    expect(await page.getByRole('alert').count()).toBe(0);
    const chart = chartOf(page, 'temp mean');
    const windows = windowsOf('days 1-7,8-14');
    const means = statistics(core, timeline('temp_mean'), { granularity: windows });
    await expect
      .poll(async () => (await tableOf(chart)).map(({ period, mean }) => [period, mean]))
      .toEqual([...means].map((row) => [row?.period, ...fixed([row?.mean ?? Number.NaN])]));
    await chart.getByLabel('Windows hold').selectOption({ label: 'days with' });
    const condition = chart.getByLabel('Condition on the days');
    await condition.fill('>8 or <2');
    await condition.press('Enter');
    expect(await chart.getByRole('alert').textContent()).toContain('a day is compared with one number at character 1');
    await condition.fill('>8');
    await condition.press('Enter');
    const days = statistics(core, timeline('temp_mean'), { granularity: windows, window: daysThat('>8') });
    await expect
      .poll(async () => (await tableOf(chart)).map(({ mean }) => mean))
      .toEqual(fixed((days.getChild('mean') ?? []) as Iterable<number>));
    await page.getByLabel('Temperature').selectOption('degF');
    await chartOf(page, 'temp mean (d), days 1-7,8-14, days above 46.4 °F').waitFor();
    await expect
      .poll(() => new URLSearchParams(new URL(page.url()).hash.slice(1)).toString())
      .toBe(new URLSearchParams('var=temp_mean&by=days 1-7,8-14&hold=temp_mean:days >8&unit=degC:degF').toString());
    expect(explorer.faults).toEqual([]);
  });

  it('counts the members with conditions on several variables and on normal values, and points at what is wrong', async () => {
    const page = await explorer.open('#var=precipitation&by=weekly');
    const field = page.getByLabel('Condition', { exact: true });
    await field.fill('precipitation>5 and temp_mean=3');
    await field.press('Enter');
    const fault = page.getByRole('alert');
    expect(await fault.locator('pre').textContent()).toBe(`precipitation>5 and temp_mean=3\n${' '.repeat(29)}^`);
    await field.fill('hail>5');
    await field.press('Enter');
    expect(await fault.textContent()).toContain('the data have no hail at character 1');
    for (const text of ['precipitation>5 and temp_mean<8', '>q90']) {
      await field.fill(text);
      await field.press('Enter');
    }
    const card = page.locator('article.conditions');
    await expect.poll(() => card.locator('path.chance-bar').count()).toBe(2);
    const tables = { precipitation: timeline('precipitation'), temp_mean: timeline('temp_mean') };
    const joint = conditionShares(core, tables, ['precipitation>5 and temp_mean<8'], { granularity: 'weekly' });
    const history = demoTable('precipitation', { initDate: 8401, days: 10_957, members: 1, seed: 4 });
    const normal = climatology(core, history, { granularity: 'weekly', quantiles: [0.9] });
    const above = statistics(core, tables.precipitation, { climatology: normal, exceed: [0.9] });
    const last = (column: Iterable<number> | null) => percents(column ?? []).at(-1);
    await card.getByRole('slider').focus();
    await page.keyboard.press('End');
    const jointShare = last(joint.getChildAt(joint.numCols - 1) as Iterable<number>);
    const aboveShare = last(above.getChild('p_gt_clim_q90') as Iterable<number>);
    expect(await card.locator('.words').textContent()).toBe(
      `Week 34, 17 to 23 August 2026, 31 members: ${jointShare} precipitation>5 and temp_mean<8 (mm, °C); ${aboveShare} precipitation>q90.`,
    );
    await card.getByRole('button', { name: 'Remove the condition precipitation>q90' }).click();
    await expect.poll(() => card.locator('path.chance-bar').count()).toBe(1);
    await expect.poll(() => page.url()).toContain('when=');
    expect(explorer.faults).toEqual([]);
  });
});
