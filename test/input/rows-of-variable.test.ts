import { type Table, tableFromArrays } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { DataError } from '../../src/errors.js';
import { readRowsOfVariable, readVariableTables } from '../../src/input/rows-of-variable.js';
import { ensemblesOfTables, TableCollector } from '../../src/input/table-ensembles.js';
import { readEnsemble } from '../../src/table/rows/read-ensemble.js';
import { resolveVariable } from '../../src/variable/find-variable.js';
import { collected, failureOf } from './location-tables.js';

const options = { ...resolveVariable('precipitation'), source: 'f' };
const DAYS = 3;
const PLACES = 2;

/** Rows with all members, of two variables at two places: one variable after the other, or both on each day. */
function wide(order: 'variables' | 'days'): Table {
  const rows = Array.from({ length: 2 * PLACES * DAYS }, (_, i) => {
    const [v, rest] = order === 'days' ? [i % 2, i >> 1] : [Math.floor(i / (PLACES * DAYS)), i % (PLACES * DAYS)];
    return { v, place: Math.floor(rest / DAYS), day: rest % DAYS };
  });
  const value = ({ v, place, day }: (typeof rows)[number]) => 100 * v + 10 * place + day;
  return tableFromArrays({
    variable: rows.map(({ v }) => ['temp_mean', 'tp'][v]),
    units: rows.map(({ v }) => ['degC', 'mm'][v]),
    latitude: Float64Array.from(rows, ({ place }) => 40 + place),
    longitude: new Float64Array(rows.length),
    date: rows.map(({ day }) => `2026-03-0${day + 2}`),
    m1: Float64Array.from(rows, value),
    m2: Float64Array.from(rows, (row) => value(row) + 0.5),
  });
}

const expected = [100, 101, 102, 110, 111, 112];

describe.each(['variables', 'days'] as const)(
  'the rows of a variable of a table with all members in each row, in the order of %s',
  (order) => {
    it('are an ensemble', () => {
      const { variable, units, parts } = readRowsOfVariable(wide(order), options, (table) =>
        readEnsemble(table, options),
      );
      expect([variable?.slug, units, parts.map(({ latitude }) => [...latitude])]).toEqual([
        'precipitation',
        'mm',
        [[40, 41]],
      ]);
      expect(parts[0].field.members.map(({ name }) => name)).toEqual(['m1', 'm2']);
      const values = new Float64Array(expected.length);
      parts[0].field.members[0].copyTo(values, 0, 0, values.length);
      expect([...values]).toEqual(expected);
    });

    it('are those of a stream, whatever tables it is cut into', async () => {
      for (const size of [1, 2, 3, 5, 12]) {
        async function* stream() {
          const table = wide(order);
          for (let row = 0; row < table.numRows; row += size) yield table.slice(row, row + size);
        }
        const collector = new TableCollector('f', false);
        const found = await collected(ensemblesOfTables(stream(), options, { collect: () => collector }));
        const values = found.flatMap(({ ensemble: { parts } }) =>
          parts.flatMap(({ field: { members, cells, days } }) => {
            const into = new Float64Array(cells * days);
            members[0].copyTo(into, 0, 0, into.length);
            return [...into];
          }),
        );
        expect(values, `${size} rows a table`).toEqual(expected);
      }
    });

    it('are named by their rows in the file where an error names one', async () => {
      const rows = Array.from(wide(order).getChild('variable') as Iterable<string>, (name, i) => [name, i + 1] as const)
        .filter(([name]) => name === 'tp')
        .map(([, row]) => row);
      for (const [i, row] of rows.entries()) {
        const fail = () =>
          readRowsOfVariable(wide(order), options, () => {
            throw new DataError({ source: 'f', row: i + 1, problem: 'wrong' });
          });
        expect(fail).toThrow(new RegExp(`row ${row}: wrong`));
        async function* stream() {
          yield wide(order).slice(0, 5);
          yield wide(order).slice(5);
        }
        const failing = readVariableTables(stream(), options, async function* (given) {
          let read = 0;
          for await (const table of given) {
            read += table.numRows;
            if (read > i) throw new DataError({ source: 'f', row: i + 1, problem: 'wrong' });
            yield table;
          }
        });
        expect(await failureOf(() => collected(failing))).toContain(`row ${row}: wrong`);
      }
    });
  },
);

it('a table of one variable, and one without a column of variables, are read as they are', () => {
  const one = wide('variables').slice(PLACES * DAYS);
  expect(readRowsOfVariable(one, options, (table) => table)).toBe(one);
  const none = wide('variables').select(['date', 'm1']);
  expect(readRowsOfVariable(none, options, (table) => table)).toBe(none);
});
