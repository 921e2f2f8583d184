import { join } from 'node:path';
import { Schema, Table } from 'apache-arrow';
import { loadCore, statistics } from 'plumecast';
import { demoTable } from 'plumecast/demo';
import { encodeTable } from 'plumecast/files';
import { afterAll, describe, expect, it } from 'vitest';
import { shownPanel } from '../../src/explorer/chart/shown-panel.js';
import { shownUnit } from '../../src/explorer/view/units.js';
import { windowChoice } from '../../src/explorer/view/window-choice.js';
import { dayNumber } from '../../src/period/day.js';
import { folderWith } from '../cli/run-command.js';
import { chromiumAbsent } from '../runtimes/chromium.js';
import { chartOf, dataNamed, useExplorer } from './open-explorer.js';

const core = await loadCore();
const today = demoTable('temp_mean', { days: 28, members: 7 });
const yesterday = demoTable('temp_mean', { days: 34, members: 5, seed: 9, initDate: dayNumber(2026, 2, 27) });
const rain = demoTable('precipitation', { days: 28, members: 7 });
const elsewhere = demoTable('temp_mean', { days: 28, members: 7, locations: [{ latitude: 50, longitude: 7 }] });
const files = { today, yesterday, rain, elsewhere };
const bytes = Object.fromEntries(
  await Promise.all(
    Object.entries(files).map(async ([name, table]) => [`${name}.arrow`, await encodeTable(table, 'arrow')] as const),
  ),
);
const { folder, remove } = folderWith(bytes);
afterAll(remove);

describe('an earlier run behind another', () => {
  const request = { core, series: { table: today, notes: [] }, quantiles: [0.1, 0.25, 0.5, 0.75, 0.9] };

  it('has what statistics give in the windows of the chart, in the shown unit', () => {
    const choice = windowChoice('weekly', false);
    const shown = shownUnit('degC', { degC: 'degF' });
    const { panel } = shownPanel({ ...request, choice, shown, earlier: yesterday });
    const expected = [...statistics(core, yesterday, { granularity: 'weekly', quantiles: [0.1, 0.5, 0.9] })].filter(
      ({ end }) => Number(end) / 86_400_000 <= panel.lastDay,
    );
    expect(expected).toHaveLength(4);
    const { earlier } = panel;
    expect(Array.from(earlier?.start ?? [], (day) => day * 86_400_000)).toEqual(expected.map(({ start }) => +start));
    const values = expected.map(({ q10, q50, q90 }) => [q10, q50, q90].map((value) => Number(value) * 1.8 + 32));
    for (const [q, line] of [...(earlier?.quantiles ?? [])].entries())
      for (const [w, value] of line.values.entries()) expect(value).toBeCloseTo(values[w][q], 4);
  });

  it.each([
    ['another place', elsewhere, 'is of another place; received "50° N, 7° E"'],
    ['a later start', demoTable('temp_mean', { days: 5, initDate: dayNumber(2026, 3, 4) }), 'begins after the run'],
    ['no window of the chart', demoTable('temp_mean', { days: 5, initDate: dayNumber(2026, 1, 1) }), 'none of these'],
    ['another calendar', withMetadata(yesterday, { calendar: 'noleap' }), 'has another calendar; received "noleap"'],
  ])('is not shown with %s, and a sentence says so', (_, earlier, note) => {
    const choice = windowChoice('daily', false);
    const { panel, earlierNote } = shownPanel({ ...request, choice, shown: shownUnit('degC', {}), earlier });
    expect(panel.earlier).toBeUndefined();
    expect(panel.statistics[0].start).toHaveLength(28);
    expect(earlierNote).toContain(note);
  });
});

describe.skipIf(chromiumAbsent !== undefined)('an earlier run in the explorer', () => {
  const explorer = useExplorer();

  it('is opened beside the data, lies behind the chart, is said of a window, and is closed', async () => {
    const page = await explorer.open('#by=weekly');
    await page.locator('#files').setInputFiles(join(folder, 'today.arrow'));
    await dataNamed(page, 'today.arrow').waitFor();
    const chart = chartOf(page, 'temp mean (°C), weekly means');
    await chart.waitFor();
    await page.locator('#earlier').setInputFiles(join(folder, 'yesterday.arrow'));
    const shadow = chart.locator('svg .earlier');
    await shadow.waitFor({ state: 'attached' });
    expect(await page.locator('svg.legend').textContent()).toContain('earlier run, 5 to 95 %');
    await chart.locator('.plot').focus();
    await page.keyboard.press('ArrowRight');
    const [{ q50 = Number.NaN }] = [...statistics(core, yesterday, { granularity: 'weekly' })];
    await expect
      .poll(() => chart.locator('.words').first().textContent())
      .toContain(`Earlier run: median ${q50?.toFixed(2)} °C`);
    await page.getByLabel('earlier run (yesterday.arrow)').click();
    await shadow.waitFor({ state: 'detached' });
    await page.locator('#earlier').setInputFiles(join(folder, 'rain.arrow'));
    await expect.poll(() => chart.textContent()).toContain('The earlier run does not have this variable.');
    // Other data begin without it.
    await page.locator('#files').setInputFiles(join(folder, 'yesterday.arrow'));
    await dataNamed(page, 'yesterday.arrow').waitFor();
    expect(await page.getByRole('button', { name: 'Compare with an earlier run…' }).count()).toBe(1);
    expect(explorer.faults).toEqual([]);
  });

  it('is opened with the page where its server names one', async () => {
    const config = { file: ['today.arrow'], earlier: ['yesterday.arrow'], earlierPaths: ['runs/yesterday.arrow'] };
    const page = await explorer.open('', { ...bytes, 'explorer.json': JSON.stringify(config) });
    await page.getByLabel('earlier run (yesterday.arrow)').waitFor();
    await chartOf(page, 'temp mean').locator('svg .earlier').waitFor({ state: 'attached' });
    expect(explorer.faults).toEqual([]);
  });
});

function withMetadata({ schema, batches }: Table, texts: Readonly<Record<string, string>>): Table {
  const own = new Schema(schema.fields, new Map([...schema.metadata, ...Object.entries(texts)]));
  return new Table(own, batches);
}
