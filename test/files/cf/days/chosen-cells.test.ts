import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Work } from '../../../../src/check/work.js';
import { loadCore } from '../../../../src/core/load.js';
import { type FloatArray, floatArray } from '../../../../src/core/number-arrays.js';
import { readChosenCells } from '../../../../src/files/cf/days/read-chosen-cells.js';
import type { Block, GridEnsemble } from '../../../../src/files/cf/grid-ensemble.js';
import { gridEnsemble } from '../../../../src/files/cf/index.js';
import { isFullCheck } from '../../../full-check.js';
import { dailyValues } from '../daily-values.js';
import { coordinates, memoryFile } from '../memory-file.js';

const core = await loadCore();
const [HEIGHT, WIDTH, DAYS, MEMBERS] = [3, 4, 12, 3];
const LENGTHS = { number: MEMBERS, time: DAYS, latitude: HEIGHT, longitude: WIDTH };
const FILL = -999;

const examples = fc.record({
  type: fc.constantFrom('float32' as const, 'float64' as const, 'int16' as const),
  order: fc.constantFrom(
    ['number', 'time', 'latitude', 'longitude'] as const,
    ['number', 'latitude', 'longitude', 'time'] as const,
    ['time', 'number', 'latitude', 'longitude'] as const,
    ['latitude', 'longitude', 'number', 'time'] as const,
  ),
  units: fc.constantFrom('degC', 'K'),
  hours: fc.constantFrom(24, 12, 6),
  zone: fc.constantFrom(undefined, 'Asia/Kolkata'),
  isChunked: fc.constantFrom('no', 'by member', 'together'),
  column: fc.integer({ min: 0, max: 2 }),
  rows: fc.tuple(fc.integer({ min: 0, max: HEIGHT - 1 }), fc.integer({ min: 0, max: HEIGHT - 1 })),
  days: fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 2, max: 2 })),
  picked: fc.uniqueArray(fc.integer({ min: 0, max: WIDTH - 1 }), { minLength: 1 }),
  seed: fc.integer({ min: 1, max: 1000 }),
});

/** The values of chosen cells of a block: of each member the cells of each day. */
async function chosen(ensemble: GridEnsemble, block: Block, cells: Int32Array, members = ensemble.members.length) {
  const found = Array.from({ length: members }, () => floatArray(ensemble.type, cells.length * block.days));
  const into = (member: number): FloatArray => found[member];
  const given = { cells, width: cells.length, members, into };
  expect(await readChosenCells(ensemble, block, given, new Work({}, 'values'))).toBe(true);
  return found;
}

describe('readChosenCells', () => {
  it('gives what the block has at these cells', async () => {
    const property = fc.asyncProperty(examples, async (one) => {
      const { type, order, units, hours, isChunked, rows, days: range, picked, seed } = one;
      const dimensions = Object.fromEntries(order.map((name) => [name, LENGTHS[name]]));
      const count = MEMBERS * DAYS * HEIGHT * WIDTH;
      const values = Array.from({ length: count }, (_, i) => ((i * seed) % 13 === 5 ? FILL : ((i * seed) % 97) - 20));
      const file = memoryFile({
        ...coordinates({ latitude: [50, 49, 48], longitude: [5, 6, 7, 8] }, { units: 'days since 2026-03-02' }),
        number: { dimensions: { number: MEMBERS }, values: [0, 1, 2] },
        time: {
          dimensions: { time: DAYS },
          values: Array.from({ length: DAYS }, (_, i) => (i * hours) / 24),
          attributes: { units: 'days since 2026-03-02' },
        },
        t2m: {
          ...{ type, dimensions, values },
          ...(isChunked !== 'no' && {
            chunk: order.map((name) => (name === 'number' && isChunked === 'by member' ? 1 : LENGTHS[name])),
          }),
          attributes: { units, standard_name: 'air_temperature', cell_methods: 'time: mean', _FillValue: FILL },
        },
      });
      const ensemble = await gridEnsemble(file, {
        ...{ array: 't2m', variable: 'temp_mean' },
        ...(one.zone !== undefined && hours < 24 && { timeZone: one.zone }),
      });
      const all = await dailyValues(ensemble, core);
      const [first, last] = rows.toSorted();
      const cells = Int32Array.from(picked.toSorted());
      const day = Math.min(range[0], ensemble.days - 1);
      const days = Math.min(range[1], ensemble.days - day);
      const block = { cell: first * WIDTH + one.column, cells: (last + 1 - first) * WIDTH - one.column, day, days };
      const own = cells.filter((cell) => cell < block.cells);
      const mark = core.memory.mark();
      const found = await chosen(ensemble, block, own);
      expect(core.memory.mark()).toBe(mark);
      expect(await chosen(ensemble, block, own, 1)).toEqual(found.slice(0, 1));
      for (const [m, values] of found.entries()) {
        const expected = Array.from({ length: days }, (_, d) =>
          Array.from(own, (cell) => all[m][block.cell + cell][day + d]),
        );
        expect(Array.from(values)).toEqual(expected.flat());
      }
    });
    await fc.assert(property, { numRuns: isFullCheck ? 150 : 50, seed: 44 });
  });

  it.each(['time', 'number'])('gives what the block has of amounts that grow, with the %s first', async (first) => {
    const lengths = first === 'time' ? { time: 16, number: 2 } : { number: 2, time: 16 };
    const [step, member] = first === 'time' ? [2, 1] : [1, 16];
    const values = Array.from({ length: 16 * 2 * 6 }, (_, i) => {
      const outer = Math.floor(i / 6);
      return (((Math.floor(outer / step) % 16) + 1) * ((i % 6) + 1) * (1 + (Math.floor(outer / member) % 2))) / 1000;
    });
    const file = memoryFile({
      ...coordinates({ latitude: [50, 49], longitude: [5, 6, 7] }, { units: 'days since 2026-03-02' }),
      number: { dimensions: { number: 2 }, values: [0, 1] },
      time: {
        dimensions: { time: 16 },
        values: Array.from({ length: 16 }, (_, i) => 6 * (i + 1)),
        attributes: { units: 'hours since 2026-03-02' },
      },
      tp: {
        ...{ type: 'float32', dimensions: { ...lengths, latitude: 2, longitude: 3 }, values },
        attributes: { units: 'm', GRIB_stepType: 'accum' },
      },
    });
    const ensemble = await gridEnsemble(file, { variable: 'precipitation', accumulation: 'since-start' });
    const all = await dailyValues(ensemble, core);
    const found = await chosen(ensemble, { cell: 0, cells: 6, day: 1, days: 2 }, Int32Array.from([1, 3, 5]));
    for (const [m, own] of found.entries()) {
      expect(Array.from(own)).toEqual([1, 2].flatMap((day) => [1, 3, 5].map((cell) => all[m][cell][day])));
      expect(own[0]).toBeGreaterThan(0);
    }
  });

  it('finds cells in fields that are read in parts of rows, and puts values to their places', async () => {
    const [height, width] = [900, 1200];
    const values = Array.from({ length: 2 * height * width }, (_, i) => i % 7919);
    const file = memoryFile({
      latitude: {
        dimensions: { latitude: height },
        values: Array.from({ length: height }, (_, i) => 80 - i / 10),
        attributes: { units: 'degrees_north' },
      },
      longitude: {
        dimensions: { longitude: width },
        values: Array.from({ length: width }, (_, i) => i / 10),
        attributes: { units: 'degrees_east' },
      },
      time: { dimensions: { time: 2 }, values: [0, 1], attributes: { units: 'days since 2026-03-02' } },
      t2m: {
        ...{ type: 'float64', dimensions: { time: 2, latitude: height, longitude: width }, values },
        chunk: [1, 300, 400],
        attributes: { units: 'degC', standard_name: 'air_temperature', cell_methods: 'time: mean' },
      },
    });
    const ensemble = await gridEnsemble(file, { variable: 'temp_mean' });
    const cells = Int32Array.from([3, 3, 401, 1199, 1200, 400_500, 650_123, height * width - 1]);
    const places = Int32Array.from([8, 1, 7, 2, 6, 3, 5, 4]);
    const found = new Float64Array(2 * 9).fill(-1);
    const into = () => found;
    const block = { cell: 0, cells: height * width, day: 0, days: 2 };
    expect(await readChosenCells(ensemble, block, { cells, places, width: 9, into }, undefined)).toBe(true);
    const expected = new Float64Array(2 * 9).fill(-1);
    for (const day of [0, 1])
      for (const [i, cell] of cells.entries()) expected[day * 9 + places[i]] = values[day * height * width + cell];
    expect(Array.from(found)).toEqual(Array.from(expected));
  });

  it('does not read an ensemble of several files', async () => {
    const ensemble = { read: async () => ({}), members: ['0'] } as unknown as GridEnsemble;
    const given = { cells: new Int32Array(1), width: 1, into: () => new Float64Array(1) };
    expect(await readChosenCells(ensemble, { cell: 0, cells: 1, day: 0, days: 1 }, given, undefined)).toBe(false);
  });
});
