import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Table } from 'apache-arrow';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { encodeTable, readTable } from '../../src/files/index.js';
import { wideTable } from '../../src/table/build/wide-table.js';
import { folderWith } from './run-command.js';
import { plumecastHere } from './run-here.js';

const { folder, remove } = folderWith({});
afterAll(remove);

const FIRST_DAY = 20_000;
const rain = ['--variable', 'precipitation'];

/** An ensemble of rain on a grid, or at places in a line, location by location. */
const ensembles = fc
  .record({
    rows: fc.integer({ min: 1, max: 3 }),
    columns: fc.integer({ min: 1, max: 3 }),
    days: fc.integer({ min: 2, max: 5 }),
    members: fc.integer({ min: 2, max: 3 }),
    values: fc.array(fc.oneof(fc.float({ min: 0, max: 500, noNaN: true }), fc.constant(Number.NaN)), {
      minLength: 135,
      maxLength: 135,
    }),
  })
  .map(({ rows, columns, days, members, values }) => {
    const count = rows * columns * days;
    const of = (row: (row: number) => number) => Float64Array.from({ length: count }, (_, i) => row(i));
    const cell = (row: number) => Math.floor(row / days);
    return wideTable(
      {
        latitude: of((row) => 50 - Math.floor(cell(row) / columns)),
        longitude: of((row) => -10 + 0.5 * (cell(row) % columns)),
        date: Int32Array.from({ length: count }, (_, row) => FIRST_DAY + (row % days)),
        members: Array.from({ length: members }, (_, m) =>
          Float32Array.from({ length: count }, (_, row) => values[m * 45 + row]),
        ),
      },
      new Map([
        ['variable', 'precipitation'],
        ['units', 'mm'],
        ['init_time', '2024-10-04T00:00:00Z'],
      ]),
    );
  });

/** The rows of a canonical table as numbers; texts of numbers in CSV are those of float32. */
function rowsOf(table: Table): (number | null)[][] {
  return table.schema.fields.map(({ name }) => {
    const column = table.getChild(name);
    return Array.from({ length: table.numRows }, (_, row) => {
      const value = column?.get(row) ?? null;
      if (value === null) return null;
      return name === 'date' ? Math.floor(Number(new Date(value)) / 86_400_000) : Math.fround(Number(value));
    });
  });
}

const ENDINGS = ['.arrow', '.arrows', '.parquet', '.csv', '.nc'];
/** Every format from every other one, as pairs in ten ways of five steps. */
const WAYS = ENDINGS.flatMap((_, first) =>
  [1, 2].map((stride) => ENDINGS.map((_, step) => ENDINGS[(first + stride * step) % ENDINGS.length])),
);

describe('plumecast convert', () => {
  it('keeps all values through any sequence of formats', async () => {
    const check = async (table: Table, way: readonly string[]) => {
      let input = join(folder, 'given.arrow');
      writeFileSync(input, await encodeTable(table, 'arrow'));
      for (const [step, ending] of [...way, '.arrow'].entries()) {
        const output = join(folder, `step-${step}${ending}`);
        expect(await plumecastHere('convert', input, output, ...rain)).toMatchObject({ code: 0, out: '' });
        input = output;
      }
      const end = await readTable(readFileSync(input));
      expect(end.schema.names).toEqual(table.schema.names);
      expect(rowsOf(end)).toEqual(rowsOf(table));
      expect(end.schema.metadata.get('variable')).toBe('precipitation');
    };
    for (const [seed, way] of WAYS.entries()) {
      await fc.assert(
        fc.asyncProperty(ensembles, (table) => check(table, way)),
        { numRuns: 1, seed },
      );
    }
  }, 60_000);
});
