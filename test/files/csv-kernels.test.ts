import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadTableKernels, type TableKernels } from '../../src/core/table-kernels.js';
import { bytesAccess, type RandomAccess } from '../../src/files/array/random-access.js';
import { CellBlock } from '../../src/files/csv/cell-block.js';
import { readCsv } from '../../src/files/csv/csv-read.js';
import {
  beginningOfSlice,
  CsvSliceReader,
  countSlices,
  type SliceReader,
  UnknownRowsError,
} from '../../src/files/csv/csv-slice.js';
import { tablesOfCsv } from '../../src/files/csv/csv-tables.js';
import { isMissingCell, numberFromCell } from '../../src/files/csv/decimal-mark.js';
import { isFullCheck } from '../full-check.js';
import { collected, failureOf, rowsOf } from '../input/location-tables.js';
import { utf8 } from './table-rows.js';

let tools: TableKernels;
beforeAll(async () => {
  tools = await loadTableKernels();
});

/** Slices that were read. */
let sliceCount = 0;

/** Reads slices of some bytes one after the other. */
function sliceReader(file: RandomAccess, sliceBytes: number, piecesFrom: SliceReader['piecesFrom']): SliceReader {
  return {
    async *read(given) {
      const slices = { ...given, sliceBytes };
      const reader = new CsvSliceReader(slices, file, tools);
      try {
        for (let index = 0; index < countSlices(slices, file.size); index++, sliceCount++) {
          yield await reader.read(index);
        }
      } catch (error) {
        if (!(error instanceof UnknownRowsError)) throw error;
      }
    },
    piecesFrom: (slices, index) => piecesFrom({ ...slices, sliceBytes }, index),
  };
}

/**
 * Reads with so small blocks that kernels read all rows but the first; with `sliceBytes` in slices as soon as they may.
 */
const read = (
  given: string | Uint8Array,
  { cut = 40, cells = 6, codedTexts = false, source = 'rain.csv', sliceBytes = 0, parsedAtOnce = 8 } = {},
) => {
  const bytes = typeof given === 'string' ? utf8(given) : given;
  async function* pieces(from = 0) {
    for (let at = from; at < bytes.length; at += cut) yield bytes.subarray(at, at + cut);
  }
  const file = bytesAccess(bytes, source);
  const slices =
    sliceBytes === 0
      ? undefined
      : sliceReader(file, sliceBytes, async (given, index) => {
          const at = await beginningOfSlice(given, file, index);
          return at < bytes.length ? pieces(at) : undefined;
        });
  return collected(tablesOfCsv(pieces(), source, { cellsAtOnce: cells, parsedAtOnce, codedTexts, slices }));
};

const HEAD = 'name,m01,m02\nfirst,1,2\nsecond,3,4\n';

describe('rows that kernels read', () => {
  const number = fc.oneof(
    fc.double({ noDefaultInfinity: true, noNaN: true }).map(String),
    fc.constantFrom(
      '',
      'NA',
      '-',
      'nan',
      'NULL',
      ' 1.5 ',
      '1e-18',
      '-0',
      '+7',
      '.5',
      '5.',
      '1E5',
      '"2.5"',
      '""',
      '" 3 "',
    ),
    fc.constantFrom('inf', '-Infinity', '1e400', '1e-400', '0.1000000000000000055511151231257827', '1'.repeat(30)),
    fc.constantFrom('\t4', '1e', '.', '0x10', '12abc', '--1', '1,5', '1_000', 'text', '1700000000000000000'),
  );
  const word = fc.constantFrom(
    'Zürich',
    '',
    '"a, ""b"""',
    '"two\nlines"',
    '"a\r\nb"',
    '雨',
    'NA',
    'x',
    '""',
    '"y" ',
    'p"q',
  );
  const row = fc.tuple(word, number, number).map((cells) => cells.join(','));
  const lines = fc.array(
    fc.oneof({ weight: 150, arbitrary: row }, fc.constantFrom('', 'a,b', 'a,1,2,3', '"open,1,2')),
    {
      minLength: 1,
      maxLength: 40,
    },
  );

  it.each([false, true])(
    'are those of the parser, to the last bit, or fail as there (codes of texts: %s)',
    async (codedTexts) => {
      let readings = 0;
      await fc.assert(
        fc.asyncProperty(
          lines,
          fc.constantFrom('\n', '\r\n', '\r'),
          fc.integer({ min: 1, max: 90 }),
          fc.integer({ min: 6, max: 90 }),
          fc.boolean(),
          fc.constantFrom(0, 1, 13, 40, 300),
          // A sixteenth of a text decides what kernels read of the first table.
          fc.constantFrom(8, 900),
          async (rows, end, cut, cells, isEnded, sliceBytes, parsedAtOnce) => {
            const how = { cut, cells, codedTexts, sliceBytes, parsedAtOnce };
            const text = HEAD.replaceAll('\n', end) + rows.join(end) + (isEnded ? end : '');
            const expected = await failureOf(() => readCsv(utf8(text), 'rain.csv'));
            if (expected !== 'no error') {
              expect(await failureOf(() => read(text, how))).not.toBe('no error');
              return;
            }
            const table = await readCsv(utf8(text), 'rain.csv');
            const isText = table.schema.fields.slice(1).some(({ type }) => String(type) === 'Utf8');
            const failure = await failureOf(() => read(text, how));
            // The first table decides whether a column is text.
            if (isText && /text in a column that begins/.test(failure)) return;
            expect(failure).toBe('no error');
            readings++;
            const { rows: found, fields } = rowsOf(await read(text, how));
            expect(found).toEqual(rowsOf([table]).rows);
            expect(fields[0]).toBe(codedTexts ? 'name: Dictionary<Int32, Utf8>' : 'name: Utf8');
          },
        ),
        { numRuns: isFullCheck ? 3000 : 600, seed: 20_261_123 },
      );
      expect(readings).toBeGreaterThan(20);
      expect(sliceCount).toBeGreaterThan(20);
    },
  );

  it.each([
    ['a ragged row', 'a,1,2\nb,1\nc,5,6\n'],
    ['a row that is too long', 'a,1,2\nb,1,2,3\nc,5,6\n'],
    ['a blank line between rows', 'a,1,2\n\nb,1,2\n'],
    ['a quote that is never closed', 'a,1,2\n"b,1,2\nc,3,4\n'],
    ['text behind a closing quote', 'a,1,2\n"b"c,1,2\nd,3,4\n'],
    ['a row with a quoted line end before a ragged one', '"a\nb",1,2\nc,1\n'],
  ])('report of %s what the parser reports', async (_, rows) => {
    const expected = await failureOf(() => readCsv(utf8(HEAD + rows), 'rain.csv'));
    expect(expected).toMatch(/line \d/);
    for (const cut of [1, 7, 100]) expect(await failureOf(() => read(HEAD + rows, { cut }))).toBe(expected);
    const before = sliceCount;
    // Rows enough for slices, before the wrong one and behind it.
    const many = 'é,8,9\n'.repeat(20);
    const later = await failureOf(() => readCsv(utf8(HEAD + many + rows + many), 'rain.csv'));
    for (const sliceBytes of [5, 30, 80, 1_000]) {
      expect(await failureOf(() => read(HEAD + many + rows + many, { cut: 30, sliceBytes }))).toBe(later);
    }
    expect(sliceCount).toBeGreaterThan(before);
  });

  it('are of one encoding, also in slices', async () => {
    const windows = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const rows = 'a,1,2\n'.repeat(30);
    const latin = windows(`${HEAD}${rows}Zürich,5,6\n${rows}`);
    const names = (tables: Awaited<ReturnType<typeof read>>) =>
      tables.flatMap((table) => [...(table.getChild('name') as Iterable<unknown>)]);
    expect(names(await read(latin, { sliceBytes: 50 }))).toEqual(names(await read(latin)));
    expect(names(await read(latin, { sliceBytes: 50 }))).toContain('Zürich');
    const mixed = Uint8Array.from([...utf8(`${HEAD}${rows}Köln,1,2\n${rows}`), ...windows('Zürich,5,6\n')]);
    expect(await failureOf(() => read(mixed, { sliceBytes: 50 }))).toBe(await failureOf(() => read(mixed)));
    const utf16 = new Uint8Array(Uint16Array.from(`\ufeff${HEAD}${rows}`, (letter) => letter.charCodeAt(0)).buffer);
    expect(names(await read(utf16, { sliceBytes: 50 }))).toHaveLength(32);
  });

  it('name row, column and value of a text among numbers', async () => {
    expect(await failureOf(() => read(`${HEAD}a,5,6\nb,7,much\n`, { cut: 200 }))).toBe(
      'DataError: rain.csv, row 4, column m02: text in a column that begins with numbers; received "much"; allowed: a number, or a blank, NA or - where one is missing',
    );
  });

  it.each([0, 1, 2, 3])('keep letters whole where the parser reads on, %s bytes later', async (shift) => {
    const name = (i: number) => `${i === 0 ? 'x'.repeat(shift) : ''}${'é雨'.repeat(20)}${i}`;
    const names = Array.from({ length: 6_000 }, (_, i) => name(i));
    const rows = names.map((each, i) => `${each},${i},1`);
    // A CR alone is nothing that kernels know.
    const text = `${HEAD}${rows.join('\n')}\nlast,5,6\r${'é'.repeat(100)},7,8\n`;
    const tables = await read(text, { cut: 1 << 16, cells: 6_000 });
    const found = tables.flatMap((table) => [...(table.getChild('name') as Iterable<unknown>)]);
    expect(found).toEqual(['first', 'second', ...names, 'last', 'é'.repeat(100)]);
  });

  it.each([
    ['only numbers', ''],
    ['a text among numbers', 'x9,5,much\n'],
    ['a letter that is not ASCII', 'é,5,6\n'],
    ['a quote', '"a\nb",5,6\n'],
    ['a ragged row', 'a,5\n'],
    ['a number that the kernels leave', 'a,0.1000000000000000055511151231257827,6\n'],
  ])('are read into the first table by kernels, with %s in it or behind it', async (_, odd) => {
    const rows = Array.from({ length: 60 }, (_, i) => `n${i},${i},${i / 4}\n`);
    for (const at of [0, 20, 59]) {
      const text = HEAD + rows.slice(0, at).join('') + odd + rows.slice(at).join('');
      for (const cells of [60, 90, 1_000]) {
        const outcome = async (parsedAtOnce: number) => {
          const failure = await failureOf(() => read(text, { cells, parsedAtOnce, cut: 100 }));
          return failure === 'no error' ? rowsOf(await read(text, { cells, parsedAtOnce, cut: 100 })) : failure;
        };
        expect(await outcome(1_000)).toEqual(await outcome(8));
      }
    }
  });

  it.each([' ""', ' "7"', ' "7x', '"7" x', '7"'])('reject the cell %s as the parser does', async (cell) => {
    const text = `${HEAD}a,5,6\nb,7,${cell}\nc,8,9\n`;
    expect(await failureOf(() => read(text, { cut: 200 }))).toMatch(/row 4.*(text in a column|closing quote)/);
  });

  it('may have decimal commas', async () => {
    const text = `name;m01\nfirst;1,5\n${Array.from({ length: 50 }, (_, i) => `"x${i}";${i},${i}`).join('\n')}`;
    const { rows } = rowsOf(await read(text, { cells: 2 }));
    expect(rows.m01).toEqual([1.5, ...Array.from({ length: 50 }, (_, i) => Number(`${i}.${i}`))]);
  });

  if (isFullCheck) {
    it('may have thousands of columns of texts, whose dictionaries share some megabytes', async () => {
      const columns = Array.from({ length: 3_000 }, (_, i) => `c${i}`);
      const rows = Array.from({ length: 90 }, (_, row) => columns.map((name) => `${name}-${row}`));
      const text = [columns, ...rows].map((cells) => cells.join(',')).join('\n');
      const tables = await read(text, { cut: 1 << 16, cells: 30_000, codedTexts: true });
      expect(tables.flatMap((table) => [...(table.getChild('c2999') as Iterable<unknown>)])).toEqual(
        rows.map((cells) => cells[2999]),
      );
    });
  }

  it('may have more texts than a dictionary holds, and texts longer than all of it', async () => {
    const long = 'x'.repeat(150_000);
    const rows = Array.from({ length: 40_000 }, (_, i) => `name ${i % 35_000},${i},1`);
    const text = `${HEAD}${rows.join('\n')}\n${long},1,2\n${rows.join('\n')}\n`;
    for (const codedTexts of [false, true]) {
      const tables = await read(text, { cut: 1 << 16, cells: 30_000, codedTexts });
      const names = tables.flatMap((table) => [...(table.getChild('name') as Iterable<unknown>)]);
      const expected = ['first', 'second', ...rows.map((cells) => cells.split(',')[0])];
      expect(names).toEqual([...expected, long, ...expected.slice(2)]);
    }
  });
});

/** The numbers of a column of cells, as kernels and the caller's parse give them. */
function parsed(cells: readonly string[]): Float64Array {
  const values = new Float64Array(cells.length);
  const bytes = utf8(`${cells.map((cell) => `${cell},`).join('\n')}\n`);
  const mark = tools.memory.mark();
  const block = new CellBlock(tools, 2, ',', '.');
  let done = 0;
  for (let at = 0; at < bytes.length; ) {
    at += block.add(bytes.subarray(at));
    expect(block.find(at === bytes.length)).toBe(true);
    const { values: found, left } = block.numbers(0, 0, block.rows);
    values.set(found, done);
    for (const row of left.slice()) values[done + row] = numberFromCell(block.cell(row, 0));
    done += block.rows;
    block.drop();
  }
  expect(done).toBe(cells.length);
  tools.memory.release(mark);
  return values;
}

/** Texts of doubles in the forms that programs write, from a seeded stream. */
function* doubleTexts(count: number, seed: number): Generator<string> {
  const words = new Uint32Array(2);
  const double = new Float64Array(words.buffer);
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state;
  };
  for (let i = 0; i < count; ) {
    words[0] = next();
    words[1] = next();
    const any = double[0];
    if (!Number.isFinite(any)) continue;
    const usual = ((next() / 2 ** 32) * 2 - 0.3) * 10 ** (next() % 7);
    const forms = [
      String(usual),
      usual.toFixed(next() % 9),
      String(Math.fround(usual)),
      usual.toPrecision(1 + (next() % 21)),
      usual.toExponential(next() % 20),
      String(any),
      any.toExponential(16),
      // Half way between two doubles, and next to it.
      `${(BigInt(2) ** BigInt(53) + BigInt(next() % 1000) * BigInt(2) + BigInt(1)).toString()}e${(next() % 40) - 20}`,
    ];
    yield forms[next() % forms.length];
    i++;
  }
}

it('numbers are those of the engine, to the last bit', () => {
  const total = isFullCheck ? 10_000_000 : 100_000;
  const batch = 100_000;
  for (let from = 0; from < total; from += batch) {
    const cells = [...doubleTexts(batch, 7 + from)];
    const values = parsed(cells);
    const wrong = cells.findIndex((cell, i) => !Object.is(values[i], Number(cell)));
    expect(wrong < 0 ? 'none' : `${cells[wrong]} as ${values[wrong]}`).toBe('none');
  }
});

it('numbers at the edges of doubles and of the kernels’ own limits are those of the engine', () => {
  const edges = [
    '9007199254740993',
    '9007199254740992.5',
    '999999999999999999',
    '99999999999999999.5',
    '1e22',
    '1e23',
    '8e22',
  ];
  const cells = [
    ...edges,
    ...edges.map((text) => `-${text}`),
    ...Array.from({ length: 700 }, (_, i) => `1.7976931348623157e${i - 350}`),
    ...Array.from({ length: 700 }, (_, i) => `4.9406564584124654e${i - 350}`),
    ...Array.from(
      { length: 200 },
      (_, i) => `0.${'0'.repeat(i % 40)}${'123456789012345678901'.slice(0, 1 + (i % 21))}`,
    ),
    ...['0.0', '-0.0', '0e999', '00012', '0.00000000', '12345678.87654321', '123456789.123456789', '.12345678'],
  ];
  const values = parsed(cells);
  cells.forEach((cell, i) => {
    expect(`${cell} ${Object.is(values[i], numberFromCell(cell)) ? 'equal' : values[i]}`).toBe(`${cell} equal`);
  });
});

it('cells that are no numbers are missing or left to the caller, whatever they are', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 12 }), { minLength: 30, maxLength: 30 }), (texts) => {
      const cells = texts.map((text) => text.replace(/[",\r\n]/g, ' '));
      const mark = tools.memory.mark();
      const block = new CellBlock(tools, 2, ',', '.');
      block.add(utf8(`${cells.map((cell) => `${cell},`).join('\n')}\n`));
      expect(block.find(true)).toBe(true);
      const { values, left } = block.numbers(0, 0, block.rows);
      const [numbers, rest] = [values.slice(), new Set(left)];
      cells.forEach((cell, row) => {
        if (rest.has(row)) expect(block.cell(row, 0)).toBe(cell);
        else expect([numbers[row], cell]).toEqual([numberFromCell(cell), cell]);
        if (!rest.has(row) && Number.isNaN(numbers[row])) expect(isMissingCell(cell)).toBe(true);
      });
      tools.memory.release(mark);
    }),
    { numRuns: isFullCheck ? 200 : 66, seed: 3 },
  );
});
