import { Float32, Table, tableToIPC, vectorFromArray } from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import { FormatError } from '../../src/errors.js';
import { detectFormat } from '../../src/formats/index.js';
import { fixtures } from './pyarrow-fixtures.js';
import { utf8 } from './table-rows.js';

const table = new Table({ m01: vectorFromArray([1, 2], new Float32()) });
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const READ = 'allowed: Arrow IPC (file or stream), Parquet, CSV in UTF-8, JSON of Open-Meteo';

describe('detectFormat', () => {
  test('tells Arrow files and streams, Parquet and CSV by their content', () => {
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

  test.each([
    ['gzip', '\x1f\x8b\x08\x00'],
    ['zip', 'PK\x03\x04rest'],
    ['Zstandard', '\x28\xb5\x2f\xfd\x00'],
    ['GRIB', 'GRIB\x00\x00\x00\x02'],
    ['NumPy', '\x93NUMPY\x01\x00'],
    ['PNG', '\x89PNG\r\n\x1a\n'],
    ['encrypted Parquet', 'PARE1234'],
    ['XML or HTML', '<!DOCTYPE html>, error'],
    ['UTF-16 text', '\xff\xfed\x00a\x00,\x00'],
    ['UTF-16 text', '\xfe\xff\x00d\x00a'],
    ['UTF-16 text', 'd\x00a\x00t\x00e\x00,\x00'],
  ])('names %s, which is not read', (name, text) => {
    expect(() => detectFormat(latin1(text), 'f')).toThrow(`f: is ${name}, which is not read`);
    expect(() => detectFormat(latin1(text), 'f')).toThrow(READ);
  });

  test.each([
    ['NetCDF4 or HDF5', '\x89HDF\r\n\x1a\n\x00'],
    ['NetCDF3', 'CDF\x01\x00\x00\x00\x00'],
    ['NetCDF3', 'CDF\x02\x00\x00\x00\x00'],
    ['NetCDF3', 'CDF\x05\x00\x00\x00\x00'],
  ])('says of %s that it holds arrays', (name, text) => {
    expect(() => detectFormat(latin1(text), 'f')).toThrow(`f: is ${name}, which holds arrays and no table; ${READ}`);
  });

  test('rejects bytes of no known format', () => {
    expect(() => detectFormat(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9), 'f')).toThrow(
      `f: is of no known format; ${READ}`,
    );
    expect(() => detectFormat(latin1('d\xe9bit,m01\n'), 'f')).toThrow(`f: is of no known format; ${READ}`);
  });

  test('rejects text whose first line has no delimiter, and shows the line', () => {
    expect(() => detectFormat(utf8('just a sentence\na,b\n'), 'f')).toThrow(
      'f: is text that is no table: its first line has no delimiter; received "just a sentence"; allowed: a first line with the names of columns, with , ; | or a tab between them',
    );
  });
});
