import { describe, expect, it } from 'vitest';
import { loadCore } from '../../../../src/core/load.js';
import type { GridEnsemble } from '../../../../src/files/cf/grid-ensemble.js';
import { gridEnsemble } from '../../../../src/files/cf/index.js';
import { WeightsBuilder } from '../../../../src/files/cf/weights/cell-weights.js';
import { OrderedRuns } from '../../../../src/files/cf/weights/ordered-runs.js';
import type { Weighing } from '../../../../src/files/cf/weights/place-values.js';
import { weightedEnsemble } from '../../../../src/files/cf/weights/weighted-ensemble.js';
import { memoryFile } from '../memory-file.js';

const core = await loadCore();
const [MEMBERS, DAYS, HEIGHT, WIDTH] = [3, 5, 8, 12];
const CELLS = HEIGHT * WIDTH;
const value = (day: number, member: number, cell: number) =>
  (cell * 7 + day * 3 + member) % 17 === 4 ? Number.NaN : ((cell * 37) % 29) + day / 8 + member / 2;

const axis = (name: string, length: number, attributes: Record<string, string>) => ({
  ...{ dimensions: { [name]: length }, values: Array.from({ length }, (_, i) => i), attributes },
});

async function open(): Promise<GridEnsemble> {
  return gridEnsemble(
    memoryFile({
      latitude: axis('latitude', HEIGHT, { units: 'degrees_north' }),
      longitude: axis('longitude', WIDTH, { units: 'degrees_east' }),
      number: axis('number', MEMBERS, { units: '1' }),
      time: axis('time', DAYS, { units: 'days since 2026-03-02' }),
      t2m: {
        ...{ type: 'float32', dimensions: { time: DAYS, number: MEMBERS, latitude: HEIGHT, longitude: WIDTH } },
        values: Array.from({ length: DAYS * MEMBERS * CELLS }, (_, i) =>
          value(Math.floor(i / CELLS / MEMBERS), Math.floor(i / CELLS) % MEMBERS, i % CELLS),
        ),
        attributes: { units: 'degC', standard_name: 'air_temperature', cell_methods: 'time: mean' },
      },
    }),
    { variable: 'temp_mean' },
  );
}

/** Places of one cell each, of which two are the same, or of several rows. */
function weighing(statistic: 'value' | 'mean'): Weighing {
  const builder = new WeightsBuilder(CELLS);
  const places = statistic === 'value' ? [[77], [5], [40], [40]] : [[3, 4, 5, 16, 17], [40], [70, 71, 94], [4, 95]];
  for (const cells of places) {
    for (const cell of cells) builder.add(cell, 1 + cell / 100);
    builder.end();
  }
  const whole = Float64Array.from(places, (cells) => cells.reduce((sum, cell) => sum + 1 + cell / 100, 0));
  return { runs: new OrderedRuns(builder.build()), statistic, whole, minShare: 0.5 };
}

/** The values of each member, day after day: one for each place. */
async function valuesOf(ensemble: GridEnsemble, statistic: 'value' | 'mean', bytes: number): Promise<number[][]> {
  const given = { added: Float64Array.from([1, 2, 3, 4]) };
  const all = weighing(statistic);
  const places = Float64Array.from([0, 1, 2, 3]);
  const grid = { kind: 'places', latitude: places, longitude: places, labels: undefined, shape: [4] } as const;
  const of = { grid, conversions: [], warnings: [], metadata: new Map() };
  const weighted = weightedEnsemble(ensemble, statistic === 'value' ? { ...all, ...given } : all, of);
  const found = Array.from({ length: MEMBERS }, () => Array<number>(DAYS * 4).fill(-1));
  for (const block of weighted.blocks(bytes, [])) {
    const mark = core.memory.mark();
    const { field } = await weighted.read(block, core);
    for (const [m, member] of field.members.entries()) {
      const values = new Float64Array(member.length);
      member.copyTo(values, 0, 0, member.length);
      for (const [i, own] of values.entries()) {
        const [day, place] = [block.day + Math.floor(i / block.cells), block.cell + (i % block.cells)];
        found[m][day * 4 + place] = own;
      }
    }
    core.memory.release(mark);
  }
  return found;
}

describe('weightedEnsemble', () => {
  it.each(['value', 'mean'] as const)('gives the same %s of places however cells are read', async (statistic) => {
    const ensemble = await open();
    // As an ensemble of several files, which is not read from one array.
    const joined: GridEnsemble = { ...ensemble, read: (block, to, options) => ensemble.read(block, to, options) };
    const expected = await valuesOf(ensemble, statistic, 1e8);
    if (statistic === 'value')
      for (const [m, own] of expected.entries())
        for (let day = 0; day < DAYS; day++)
          expect(own.slice(day * 4, day * 4 + 4)).toEqual(
            [77, 5, 40, 40].map((cell, place) => Math.fround(Math.fround(value(day, m, cell)) + place + 1)),
          );
    for (const bytes of [1e8, 8000, 3000]) {
      expect(await valuesOf(ensemble, statistic, bytes)).toEqual(expected);
      expect(await valuesOf(joined, statistic, bytes)).toEqual(expected);
    }
    expect(expected.flat().some(Number.isNaN)).toBe(true);
  });
});
