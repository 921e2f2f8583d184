import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Work } from '../../../../src/check/work.js';
import { loadCore } from '../../../../src/core/load.js';
import { readChosenCells } from '../../../../src/files/cf/days/read-block.js';
import { gridEnsemble } from '../../../../src/files/cf/index.js';
import { dailyValues } from '../daily-values.js';
import { coordinates, memoryFile } from '../memory-file.js';

const core = await loadCore();
const [HEIGHT, WIDTH, DAYS, MEMBERS] = [3, 4, 5, 3];
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
  hours: fc.constantFrom(24, 12),
  isChunked: fc.boolean(),
  rows: fc.tuple(fc.integer({ min: 0, max: HEIGHT - 1 }), fc.integer({ min: 0, max: HEIGHT - 1 })),
  days: fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 2, max: 2 })),
  picked: fc.uniqueArray(fc.integer({ min: 0, max: WIDTH - 1 }), { minLength: 1 }),
  seed: fc.integer({ min: 1, max: 1000 }),
});

describe('readChosenCells', () => {
  it('gives what the block has at these cells, or nothing where it has to be computed', async () => {
    let direct = 0;
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
          ...(isChunked && { chunk: order.map((name) => (name === 'number' ? 1 : LENGTHS[name])) }),
          attributes: { units, standard_name: 'air_temperature', cell_methods: 'time: mean', _FillValue: FILL },
        },
      });
      const ensemble = await gridEnsemble(file, { array: 't2m', variable: 'temp_mean' });
      const all = await dailyValues(ensemble, core);
      const [first, last] = rows.toSorted();
      const cells = Int32Array.from(picked.toSorted());
      const [day, days] = [range[0], Math.min(range[1], ensemble.days - range[0])];
      const block = { cell: first * WIDTH, cells: (last + 1 - first) * WIDTH, day, days };
      const mark = core.memory.mark();
      const choose = () => cells;
      const found = await readChosenCells(ensemble, { block, choose }, core, new Work({}, 'values'));
      expect(core.memory.mark()).toBe(mark);
      if (found === undefined) return;
      direct++;
      expect(await readChosenCells(ensemble, { block, choose, members: 1 }, core, undefined)).toEqual(
        found.slice(0, 1),
      );
      for (const [m, own] of found.entries()) {
        expect(own).toHaveLength(cells.length * days);
        const expected = Array.from({ length: days }, (_, d) =>
          Array.from(cells, (cell) => all[m][block.cell + cell][day + d]),
        );
        expect(Array.from(own)).toEqual(expected.flat());
      }
    });
    await fc.assert(property, { numRuns: 60, seed: 44 });
    expect(direct).toBeGreaterThan(5);
  });
});
