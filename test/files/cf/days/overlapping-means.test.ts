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
