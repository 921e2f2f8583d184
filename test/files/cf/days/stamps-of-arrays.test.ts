import { describe, expect, it } from 'vitest';
import { loadCore } from '../../../../src/core/load.js';
import type { AttributeValue } from '../../../../src/files/array/array-file.js';
import { type GridOptions, gridEnsemble } from '../../../../src/files/cf/index.js';
import { dailyValues } from '../daily-values.js';
import { type MemoryArray, memoryFile } from '../memory-file.js';

const core = await loadCore();

type Attributes = Record<string, AttributeValue>;

/** Hourly values from a time on, each its own number, for three days, and what else the file has. */
function file(attributes: Attributes, others: Record<string, MemoryArray> = {}, time: Attributes = {}, first = 0) {
  const hours = Array.from({ length: 72 }, (_, i) => first + i);
  return memoryFile({
    time: { dimensions: { time: 72 }, values: hours, attributes: { units: 'hours since 2026-03-02', ...time } },
    x: { dimensions: { time: 72 }, values: hours.map((_, i) => i), attributes },
    ...others,
  });
}

async function read(opened: ReturnType<typeof memoryFile>, options: GridOptions = {}) {
  const ensemble = await gridEnsemble(opened, { array: 'x', accumulation: 'per-step', ...options });
  const [[values]] = await dailyValues(ensemble, core);
  const { times, warnings, firstDay } = ensemble;
  return { stamps: times?.stamps, by: times?.by, warnings, firstDay: firstDay - 20_514, first: values[0] };
}

const RATE = { standard_name: 'precipitation_flux', units: 'mm h-1' };
const RAIN = { standard_name: 'precipitation_amount', units: 'kg m-2' };
/** The sums of the values of a day that begins with the first one, or ends with the last one of 24. */
const STARTS = { firstDay: 0, first: (23 * 24) / 2 };
const ENDS = { firstDay: 0, first: STARTS.first + 24 };
const RUN: Record<string, MemoryArray> = {
  forecast_reference_time: {
    values: [0],
    attributes: { units: 'hours since 2026-03-02', standard_name: 'forecast_reference_time' },
  },
};

describe('what times of arrays stand for', () => {
  it.each([
    ['words before', { long_name: 'Rain in the last hour' }, ENDS, 'by long_name'],
    ['words of a comment', { comment: 'Average rate since the previous forecast step.' }, ENDS, 'by comment'],
    ['the preceding hour', { description: 'Sum of the preceding hour' }, ENDS, 'by description'],
    ['words after', { comment: 'accumulated over the next hour' }, STARTS, 'by comment'],
    ['words of cell methods', { cell_methods: 'time: sum (comment: over the previous hour)' }, ENDS, 'by cell_methods'],
    ['a type of step', { GRIB_stepType: 'accum' }, ENDS, 'by GRIB_stepType accum'],
    ['a type of step elsewhere', { step_type: 'accum' }, ENDS, 'by step_type accum'],
  ])('is stated: %s, without a warning', async (_, attributes, expected, by) => {
    expect(await read(file({ ...RAIN, ...attributes }))).toMatchObject({ ...expected, by, warnings: [] });
  });

  it('is stated by the coordinate of time', async () => {
    const time = { long_name: 'end of the averaging period' };
    expect(await read(file(RATE, {}, time))).toMatchObject({ ...ENDS, by: 'by long_name of time', warnings: [] });
  });

  it('is the start by default, with a warning, and the end in a run', async () => {
    expect(await read(file(RAIN))).toMatchObject({
      ...STARTS,
      warnings: [
        'times of x are taken for the starts of steps, since nothing states it; the option stamps decides otherwise',
      ],
    });
    expect(await read(file(RAIN, RUN, {}, 1))).toMatchObject({
      ...{ firstDay: 0, first: STARTS.first, stamps: 'end' },
      warnings: [expect.stringContaining('as they begin 1 h after the start of the run, with the first step')],
    });
    const zeros = file(RAIN, RUN);
    expect(await read(zeros)).toMatchObject({
      stamps: 'end',
      warnings: [expect.stringContaining('as forecasts stamp values, since nothing states it')],
    });
    expect(await read(file(RAIN), { stamps: 'end' })).toMatchObject({ ...ENDS, warnings: [] });
  });

  it('is an instant where the variable is one, without a word', async () => {
    const warmth = { standard_name: 'air_temperature', units: 'degC' };
    expect(await read(file(warmth))).toMatchObject({ stamps: 'instant', first: 11.5, warnings: [] });
    expect(await read(file({ ...warmth, cell_methods: 'time: point' }, RUN))).toMatchObject({
      first: 11.5,
      warnings: [],
    });
  });

  it('is the middle where times lie amid their steps, without a word', async () => {
    const found = await read(file(RAIN, {}, { units: 'hours since 2026-03-02 00:30' }));
    expect(found).toMatchObject({ ...STARTS, stamps: 'middle', warnings: [] });
  });

  it('is the end where an array has no value at the start of a run and another one has', async () => {
    const arrays = file(RAIN, { ...RUN, t: { dimensions: { time: 72, n: 1 }, values: Array(72).fill(1) } });
    const x = arrays.arrays.get('x');
    if (x === undefined) throw new Error('no x');
    const values = Array.from({ length: 72 }, (_, i) => (i === 0 ? Number.NaN : i));
    const missing = memoryFile({ x: { dimensions: { time: 72 }, values, attributes: RAIN } }).arrays.get('x');
    const opened = { ...arrays, arrays: new Map([...arrays.arrays, ['x', missing ?? x] as const]) };
    expect(await read(opened)).toMatchObject({
      ...ENDS,
      warnings: [expect.stringContaining('as there is no value at the start of the run, where another array has one')],
    });
  });

  it('is followed by the stronger evidence where two differ, with a warning', async () => {
    const hours = Array.from({ length: 72 }, (_, i) => [i, i + 1]).flat();
    const edges = { dimensions: { time: 72, two: 2 }, values: hours };
    const found = await read(file({ ...RAIN, long_name: 'Rain in the last hour' }, { edges }, { bounds: 'edges' }));
    expect(found).toMatchObject({
      ...STARTS,
      warnings: [
        'times of x are the starts of their steps by the bounds of time, but their ends by long_name "in the last hour": the former was taken; the option stamps decides otherwise',
      ],
    });
  });

  it('is not known of bounds that overlap; gaps within days are counted', async () => {
    const edgesOf = (length: (i: number) => number) => ({
      dimensions: { time: 72, two: 2 },
      values: Array.from({ length: 72 }, (_, i) => [i, i + length(i)]).flat(),
    });
    const time = { bounds: 'edges' };
    await expect(read(file(RATE, { edges: edgesOf(() => 2) }, time))).rejects.toThrow(
      'column edges: bounds of time overlap; received "2026-03-02T00:00:00Z to 2026-03-02T02:00:00Z',
    );
    const gapped = await read(file(RATE, { edges: edgesOf((i) => (i === 30 ? 0.5 : 1)) }, time));
    expect(gapped.warnings).toEqual([
      'bounds of the times of x leave gaps: 1 day is covered in part, the first 2026-03-03, and left out',
    ]);
  });
});

describe('several levels', () => {
  const warmth = { standard_name: 'air_temperature', units: 'degC' };
  const at = (attributes: Attributes): MemoryArray => ({
    dimensions: { time: 72 },
    values: Array(72).fill(1),
    attributes,
  });

  it('leave the one at 2 m, and extremes by name are no means', async () => {
    const others = { temperature_2m: at(warmth), temperature_850hpa: at(warmth), maximum_temperature_2m: at(warmth) };
    const opened = file({ units: 'm' }, others);
    expect((await gridEnsemble(opened, { variable: 'temp_mean' })).array).toBe('temperature_2m');
    expect((await gridEnsemble(opened, { variable: 'temp_max' })).array).toBe('maximum_temperature_2m');
  });
});
