import { tableFromArrays } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { DataError } from '../../src/errors.js';
import { readVariableTables } from '../../src/input/rows-of-variable.js';
import { ensemblesOfTables, TableCollector } from '../../src/input/table-ensembles.js';
import { resolveVariable } from '../../src/variable/find-variable.js';
import { collected, failureOf } from './location-tables.js';

const rain = resolveVariable('precipitation');

/** Tables of two days of two members each, of a variable and a place. */
async function* inTurn(...given: readonly (readonly [variable: string, latitude: number])[]) {
  const repeated = <T>(of: (index: number) => T[]): T[] => given.flatMap((_, index) => of(index));
  const all = tableFromArrays({
    variable: repeated((i) => Array.from({ length: 4 }, () => given[i][0])),
    latitude: Float64Array.from(repeated((i) => Array.from({ length: 4 }, () => given[i][1]))),
    longitude: new Float64Array(4 * given.length),
    date: repeated(() => ['2026-03-02', '2026-03-02', '2026-03-03', '2026-03-03']),
    member: Int32Array.from(repeated(() => [0, 1, 0, 1])),
    value: Float64Array.from(repeated(() => [1, 2, 3, 4])),
  });
  for (const [index] of given.entries()) yield all.slice(4 * index, 4 * index + 4);
}

describe('tables of a stream', () => {
  it('that have no rows of the requested variable are left out, wherever they are', async () => {
    const ensembles = await collected(
      ensemblesOfTables(
        inTurn(['temp_mean', 1], ['rain', 1], ['temp_mean', 2], ['rain', 2]),
        { ...rain, source: 'f' },
        { collect: () => new TableCollector('f', false) },
      ),
    );
    const places = ensembles.flatMap(({ ensemble }) => ensemble.parts.flatMap(({ latitude }) => [...latitude]));
    expect([places, ensembles[0].ensemble.variable?.slug]).toEqual([[1, 2], 'precipitation']);
  });

  it('are counted with the rows that are left out where an error names a row', async () => {
    const tables = inTurn(['temp_mean', 1], ['rain', 1], ['rain', 2]);
    const failing = readVariableTables(tables, { ...rain, source: 'f' }, async function* (given) {
      let row = 1;
      for await (const table of given) {
        yield table;
        row += table.numRows;
        if (row > 5) throw new DataError({ source: 'f', row, problem: 'wrong' });
      }
    });
    expect(await failureOf(() => collected(failing))).toMatch(/row 13/);
  });

  it('keep the row of an error of the file itself', async () => {
    async function* broken() {
      yield* inTurn(['temp_mean', 1]);
      throw new DataError({ source: 'f', row: 5, problem: 'no number' });
    }
    const failing = readVariableTables(broken(), { ...rain, source: 'f' }, (tables) => tables);
    expect(await failureOf(() => collected(failing))).toMatch(/row 5/);
  });

  it('of other variables only are an error that names these', async () => {
    const tables = inTurn(['temp_mean', 1], ['dew_point', 1]);
    expect(await failureOf(() => collected(ensemblesOfTables(tables, { ...rain, source: 'f' })))).toMatch(
      /^DataError: f: does not hold precipitation; received "temp_mean, dew_point"/,
    );
  });
});
