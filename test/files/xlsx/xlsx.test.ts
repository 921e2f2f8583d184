import {
  Bool,
  DateDay,
  Float64,
  Int64,
  Table,
  TimestampMillisecond,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import fc from 'fast-check';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { loadCore } from '../../../src/core/load.js';
import { demoTable } from '../../../src/demo/index.js';
import { fileOfBytes } from '../../../src/files/file-access.js';
import { encodeTable, encodeTables, readTable, readTables } from '../../../src/files/index.js';
import { detectFormat, openTable } from '../../../src/files/open-source.js';
import { sheetName } from '../../../src/files/xlsx/workbook-parts.js';
import { isPlumecastError, statistics } from '../../../src/index.js';
import { isFullCheck } from '../../full-check.js';

const core = await loadCore();

const parts = (bytes: Uint8Array) =>
  Object.fromEntries(Object.entries(unzipSync(bytes)).map(([name, content]) => [name, strFromU8(content)]));

/** A workbook with one sheet of this XML between `<sheetData>` and its end, and other parts as given. */
async function workbook(rows: string, change: Record<string, string> = {}): Promise<Uint8Array> {
  const whole = parts(
    await encodeTable(new Table({ date: vectorFromArray(['x']), rain: vectorFromArray([1]) }), 'xlsx'),
  );
  whole['xl/worksheets/sheet1.xml'] = whole['xl/worksheets/sheet1.xml'].replace(
    /<sheetData>.*<\/sheetData>/s,
    `<sheetData>${rows}</sheetData>`,
  );
  return zipSync(
    Object.fromEntries(Object.entries({ ...whole, ...change }).map(([name, xml]) => [name, strToU8(xml)])),
  );
}

const text = (place: string, value: string) => `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`;
const number = (place: string, value: string) => `<c r="${place}"><v>${value}</v></c>`;
const HEADER = `<row r="1">${text('A1', 'date')}${text('B1', 'rain')}</row>`;
const row = (k: number, value: string) =>
  `<row r="${k}">${text(`A${k}`, `2026-03-0${k}`)}${number(`B${k}`, value)}</row>`;

const rowsOf = (table: Table) => table.toArray().map((one) => ({ ...one }));

describe('a workbook of Excel', () => {
  it('holds the statistics that CSV holds, to the bit, and reads back as they do', async () => {
    const table = demoTable('temp_mean', { days: 40, members: 7 });
    const weekly = statistics(core, table, { granularity: 'weekly', thresholds: ['>20'] });
    const bytes = await encodeTable(weekly, 'xlsx');
    expect(detectFormat(bytes)).toBe('xlsx');
    const again = await readTable(bytes);
    const csv = await readTable(await encodeTable(weekly, 'csv'));
    expect(rowsOf(again)).toEqual(rowsOf(csv));
    const daily = await readTable(await encodeTable(table, 'xlsx'));
    expect(rowsOf(statistics(core, daily, { granularity: 'monthly', variable: 'temp_mean' }))).toEqual(
      rowsOf(
        statistics(core, await readTable(await encodeTable(table, 'csv')), {
          granularity: 'monthly',
          variable: 'temp_mean',
        }),
      ),
    );
  });

  it('shows numbers with the decimals of their variable, shares as percentages, and the metadata in a last sheet', async () => {
    const weekly = statistics(core, demoTable('temp_mean', { days: 14, members: 3 }), {
      granularity: 'weekly',
      thresholds: ['>20'],
    });
    const xml = parts(await encodeTable(weekly, 'xlsx'));
    expect(xml['xl/workbook.xml']).toContain('<sheet name="temp_mean" sheetId="1" r:id="rId1"/><sheet name="about"');
    const formats = [...xml['xl/styles.xml'].matchAll(/formatCode="(.*?)"/g)].map(([, code]) => code);
    const styleOf = (name: string) => {
      const sheet = xml['xl/worksheets/sheet1.xml'];
      const column = new RegExp(`r="([A-Z]+)1"[^>]*><is><t>${name}<`).exec(sheet)?.[1];
      return formats[Number(new RegExp(`r="${column}2" s="(\\d+)"`).exec(sheet)?.[1])];
    };
    expect([styleOf('mean'), styleOf('p_gt_20'), styleOf('start')]).toEqual(['0.00', '0.0%', 'yyyy\\-mm\\-dd']);
    expect(xml['xl/worksheets/sheet2.xml']).toContain('<t>units</t></is></c><c r="B2" t="inlineStr"><is><t>degC</t>');
  });

  it('has a sheet for each variable, whatever the order of the rows', async () => {
    const table = new Table({
      variable: vectorFromArray(['temp_mean', 'precipitation', 'temp_mean', 'precipitation'], new Utf8()),
      date: vectorFromArray(['2026-03-01', '2026-03-01', '2026-03-02', '2026-03-02'], new Utf8()),
      value: vectorFromArray([1, 2, 3, 4], new Float64()),
    });
    const bytes = await encodeTable(table, 'xlsx');
    const notes: string[] = [];
    const first = await readTable(bytes, { report: (note) => notes.push(note) });
    expect([...(first.getChild('value') as Vector)]).toEqual([1, 3]);
    expect(notes).toEqual(['the sheet temp_mean is read, of temp_mean, precipitation']);
    const second = await readTable(bytes, { sheet: 'precipitation' });
    expect([...(second.getChild('value') as Vector)]).toEqual([2, 4]);
    await expect(readTable(bytes, { sheet: 'rain' })).rejects.toThrow(
      'input, sheet: not in the workbook; received "rain"; allowed: temp_mean, precipitation',
    );
  });

  it('keeps every type of cell, missing values and texts of any characters', async () => {
    const table = new Table({
      name: vectorFromArray(['a<b>&"c"', ' x ', '=1+1', null, 'tab\there', '\u0001_x0041_ \u{1f327}'], new Utf8()),
      day: vectorFromArray(
        [0, 1e12, -4e12, null, 1.5e12, 1.6e12].map((ms) => (ms === null ? null : new Date(ms))),
        new DateDay(),
      ),
      time: vectorFromArray([0, 3_600_000, 1e12, null, 5e11, 6e11], new TimestampMillisecond()),
      big: vectorFromArray([1n, 2n ** 62n, -5n, null, 0n, 7n], new Int64()),
      flag: vectorFromArray([true, false, true, null, false, true], new Bool()),
      value: vectorFromArray([0.1, 1e-300, -1e300, Number.NaN, null, 1 / 3], new Float64()),
    });
    const bytes = await encodeTable(table, 'xlsx');
    const sheet = parts(bytes)['xl/worksheets/sheet1.xml'];
    expect(sheet).toContain('<t>a&lt;b&gt;&amp;&quot;c&quot;</t>');
    expect(sheet).toContain('<t xml:space="preserve"> x </t>');
    expect(sheet).toContain('<t>_x0001__x005F_x0041_ \u{1f327}</t>');
    expect(sheet).toContain('<t>=1+1</t>');
    expect(sheet).toContain(`t="inlineStr"><is><t>${2n ** 62n}</t>`);
    // 1843: Excel has no such day.
    expect(sheet).toContain('<t>1843-03-31</t>');
    const again = await readTable(bytes);
    expect([...(again.getChild('value') as Vector)]).toEqual([0.1, 1e-300, -1e300, null, null, 1 / 3]);
    expect([...(again.getChild('time') as Vector)].map(String)).toEqual([
      '1970-01-01T00:00:00',
      '1970-01-01T01:00:00',
      '2001-09-09T01:46:40',
      'null',
      '1985-11-05T00:53:20',
      '1989-01-05T10:40:00',
    ]);
    expect([...(again.getChild('name') as Vector)].slice(0, 4)).toEqual(['a<b>&"c"', 'x', '=1+1', null]);
  });

  it('keeps any number to the bit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 2 }),
        async (values) => {
          const named = vectorFromArray(
            values.map((_, k) => `r${k}`),
            new Utf8(),
          );
          const bytes = await encodeTable(new Table({ named, value: vectorFromArray(values, new Float64()) }), 'xlsx');
          const again = (await readTable(bytes)).getChild('value') as Vector;
          expect([...again].map((value) => value + 0)).toEqual(values.map((value) => value + 0));
        },
      ),
      { numRuns: 30 },
    );
  });

  it('is the same bytes each time, in any batches', async () => {
    const table = demoTable('precipitation', { days: 9, members: 4 });
    const whole = await encodeTable(table, 'xlsx');
    expect(await encodeTable(table, 'xlsx')).toEqual(whole);
    const inParts: Uint8Array[] = [];
    for await (const piece of encodeTables([table.slice(0, 4), table.slice(4)], 'xlsx')) inParts.push(piece);
    expect(parts(Buffer.concat(inParts))).toEqual(parts(whole));
  });

  it('says what Excel cannot hold', async () => {
    const named = (value: Vector) => encodeTable(new Table({ a: value }), 'xlsx');
    await expect(named(vectorFromArray([1, Number.POSITIVE_INFINITY], new Float64()))).rejects.toThrow(
      'row 1, column a: cannot be written to Excel; received Infinity; allowed: finite numbers',
    );
    await expect(named(vectorFromArray(['x'.repeat(32_768)], new Utf8()))).rejects.toThrow(
      'row 0, column a: is longer than a cell of Excel; received "32768 characters"; allowed: at most 32767',
    );
    const one = vectorFromArray([1]);
    const wide = Object.fromEntries(Array.from({ length: 16_385 }, (_, k) => [`c${k}`, one]));
    await expect(encodeTable(new Table(wide), 'xlsx')).rejects.toThrow(
      'table: has more columns than a sheet of Excel; received 16385; allowed: at most 16384',
    );
  });

  it('names sheets as Excel allows', () => {
    expect(sheetName('a/b:c*[d]', [])).toBe('a_b_c__d_');
    expect(sheetName('History', [])).toBe('History_');
    expect(sheetName('x'.repeat(40), ['X'.repeat(31)])).toBe(`${'x'.repeat(27)} (2)`);
    expect(sheetName("''", [])).toBe('sheet');
  });

  it('is read part by part as whole, under a header that stands lower', async () => {
    const rows = `<row r="1">${text('A1', 'Rain of Potsdam')}</row><row r="3">${text('A3', 'date')}${text('B3', 'rain')}</row>`;
    const bytes = await workbook(`${rows}${[4, 5, 6].map((k) => row(k, String(k / 10))).join('')}`);
    const notes: string[] = [];
    const table = await readTable(bytes, { report: (note) => notes.push(note) });
    expect(rowsOf(table)).toEqual([4, 5, 6].map((k) => ({ date: `2026-03-0${k}`, rain: k / 10 })));
    expect(notes).toEqual(['the names of columns are in row 3 of the sheet table']);
    let count = 0;
    for await (const { numRows } of readTables(core, bytes)) count += numRows;
    expect(count).toBe(3);
    await expect(readTable(bytes, { decimal: ',' })).rejects.toThrow(
      'input, decimal: is for CSV, and the format is Excel',
    );
    await expect(readTable(strToU8('a,b\n1,2\n'), { sheet: 'x' })).rejects.toThrow(
      'input, sheet: is for Excel, and the format is CSV',
    );
  });

  it.each([
    [
      'a value without a name',
      `${HEADER}<row r="2">${text('A2', 'x')}${number('B2', '1')}${number('D2', '5')}</row>`,
      'has a value without a name of its column in row 1: column D, row 2; allowed: a name above each column; cells that are not merged',
    ],
    [
      'no names',
      `<row r="1">${number('A1', '1')}${number('B1', '2')}</row>`,
      'whose sheet table has no row with the names of columns',
    ],
    ['nothing', '', 'has no row with the names of columns'],
    [
      'a formula without a result',
      `${HEADER}<row r="2">${text('A2', 'x')}<c r="B2"><f>1+1</f></c></row>`,
      'has formulas without results, as programs write them: B2; allowed: the workbook, opened and saved in Excel or LibreOffice',
    ],
    [
      'an empty result',
      `${HEADER}<row r="2">${text('A2', 'x')}<c r="B2" s="1"><f>1+1</f><v></v></c></row>`,
      'has formulas without results, as programs write them: B2',
    ],
    [
      'a row far away',
      `${HEADER}<row r="1000000000"><c r="A1000000000"><v>1</v></c></row>`,
      'has a cell at 1000000000',
    ],
    [
      'a row in another form',
      `${HEADER}<row r="1e9"><c><v>1</v></c></row>`,
      'has a cell at 1e9; allowed: cells at places such as B12',
    ],
    [
      'two cells at the corners',
      `${HEADER}<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`,
      'has 1048576 rows and 16384 columns; allowed: at most 50000000 cells',
    ],
    [
      'an unknown type',
      `${HEADER}<row r="2"><c r="A2" t="zzz"><v>1</v></c></row>`,
      'is an Excel workbook that cannot be read',
    ],
  ])('is an error in words: %s', async (_, rows, message) => {
    const error = await readTable(await workbook(rows)).catch((each) => each);
    expect(isPlumecastError(error, 'format')).toBe(true);
    expect(error.message).toContain(message);
  });

  const day = (place: string, value: number) => `<c r="${place}" s="1"><v>${value}</v></c>`;

  it('reads the index that pandas writes, a first column without a name', async () => {
    const header = `<row r="1">${text('B1', 'date')}${text('C1', 'rain')}</row>`;
    const index = (k: number) =>
      `<row r="${k}">${number(`A${k}`, String(k - 2))}${text(`B${k}`, `2026-03-0${k}`)}${number(`C${k}`, '1.5')}</row>`;
    const table = await readTable(await workbook(`${header}${index(2)}${index(3)}`));
    expect(rowsOf(table)).toEqual([2, 3].map((k) => ({ '': k - 2, date: `2026-03-0${k}`, rain: 1.5 })));
    const merged = `<row r="3">${text('B3', '2026-03-03')}${number('C3', '2')}</row>`;
    await expect(readTable(await workbook(`${header}${index(2)}${merged}`))).rejects.toThrow(
      'a value without a name of its column in row 1: column A, row 2',
    );
  });

  it('reads members that are named by numbers, as a pivot of pandas names them', async () => {
    const members = [0, 1, 2];
    const line = (k: number, first: string, values: readonly number[]) =>
      `<row r="${k}">${first}${values.map((value, i) => number(`${'BCD'[i]}${k}`, String(value))).join('')}</row>`;
    const bytes = await workbook(
      `${line(1, text('A1', 'date'), members)}${line(2, day('A2', 46083), [4, 5, 6])}${line(3, day('A3', 46084), [7, 8, 9])}`,
    );
    expect(rowsOf(await readTable(bytes))).toEqual([
      { date: '2026-03-02', 0: 4, 1: 5, 2: 6 },
      { date: '2026-03-03', 0: 7, 1: 8, 2: 9 },
    ]);
    // Values of a day without names above them are no names.
    for (const first of [
      [1, 3, 4],
      [2, 3, 4],
    ]) {
      const nameless = `${line(1, text('A1', 'Ulm'), first)}${line(2, day('A2', 46083), [4, 5, 6])}`;
      await expect(readTable(await workbook(nameless))).rejects.toThrow('has no row with the names of columns');
    }
  });

  it('has a sheet for each variable: the one of the wanted variable is read, and no sheet counts as another one', async () => {
    const named = new Table({ variable: vectorFromArray(['temp_mean', 'Rain']), v: vectorFromArray([1, 2]) });
    const files = parts(await encodeTable(named, 'xlsx'));
    const fill = (sheet: string, value: string) => {
      const rows = `${HEADER.replace('rain', 'm1')}${row(2, value)}`;
      files[sheet] = files[sheet].replace(/<sheetData>.*<\/sheetData>/s, `<sheetData>${rows}</sheetData>`);
    };
    fill('xl/worksheets/sheet1.xml', '7');
    fill('xl/worksheets/sheet2.xml', '30');
    const bytes = zipSync(Object.fromEntries(Object.entries(files).map(([name, xml]) => [name, strToU8(xml)])));
    const read = async (options: { variable?: string; sheet?: string }) => {
      const table = await (await openTable(fileOfBytes(bytes, 'both.xlsx'), options)).read();
      return [table.getChild('m1')?.get(0), table.schema.metadata.get('variable')];
    };
    expect(await read({})).toEqual([7, 'temp_mean']);
    expect(await read({ variable: 'precipitation' })).toEqual([30, 'precipitation']);
    expect(await read({ variable: 'precipitation', sheet: 'temp_mean' })).toEqual([7, 'temp_mean']);
    expect(await read({ variable: 'wind_speed' })).toEqual([7, 'temp_mean']);
    await expect(
      readTable(bytes).then((table) => statistics(core, table, { variable: 'precipitation' })),
    ).rejects.toThrow('does not hold precipitation; received "temp_mean"');
  });

  it('skips sheets of remarks, unless one is asked for', async () => {
    const files = parts(
      await encodeTable(
        new Table({ variable: vectorFromArray(['a', 'b', 'c']), v: vectorFromArray([1, 2, 3]) }),
        'xlsx',
      ),
    );
    const clear = (sheet: number) => {
      const path = `xl/worksheets/sheet${sheet}.xml`;
      files[path] = files[path].replace(/<sheetData>.*<\/sheetData>/s, '<sheetData/>');
      return zipSync(Object.fromEntries(Object.entries(files).map(([name, xml]) => [name, strToU8(xml)])));
    };
    const bytes = clear(1);
    const notes: string[] = [];
    const table = await readTable(bytes, { report: (note) => notes.push(note) });
    expect(table.getChild('v')?.get(0)).toBe(2);
    expect(notes).toEqual(['the sheet b is read, of a, b, c']);
    const fault = 'is a workbook whose sheet a has no row with the names of columns';
    await expect(readTable(bytes, { sheet: 'a' })).rejects.toThrow(fault);
    clear(2);
    await expect(readTable(clear(3))).rejects.toThrow(fault);
  });

  it('takes the results of formulas, and errors of Excel as missing', async () => {
    const cells = (k: number, b: string) => `<row r="${k}">${text(`A${k}`, `d${k}`)}${b}</row>`;
    const bytes = await workbook(
      [
        HEADER,
        cells(2, '<c r="B2"><f>1+1</f><v>2</v></c>'),
        cells(3, '<c r="B3" t="e"><f>NA()</f><v>#N/A</v></c>'),
      ].join(''),
    );
    expect([...((await readTable(bytes)).getChild('rain') as Vector)]).toEqual([2, null]);
    const fault = await workbook(
      [HEADER, cells(2, number('B2', '1')), cells(3, '<c r="B3" t="e"><f>1/0</f><v>#DIV/0!</v></c>')].join(''),
    );
    expect([...((await readTable(fault)).getChild('rain') as Vector)]).toEqual([1, null]);
  });

  it('is an error where it is cut, changed, or packed with a password', async () => {
    const bytes = await encodeTable(demoTable('precipitation', { days: 5, members: 2 }), 'xlsx');
    for (const length of [30, 200, bytes.length - 30]) {
      await expect(readTable(bytes.slice(0, length))).rejects.toMatchObject({ name: /FormatError|DataError/ });
    }
    const damaged = bytes.slice();
    damaged[120] ^= 4;
    await expect(readTable(damaged)).rejects.toThrow('has a damaged entry');
    const ole = new Uint8Array(600);
    ole.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
    await expect(readTable(ole)).rejects.toThrow('is an Excel workbook of before 2007 (.xls), or one with a password');
  });

  if (isFullCheck)
    it('is an error where it is a bomb', async () => {
      const bomb = await workbook(`${HEADER}${' '.repeat(401_000_000)}`);
      await expect(readTable(bomb)).rejects.toThrow(
        'bytes of XML; allowed: at most 400000000; or the sheet saved as CSV',
      );
    });
});
