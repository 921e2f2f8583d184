import { readFile } from 'node:fs/promises';
import { type Table, tableFromIPC } from 'apache-arrow';
import type { Download, Page } from 'playwright-core';
import { blend, climatology, loadCore, pairMembers, statistics } from 'plumecast';
import { demoTable, demoTables } from 'plumecast/demo';
import { describe, expect, it } from 'vitest';
import { chromiumAbsent } from '../runtimes/chromium.js';
import { chartOf, drag, tableOf, useExplorer } from './open-explorer.js';

const core = await loadCore();
const horizons = [
  demoTables({ horizon: 'short-term', days: 15, seed: 2 }),
  demoTables({ horizon: 'subseasonal', days: 46, seed: 3 }),
  demoTables(),
];

/** The sample as the page joins it. */
function timeline(variable: 'temp_mean' | 'precipitation', method: 'field' | 'splice' = 'field'): Table {
  const of = (slug: 'temp_mean' | 'precipitation') => horizons.map((tables) => tables[slug]);
  const pairing = pairMembers(core, of('temp_mean'), { also: [of('precipitation')], method });
  return blend(
    core,
    horizons.map((tables) => tables[variable]),
    { pairing },
  ).table;
}

/** A column of results as the page writes numbers. */
function texts(table: Table, name: string, decimals = 2, shown = (value: number) => value): string[] {
  return Array.from(table.getChild(name) ?? [], (value) =>
    (Number(shown(value).toFixed(decimals)) + 0).toFixed(decimals).replace('-', '−'),
  );
}

const percents = (table: Table, name: string) =>
  Array.from(table.getChild(name) ?? [], (share) => `${Math.round(share * 100)}\u00A0%`);

const column = (rows: Record<string, string>[], name: string) => rows.map((row) => row[name]);

async function saved(page: Page, button: string): Promise<Uint8Array> {
  const download = new Promise<Download>((done) => page.once('download', done));
  await page.getByText('Download', { exact: true }).click();
  await page.getByRole('button', { name: button }).click();
  return readFile(await (await download).path());
}

describe.skipIf(chromiumAbsent !== undefined)('the explorer in Chromium', () => {
  const explorer = useExplorer();

  it('opens with the sample, by week as it has many days: its numbers are those of the library', async () => {
    const page = await explorer.open();
    expect(await page.locator('.summary h2').textContent()).toBe('37.3° N, 79.84° W');
    expect(await page.locator('.summary').textContent()).toContain('Sample ensemble · run 2026-03-02 00:00 UTC');
    const rows = await tableOf(chartOf(page, 'temp mean (°C), weekly means'));
    const expected = statistics(core, timeline('temp_mean'), {
      granularity: 'weekly',
      quantiles: [0.05, 0.25, 0.5, 0.75, 0.95],
    });
    for (const [title, name] of [
      ['mean', 'mean'],
      ['5 %', 'q05'],
      ['50 %', 'q50'],
      ['95 %', 'q95'],
    ]) {
      expect(column(rows, title)).toEqual(texts(expected, name));
    }
    expect(explorer.faults).toEqual([]);
  });

  it('follows windows, bands and thresholds while they are dragged', async () => {
    const page = await explorer.open('#var=precipitation&by=daily');
    await page.getByText('Weekly', { exact: true }).click();
    const chart = chartOf(page, 'precipitation (mm), weekly sums');
    await chart.getByRole('button', { name: 'Add threshold' }).click();
    await drag(chart.getByLabel('Threshold', { exact: true }), 22);
    await drag(page.getByLabel('Outer'), 80);
    const expected = statistics(core, timeline('precipitation'), {
      ...{ granularity: 'weekly', quantiles: [0.1, 0.25, 0.5, 0.75, 0.9], thresholds: ['>22'] },
    });
    const rows = await tableOf(chart);
    expect(column(rows, '10 %')).toEqual(texts(expected, 'q10'));
    expect(column(rows, '90 %')).toEqual(texts(expected, 'q90'));
    expect(column(rows, 'weekly sum above 22 mm')).toEqual(percents(expected, 'p_gt_22'));
    await chart.getByLabel('Side').selectOption('<=');
    expect(Object.keys((await tableOf(chart))[0])).toContain('weekly sum at or below 22 mm');
    await expect
      .poll(() => decodeURIComponent(new URL(page.url()).hash))
      .toBe('#var=precipitation&by=weekly&q=0.1,0.25&limit=precipitation<=22');
    expect(explorer.faults).toEqual([]);
  });

  it('changes what is drawn in place: lines, boxes, the legend and shares keep their nodes', async () => {
    const page = await explorer.open('#var=temp_mean&limit=temp_mean>10');
    const nodes = () => page.locator('svg.legend *, article.chart svg *');
    for (const [by, outer] of [
      ['Daily', 80],
      ['Weekly', 98],
    ] as const) {
      await page.getByText(by, { exact: true }).click();
      const before = await page.locator('svg.legend').textContent();
      await nodes().evaluateAll((all) => {
        for (const node of all) node.setAttribute('data-seen', '');
      });
      const lines = () =>
        page.locator('path.band, path.whisker').evaluateAll((all) => all.map((a) => a.getAttribute('d')));
      const old = await lines();
      await drag(page.getByLabel('Outer'), outer);
      await expect.poll(() => page.locator('svg.legend').textContent()).not.toBe(before);
      expect(await lines()).not.toEqual(old);
      expect(await nodes().evaluateAll((all) => all.filter((node) => !node.hasAttribute('data-seen')).length)).toBe(0);
    }
    expect(explorer.faults).toEqual([]);
  });

  it('explains a window to the mouse and to the keyboard, with the members of each horizon', async () => {
    const page = await explorer.open('#var=temp_mean&by=weekly');
    const chart = chartOf(page, 'temp mean');
    const slider = chart.getByRole('slider', { name: 'choose a window' });
    await slider.focus();
    for (const key of ['Home', 'ArrowRight']) await page.keyboard.press(key);
    const words = await chart.locator('.words').first().textContent();
    expect(words).toMatch(/^Week 11, 9 to 15 March 2026: median [\d.]+ °C; 5 to 95 %: /);
    expect(words).toContain('31 members, 7 days each, 15 from short-term, 16 changing from short-term to subseasonal.');
    expect(await slider.getAttribute('aria-valuetext')).toBe(words);
    const box = (await slider.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(box.x + box.width / 2, box.y + 60);
    expect(await chart.locator('.words').first().textContent()).toMatch(/^Week 2\d, .*31 from seasonal\.$/);
  });

  it('joins horizons by the chosen method, and reports on seams', async () => {
    const page = await explorer.open('#var=precipitation&by=monthly');
    await page.getByLabel('Horizons').selectOption('splice');
    const chart = chartOf(page, 'precipitation (mm), monthly sums');
    const expected = statistics(core, timeline('precipitation', 'splice'), { granularity: 'monthly' });
    await expect.poll(async () => column(await tableOf(chart), 'mean')).toEqual(texts(expected, 'mean'));
    await page.getByText('Seams:').click();
    expect(await page.locator('table.seams').textContent()).toContain('short-term to subseasonal');
    await page.getByLabel('Horizons').selectOption({ label: 'seasonal alone' });
    const alone = statistics(core, horizons[2].precipitation, { granularity: 'monthly' });
    await expect.poll(async () => column(await tableOf(chart), 'mean')).toEqual(texts(alone, 'mean'));
  });

  it('shows the sampling error of the median, by the keyboard, in words and in the command', async () => {
    const page = await explorer.open('#var=temp_mean&by=weekly');
    const sampling = page.getByLabel('sampling error (90 %)');
    await page.locator('article svg .median').first().waitFor({ state: 'attached' });
    expect(await page.locator('svg path.sampling').count()).toBe(0);
    await sampling.focus();
    await page.keyboard.press('Space');
    await page.locator('article svg path.sampling').first().waitFor({ state: 'attached' });
    await expect.poll(() => page.url()).toContain('bands=on');
    expect(await page.locator('article').first().textContent()).toContain(
      'The grey band has the median of many more members with a probability of 90 %',
    );
    expect(await page.locator('.charts').innerHTML()).toContain('sampling error of the median, 90 %');
    await page.setViewportSize({ width: 360, height: 800 });
    await page.locator('article svg path.sampling').first().waitFor({ state: 'attached' });
    await page.setViewportSize({ width: 1280, height: 900 });
    expect(explorer.faults).toEqual([]);
  });

  it('compares with normal values', async () => {
    const page = await explorer.open('#var=precipitation&by=weekly');
    await page.getByLabel('normal values').check();
    const chart = chartOf(page, 'precipitation');
    const history = demoTable('precipitation', { initDate: 8401, days: 10_957, members: 1, seed: 4 });
    const normal = climatology(core, history, { granularity: 'weekly' });
    const expected = statistics(core, timeline('precipitation'), { climatology: normal });
    await expect.poll(async () => column(await tableOf(chart), 'above')).toEqual(percents(expected, 'p_above'));
    expect(await chart.locator('path.wet-below, path.wet-normal, path.wet-above').count()).toBe(3);
    expect(await chart.locator('path.climate').count()).toBe(1);
  });

  it('shows units of the reader, and hides members', async () => {
    const page = await explorer.open('#var=temp_mean&by=daily');
    await expect.poll(() => page.locator('path.members').count()).toBeGreaterThan(0);
    await page.getByLabel('Temperature').selectOption('degF');
    await page.getByLabel('members').uncheck();
    const rows = await tableOf(chartOf(page, 'temp mean (°F), daily'));
    const expected = statistics(core, timeline('temp_mean'));
    expect(column(rows, 'mean')).toEqual(texts(expected, 'mean', 2, (celsius) => celsius * 1.8 + 32));
    expect(await page.locator('article path.members').count()).toBe(0);
  });

  it('downloads the statistics and the picture that are shown', async () => {
    const page = await explorer.open('#var=temp_mean,precipitation&by=monthly&unit=mm:in&limit=precipitation>50.8');
    const csv = new TextDecoder().decode(await saved(page, 'Statistics, CSV')).split('\n');
    const arrow = tableFromIPC(await saved(page, 'Statistics, Arrow'));
    const expected = statistics(core, timeline('precipitation'), { granularity: 'monthly', thresholds: ['>50.8'] });
    const rain = [...arrow].filter((row) => row?.variable === 'precipitation');
    expect(csv).toHaveLength(arrow.numRows + 2);
    expect(rain.map((row) => row?.units)).toEqual(rain.map(() => 'in'));
    rain.forEach((row, i) => {
      expect(row?.mean).toBeCloseTo(Number(expected.getChild('mean')?.get(i)) / 25.4, 6);
      expect(row?.['p_gt_50.8']).toBeCloseTo(Number(expected.getChild('p_gt_50.8')?.get(i)), 6);
    });
    expect([...arrow].filter((row) => row?.variable === 'temp_mean').map((row) => row?.['p_gt_50.8'])).toEqual(
      expected.toArray().map(() => null),
    );
    expect(new TextDecoder().decode(await saved(page, 'Picture, SVG'))).toContain('precipitation (in), monthly sums');
    const png = await saved(page, 'Picture, PNG');
    expect(Buffer.from(png).toString('latin1', 1, 4)).toBe('PNG');
    expect(Buffer.from(png).readUInt32BE(16)).toBe(2 * 960);
    expect(explorer.faults).toEqual([]);
  });

  it('restores the view of a link, and ignores what a link says wrongly', async () => {
    const link = '#var=wind_speed&by=monthly&q=0.1,0.3&members=off&unit=m+s-1:kt&limit=wind_speed>4';
    const page = await explorer.open(link);
    const rows = await tableOf(chartOf(page, 'wind speed (kn), monthly means'));
    expect(Object.keys(rows[0])).toEqual(
      expect.arrayContaining(['10 %', '30 %', '50 %', '70 %', '90 %', 'monthly mean above 7.7754 kn']),
    );
    const wrong =
      '#var=no_such&by=hourly&hold=temp_mean:most&when=temp_mean>>5&q=2,-1&blend=magic&at=500,500&unit=K&limit=temp_mean>>x&url=javascript:alert(1)';
    const other = await explorer.open(wrong);
    await chartOf(other, 'temp mean (°C), weekly means').waitFor();
    expect(explorer.faults).toEqual([]);
  });
});
