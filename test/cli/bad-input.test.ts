import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { demoTable } from '../../src/demo/index.js';
import { READABLE_FORMATS } from '../../src/files/formats.js';
import { encodeTable } from '../../src/files/index.js';
import { folderWith } from './run-command.js';
import { plumecastHere } from './run-here.js';

const { folder, remove } = folderWith({});
afterAll(remove);

const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const padded = (begin: string) => latin1(begin + '\0'.repeat(600));
const days = Array.from({ length: 14 }, (_, d) => `2024-01-${String(d + 1).padStart(2, '0')}`);
const rows = (cells: string) => days.map((day) => `${day},${cells}\n`).join('');

/** A file of each kind that cannot be read, and what stats says of it behind its name. */
const MESSAGES: Record<string, [content: string | Uint8Array, message: string]> = {
  'empty.csv': ['', `: is empty; allowed: ${READABLE_FORMATS}`],
  'blank.csv': [
    '\n \n',
    ': is blank; allowed: a first line with the names of columns, with , ; | or a tab between them',
  ],
  'hello.txt': [
    'hello\n',
    ': is text, but not a table: its first line has no delimiter; received "hello"; allowed: a first line with the names of columns, with , ; | or a tab between them',
  ],
  'page.csv': [
    '<!DOCTYPE html>\n<html><body>Not found</body></html>\n',
    ': is XML or HTML, which is not read; allowed: the data; a page of the web may have been saved in their place',
  ],
  'forecast.grib2': [
    padded('GRIB'),
    ': is GRIB of an unknown edition, which is not read; allowed: messages of edition 1 or 2',
  ],
  'book.xls': [
    padded('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'),
    ': is an Excel workbook of before 2007 (.xls), or one with a password, which is not read; allowed: its sheet, saved as .xlsx, or as CSV (UTF-8), without a password',
  ],
  'report.pdf': [padded('%PDF-1.7'), ': is PDF, which is not read; allowed: the tables that it was made of'],
  'data.npy': [
    padded('\x93NUMPY\x01\0'),
    ': is NumPy, which is not read; allowed: the table in it, written as CSV, Parquet or Arrow',
  ],
  'places.shp': [padded("\0\0'\n\0\0\0\0"), `: is a shapefile, which is not read; allowed: ${READABLE_FORMATS}`],
  'image.jpg': [
    padded('\xff\xd8\xff\xe0'),
    ': is an image (JPEG), which is not read; allowed: the data that it was made of',
  ],
  'image.tif': [padded('II*\0'), ': is an image (TIFF), which is not read; allowed: the data that it was made of'],
  'data.db': [
    padded('SQLite format 3\0'),
    ': is an SQLite database, which is not read; allowed: the table in it, written as CSV, Parquet or Arrow',
  ],
  'random.bin': [
    Uint8Array.from({ length: 512 }, (_, i) => (i * 7) % 256),
    `: is of no known format; allowed: ${READABLE_FORMATS}`,
  ],
  'header.csv': ['date,m1,m2\n', ': has no data rows; allowed: a header and at least one row'],
  'no-header.csv': [
    rows('1,2'),
    ', header (line 1): holds values instead of column names; received "2024-01-01 1 2"; allowed: a first line that names the columns',
  ],
  'twice.csv': [
    'date,m1,m1\n2024-01-01,1,2\n',
    ', header (line 1): columns 2 and 3 have the same name; received "m1"; allowed: each name once',
  ],
  'text.csv': [
    `date,m1,m2\n${rows('1,2')}2024-01-15,oops,2\n`,
    ', row 15, column m1: not a number; received "oops"; allowed: a decimal number; empty, NA or NaN where a value is missing',
  ],
  'ragged.csv': [
    'date,m1,m2\n2024-01-01,1,2\n2024-01-02,1\n',
    ', row 2: has 2 cells, the header 3 (line 3); received "2024-01-02,1"; allowed: 3 cells in every row',
  ],
  'no-values.csv': [
    'date,place\n2024-01-01,a\n',
    ': no column of values; received "date: Utf8, place: Utf8"; allowed: a column for each member, one of lists, one value, or --columns value=NAME',
  ],
  'two-days.csv': [
    'date,m1,m2\n2024-01-01,1,2\n2024-01-01,3,4\n',
    ', row 2, column date: day given twice; received "2024-01-01"; allowed: each day once; a table with one row per member needs a column of members: --columns member=NAME',
  ],
  'latitude.csv': [
    'date,latitude,longitude,m1\n2024-01-01,95,3,1\n',
    ', row 1, column latitude: out of range; received 95; allowed: degrees from -90 to 90',
  ],
  'half.csv': [
    'date,latitude,m1\n2024-01-01,45,1\n',
    ', column latitude: a latitude without a longitude; allowed: both or none; a column with another name by --columns longitude=NAME',
  ],
  'choice.csv': [
    'date,rain,t2m\n2024-01-01,1,280\n',
    ', value column: several columns may be meant; received "rain", "t2m"; allowed: one of them, by --variable precipitation or temp_mean; or one column, by --columns value=NAME',
  ],
  'units.csv': [
    `date,member,rain,units\n${days.map((day) => `${day},1,3,furlong\n`).join('')}`,
    ', the units: cannot be converted to those of precipitation; received "furlong"; allowed: mm, or units of the same kind; --units states others',
  ],
};

/** Files that are read one day or another, or whose message may change: what is said of them need only be plain. */
const OTHERS: Record<string, string | Uint8Array> = {
  'data.json': '[{"date":"2024-01-01","value":1}]',
  'rain.zip': padded('PK\x03\x04'),
  'cut.csv.gz': latin1('\x1f\x8b\x08\0\0\0\0\0\0\x03K'),
  'dates.csv': 'date,m1,m2\n01/02/2024,1,2\n02/02/2024,1,2\n',
  'weekdays.csv': 'date,m1,m2\nMonday,1,2\nTuesday,1,2\n',
  'month.csv': 'date,m1,m2\n2024-01-01,1,2\n2024-13-45,1,2\n',
  'unit-row.csv': 'date,m1,m2\n,mm,mm\n2024-01-01,1,2\n',
  'order.csv': 'date,m1,m2\n2024-01-03,1,2\n2024-01-01,3,4\n',
  'no-dates.csv': 'm1,m2,m3\n1,2,3\n4,5,6\n',
  'quote.csv': 'date,m1,m2\n2024-01-01,"1,2\n2024-01-02,1,2\n',
  'hourly.csv': `time,m1,m2\n${Array.from({ length: 48 }, (_, h) => `${new Date(3_600_000 * h).toISOString()},1,2\n`).join('')}`,
  'mixed.csv': `date,member,variable,value\n${days.map((day) => `${day},1,tmin,1\n${day},1,rain,1\n`).join('')}`,
  'bufr.bin': padded('BUFR'),
  'archive.7z': padded('7z\xbc\xaf\x27\x1c'),
  'prose.txt': 'Dear all,\nplease find the data attached.\n',
};

/** What no message of the command says: names of code, options of the library, values that are none. */
const CODE =
  /\b[a-z][a-z0-9]*[A-Z]\w*|\boption [a-z]|\b[a-z]+: (?:'|true|\{|\[)|undefined|"null"|\[object|=NAME\b(?<!--columns \w+=NAME)/;

function assertPlain(message: string, name: string): void {
  expect(message.split('\n').length, message).toBe(2);
  expect(message).toMatch(/^error: /);
  expect(message).toContain(name);
  expect(message.replaceAll(folder, '').replaceAll('degC', ''), 'names no code').not.toMatch(CODE);
  expect(message).toContain('; allowed: ');
}

describe('an input that cannot be read', () => {
  it.each(Object.entries(MESSAGES))(
    '%s has a message that says what it is, where, and what to do',
    async (name, [content, message]) => {
      const path = join(folder, name);
      await writeFile(path, content);
      const { code, out, err } = await plumecastHere('stats', path);
      expect([code, out]).toEqual([1, '']);
      expect(err).toBe(`error: ${path}${message}\n`);
      assertPlain(err, name);
    },
  );

  it.each(Object.entries(OTHERS))('%s has a plain message', async (name, content) => {
    const path = join(folder, name);
    await writeFile(path, content);
    const { code, out, err } = await plumecastHere('stats', path);
    expect([code, out]).toEqual([1, '']);
    assertPlain(err, name);
  });

  it.each(['arrow', 'parquet', 'nc'])('a file cut off in the middle, .%s, is reported as truncated', async (ending) => {
    const [whole, cut] = [join(folder, `whole.${ending}`), join(folder, `cut.${ending}`)];
    await writeFile(join(folder, 'whole.arrow'), await encodeTable(demoTable('precipitation', { days: 14 }), 'arrow'));
    if (ending !== 'arrow') expect((await plumecastHere('convert', join(folder, 'whole.arrow'), whole)).code).toBe(0);
    const bytes = readFileSync(whole);
    await writeFile(cut, bytes.subarray(0, bytes.length >> 1));
    for (const command of [
      ['stats', cut],
      ['inspect', cut],
      ['convert', cut, join(folder, 'out.csv')],
    ]) {
      const { code, err } = await plumecastHere(...command);
      expect(code).toBe(1);
      expect(err).toContain('truncated');
      assertPlain(err, cut);
    }
  });

  it('a missing file, a folder without files and a folder that is not a store have messages that say what is allowed', async () => {
    await mkdir(join(folder, 'none'));
    await mkdir(join(folder, 'broken.zarr'));
    await writeFile(join(folder, 'broken.zarr/zarr.json'), '{"zarr_format":3');
    for (const name of ['nowhere.csv', 'nowhere/rain.csv', 'none', 'broken.zarr']) {
      for (const command of ['stats', 'inspect']) {
        const { code, err } = await plumecastHere(command, join(folder, name));
        expect(code).toBe(1);
        assertPlain(err, name);
      }
    }
  });

  it('for a variable, unit or place that is not in the file the message names the option and the available ones', async () => {
    const rain = join(folder, 'rain.arrow');
    await writeFile(rain, await encodeTable(demoTable('precipitation', { days: 14 }), 'arrow'));
    const hours = join(folder, 'hours.csv');
    await writeFile(hours, OTHERS['hourly.csv']);
    const wrong = [
      ['stats', rain, '--variable', 'rainfal'],
      ['stats', rain, '--variable', 'temp_mean'],
      ['stats', rain, '--quantiles', '1.5'],
      ['stats', rain, '--granularity', 'monthly'],
      ['stats', rain, '--point', '-37,79'],
      ['stats', rain, '--columns', 'member=nobody'],
      ['stats', rain, '--columns', 'number=nobody'],
      ['stats', rain, '--threshold', '>20', '--min-member-share', '2'],
      ['stats', hours, '--variable', 'temp_mean'],
      ['stats', hours, '--variable', 'temp_mean', '--units', 'furlong'],
      ['stats', hours, '--variable', 'precipitation', '--units', 'mm', '--accumulation', 'buckets'],
      ['climatology', rain],
      ['convert', rain, join(folder, 'x.unknown')],
      ['convert', rain, join(folder, 'x.csv'), '--compression', 'zstd'],
    ];
    for (const args of wrong) {
      const { code, err } = await plumecastHere(...args);
      expect([args, code]).toEqual([args, 1]);
      assertPlain(err, '');
      expect(err.replaceAll(folder, 'DIR')).toMatchSnapshot(args.join(' ').replaceAll(folder, 'DIR'));
    }
  });
});
