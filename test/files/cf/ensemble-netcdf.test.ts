import { describe, expect, test } from 'vitest';
import { memberColumns } from '../../../src/core/field.js';
import type { EnsemblePart } from '../../../src/ensemble/ensemble.js';
import { type DailyEnsemble, ensembleNetcdf } from '../../../src/files/cf/content/ensemble-netcdf.js';
import type { Block } from '../../../src/files/cf/grid-ensemble.js';
import { tablesOfPart } from '../../../src/files/cf/part-tables.js';
import { tableNetcdf } from '../../../src/files/cf/table-ensemble.js';
import { findVariable } from '../../../src/variable/find-variable.js';
import { ensembleTable, valueAt } from './ensemble-tables.js';
import { valuesOf } from './read-content.js';

const [members, days, ny, nx] = [2, 4, 3, 5];
const code = (day: number, member: number, cell: number) => day * 1000 + member * 100 + cell;
const ensemble: DailyEnsemble = {
  variable: findVariable('temp_max'),
  units: 'degC',
  metadata: new Map([
    ['title', 'A forecast'],
    ['member_names', '["m3","m7"]'],
  ]),
  type: 'float64',
  members: ['m3', 'm7'],
  firstDay: 20_000,
  days,
  cells: ny * nx,
  grid: {
    kind: 'rectilinear',
    latitude: Float64Array.from({ length: ny }, (_, y) => y),
    longitude: Float64Array.from({ length: nx }, (_, x) => x),
  },
};

function part(order: 'day-fastest' | 'cell-fastest', block: Block): EnsemblePart {
  const values = new Float64Array(members * block.days * block.cells);
  for (let m = 0; m < members; m++) {
    for (let d = 0; d < block.days; d++) {
      for (let c = 0; c < block.cells; c++) {
        const row = order === 'day-fastest' ? c * block.days + d : d * block.cells + c;
        values[m * block.days * block.cells + row] = code(block.day + d, m, block.cell + c);
      }
    }
  }
  const columns = memberColumns(values, block.days * block.cells);
  const empty = new Float64Array(block.cells);
  return {
    field: {
      type: 'float64',
      order,
      firstDay: 20_000 + block.day,
      days: block.days,
      cells: block.cells,
      members: columns,
    },
    latitude: empty,
    longitude: empty,
  };
}

describe('ensembleNetcdf', () => {
  const byCells: Block[] = [0, 4, 11].map((cell, i) => ({ cell, cells: [4, 7, 4][i], day: 0, days }));
  const byDays: Block[] = [0, 3].map((day, i) => ({ cell: 0, cells: ny * nx, day, days: [3, 1][i] }));

  test.each([
    ['cells, day fastest', 'day-fastest', byCells],
    ['cells, cell fastest', 'cell-fastest', byCells],
    ['days, day fastest', 'day-fastest', byDays],
    ['days, cell fastest', 'cell-fastest', byDays],
  ] as const)('puts every value in its place from blocks of %s', async (_, order, blocks) => {
    const requested: Block[] = [];
    const content = ensembleNetcdf(ensemble, blocks, (block) => {
      requested.push(block);
      return part(order, block);
    });
    expect([...content.dimensions]).toEqual([
      ['time', days],
      ['realization', members],
      ['latitude', ny],
      ['longitude', nx],
    ]);
    const expected = Array.from({ length: days * members * ny * nx }, (__, i) =>
      code(Math.floor(i / (members * ny * nx)), Math.floor(i / (ny * nx)) % members, i % (ny * nx)),
    );
    expect(await valuesOf(content, 'temp_max')).toEqual(expected);
    expect(requested).toEqual(blocks);
    const chunk = content.arrays.at(-1)?.chunk;
    expect(chunk).toEqual(blocks === byCells ? [days, members, 1, nx] : [3, members, ny, nx]);
  });

  test.each(['day-fastest', 'cell-fastest'] as const)('rejects an infinite value, as tables do, %s', async (order) => {
    const infinite = (block: Block) => {
      const { field, ...places } = part(order, block);
      const values = new Float64Array(block.days * block.cells).fill(1);
      values[7] = Number.POSITIVE_INFINITY;
      const columns = [field.members[0], ...memberColumns(values, values.length)];
      return { ...places, field: { ...field, members: columns } };
    };
    const fault = 'row 8, column member 0: infinite value; received Infinity';
    const content = ensembleNetcdf(ensemble, byCells, infinite);
    await expect(valuesOf(content, 'temp_max')).rejects.toThrow(fault);
    expect(() => [...tablesOfPart(infinite(byCells[1]), new Map())]).toThrow(fault);
  });

  test('states members by their own numbers, names by CF, and the texts of the input', async () => {
    const content = ensembleNetcdf(ensemble, byDays, (block) => part('cell-fastest', block));
    expect(await valuesOf(content, 'realization')).toEqual([3, 7]);
    expect(await valuesOf(content, 'time')).toEqual([20_000, 20_001, 20_002, 20_003]);
    expect(Object.fromEntries(content.attributes)).toEqual({
      Conventions: 'CF-1.8',
      title: 'A forecast',
      history: 'plumecast: daily temp_max of the members of an ensemble',
    });
    expect(Object.fromEntries(content.arrays.at(-1)?.attributes ?? [])).toEqual({
      standard_name: 'air_temperature',
      long_name: 'daily temp_max',
      units: 'degC',
    });
    const unnamed = ensembleNetcdf({ ...ensemble, members: ['control', 'm7'] }, byDays, (block) =>
      part('cell-fastest', block),
    );
    expect(await valuesOf(unnamed, 'realization')).toEqual([0, 1]);
  });
});

describe('tableNetcdf', () => {
  test.each(['by place', 'by day'] as const)('arranges the rows of a table %s on their grid', async (order) => {
    const content = tableNetcdf(ensembleTable('grid', order));
    expect([...content.dimensions.keys()]).toEqual(['time', 'realization', 'latitude', 'longitude']);
    expect(await valuesOf(content, 'latitude')).toEqual([50, 49.75, 49.5]);
    const expected = Array.from({ length: 21 * 3 * 12 }, (_, i) =>
      valueAt(Math.floor(i / 12) % 3, i % 12, Math.floor(i / 36)),
    );
    expect(await valuesOf(content, 'precipitation')).toEqual(expected);
  });

  test('writes places along one dimension', async () => {
    const content = tableNetcdf(ensembleTable('places'));
    expect([...content.dimensions.keys()]).toEqual(['time', 'realization', 'location']);
    expect(await valuesOf(content, 'longitude')).toHaveLength(12);
    expect(content.arrays.at(-1)?.attributes.get('coordinates')).toBe('latitude longitude');
  });
});
