import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { climatology, climatologyTable } from '../../src/climate/index.js';
import { loadCore } from '../../src/core/load.js';
import { demoTable } from '../../src/demo/index.js';
import { mapField, meteogram, type PlotTheme, weatherMap } from '../../src/plot/index.js';
import { statistics } from '../../src/statistics/statistics.js';
import { chromiumAbsent, openContext } from '../runtimes/chromium.js';
import { textFaults } from './text-faults.js';

if (chromiumAbsent) console.log(`skipped: pictures in Chromium: ${chromiumAbsent}`);

const core = await loadCore();
const rain = demoTable('precipitation', { days: 60, members: 9 });
const locations = [45, 46, 47, 48].flatMap((latitude) => [6, 7, 8, 9].map((longitude) => ({ latitude, longitude })));
const grid = demoTable('precipitation', { days: 14, members: 9, locations });
const reference = { granularity: 'weekly', reference: '1993-1995' } as const;
const normals = climatology(core, demoTable('precipitation', { initDate: 8401, days: 1100, members: 1 }), reference);
const everywhere = climatology(
  core,
  demoTable('precipitation', { initDate: 8401, days: 1100, members: 1, locations }),
  reference,
);

/** Pictures of several kinds in a width. */
function pictures(width: number, theme: PlotTheme): string[] {
  const days = demoTable('temp_mean', { days: 15, members: 9 });
  const weekly = { granularity: 'weekly', thresholds: ['>20'], climatology: normals } as const;
  const terciles = statistics(core, grid, { ...weekly, climatology: everywhere });
  return [
    meteogram(
      [
        { ensemble: days, statistics: statistics(core, days), thresholds: [0, 1, 2, 10] },
        { statistics: statistics(core, demoTable('precipitation', { days: 15, members: 9 })) },
      ],
      { width, theme, title: 'A chart of a place with a name that is long' },
    ),
    meteogram({ statistics: statistics(core, rain, weekly), climatology: climatologyTable(normals) }, { width, theme }),
    weatherMap(mapField(terciles, { statistic: 'p_gt_20' }), { width, theme }),
    weatherMap(mapField(terciles, { statistic: 'tercile' }), { width, theme, title: 'Most likely' }),
  ];
}

describe.skipIf(chromiumAbsent)('pictures in a page', () => {
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    context = await openContext();
    page = await context.newPage();
  });
  afterAll(() => context?.close());

  it.each([360, 768, 1280])(
    'texts are at least 11 pixels high, and none is cut or covers another, at %d pixels',
    async (width) => {
      await page.setViewportSize({ width, height: 800 });
      await page.setContent(`<!doctype html><body style="margin:0">${pictures(width, 'light').join('')}</body>`);
      expect(await textFaults(page, 'body > svg')).toEqual([]);
      // The check finds what it looks for.
      const first = page.locator('body > svg text').first();
      await first.evaluate((text) => text.setAttribute('font-size', '9'));
      await page
        .locator('body > svg text')
        .nth(1)
        .evaluate((text) => text.setAttribute('x', '-4'));
      expect(await textFaults(page, 'body > svg')).toEqual([
        expect.stringContaining('is 9 pixels high'),
        expect.stringContaining('is cut'),
      ]);
    },
  );

  it('the theme auto has the ground and the scheme of the page', async () => {
    const colours = async (style: string) => {
      const [svg] = pictures(360, 'auto');
      await page.setContent(`<!doctype html><html style="${style}"><body>${svg}</body></html>`);
      return page.locator('svg').evaluate((root) => {
        const of = (selector: string, property: string) =>
          getComputedStyle(root.querySelector(selector) as Element).getPropertyValue(property);
        return [of('.background', 'fill'), of('text', 'fill'), of('.median', 'stroke')];
      });
    };
    await page.emulateMedia({ colorScheme: 'dark' });
    // A page that does not say so is light, whatever the system is.
    expect(await colours('')).toEqual(['none', 'rgb(0, 0, 0)', 'rgb(0, 57, 94)']);
    expect(await colours('color-scheme:light dark')).toEqual(['none', 'rgb(255, 255, 255)', 'rgb(226, 243, 255)']);
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await colours('color-scheme:light dark')).toEqual(['none', 'rgb(0, 0, 0)', 'rgb(0, 57, 94)']);
    expect(await colours('color-scheme:dark;color:rgb(9, 8, 7);--plume-background:rgb(1, 2, 3)')).toEqual([
      ...['rgb(1, 2, 3)', 'rgb(9, 8, 7)', 'rgb(226, 243, 255)'],
    ]);
  });
});
