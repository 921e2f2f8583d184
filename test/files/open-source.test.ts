import { Float32, Table, tableToIPC, vectorFromArray } from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import { FormatError } from '../../src/errors.js';
import { detectFormat, findFormat } from '../../src/files/open-source.js';
import { fixtures } from './pyarrow-fixtures.js';
import { utf8 } from './table-rows.js';

const table = new Table({ m01: vectorFromArray([1, 2], new Float32()) });
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const READ = 'allowed: Arrow IPC (file or stream), Parquet, Excel, CSV, JSON of Open-Meteo (also gzipped)';

describe('detectFormat', () => {
  test('recognizes Arrow files and streams, Parquet and CSV by their content', () => {
    expect(detectFormat(tableToIPC(table, 'file'))).toBe('arrow-file');
    expect(detectFormat(tableToIPC(table, 'stream'))).toBe('arrow-stream');
    expect(detectFormat(fixtures.PLAIN_PARQUET)).toBe('parquet');
    expect(detectFormat(utf8('date,m01\n2024-01-01,1\n'))).toBe('csv');
  });

  test('knows streams framed as before Arrow 0.15, which begin with a length', () => {
    expect(detectFormat(fixtures.LEGACY_STREAM)).toBe('arrow-stream');
  });

  test('takes text with any of the four delimiters for CSV, after a byte order mark, comments and blank lines', () => {
    for (const delimiter of [',', ';', '\t', '|']) {
      expect(detectFormat(utf8(`\ufeff# GEFS\r\n\r\ndate${delimiter}m01\r\n`))).toBe('csv');
    }
  });

  test('is not misled by a character that the 64 KiB it looks at cut in half', () => {
    expect(detectFormat(utf8(`a,b\n${'x'.repeat(65_531)}é,1\n`))).toBe('csv');
  });

  test('says that empty input is empty', () => {
    expect(() => detectFormat(new Uint8Array(), 'rain.csv')).toThrow(
      new FormatError({ subject: 'rain.csv', problem: 'is empty', allowed: READ.slice(9) }),
    );
  });

  test.each([['BUFR', 'BUFR\x00\x00\x00\x04']])('names %s, which is not read', (name, text) => {
    expect(() => detectFormat(latin1(text), 'f')).toThrow(`f: is ${name}, which is not read`);
    expect(() => detectFormat(latin1(text), 'f')).toThrow(READ);
  });

  test.each([
    ['NetCDF4 or HDF5', '\x89HDF\r\n\x1a\n\x00'],
    ['NetCDF3', 'CDF\x01\x00\x00\x00\x00'],
    ['NetCDF3', 'CDF\x02\x00\x00\x00\x00'],
    ['NetCDF3', 'CDF\x05\x00\x00\x00\x00'],
  ])('says of %s that it holds arrays', (name, text) => {
    expect(() => detectFormat(latin1(text), 'f')).toThrow(`f: is ${name}, which contains arrays, not a table; ${READ}`);
  });

  test('rejects bytes of no known format', () => {
    expect(() => detectFormat(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9), 'f')).toThrow(
      `f: is of no known format; ${READ}`,
    );
    expect(() => detectFormat(latin1('d\x81bit,m01\n'), 'f')).toThrow(`f: is of no known format; ${READ}`);
  });

  test.each(['d\xe9bit,m01\n', '\xff\xfed\x00,\x00a\x00\n\x00', '\xfe\xff\x00d\x00,\x00a', 'd\x00a\x00,\x00e\x00'])(
    'takes text in Windows-1252 and UTF-16 for CSV: %j',
    (text) => {
      expect(detectFormat(latin1(text))).toBe('csv');
    },
  );

  const entry = (name: string, content = '') =>
    `PK\x03\x04${'\x00'.repeat(22)}${String.fromCharCode(name.length)}\x00\x00\x00${name}${content}`;
  test.each([
    ['GRIB of an unknown edition', 'GRIB\x00\x00\x00\x03', 'messages of edition 1 or 2'],
    ['encrypted Parquet', 'PARE1234', 'the table without encryption, written by someone who has its keys'],
    ['an image (PNG)', '\x89PNG\r\n\x1a\n', 'the data that it was made of'],
    ['an image (GIF)', 'GIF89a\x01\x00', 'the data that it was made of'],
    ['a video or an image (MP4, HEIC, AVIF)', '\x00\x00\x00\x20ftypisom', 'the data that it was made of'],
    ['a script', '#!/bin/sh\nset -e, x\n', 'the data that it writes'],
    ['a program', '\x7fELF\x02\x01\x01', 'the data that it writes'],
    ['NumPy', '\x93NUMPY\x01\x00', 'the table in it, written as CSV, Parquet or Arrow'],
    ['XML or HTML', '<!DOCTYPE html>, error', 'the data; a page of the web may have been saved in their place'],
    ['gzip', '\x1f\x8b\x08\x00', 'what is in it, unpacked'],
    [
      'an Excel workbook of the binary kind (.xlsb)',
      entry('[Content_Types].xml') + entry('xl/workbook.bin'),
      'its sheet, saved as .xlsx, or as CSV (UTF-8)',
    ],
    ['a Word document (.docx)', entry('[Content_Types].xml') + entry('word/document.xml'), 'a table'],
    [
      'a spreadsheet (.ods)',
      entry('mimetype', 'application/vnd.oasis.opendocument.spreadsheet'),
      'its sheet, saved as .xlsx, or as CSV (UTF-8)',
    ],
    [
      'an Excel workbook of before 2007 (.xls), or one with a password',
      '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
      'its sheet, saved as .xlsx, or as CSV (UTF-8), without a password',
    ],
    ['a zip archive', entry('rain.csv', 'date,m01'), 'what is in it, unpacked'],
    ['a zipped Zarr store', entry('.zgroup', '{"zarr_format": 2}'), 'what is in it, unpacked'],
    ['a zipped Zarr store', entry('zarr.json', '{"zarr_format": 3}'), 'what is in it, unpacked'],
    ['Zstandard', '\x28\xb5\x2f\xfd\x00', 'what is in it, unpacked'],
    ['xz', '\xfd7zXZ\x00', 'what is in it, unpacked'],
    ['a tar archive', `rain.csv${'\x00'.repeat(249)}ustar\x0000`, 'what is in it, unpacked'],
    ['an SQLite database', 'SQLite format 3\x00', 'the table in it, written as CSV, Parquet or Arrow'],
    ['a DuckDB database', '12345678DUCK', 'the table in it, written as CSV, Parquet or Arrow'],
    ['R data (.rds or .RData)', 'RDX3\nX\n', 'the table in it, written as CSV, Parquet or Arrow'],
    ["Python's pickle", '\x80\x04\x95', 'the table in it, written as CSV, Parquet or Arrow'],
    ['MATLAB data (.mat)', 'MATLAB 5.0 MAT-file, Platform', 'the table in it, written as CSV, Parquet or Arrow'],
  ])('names %s, and what to do with it', (name, text, remedy) => {
    expect(() => detectFormat(latin1(text), 'f')).toThrow(`f: is ${name}, which is not read; allowed: ${remedy}`);
  });

  test.each([
    'GRIB\x00\x00\x00\x02',
    'GRIB\x00\x00\x00\x01',
    '\x01\r\r\n012 \r\r\nYGXX99 EGRR\r\r\nGRIB\x00\x00\x00\x02',
  ])('says that GRIB holds arrays, also behind the heading of a bulletin: %j', (text) => {
    expect(findFormat(latin1(text))?.name).toBe('grib');
    expect(() => detectFormat(latin1(text), 'f')).toThrow('f: is GRIB, which contains arrays, not a table');
  });

  test('rejects text whose first line has no delimiter, and shows the line', () => {
    expect(() => detectFormat(utf8('just a sentence\na,b\n'), 'f')).toThrow(
      'f: is text, but not a table: its first line has no delimiter; received "just a sentence"; allowed: a first line with the names of columns, with , ; | or a tab between them',
    );
  });
});
