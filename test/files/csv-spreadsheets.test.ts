import { describe, expect, test } from 'vitest';
import { tablesOfCsv } from '../../src/files/csv/csv-tables.js';
import { type ReadTableOptions, readTable } from '../../src/files/index.js';
import { collected, failureOf } from '../input/location-tables.js';
import { columnsOf, typesOf, utf8 } from './table-rows.js';

const source = 'rain.csv';
async function read(text: string | Uint8Array, options: ReadTableOptions = {}) {
  const notes: string[] = [];
  const bytes = typeof text === 'string' ? utf8(text) : text;
  const table = await readTable(bytes, { source, report: (note) => notes.push(note), ...options });
  return { table, columns: columnsOf(table), notes };
}
const failure = (text: string, options: ReadTableOptions = {}) => failureOf(() => read(text, options));
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const utf16 = (text: string, isLittle: boolean) => {
  const bytes = new Uint8Array(2 * text.length);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < text.length; i++) view.setUint16(2 * i, text.charCodeAt(i), isLittle);
  return bytes;
};

describe('decimal commas', () => {
  test('are read where cells are parted by semicolons or tabs and no number has a point, and reported', async () => {
    for (const delimiter of [';', '\t']) {
      const { columns, notes } = await read(
        'date;m1;m2\n2026-03-01;0,5;1\n2026-03-02;-1,25e1;NA\n'.replaceAll(';', delimiter),
      );
      expect(columns).toEqual({ date: ['2026-03-01', '2026-03-02'], m1: [0.5, -12.5], m2: [1, null] });
      expect(notes).toEqual(['numbers read with decimal commas']);
    }
  });

  test('are read in quoted cells where the option says so', async () => {
    expect((await read('date,m1\n2026-03-01,"0,5"\n', { decimal: ',' })).columns.m1).toEqual([0.5]);
    expect(await failure('date,m1\n2026-03-01,"0,5"\n')).toBe(
      `DataError: rain.csv, row 1, column m1: a number with a comma, which may part decimals or thousands; received "0,5"; allowed: the option decimal: ',' where it parts decimals, '.' where such cells are texts`,
    );
    expect((await read('date,m1\n2026-03-01,"0,5"\n', { decimal: '.' })).columns.m1).toEqual(['0,5']);
  });

  test('that may part thousands everywhere are an error that names both', async () => {
    expect(await failure('date;m1\n2026-03-01;1,500\n')).toContain('may part decimals or thousands; received "1,500"');
    expect((await read('date;m1\n2026-03-01;1,500\n', { decimal: ',' })).columns.m1).toEqual([1.5]);
    expect((await read('date;m1\n2026-03-01;1,500\n2026-03-02;0,250\n')).columns.m1).toEqual([1.5, 0.25]);
  });

  test('beside points are an error: in one column, or in two', async () => {
    const mixed =
      'numbers with commas and with points in one column (row 1: 0,5); received "0.5"; allowed: one decimal mark';
    expect(await failure('date;m1\na;0,5\nb;0.5\n')).toBe(`DataError: rain.csv, row 2, column m1: ${mixed}`);
    expect(await failure('date;lat;m1\na;52.5;0,5\n')).toContain('and column lat has points (52.5); received "0,5"');
    expect(await failure('date;lat;m1\na;52.5;0,5\n', { decimal: ',' })).toContain('column lat: a number with a point');
  });

  test('that come after a first megabyte with points are an error, in streams as well', async () => {
    const rows = Array.from({ length: 120_000 }, (_, row) => `2026-03-01;${row}.5`);
    const text = `date;m1\n${rows.join('\n')}\n2026-03-01;0,5\n`;
    const expected = /row 120001, column m1: a number with a comma, where those before have points or no decimals/;
    expect(await failure(text)).toMatch(expected);
    async function* pieces() {
      const bytes = utf8(text);
      for (let at = 0; at < bytes.length; at += 1 << 20) yield bytes.subarray(at, at + (1 << 20));
    }
    expect(await failureOf(() => collected(tablesOfCsv(pieces(), source)))).toMatch(expected);
  });

  test.each(['1.234,5', '1,234.5', '1.234.567', '1 234,5', "1'234.5"])(
    'and marks between thousands are an error: %s',
    async (cell) => {
      const expected = `column m1: a number with marks between thousands; received "${cell}"`;
      expect(await failure(`date;m1\na;1\nb;${cell}\n`)).toContain(expected);
      expect(await failure(`date;m1\na;1\nb;${cell}\n`, { decimal: ',' })).toContain(expected);
    },
  );

  test('leave texts alone that are no numbers', async () => {
    const { columns, notes } = await read('date;place;m1\na;x, 0,5 km;1\nb;1,2,3;2\n');
    expect(columns).toEqual({ date: ['a', 'b'], place: ['x, 0,5 km', '1,2,3'], m1: [1, 2] });
    expect(notes).toEqual([]);
  });
});

describe('encodings', () => {
  const text = 'date,Température (°C)\r\n2026-03-01,1.5\r\n';
  const expected = { date: ['2026-03-01'], 'Température (°C)': [1.5] };

  test('of UTF-16 are read, with and without a mark, either byte first', async () => {
    for (const isLittle of [true, false]) {
      expect((await read(utf16(`\ufeff${text}`, isLittle))).columns).toEqual(expected);
      expect(await read(utf16(text, isLittle))).toMatchObject({ columns: expected, notes: [] });
    }
  });

  test('that are not UTF-8 are read as Windows-1252, which is reported', async () => {
    const { columns, notes } = await read(latin1(text));
    expect(columns).toEqual(expected);
    expect(notes).toEqual(['not UTF-8: its text is read as Windows-1252']);
    expect((await read(latin1('a,b\n\x80,\x93x\x94\n'))).columns).toEqual({ a: ['€'], b: ['“x”'] });
  });

  test('are recognized however the bytes are cut', async () => {
    for (const bytes of [
      latin1(text),
      utf8(text),
      utf16(`\ufeff${text}`, true),
      latin1(`a,b\nx,1\n${'é'}`.replace(/é/, 'é,2\n')),
    ]) {
      const whole = (await read(bytes)).columns;
      for (let cut = 0; cut <= bytes.length; cut++) {
        const pieces = async function* () {
          yield bytes.subarray(0, cut);
          yield bytes.subarray(cut);
        };
        const [table] = await collected(tablesOfCsv(pieces(), source));
        expect(columnsOf(table)).toEqual(whole);
      }
    }
  });

  test('are not guessed where UTF-8 is damaged, or bytes are no text', async () => {
    const damaged = Uint8Array.from([...utf8('é,b\n1,2\n'), 0xff, 0x2c, 0x31]);
    expect(await failureOf(() => read(damaged))).toContain('rain.csv');
    expect(await failureOf(() => read(latin1('a,b\n\x81,1\n')))).toContain('rain.csv: is of no known format');
  });
});

describe('what pandas, R and spreadsheets write around tables', () => {
  test('a first column without a name is read, others are an error', async () => {
    expect((await read(',date,m1\n0,2026-03-01,1\n')).columns).toEqual({ '': [0], date: ['2026-03-01'], m1: [1] });
    expect(await failure('date,,m1\na,b,1\n')).toContain('column 2 has no name');
  });

  test('a line that states the delimiter', async () => {
    expect((await read('sep=;\r\ndate;m1\r\n2026-03-01;1\r\n')).columns).toEqual({ date: ['2026-03-01'], m1: [1] });
  });

  test('nanoseconds since 1970 are kept as text, which holds them', async () => {
    const { table } = await read('date,m1\n1772409600000000001,1\n');
    expect(typesOf(table).date).toBe('Utf8');
  });
});
