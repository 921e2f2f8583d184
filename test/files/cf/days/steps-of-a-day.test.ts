import { describe, expect, it } from 'vitest';
import { loadCore } from '../../../../src/core/load.js';
import { gridEnsemble } from '../../../../src/files/cf/index.js';
import { dailyValues } from '../daily-values.js';
import { coordinates, memoryFile } from '../memory-file.js';

const DAYS = 2;
const CELLS = 3;

/** Numbers whose sum depends on the order in which they are added. */
const value = (i: number) => ((i * 7919) % 1013) / 7 + 1e-9 * i;

describe('a daily mean of fields of any number of steps a day', () => {
  it.each(
    [1, 2, 3, 4, 5, 6, 8, 24].flatMap(
      (steps) =>
        [
          [steps, {}],
          [steps, { _FillValue: Number.NaN }],
        ] as const,
    ),
  )('is the sum of its %d steps in their order, divided by their number: %j', async (steps, attributes) => {
    const values = Array.from({ length: DAYS * steps * CELLS }, (_, i) => value(i));
    const time = Array.from({ length: DAYS * steps }, (_, i) => (i * 24) / steps);
    const ensemble = await gridEnsemble(
      memoryFile({
        ...coordinates({ time, lat: [50], lon: [0, 1, 2] }, { units: 'hours since 2022-10-02' }),
        t2m: {
          ...{ type: 'float64', values, dimensions: { time: time.length, lat: 1, lon: CELLS } },
          attributes: { units: 'degC', ...attributes },
        },
      }),
    );
    const expected = Array.from({ length: CELLS }, (_, cell) =>
      Array.from({ length: DAYS }, (_, day) => {
        let sum = 0;
        for (let step = 0; step < steps; step++) sum += value((day * steps + step) * CELLS + cell);
        return sum / steps;
      }),
    );
    expect(await dailyValues(ensemble, await loadCore())).toEqual([expected]);
  });
});
