import { describe, expect, it } from 'vitest';
import { gridEnsemble } from '../../../../src/files/cf/index.js';
import { seeded } from '../../../reference/fields.js';
import { memoryFile } from '../memory-file.js';

const STEPS = 80;

/** Rates of rain of 3 h each, at three cells. */
function rates(): number[][] {
  const random = seeded(3);
  return Array.from({ length: 3 }, () => Array.from({ length: STEPS }, () => 4e-4 * random() ** 4));
}

/** Means of 3 and 6 h in turns; the first of 6 h is at step `from`. */
function inTurns(values: readonly number[], from: number): number[] {
  return values.map((value, i) => (i > 0 && i % 2 === from % 2 ? (value + values[i - 1]) / 2 : value));
}

/** Means of steps without leads and without the start of a run. */
function ensembleOf(series: readonly (readonly number[])[]) {
  const times = Array.from({ length: STEPS }, (_, i) => 3 + 3 * i);
  return gridEnsemble(
    memoryFile({
      time: { dimensions: { time: STEPS }, values: times, attributes: { units: 'hours since 2025-07-10' } },
      lat: { dimensions: { lat: 1 }, values: [50], attributes: { units: 'degrees_north' } },
      lon: { dimensions: { lon: 3 }, values: [7, 8, 9], attributes: { units: 'degrees_east' } },
      prate: {
        dimensions: { time: STEPS, lat: 1, lon: 3 },
        values: times.flatMap((_, i) => series.map((each) => each[i])),
        attributes: { units: 'kg m-2 s-1', GRIB_stepType: 'avg', long_name: 'Precipitation rate' },
      },
    }),
    { variable: 'precipitation' },
  );
}

describe('means that overlap, of a run whose start is not known', () => {
  it.each([0, 1])('are an error, by their alternation: from step %s on', async (from) => {
    await expect(ensembleOf(rates().map((each) => inTurns(each, from)))).rejects.toMatchObject({
      name: 'DataError',
      message: expect.stringContaining('column prate: means overlap (0 to 3 h, 0 to 6 h, up to 0 to 6 h, then again)'),
    });
  });

  it('are not seen in means of each step', async () => {
    expect((await ensembleOf(rates())).days).toBe(10);
  });
});

/** Values of a run at the ends of steps, and the start of the run; nothing else is stated. */
function ofRun(
  name: string,
  series: readonly (readonly number[])[],
  attributes: Record<string, string>,
  { hours = 3, isRunStated = true } = {},
) {
  const time = series[0].length;
  const units = 'hours since 2025-07-10';
  const file = memoryFile({
    time: { dimensions: { time }, values: series[0].map((_, i) => hours + hours * i), attributes: { units } },
    run: { dimensions: {}, values: [0], attributes: { units, standard_name: 'forecast_reference_time' } },
    lat: { dimensions: { lat: 1 }, values: [50], attributes: { units: 'degrees_north' } },
    lon: { dimensions: { lon: 3 }, values: [7, 8, 9], attributes: { units: 'degrees_east' } },
    [name]: {
      dimensions: { time, lat: 1, lon: 3 },
      values: series[0].flatMap((_, i) => series.map((each) => each[i])),
      attributes,
    },
  });
  return isRunStated ? file : { ...file, arrays: new Map([...file.arrays].filter(([each]) => each !== 'run')) };
}

/** What each step has of those from the start of its bucket on. */
function sinceStart(values: readonly number[], size: number, of: (all: readonly number[]) => number): number[] {
  return values.map((_, i) => of(values.slice(i - (i % size), i + 1)));
}
const mean = (all: readonly number[]) => all.reduce((a, b) => a + b, 0) / all.length;
const highest = (all: readonly number[]) => Math.max(...all);

/** The sun of steps of 3 h, and temperatures with a course of the day and weather that changes slowly. */
function sun(): number[][] {
  const random = seeded(5);
  const height = (i: number) => Math.max(0, Math.sin(((i % 8) - 2) * (Math.PI / 4)));
  return Array.from({ length: 3 }, () => Array.from({ length: STEPS }, (_, i) => 600 * height(i) * random()));
}
function heat(): number[][] {
  const random = seeded(7);
  return Array.from({ length: 3 }, () => {
    let weather = 0;
    return Array.from({ length: STEPS }, (_, i) => {
      weather = 0.95 * weather + 2 * (random() - 0.5);
      return 280 + weather + 6 * Math.sin(((i % 8) - 3) * (Math.PI / 4));
    });
  });
}

describe('values of a run that overlap and have lost the ranges of their steps', () => {
  const rates = { units: 'W m-2', long_name: 'Downward Short-Wave Radiation Flux' };
  const means = { units: 'K', GRIB_stepType: 'avg' };
  const maxima = { units: 'K', GRIB_stepType: 'max' };
  it.each([
    ['rates', 'DSWRF_surface', 'solar_radiation', rates, sun, 2, mean, '0 to 6 h, up to 0 to 6 h, then again'],
    ['rates of 24 h', 'DSWRF_surface', 'solar_radiation', rates, sun, 8, mean, 'up to 0 to 24 h, then again'],
    ['rates', 'DSWRF_surface', 'solar_radiation', rates, sun, STEPS, mean, 'means are since the start of the run'],
    ['temperatures', 't2m', 'temp_mean', means, heat, 2, mean, '0 to 6 h, up to 0 to 6 h, then again'],
    ['temperatures', 't2m', 'temp_mean', means, heat, STEPS, mean, 'means are since the start of the run (0 to 3 h'],
    ['maxima', 'mx2t', 'temp_max', maxima, heat, STEPS, highest, 'maxima never fall, as they are since the start'],
  ] as const)('are an error: %s of %s', async (_, name, variable, attributes, make, size, of, message) => {
    const overlap = make().map((each) => sinceStart(each, size, of));
    await expect(gridEnsemble(ofRun(name, overlap, attributes), { variable })).rejects.toMatchObject({
      name: 'DataError',
      message: expect.stringContaining(message),
    });
    const option = variable === 'solar_radiation' ? { accumulation: 'per-step' as const } : { stamps: 'end' as const };
    expect((await gridEnsemble(ofRun(name, overlap, attributes), { variable, ...option })).days).toBe(10);
    expect((await gridEnsemble(ofRun(name, make(), attributes), { variable })).days).toBe(10);
  });

  it.each([true, false])(
    'are an error: temperatures of 6 h since the start; the run is stated: %s',
    async (isRunStated) => {
      const steps = heat().map((each) => each.flatMap((_, i) => (i % 2 === 0 ? mean(each.slice(i, i + 2)) : [])));
      const open = (series: number[][], kind = means) =>
        gridEnsemble(ofRun('t2m', series, kind, { hours: 6, isRunStated }), { variable: 'temp_mean' });
      const since = steps.map((each) => sinceStart(each, STEPS, mean));
      await expect(open(since)).rejects.toMatchObject({
        message: expect.stringContaining('means are since the start of the run (0 to 6 h, 0 to 12 h, and so on)'),
      });
      expect((await open(steps)).days).toBe(10);
      // A week does not show it, nor do differences that do not shrink for a part of the time.
      expect((await open(since.map((each) => each.slice(0, 28)))).days).toBe(7);
      expect((await open(steps.map((each, k) => [...since[k].slice(0, 20), ...each.slice(20)]))).days).toBe(10);
    },
  );

  it('are read where they are maxima of buckets, which divide days', async () => {
    const buckets = heat().map((each) => sinceStart(each, 2, highest));
    expect((await gridEnsemble(ofRun('mx2t', buckets, maxima), { variable: 'temp_max' })).days).toBe(10);
  });
});
