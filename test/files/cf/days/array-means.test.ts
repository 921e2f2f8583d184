import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../../../src/core/load.js';
import { type GridOptions, gridEnsemble } from '../../../../src/files/cf/index.js';
import { dailyValues } from '../daily-values.js';
import { type MemoryArray, memoryFile } from '../memory-file.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const range = (length: number) => Array.from({ length }, (_, i) => i);
/** The ends of steps in hours: of 3 hours on the first day, then of 6. */
const ENDS = [...range(8).map((i) => 3 * i + 3), ...range(8).map((i) => 24 + 6 * i + 6)];
const LENGTHS = ENDS.map((end, i) => end - (ENDS[i - 1] ?? 0));
const CELLS = 2;

/** A file of means from the start of the bucket that each step is in; all are in one if there is no other start. */
function meansFile(
  steps: readonly (readonly number[])[],
  { attributes = {}, starts = [0], isSeries = false, first = 0 }: Partial<MeansOptions> = {},
) {
  const startOf = (end: number) => Math.max(...starts.filter((start) => start < end));
  const means = steps.map((values) =>
    ENDS.map((end, i) => {
      const from = startOf(end);
      const within = range(i + 1).filter((j) => ENDS[j] > from);
      return within.reduce((sum, j) => sum + values[j] * LENGTHS[j], 0) / (end - from);
    }),
  );
  const time = ENDS.length - first;
  const values = isSeries
    ? means.flatMap((cell) => cell.slice(first))
    : range(time).flatMap((step) => means.map((cell) => cell[first + step]));
  const cells = { values: range(CELLS), dimensions: { x: CELLS } };
  const dimensions: Record<string, number> = isSeries ? { x: CELLS, time } : { time, x: CELLS };
  const named = { units: 'W m-2', standard_name: 'surface_downwelling_shortwave_flux_in_air', ...attributes };
  return memoryFile({
    time: {
      ...{ dimensions: { time }, values: ENDS.slice(first) },
      attributes: { units: 'hours since 2026-03-02', bounds: 'time_bounds' },
    },
    time_bounds: {
      ...{ dimensions: { time, bounds: 2 }, values: ENDS.slice(first).flatMap((end) => [startOf(end), end]) },
    },
    lat: { ...cells, attributes: { units: 'degrees_north' } },
    lon: { ...cells, attributes: { units: 'degrees_east' } },
    means: { type: 'float64', dimensions, values, attributes: { cell_methods: 'time: mean', ...named } },
  });
}

interface MeansOptions {
  readonly attributes: MemoryArray['attributes'];
  readonly starts: readonly number[];
  readonly isSeries: boolean;
  readonly first: number;
}

const flux = range(CELLS).map((cell) => ENDS.map((end, i) => (end % 24 > 6 ? 100 * (cell + 1) + 7 * i : 0)));
const degrees = range(CELLS).map((cell) => ENDS.map((_, i) => 270 + cell - ((i * 5) % 7)));
const TEMPERATURE = { units: 'K', standard_name: 'air_temperature' };

/** The time-weighted mean of each day. */
function meanOfDays(values: readonly number[]): number[] {
  return [0, 1, 2].map((day) => {
    const steps = range(ENDS.length).filter((i) => ENDS[i] > 24 * day && ENDS[i] <= 24 * day + 24);
    return steps.reduce((sum, i) => sum + values[i] * LENGTHS[i], 0) / 24;
  });
}

async function daysOf(file: ReturnType<typeof meansFile>, options?: GridOptions) {
  return (await dailyValues(await gridEnsemble(file, options), core))[0];
}

function expectClose(found: readonly (readonly number[])[], expected: readonly (readonly number[])[]) {
  expect(found).toHaveLength(expected.length);
  for (const [cell, days] of expected.entries())
    for (const [day, value] of days.entries()) expect(found[cell][day]).toBeCloseTo(value, 10);
}

describe.each([
  ['since the start of the run', [0]],
  ['since resets every 12 hours', [0, 12, 24, 36, 48, 60]],
  ['since resets that are not at midnight', [0, 18, 42, 66]],
])('means %s', (_, starts) => {
  it.each([false, true])('become daily means, weighted by the length of steps; series: %s', async (isSeries) => {
    const file = meansFile(degrees, { attributes: TEMPERATURE, starts, isSeries });
    expectClose(
      await daysOf(file),
      degrees.map((cell) => meanOfDays(cell).map((mean) => mean - 273.15)),
    );
  });

  it('of rates become daily sums', async () => {
    const ensemble = await gridEnsemble(meansFile(flux, { starts }));
    expect([ensemble.variable?.slug, ensemble.accumulation]).toEqual(['solar_radiation', undefined]);
    const [values] = await dailyValues(ensemble, core);
    expectClose(
      values,
      flux.map((cell) => meanOfDays(cell).map((mean) => mean * 0.0864)),
    );
  });
});

describe('means since the start of the run', () => {
  it('are said', async () => {
    const { conversions } = await gridEnsemble(meansFile(degrees, { attributes: TEMPERATURE }));
    expect(conversions).toContain(
      'means since the start of the run, by the bounds of time: differences of neighbouring steps to daily means',
    );
    const { conversions: ofBuckets } = await gridEnsemble(meansFile(flux, { starts: [0, 36] }));
    expect(ofBuckets).toContain(
      'means since regular resets, by the bounds of time: differences of neighbouring steps to daily sums',
    );
  });

  it('whose first steps are not there have no first day', async () => {
    const ensemble = await gridEnsemble(meansFile(degrees, { attributes: TEMPERATURE, first: 3 }));
    // The steps from the fourth on are those from 9 hours on.
    expect(ensemble.days).toBe(2);
    const [values] = await dailyValues(ensemble, core);
    expectClose(
      values,
      degrees.map((cell) =>
        meanOfDays(cell)
          .slice(1)
          .map((mean) => mean - 273.15),
      ),
    );
  });

  it('never give less than nothing by rounding, unless values may be negative', async () => {
    const rounded = (scale: number) => {
      const file = meansFile(flux.map((cell) => cell.map((value, i) => (ENDS[i] > 48 ? 0 : value))));
      const means = file.arrays.get('means');
      return {
        ...file,
        arrays: new Map(file.arrays).set('means', {
          ...(means as NonNullable<typeof means>),
          read: async (box, into) => {
            await means?.read(box, into);
            for (const [i, value] of into.entries()) into[i] = Math.floor(Number(value) / scale) * scale;
            return [];
          },
        }),
      };
    };
    const [cell] = await daysOf(rounded(0.05));
    expect(cell[2]).toBe(0);
    await expect(daysOf(rounded(40))).rejects.toMatchObject({
      ...{ tag: 'data', allowed: 'means that contradict each other by rounding at most' },
      problem: expect.stringMatching(
        /^means since a start, times their seconds, fall at 2026-03-0\dT.*member 0, latitude/,
      ),
    });
    const net = { standard_name: 'surface_net_downward_longwave_flux' };
    const falling = await gridEnsemble(
      meansFile(
        flux.map((values) => values.map((value) => -value)),
        { attributes: net },
      ),
    );
    expect((await dailyValues(falling, core))[0][0][0]).toBeCloseTo(-meanOfDays(flux[0])[0], 9);
  });

  it('do not give daily extremes, or other variables', async () => {
    const file = meansFile(degrees, { attributes: TEMPERATURE });
    await expect(gridEnsemble(file, { variable: 'temp_max' })).rejects.toMatchObject({
      ...{ tag: 'data', problem: 'temp_max cannot be computed from means since the start of the run' },
      allowed: 'values, or means, of each step',
    });
    const winds = ['eastward_wind', 'northward_wind'].map((standard_name) => {
      return meansFile(degrees, { attributes: { units: 'm s-1', standard_name } });
    });
    const [u, v] = winds.map(({ arrays }) => arrays.get('means'));
    const both = { ...winds[0], arrays: new Map(winds[0].arrays) };
    both.arrays.delete('means');
    both.arrays.set('u10', { ...(u as NonNullable<typeof u>), name: 'u10' });
    both.arrays.set('v10', { ...(v as NonNullable<typeof v>), name: 'v10' });
    await expect(gridEnsemble(both, { variable: 'wind_speed' })).rejects.toMatchObject({
      problem: 'wind_speed cannot be computed from means since the start of the run',
    });
  });
});
