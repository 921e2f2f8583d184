import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { casesOf } from '../full-check.js';
import { chromiumAbsent } from '../runtimes/chromium.js';
import { chartOf, useExplorer } from './open-explorer.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Presses the tab key until an element with this name or text has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null;
      const labels = Array.from(element?.labels ?? [], (label) => label.textContent).join(' ');
      return `${labels} ${element?.getAttribute('aria-label') ?? ''} ${element?.textContent ?? ''}`;
    });
    if (focused.includes(name)) return;
  }
  throw new Error(`The tab key does not reach ${name}`);
}

/** What axe finds wrong that is serious. */
async function seriousFaults(page: Page): Promise<string[]> {
  // The policy of the page allows no scripts but its own; tests may evaluate.
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { violations } = await (
      window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }
    ).axe.run();
    interface Violation {
      id: string;
      impact: string;
      nodes: { html: string; failureSummary: string }[];
    }
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`));
  });
}

describe.skipIf(chromiumAbsent !== undefined)('the explorer without a mouse', () => {
  const explorer = useExplorer();

  it('is used by the keyboard alone: windows, variables, bands, members, thresholds, charts, tables, menus', async () => {
    const page = await explorer.open();
    await tabTo(page, 'Weekly');
    await page.keyboard.press('ArrowLeft');
    await chartOf(page, 'temp mean (°C), daily').waitFor();
    await page.keyboard.press('ArrowRight');
    await chartOf(page, 'temp mean (°C), weekly means').waitFor();
    await tabTo(page, 'temp mean');
    await page.keyboard.press('Space');
    await tabTo(page, 'wind speed');
    await page.keyboard.press('Space');
    await chartOf(page, 'wind speed (m/s), weekly means').waitFor();
    await tabTo(page, 'Outer');
    for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight');
    expect(await page.locator('.slider output').first().textContent()).toBe('2.5 to 97.5 %');
    await tabTo(page, 'members');
    await page.keyboard.press('Space');
    expect(await page.locator('article path.members').count()).toBe(0);
    await tabTo(page, 'Add threshold to precipitation');
    await page.keyboard.press('Enter');
    await page.getByLabel('Threshold', { exact: true }).waitFor();
    await tabTo(page, 'choose a window');
    await page.keyboard.press('End');
    const rain = chartOf(page, 'precipitation');
    expect(await rain.locator('.words').first().textContent()).toMatch(
      /^Week 34, .* of members with a weekly sum above /,
    );
    await tabTo(page, 'Table of values');
    await page.keyboard.press('Enter');
    await rain.locator('table').waitFor();
    expect(await chartOf(page, 'temp mean').count()).toBe(0);
  });

  it('opens menus and dialogs by the keyboard, and closes them', async () => {
    const page = await explorer.open();
    await tabTo(page, 'Connect');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await tabTo(page, 'Copy as');
    await page.keyboard.press('Enter');
    await tabTo(page, 'plumecast command');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'plumecast command' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  const views = [
    ['light', 1280],
    ['dark', 1280],
    ['light', 375],
  ] as const;

  it.each(casesOf(views, [1, 2]))(
    'has nothing that axe finds serious, in the %s theme at %i pixels',
    async (theme, width) => {
      const page = await explorer.open('#by=weekly&limit=precipitation>20&normal=on');
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: theme });
      if (width < 500) await page.getByText('Controls').click();
      await page.getByText('Seams:').click();
      await page.getByText('Table of values').first().click();
      await page.locator('path.wet-above').waitFor();
      expect(await seriousFaults(page)).toEqual([]);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBe(0);
      if (width < 500) await page.getByText('Open', { exact: true }).click();
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      expect(await seriousFaults(page)).toEqual([]);
    },
  );

  it('explains windows to touch', async () => {
    const page = await explorer.open('#var=temp_mean&by=monthly');
    const plot = chartOf(page, 'temp mean').getByRole('slider', { name: 'choose a window' });
    const box = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await plot.dispatchEvent('pointerdown', {
      ...{ pointerType: 'touch', clientX: box.x + box.width - 30, clientY: box.y + 50 },
    });
    await plot.dispatchEvent('pointerleave', { pointerType: 'touch' });
    expect(await chartOf(page, 'temp mean').locator('.words').first().textContent()).toMatch(/^July 2026: /);
  });
});
