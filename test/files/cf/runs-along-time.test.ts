import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../../src/core/load.js';
import { gridArrays, gridEnsemble } from '../../../src/files/cf/open-grid-ensemble.js';
import { dailyValues } from './daily-values.js';
import { memoryFile } from './memory-file.js';

/** How a file calls the starts of its runs. */
interface NamedStarts {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

const STANDARD: NamedStarts = {
  name: 'forecast_reference_time',
  attributes: { standard_name: 'forecast_reference_time' },
};

/** A file as xarray joins runs: each day has its run, which began on that day of January. */
function joined(
  runs: readonly number[],
  days = runs.map((_, day) => day + 1),
  hours = 0,
  { name, attributes }: NamedStarts = STANDARD,
) {
  const time = { time: runs.length };
  return memoryFile({
    time: {
      dimensions: time,
      values: days.map((day) => 24 * (day - 1) + hours),
      attributes: { units: 'hours since 2026-01-01' },
    },
    [name]: {
      dimensions: time,
      values: runs.map((day) => day - 1),
      attributes: { ...attributes, units: 'days since 2026-01-01' },
    },
    latitude: { values: [50], dimensions: {}, attributes: { units: 'degrees_north' } },
    longitude: { values: [7], dimensions: {}, attributes: { units: 'degrees_east' } },
    t2m: {
      dimensions: time,
      values: runs.map((_, i) => 280 + i),
      attributes: { units: 'K', cell_methods: 'time: mean', coordinates: `${name} latitude longitude` },
    },
  });
}

const two = [1, 1, 1, 4, 4, 4];

describe('runs that a file joins along its times', () => {
  let core: Core;
  beforeAll(async () => {
    core = await loadCore();
  });

  it('are an error that lists them, also where their times overlap', async () => {
    const error = {
      ...{ tag: 'option', problem: 'array t2m holds 2 runs' },
      allowed:
        'the time of one of them: 2026-01-01T00:00:00Z, 2026-01-04T00:00:00Z; or all, one after the other as one series',
    };
    for (const file of [joined(two), joined(two, [1, 2, 3, 2, 3, 4])]) {
      await expect(gridEnsemble(file)).rejects.toMatchObject(error);
      expect((await gridArrays(file))[0].problem).toMatchObject(error);
    }
  });

  it('are read one by one, or where that is requested as one series', async () => {
    const days = async (init: string, file = joined(two)) => {
      const ensemble = await gridEnsemble(file, { init });
      const [[values]] = await dailyValues(ensemble, core);
      return [ensemble.metadata.get('init_time'), Array.from(values, (value) => Math.round(value + 273.15))];
    };
    expect(await days('2026-01-04')).toEqual(['2026-01-04T00:00:00Z', [283, 284, 285]]);
    expect(await days('2026-01-01')).toEqual(['2026-01-01T00:00:00Z', [280, 281, 282]]);
    expect(await days('2026-01-04', joined(two, [1, 2, 3, 2, 3, 4]))).toEqual([
      '2026-01-04T00:00:00Z',
      [283, 284, 285],
    ]);
    expect((await days('all'))[1]).toEqual([280, 281, 282, 283, 284, 285]);
    await expect(days('2026-01-02')).rejects.toThrow('init: no such run; received "2026-01-02"');
  });

  it('are an analysis where each has the time at which it begins, without a word', async () => {
    const { days, conversions } = await gridEnsemble(joined([1, 2, 3, 4]));
    expect([days, conversions.filter((note) => note.includes('run'))]).toEqual([4, []]);
    const file = joined([1, 1, 1, 1]);
    expect((await gridEnsemble(file)).days).toBe(4);
  });

  it.each<NamedStarts>([
    { name: 'reftime' },
    { name: 'v2_reftime' },
    { name: 'time_run' },
    { name: 'initial_time' },
    { name: 'fcst_start' },
    { name: 'basetime' },
    { name: 'tau0', attributes: { long_name: 'GRIB reference time' } },
    { name: 'begin', attributes: { long_name: 'start of the forecast' } },
  ])('are known by the words of $name $attributes', async (starts) => {
    await expect(gridEnsemble(joined(two, undefined, 0, starts))).rejects.toThrow('array t2m holds 2 runs');
    const run = await gridEnsemble(joined(two, undefined, 0, starts), { init: '2026-01-04' });
    expect([run.metadata.get('init_time'), run.days]).toEqual(['2026-01-04T00:00:00Z', 3]);
  });

  it('are not the starts of steps, or other times of each day', async () => {
    for (const [runs, starts] of [
      [[1, 2, 3, 4], { name: 'begin', attributes: { long_name: 'reference start of the interval' } }],
      [two, { name: 'begin', attributes: { long_name: 'first day of the half week' } }],
      [[4, 4, 4, 7, 7, 7], { name: 'run_end' }],
    ] as [number[], NamedStarts][])
      expect((await gridEnsemble(joined(runs, undefined, 0, starts))).days).toBe(runs.length);
  });
});
