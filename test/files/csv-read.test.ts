import { describe, expect, test } from 'vitest';
import { DataError, FormatError } from '../../src/errors.js';
import { readTable } from '../../src/files/index.js';
import { columnsOf, typesOf, utf8 } from './table-rows.js';

const read = (text: string) => readTable(utf8(text), { source: 'rain.csv' });
const message = (text: string) =>
  read(text).then(
    () => expect.fail('was read'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(DataError);
      return (error as DataError).message;
    },
  );

describe('readTable of CSV', () => {
  test('reads numbers as Float64 and everything else as Utf8, exactly as written', async () => {
    const table = await read('date,m01,m02\n2022-10-02,9.200000166888604,-1e-18\n2022-10-03, 0.1 ,+.5\n');
    expect(typesOf(table)).toEqual({ date: 'Utf8', m01: 'Float64', m02: 'Float64' });
    expect(columnsOf(table)).toEqual({
      date: ['2022-10-02', '2022-10-03'],
      m01: [9.200000166888604, 0.1],
      m02: [-1e-18, 0.5],
    });
  });

  test.each([',', ';', '\t', '|'])('finds the delimiter %j', async (delimiter) => {
    const table = await read(`date,m01\n2024-01-01,1\n`.replaceAll(',', delimiter));
    expect(columnsOf(table)).toEqual({ date: ['2024-01-01'], m01: [1] });
  });

  test('takes the delimiter that the header holds most often outside quotes', async () => {
    expect(columnsOf(await read('"a;b;c;d",e,f\n1,2,3\n'))).toEqual({ 'a;b;c;d': [1], e: [2], f: [3] });
  });

  test('tolerates a byte order mark, CRLF and CR line ends, and blank lines at the end', async () => {
    const expected = { date: ['x', 'y'], m01: [1, 2] };
    expect(columnsOf(await read('\ufeffdate,m01\r\nx,1\r\ny,2\r\n\r\n  \r\n'))).toEqual(expected);
    expect(columnsOf(await read('date,m01\rx,1\ry,2\r'))).toEqual(expected);
    expect(columnsOf(await read('date,m01\nx,1\r\ny,2'))).toEqual(expected);
  });

  test('skips lines that begin with # before the header only', async () => {
    expect(columnsOf(await read('# GEFS\n#\n\nname,m01\n#1,2\n'))).toEqual({ name: ['#1'], m01: [2] });
  });

  test('reads quoted cells with delimiters, quotes and line ends in them', async () => {
    const table = await read('name,m01\n"a, ""b""\nc","1"\nd,2\n');
    expect(columnsOf(table)).toEqual({ name: ['a, "b"\nc', 'd'], m01: [1, 2] });
  });

  test('reads blank, NA, NaN, null and - in any case as missing numbers', async () => {
    const table = await read('m01,m02\n,1\nNA,2\nnan,3\nNULL,4\n-,5\n   ,6\n7,7\n');
    expect(columnsOf(table).m01).toEqual([null, null, null, null, null, null, 7]);
    expect(table.getChild('m01')?.nullCount).toBe(6);
  });

  test('holds NaN in the values of missing numbers', async () => {
    const values = (await read('m01,m02\n,1\n2,3\n')).getChild('m01')?.data[0].values;
    expect(Array.from(values ?? [])).toEqual([Number.NaN, 2]);
  });

  test('reads a column without any value as missing numbers', async () => {
    const table = await read('m01,m02\n,1\n-,2\n');
    expect(typesOf(table).m01).toBe('Float64');
    expect(columnsOf(table).m01).toEqual([null, null]);
  });

  test('keeps NA and spaces in a text column, where only empty cells are missing', async () => {
    expect(columnsOf(await read('name,m01\n,1\nNA,2\n x ,3\n')).name).toEqual([null, 'NA', ' x ']);
  });

  test('reads infinities as numbers, which are rejected later', async () => {
    const table = await read('m01,m02\ninf,-Infinity\n+INF,infinity\n');
    expect(columnsOf(table)).toEqual({
      m01: [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
      m02: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
    });
  });

  test.each(['0x10', '0b1', '0o7', '12abc', '1_000', '1 2', '--1', '1e', '١'])(
    'takes a column with %j for text, its numbers as written',
    async (cell) => {
      const table = await read(`date;m01\na;1.50\nb;${cell}\nc;2\n`);
      expect(columnsOf(table).m01).toEqual(['1.50', cell, '2']);
    },
  );

  test('gives every row when a column turns out to be text far into a long file', async () => {
    const rows = Array.from({ length: 90_000 }, (_, row) => `${row}.0,${row / 8},${row % 3 ? '' : 'é"'}`);
    rows[85_000] = 'late,1,x';
    const quoted = rows.map((row) => row.replace('é"', '"é"""'));
    const table = await read(`a,b,c\n${quoted.join('\n')}\n`);
    const { a, b, c } = columnsOf(table);
    expect(typesOf(table)).toEqual({ a: 'Utf8', b: 'Float64', c: 'Utf8' });
    expect(a).toEqual(rows.map((row) => row.split(',')[0]));
    expect(b).toEqual(rows.map((row) => Number(row.split(',')[1])));
    expect(c).toEqual(rows.map((row) => row.split(',')[2] || null));
  });

  test('reads a quoted cell that is longer than a block', async () => {
    const long = 'x\n'.repeat(1_500_000);
    expect(columnsOf(await read(`name,m01\n"${long}",1\ny,2\n`)).name).toEqual([long, 'y']);
  });

  test('keeps a CRLF together that two blocks part', async () => {
    const pad = 'x'.repeat((1 << 20) - 'name,m01\r\n'.length - ',1\r'.length);
    expect(columnsOf(await read(`name,m01\r\n${pad},1\r\ny,2\r\n`)).m01).toEqual([1, 2]);
  });

  test('names row, line and both counts where a row has too few or too many cells', async () => {
    expect(await message('date,m01,m02\na,1,2\nb,1\n')).toBe(
      'rain.csv, row 2: has 2 cells, the header 3 (line 3); received "b,1"; allowed: 3 cells in every row',
    );
    expect(await message('# c\ndate;m01\na;"1\n1"\nb;1;2;3\n')).toBe(
      'rain.csv, row 2: has 4 cells, the header 2 (line 5); received "b;1;2;3"; allowed: 2 cells in every row',
    );
    await expect(read('a,b\n1,2\n3\n')).rejects.toMatchObject({ source: 'rain.csv', row: 2 });
  });

  test('names the row of a ragged line beyond the first block', async () => {
    const rows = Array.from({ length: 200_000 }, () => '1,2.25');
    rows[190_000] = '1';
    expect(await message(`a,b\n${rows.join('\n')}`)).toBe(
      'rain.csv, row 190001: has 1 cell, the header 2 (line 190002); received "1"; allowed: 2 cells in every row',
    );
  });

  test('rejects a blank line between rows, and names it', async () => {
    expect(await message('a,b\n1,2\n\n\n3,4\n')).toBe(
      'rain.csv, row 2: is a blank line between rows (line 3); allowed: blank lines at the end only',
    );
  });

  test('rejects headers with an empty name, a name given twice, or values instead of names', async () => {
    expect(await message('date,,m01\nx,0,1\n')).toBe(
      'rain.csv, header (line 1): column 2 has no name; received "date  m01"; allowed: a name for every column',
    );
    expect(await message('date,m01, m01\nx,1,2\n')).toBe(
      'rain.csv, header (line 1): columns 2 and 3 have the same name; received "m01"; allowed: each name once',
    );
    for (const first of ['2022-10-02,9.2', '1.5,9.2']) {
      expect(await message(`${first}\n2022-10-03,1\n`)).toBe(
        `rain.csv, header (line 1): holds values instead of column names; received "${first.replace(',', ' ')}"; allowed: a first line that names the columns`,
      );
    }
  });

  test('allows numbers as names of members', async () => {
    expect(columnsOf(await read('date,0,1\nx,5,6\n'))).toEqual({ 0: [5], 1: [6], date: ['x'] });
  });

  test('rejects a file without data rows', async () => {
    for (const text of ['date,m01', 'date,m01\n\n\n', 'date,m01\r\n']) {
      expect(await message(text)).toBe('rain.csv: has no data rows; allowed: a header and at least one row');
    }
  });

  test('rejects quotes that are not closed, or that text follows', async () => {
    expect(await message('a,b\n1,2\n"3,4\n5,6\n')).toBe(
      'rain.csv, row 2: a quote is opened and never closed (line 3); received "3,4\\n5,6\\n"; allowed: quotes around whole cells, doubled inside',
    );
    expect(await message('a,b\n"1"x,2\n')).toMatch(/^rain\.csv, row 1: text follows a closing quote \(line 2\); /);
  });

  test('rejects text that is damaged UTF-8 beyond the part that shows the format', async () => {
    const bytes = utf8(`é,b\n${'1,2\n'.repeat(20_000)}x,y\n`);
    bytes[bytes.length - 2] = 0xe9;
    await expect(readTable(bytes, { source: 'f' })).rejects.toThrow(
      new FormatError({ subject: 'f', problem: 'is not UTF-8 text', allowed: 'CSV saved as UTF-8' }),
    );
  });
});
