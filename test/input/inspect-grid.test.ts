import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { inspectGrid } from '../../src/input/inspect/inspect-grid.js';
import type { InspectedVariable, InspectRequest } from '../../src/input/inspect/inspection.js';
import { coordinates, type MemoryArray, memoryFile } from '../files/cf/memory-file.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const REQUEST: InspectRequest = { values: true, options: {} };
const DAYS = 31;
const daily = coordinates(
  { number: [1, 2], time: Array.from({ length: DAYS }, (_, d) => d), lat: [46, 45.5], lon: [358, 0, 2] },
  { units: 'days since 2024-01-01' },
);

/** Rain of 1 mm but where `wrong` says otherwise, by its place in the array. */
function rain(wrong: Readonly<Record<number, number>>, more: Partial<MemoryArray> = {}): MemoryArray {
  const values = new Float64Array(2 * DAYS * 6).fill(1);
  for (const [at, value] of Object.entries(wrong)) values[Number(at)] = value;
  return { dimensions: { number: 2, time: DAYS, lat: 2, lon: 3 }, values, attributes: { units: 'mm' }, ...more };
}

const at = (member: number, day: number, cell: number) => (member * DAYS + day) * 6 + cell;

async function inspectOne(arrays: Record<string, MemoryArray>, request = REQUEST): Promise<InspectedVariable> {
  const { variables } = await inspectGrid(core, memoryFile(arrays), request);
  expect(variables).toHaveLength(1);
  return variables[0];
}

describe('inspectGrid', () => {
  it('describes members, days, grid and windows, and suggests a command', async () => {
    expect(await inspectOne({ ...daily, tp: rain({}) })).toMatchObject({
      name: 'tp',
      variable: 'precipitation',
      units: 'mm',
      conversions: [],
      members: { count: 2, first: '1', last: '2' },
      days: { first: '2024-01-01', last: '2024-01-31', whole: 31, missing: 0, gaps: [], steps: 'daily' },
      places: {
        kind: 'rectilinear',
        count: 6,
        shape: [2, 3],
        latitude: [45.5, 46],
        longitude: [-2, 2],
        step: [0.5, undefined],
      },
      windows: { weekly: 4, monthly: 1 },
      command: 'plumecast stats test.nc --variable precipitation --granularity weekly',
    });
  });

  it('counts values that are missing, infinite or out of bounds, and locates the lowest and highest', async () => {
    const wrong = { [at(0, 2, 4)]: -2, [at(1, 3, 0)]: 5000, [at(1, 3, 1)]: 2000.5, [at(0, 0, 0)]: Number.NaN };
    const array = rain({ ...wrong, [at(0, 0, 1)]: Number.NEGATIVE_INFINITY });
    expect((await inspectOne({ ...daily, tp: array })).values).toEqual({
      count: 372,
      missing: 1,
      infinite: 1,
      lowest: { value: -2, date: '2024-01-03', member: '1', latitude: 45.5, longitude: 0 },
      highest: { value: 5000, date: '2024-01-04', member: '2', latitude: 46, longitude: -2 },
      bounds: [0, 2000],
      below: 1,
      above: 2,
    });
  });

  it('lists the first gaps between days, whose values do not count as missing', async () => {
    const time = Array.from({ length: DAYS }, (_, d) => (d < 5 ? d : d < 20 ? d + 1 : d + 11));
    const gapped = { ...daily, ...coordinates({ time }, { units: 'days since 2024-01-01' }), tp: rain({}) };
    const { days, values, windows } = await inspectOne(gapped);
    expect(days).toMatchObject({ first: '2024-01-01', last: '2024-02-11', whole: 31, missing: 11 });
    expect(days?.gaps).toEqual([
      { first: '2024-01-06', last: '2024-01-06', days: 1 },
      { first: '2024-01-22', last: '2024-01-31', days: 10 },
    ]);
    expect(windows).toEqual({ weekly: 3, monthly: 0 });
    expect(values).toMatchObject({ count: 372, missing: 0 });
  });

  it('lists the conversions of rates of steps, and counts complete days only', async () => {
    const time = Array.from({ length: 10 }, (_, step) => step * 6);
    const axes = coordinates({ time, lat: [1], lon: [2] }, { units: 'hours since 2024-01-01 12:00' });
    const values = new Float32Array(10).fill(1e-4);
    const attributes = { units: 'kg m-2 s-1', standard_name: 'precipitation_flux' };
    const pr: MemoryArray = { type: 'float32', dimensions: { time: 10, lat: 1, lon: 1 }, values, attributes };
    const found = await inspectOne({ ...axes, pr });
    expect(found.conversions).toEqual(['kg m-2 s-1 to mm', '6-hourly rates to daily sums']);
    expect(found.days).toMatchObject({ first: '2024-01-02', last: '2024-01-03', whole: 2, steps: '6-hourly' });
    expect(found.values?.highest?.value).toBeCloseTo(8.64, 5);
  });

  it('counts the chunks that are missing in a store, each once', async () => {
    const isThere = ([member, day]: readonly number[]) => member !== 1 || day >= 10;
    const chunked = rain({}, { chunk: [1, 5, 2, 3], isThere });
    const { values } = await inspectOne({ ...daily, tp: chunked });
    expect(values).toMatchObject({ missing: 60, missingChunks: { count: 2, of: 14 } });
  });

  it('plans the number of blocks, and how often chunks are decoded', async () => {
    const { reading } = await inspectOne({ ...daily, tp: rain({}, { chunk: [1, 5, 2, 3] }) });
    expect(reading).toEqual({ memory: 1e9, blocks: 1, chunks: 14, decoded: 14 });
  });

  it('reads no values if none are requested', async () => {
    const file = memoryFile({ ...daily, tp: rain({}) });
    const [found] = (await inspectGrid(core, file, { ...REQUEST, values: false })).variables;
    expect(found.values).toBeUndefined();
    expect(found.days?.whole).toBe(31);
    expect(file.reads.boxes.has('tp')).toBe(false);
  });

  it('says why an array is not understood, and describes the rest', async () => {
    const lunar = coordinates({ time: [0, 1] }, { units: 'days since 2024-01-01', calendar: 'lunar' });
    const tas: MemoryArray = { dimensions: { time: 2 }, values: [1, 2], attributes: { units: 'K' } };
    const inspection = await inspectGrid(core, memoryFile({ ...lunar, tas }), REQUEST);
    expect(inspection).toMatchObject({
      holds: 'nothing understood',
      dimensions: [{ name: 'time', length: 2 }],
      columns: [
        { name: 'time', role: 'time' },
        { name: 'tas', units: 'K', shape: [2] },
      ],
    });
    expect(inspection.variables[0].problem).toContain('calendar');
    expect(inspection.variables[0].command).toBeUndefined();
  });

  it('says that a file is empty, and along which dimension', async () => {
    const empty = coordinates({ time: [] }, { units: 'days since 2024-01-01' });
    const tp: MemoryArray = { dimensions: { time: 0 }, values: [], attributes: { units: 'mm' } };
    const inspection = await inspectGrid(core, memoryFile({ ...empty, tp }), REQUEST);
    expect(inspection).toMatchObject({ holds: 'no values', dimensions: [{ name: 'time', length: 0 }] });
    expect(inspection.variables).toEqual([
      {
        name: 'tp',
        problem: expect.stringContaining('column tp: has no time steps; received "dimension time of length 0"'),
      },
    ]);
  });

  it('lists variables that can be computed from two arrays, with a command', async () => {
    const hours = Array.from({ length: 8 }, (_, i) => i * 6);
    const component = { dimensions: { time: 8 }, values: hours, attributes: { units: 'm s-1' } };
    const file = memoryFile({
      time: { dimensions: { time: 8 }, values: hours, attributes: { units: 'hours since 2001-01-01' } },
      u10: component,
      v10: component,
    });
    const { variables } = await inspectGrid(core, file, { values: true, options: {} });
    expect(variables.map(({ name }) => name)).toEqual(['u10', 'v10', 'u10 and v10']);
    expect(variables[2]).toMatchObject({
      variable: 'wind_speed',
      command: expect.stringContaining('--variable wind_speed'),
    });
  });

  it('names the array in the command if its variable is not enough', async () => {
    const arrays = { ...daily, tp: rain({}), precip: rain({}), unheard_of: rain({}) };
    const { variables } = await inspectGrid(core, memoryFile(arrays), { values: false, options: { stamps: 'end' } });
    expect(variables.map(({ command }) => command)).toEqual([
      'plumecast stats test.nc --variable precipitation --stamps end --array tp --granularity weekly',
      'plumecast stats test.nc --variable precipitation --stamps end --array precip --granularity weekly',
      undefined,
    ]);
    expect(variables[2].needed).toMatch(
      /^the option window, .*: plumecast stats test.nc --window mean --stamps end --array unheard_of --granularity weekly; or/,
    );
  });

  it('inspects only the array that is named', async () => {
    const file = memoryFile({ ...daily, tp: rain({}), precip: rain({}) });
    const { variables } = await inspectGrid(core, file, { values: true, options: { array: 'precip' } });
    expect(variables.map(({ name }) => name)).toEqual(['precip']);
    expect(file.reads.boxes.has('tp')).toBe(false);
    const other = inspectGrid(core, file, { values: true, options: { array: 'lat' } });
    await expect(other).rejects.toThrow('test.nc, array: the file has no such array with a dimension of time');
  });

  it('says what amounts count, needs an option if that is not known, and warns of daily amounts that never fall', async () => {
    const series = (values: readonly number[], hours: number) => ({
      ...coordinates({ time: values.map((_, i) => i * hours) }, { units: 'hours since 2024-01-01' }),
      tp: { dimensions: { time: values.length }, values, attributes: { units: 'mm', GRIB_stepType: 'accum' } },
    });
    const growing = Array.from({ length: 41 }, (_, i) => i - (i % 3));
    const grown = await inspectOne(series(growing, 6));
    expect(grown).toMatchObject({ accumulation: 'since-start', command: expect.stringContaining('stats test.nc') });
    expect(grown.conversions?.join()).toContain('amounts since the start of the run, by their values');
    expect(grown.values).toMatchObject({ missing: 0, lowest: { value: 3 }, highest: { value: 6 } });
    const short = await inspectOne(series(growing.slice(0, 8), 6));
    expect(short.problem).toContain("accumulation: 'per-step'");
    expect(short.command).toBeUndefined();
    const reported = await inspectOne(series(growing.slice(0, 8), 6), {
      ...REQUEST,
      options: { accumulation: 'per-step' },
    });
    expect(reported.command).toContain('--accumulation per-step');
    expect((await inspectOne(series(growing, 24))).problem).toContain("stamps: 'start' | 'end'");
    const stamped = { ...REQUEST, options: { stamps: 'start' } } as const;
    expect((await inspectOne(series(growing, 24), stamped)).warnings).toEqual([expect.stringContaining('never fall')]);
  });
});
