import { lab } from 'd3-color';
import { expect, it } from 'vitest';
import { styleSheet } from '../../src/plot/theme.js';

/** The lightness of the fill or stroke of a class, from 0 to 100: what is left of colours in grey. */
function lightness(theme: 'light' | 'dark', name: string): number {
  const rule = new RegExp(`\\.${name}\\{(?:fill|stroke):(#[0-9a-f]{6})\\}`).exec(styleSheet(theme)) as RegExpExecArray;
  return lab(rule[1]).l;
}

/** Expects colours to differ by some lightness, each from each. */
function expectApart(values: readonly number[], least: number): void {
  const sorted = [...values].sort((a, b) => a - b);
  sorted.slice(1).forEach((value, i) => {
    expect(value - sorted[i]).toBeGreaterThan(least);
  });
}

const THEMES = ['light', 'dark'] as const;

it.each(THEMES)('bands are in order without colours in the %s theme, and the median differs from each', (theme) => {
  const shades = [0, 1, 2, 3].map((k) => lightness(theme, `shade${k}`));
  expect(shades).toEqual([...shades].sort((a, b) => (theme === 'light' ? b - a : a - b)));
  expectApart([...shades, lightness(theme, 'median')], 9);
  expectApart([lightness(theme, 'background'), shades[0]], 9);
});

it.each(THEMES)('shares below, near and above normal differ without colours in the %s theme', (theme) => {
  for (const kind of ['wet', 'warm']) {
    expectApart(
      ['below', 'normal', 'above'].map((category) => lightness(theme, `${kind}-${category}`)),
      18,
    );
  }
});

it.each(THEMES)('texts and lines of the %s theme are seen on its background', (theme) => {
  const background = lightness(theme, 'background');
  for (const name of ['soft', 'axis', 'median', 'mean', 'single', 'tercile', 'seam', 'threshold']) {
    expect(Math.abs(lightness(theme, name) - background), name).toBeGreaterThan(40);
  }
});
