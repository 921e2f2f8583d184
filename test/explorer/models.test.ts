import { describe, expect, it } from 'vitest';
import { chromiumAbsent } from '../runtimes/chromium.js';
import { chartOf, dataNamed, tableOf, useExplorer } from './open-explorer.js';

/** A response of Open-Meteo for two models: a day of two members each. */
function response(): string {
  const time = [0, 6, 12, 18].map((hour) => `2026-03-02T${String(hour).padStart(2, '0')}:00`);
  const series = Object.entries({ icon_seamless_eps: 10, gfs_seamless: 20 }).flatMap(([model, base]) =>
    ['', '_member01'].map((member, m) => [`temperature_2m${member}_${model}`, time.map(() => base + 2 * m)] as const),
  );
  return JSON.stringify({
    ...{ latitude: 52.5, longitude: 13.4, elevation: 38, utc_offset_seconds: 0, timezone: 'GMT' },
    hourly_units: { time: 'iso8601', ...Object.fromEntries(series.map(([name]) => [name, '°C'])) },
    hourly: { time, ...Object.fromEntries(series) },
  });
}

describe.skipIf(chromiumAbsent !== undefined)('a table of several models in the explorer', () => {
  const explorer = useExplorer();

  it('is shown of one model, which the reader chooses, and the address keeps', async () => {
    const page = await explorer.open('', { 'two.json': response(), 'explorer.json': '{"file": "two.json"}' });
    await dataNamed(page, 'two.json').waitFor();
    const chart = chartOf(page, 'temp mean (°C), daily');
    const means = async () => (await tableOf(chart)).map(({ mean }) => mean);
    await expect.poll(means).toEqual(['11.00']);
    await page.getByLabel('Model', { exact: true }).selectOption('gfs_seamless');
    await expect.poll(means).toEqual(['21.00']);
    await expect.poll(() => page.url()).toContain('model=gfs_seamless');
    expect(explorer.faults).toEqual([]);
  });
});
