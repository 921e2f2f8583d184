import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCsv } from '../../src/files/csv/csv-read.js';
import { tablesOfCsv } from '../../src/files/csv/csv-tables.js';
import { collected, failureOf, rowsOf } from '../input/location-tables.js';
import { columnsOf, utf8 } from './table-rows.js';

/** The bytes in pieces that end at the given places, cells of characters of several bytes and line ends cut through. */
async function* readPieces(bytes: Uint8Array, cuts: readonly number[]) {
  const ends = cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b);
  for (const [i, start] of [0, ...ends].entries()) yield bytes.subarray(start, ends[i] ?? bytes.length);
}
const read = (text: string, { cuts = [] as readonly number[], cells = 6 } = {}) =>
  collected(tablesOfCsv(readPieces(utf8(text), cuts), 'rain.csv', { cellsAtOnce: cells }));

const cell = fc.oneof(
  fc.double({ noDefaultInfinity: true, noNaN: true }).map(String),
  fc.constantFrom('', 'NA', '-', ' 1.5 ', '1e-18', '-0'),
);
const word = fc.constantFrom('Zürich', '', '"a, ""b"""', '"two\nlines"', '雨', 'NA', 'x');
const lines = fc.array(fc.tuple(word, cell, cell), { minLength: 1, maxLength: 40 });

describe('tablesOfCsv', () => {
  test('gives the rows of readCsv to the last bit, wherever the bytes are cut and however many cells make a table', async () => {
    await fc.assert(
      fc.asyncProperty(
        lines,
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(fc.nat(5_000), { maxLength: 12 }),
        fc.integer({ min: 1, max: 60 }),
        async (rows, end, cuts, cells) => {
          // The first row shows which columns are text, as the first table would otherwise decide.
          const text = ['name,m01,m02', 'first,1,2', ...rows.map((row) => row.join(','))].join(end) + end;
          const whole = await readCsv(utf8(text), 'rain.csv');
          const parts = await read(text, { cuts, cells });
          expect(rowsOf(parts)).toEqual(rowsOf([whole]));
          expect(parts.every(({ schema }) => schema === parts[0].schema)).toBe(true);
        },
      ),
      { numRuns: 60, seed: 20_261_121 },
    );
  });

  test('cuts tables at the number of cells requested', async () => {
    const parts = await read('name,m01\na,1\nb,2\nc,3\nd,4\ne,5\n', { cells: 4 });
    expect(parts.map(columnsOf)).toEqual([
      { name: ['a', 'b'], m01: [1, 2] },
      { name: ['c', 'd'], m01: [3, 4] },
      { name: ['e'], m01: [5] },
    ]);
  });

  test('keeps as text what begins as text, and as numbers what begins with missing ones', async () => {
    const [, second] = await read('name,m01\na,\nb,NA\n1,3\n2,4\n', { cells: 4 });
    expect(columnsOf(second)).toEqual({ name: ['1', '2'], m01: [3, 4] });
  });

  test('rejects ids of which a number would lose zeros or digits, in a column that began with numbers', async () => {
    const failure = (id: string) => failureOf(() => read(`station_id,m01\n10,1\n20,2\n30,3\n${id},4\n`, { cells: 4 }));
    for (const id of ['007', '9007199254740993', '"044"']) {
      const received = id.replaceAll('"', '');
      expect(await failure(id)).toBe(
        `DataError: rain.csv, row 4, column station_id: an id of which a number would lose digits, in a column that begins with numbers; received "${received}"; allowed: such an id in the first rows, or Parquet or Arrow with ids as texts`,
      );
    }
    const [, second] = await read('station_id,m01\n10,1\n20,2\n0,03\n7,4\n', { cells: 4 });
    expect(columnsOf(second)).toEqual({ station_id: [0, 7], m01: [3, 4] });
    const [first] = await read('station_id,m01\n10,1\n007,2\n', { cells: 4 });
    expect(columnsOf(first)).toEqual({ station_id: ['10', '007'], m01: [1, 2] });
  });

  test('rejects text in a column that began with numbers, its row counted over the file', async () => {
    expect(await failureOf(() => read('name,m01\na,1\nb,2\nc,3\nd,wet\n', { cells: 4 }))).toBe(
      'DataError: rain.csv, row 4, column m01: text in a column that begins with numbers; received "wet"; allowed: a number, or a blank, NA or - where one is missing',
    );
  });

  test.each([
    ['a ragged row', 'name,m01\na,1\nb,2\nc\n'],
    ['a blank line between rows', 'name,m01\na,1\n\nb,2\n'],
    ['a quote that is never closed', 'name,m01\na,1\nb,2\n"c,3\nd,4\n'],
    ['a header of values', '1,2\n3,4\n'],
    ['no rows', 'name,m01\n'],
    ['comments alone', '# rain\n# and no more\n'],
  ])('reports of %s what readCsv reports', async (_, text) => {
    const expected = await failureOf(() => readCsv(utf8(text), 'rain.csv'));
    expect(expected).not.toBe('no error');
    for (const cuts of [[], [5], [9, 10, 14]])
      expect(await failureOf(() => read(text, { cuts, cells: 2 }))).toBe(expected);
  });

  test('rejects UTF-8 that is damaged, and such as ends within a character', async () => {
    const bytes = [...utf8('námë,m01\nZ'), 0xc3];
    const failure = await failureOf(() => collected(tablesOfCsv(readPieces(Uint8Array.from(bytes), [11]), 'rain.csv')));
    expect(failure).toBe('FormatError: rain.csv: is not UTF-8 text; allowed: CSV saved as UTF-8');
  });
});
