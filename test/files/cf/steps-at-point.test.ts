import { describe, expect, it } from 'vitest';
import { loadCore } from '../../../src/core/load.js';
import { stepsAtPoint, tableAtPoint } from '../../../src/files/cf/index.js';
import { coordinates, memoryFile } from './memory-file.js';

const core = await loadCore();
const range = (length: number) => Array.from({ length }, (_, i) => i);
const POINT = { latitude: 50.9, longitude: 8.1 };

/** An array of two members at 2 by 2 cells, by step; the value of each is that of `valueAt`, and of the cell. */
function fileOf(steps: readonly number[], valueAt: (step: number, member: number) => number, attributes: object) {
  const places = { latitude: [50, 51], longitude: [8, 9] };
  return memoryFile({
    ...coordinates({ member: range(2), time: [...steps], ...places }, { units: 'hours since 2026-03-02' }),
    values: {
      type: 'float32',
      dimensions: { member: 2, time: steps.length, latitude: 2, longitude: 2 },
      values: Float32Array.from({ length: 2 * steps.length * 4 }, (_, i) => {
        const step = Math.floor(i / 4) % steps.length;
        return valueAt(step, Math.floor(i / 4 / steps.length)) * (1 + (i % 4));
      }),
      attributes: attributes as Record<string, string>,
    },
  });
}

const rain = { units: 'kg m-2', standard_name: 'precipitation_amount' };
const column = (of: { getChild(name: string): Iterable<unknown> | null }, name: string) => [
  ...(of.getChild(name) ?? []),
];

describe('stepsAtPoint', () => {
  it('reads instants of the nearest cell in the unit of the variable', async () => {
    const attributes = { units: 'K', standard_name: 'air_temperature', cell_methods: 'time: point' };
    const file = fileOf([0, 6, 12], (step, member) => (273 + step + 10 * member) / 3, attributes);
    const { table, notes } = await stepsAtPoint(core, file, { variable: 'temp_mean', point: POINT });
    expect(column(table, 'member_01').map((value) => Math.round(Number(value)))).toEqual([10, 11, 12]);
    expect(column(table, 'start')).toEqual([0, 6, 12].map((hour) => Date.UTC(2026, 2, 2, hour)));
    expect(column(table, 'end')).toEqual(column(table, 'start'));
    expect(column(table, 'latitude')).toEqual([51, 51, 51]);
    expect(notes).toEqual(['K to degC']);
  });

  it('makes amounts since the start of the run amounts of each step, which add up to the days', async () => {
    const attributes = { ...rain, long_name: 'accumulated since the start of the forecast' };
    const times = [3, 6, 9, 12, 18, 24];
    const file = fileOf(times, (step, member) => (step + 1) ** 2 * (1 + member), attributes);
    const options = { variable: 'precipitation', point: POINT } as const;
    const { table, notes } = await stepsAtPoint(core, file, options);
    expect(column(table, 'member_00')).toEqual([null, 3, 5, 7, 9, 11].map((value) => value && 3 * value));
    expect(column(table, 'start').slice(-2)).toEqual([12, 18].map((hour) => Date.UTC(2026, 2, 2, hour)));
    expect(notes).toEqual(['amounts since the start of the run, by long_name: differences of neighbouring steps']);
  });

  it('makes rates the amounts of their step, also where steps become longer', async () => {
    const file = fileOf([0, 3, 6, 12, 18], () => 1 / 10_800, {
      units: 'kg m-2 s-1',
      standard_name: 'precipitation_flux',
    });
    const { table } = await stepsAtPoint(core, file, { variable: 'precipitation', point: POINT, stamps: 'start' });
    expect(column(table, 'member_00')).toEqual([1, 1, 2, 2, 2].map((value) => expect.closeTo(3 * value, 5)));
    const days = await tableAtPoint(core, file, { variable: 'precipitation', point: POINT, stamps: 'start' });
    expect(Number(days.table.getChild('member_00')?.get(0))).toBeCloseTo(24, 4);
  });

  it('makes means since the start of the run means of each step', async () => {
    const bounds = [0, 6, 0, 12, 0, 18, 0, 24];
    const file = memoryFile({
      ...coordinates({ time: [6, 12, 18, 24], latitude: [50], longitude: [8] }, { units: 'hours since 2026-03-02' }),
      time: {
        dimensions: { time: 4 },
        values: Float64Array.of(6, 12, 18, 24),
        attributes: { units: 'hours since 2026-03-02', standard_name: 'time', bounds: 'time_bnds' },
      },
      time_bnds: { dimensions: { time: 4, nv: 2 }, values: Float64Array.from(bounds), attributes: {} },
      rh: {
        dimensions: { time: 4, latitude: 1, longitude: 1 },
        values: Float64Array.of(40, 50, 60, 50),
        attributes: { units: '%', standard_name: 'relative_humidity', cell_methods: 'time: mean' },
      },
    });
    const { table } = await stepsAtPoint(core, file, { variable: 'relative_humidity' });
    // 6 h of 40; then (2 * 50 - 40), (3 * 60 - 2 * 50), (4 * 50 - 3 * 60).
    expect(column(table, 'member_00')).toEqual([40, 60, 80, 20].map((value) => expect.closeTo(value, 9)));
  });

  it('names the time of an infinite value', async () => {
    const file = fileOf([0, 6], (step) => (step === 1 ? Number.POSITIVE_INFINITY : 1), { ...rain });
    const options = { variable: 'precipitation', point: POINT, accumulation: 'per-step', stamps: 'start' } as const;
    await expect(stepsAtPoint(core, file, options)).rejects.toThrow('2026-03-02T12:00:00Z');
  });

  it.each([
    [
      'daily values',
      [0, 24, 48],
      {},
      'has no time steps within days; received "2026-03-02T00:00:00Z, 2026-03-03T00:00:00Z, ..."',
    ],
    ['all runs', [0, 6], { init: 'all' }, 'steps of several runs are not one ensemble'],
  ])('rejects %s', async (_, times, options, message) => {
    const file = fileOf(times, () => 1, { ...rain });
    const all = { variable: 'precipitation', point: POINT, stamps: 'start', ...options } as const;
    await expect(stepsAtPoint(core, file, all)).rejects.toThrow(message);
  });
});
