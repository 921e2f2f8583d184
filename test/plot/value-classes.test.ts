import { lab } from 'd3-color';
import { expect, it } from 'vitest';
import type { MapField } from '../../src/plot/index.js';
import { classOf, valueClasses } from '../../src/plot/map/value-classes.js';

const grid = { kind: 'places', latitude: new Float64Array(2), longitude: new Float64Array(2), shape: [2] } as const;
const of = (values: number[], parts: Partial<MapField> = {}) =>
  valueClasses({ grid, values, statistic: { kind: 'mean' }, ...parts }, Float64Array.from(values)) as NonNullable<
    ReturnType<typeof valueClasses>
  >;

it('classes have round limits that contain all values', () => {
  expect(of([13.2, 29.7]).limits).toEqual([12, 14, 16, 18, 20, 22, 24, 26, 28, 30]);
  for (const [low, high] of [
    [0.0012, 0.0018],
    [7, 7],
    [0, 0],
    [-3, -3],
    [1e6, 3e7],
  ]) {
    const { limits, colours } = of([low, high]);
    expect([limits[0] <= low, limits[limits.length - 1] >= high]).toEqual([true, true]);
    expect(colours.length).toBe(limits.length - 1);
  }
});

it('a limit belongs to the class above it, the highest to the last class', () => {
  const classes = of([12, 30]);
  expect([12, 13.9, 14, 29, 30].map((value) => classOf(classes, value))).toEqual([0, 0, 1, 8, 8]);
});

it('amounts that differ by orders of magnitude have limits in steps of 1, 2 and 5', () => {
  const amounts = [0, 0.2, 1, 2, 3, 180];
  expect(of(amounts, { window: 'sum' }).limits).toEqual([0, 0.5, 1, 2, 5, 10, 20, 50, 100, 200]);
  expect(of([0, 0, 0, 0, 200], { window: 'sum' }).limits.slice(-2)).toEqual([100, 200]);
  expect(of(amounts).limits[1]).toBe(20);
});

it('colours of temperatures change at the freezing point, those of anomalies at zero', () => {
  const reddish = (colour: string) => Number.parseInt(colour.slice(1, 3), 16) > Number.parseInt(colour.slice(5), 16);
  for (const parts of [{ units: '°C' }, { statistic: { kind: 'anomaly' } as const }]) {
    const { limits, colours } = of([-12, 27], parts);
    expect(colours.map(reddish)).toEqual(limits.slice(1).map((limit) => limit > 0));
  }
});

it.each([
  ['wind', [2, 30], {}],
  ['warm temperatures', [5, 30], { units: '°C' }],
  ['cold temperatures', [-30, -5], { units: '°C' }],
  ['amounts', [0, 90, 100], { window: 'sum' }],
  ['spread', [0.5, 4], { statistic: { kind: 'spread' } }],
  ['shares', [0, 1], { statistic: { kind: 'category', category: 'above' } }],
] as [string, number[], Partial<MapField>][])(
  'colours of %s are in the order of their lightness',
  (_, values, parts) => {
    const lightness = of(values, parts).colours.map((colour) => lab(colour).l);
    const steps = lightness.slice(1).map((l, i) => l - lightness[i]);
    expect(steps.every((step) => Math.sign(step) === Math.sign(steps[0]) && Math.abs(step) > 2)).toBe(true);
  },
);

it('colours on both sides of zero become darker away from it', () => {
  const { limits, colours } = of([-20, 20], { units: '°C' });
  const lightness = colours.map((colour) => lab(colour).l);
  const middle = limits.indexOf(0);
  for (let k = 1; k < colours.length; k++) {
    if (k !== middle) expect(lightness[k] > lightness[k - 1]).toBe(k < middle);
  }
});

it('shares that lie close together have finer classes, of which at least five are in use', () => {
  const shares = (values: number[]) => {
    const field: MapField = {
      grid: { kind: 'places', latitude: new Float64Array(0), longitude: new Float64Array(0), shape: [0] },
      values,
      statistic: { kind: 'exceedance', threshold: { operator: '>', limit: 20 } },
    };
    return valueClasses(field, Float64Array.from(values))?.limits;
  };
  const tenths = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
  expect(shares([0, 0.15, 0.32, 0.55, 0.97])).toEqual(tenths);
  expect(shares([0, 0.06, 0.12, 0.17, 0.21])).toEqual([0, 0.05, 0.1, 0.15, 0.2, 0.25]);
  expect(shares([0.51, 0.525, 0.542, 0.567, 0.589])).toEqual([0.5, 0.52, 0.54, 0.56, 0.58, 0.6].slice(0, 6));
  // Fewer values than classes: as always.
  expect(shares([0.2, 0.21])).toEqual(tenths);
});

it('values that lie close together, but for a few, have classes of which at least five are in use', () => {
  const used = (values: number[], parts: Partial<MapField> = {}) => {
    const classes = of(values, parts);
    return new Set(values.map((value) => classOf(classes, value))).size;
  };
  const near = Array.from({ length: 400 }, (_, i) => 20 + (i % 40) / 10);
  expect(of(near).areExceeded).toBe(false);
  // One value far away would leave two classes in use.
  expect(used([...near, -60])).toBeGreaterThanOrEqual(5);
  expect(of([...near, -60]).areExceeded).toBe(true);
  expect(used(near.map((value) => value / 40))).toBeGreaterThanOrEqual(5);
  expect(used([...near.map((value) => value - 20), 900], { window: 'sum' })).toBeGreaterThanOrEqual(5);
  // Two values are in two classes, and limits hold both.
  expect(of([20, 20, 20, -60]).areExceeded).toBe(false);
});
