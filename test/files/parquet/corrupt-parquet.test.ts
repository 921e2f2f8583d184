import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { isPlumecastError } from '../../../src/errors.js';
import { lz4Block } from '../../../src/files/codecs/lz4-block.js';
import { parquetBatches } from '../../../src/files/parquet/parquet-batches.js';
import { readTable } from '../../../src/files/read-table.js';
import { columnsOf } from '../table-rows.js';
import {
  CODEC,
  doubles,
  ENCODING,
  ints,
  joined,
  type MadeColumn,
  type MadeFile,
  type MadePage,
  madeFile,
  prefixed,
  TYPE,
  texts,
} from './made-file.js';
import { i32, list, struct, text, varint } from './thrift-writer.js';

const read = async (bytes: Uint8Array) => columnsOf(await readTable(bytes, { source: 'f' }));

async function failure(bytes: Uint8Array): Promise<string> {
  const error = await readTable(bytes, { source: 'f' }).then(
    ({ numRows }) => `a table of ${numRows} rows`,
    (reason: unknown) => reason,
  );
  expect(isPlumecastError(error, 'format'), String(error)).toBe(true);
  return String(error);
}

const page: MadePage = { body: doubles(1.5, 2.5, 3.5), values: 3 };
const file = (column: Partial<MadeColumn> = {}, whole: Partial<MadeFile> = {}) =>
  madeFile({ rows: 3, columns: [{ pages: [page], ...column }], ...whole });
const fileOf = (one: Partial<MadePage>, column: Partial<MadeColumn> = {}) =>
  file({ pages: [{ ...page, ...one }], ...column });

const DATA = 'FormatError: f: holds corrupt Parquet data in column c0, row group 1: ';
const FOOTER = 'FormatError: f: has a corrupt Parquet footer: ';

test('files made here are read where they state the truth', async () => {
  expect(await read(file())).toEqual({ c0: [1.5, 2.5, 3.5] });
  expect(await read(fileOf({ kind: 'v2', crc: true }))).toEqual({ c0: [1.5, 2.5, 3.5] });
});

describe('counts of a Parquet file that do not agree', () => {
  const second: MadePage = { body: doubles(4.5), values: 1 };
  // One definition level a value: 3 times 1, as a run.
  const present = [6, 1];
  test.each<[string, Uint8Array, string]>([
    ['rows of the file', file({}, { fileRows: 1 }), `${FOOTER}the file says 1 rows, its row groups have 3`],
    [
      'rows of a row group',
      file({}, { rows: 1, fileRows: 1 }),
      `${FOOTER}row group 1, column c0 has 3 values, its row group 1 rows`,
    ],
    ['values of a column', file({ values: 2 }), `${FOOTER}row group 1, column c0 has 2 values, its row group 3 rows`],
    ['values of pages', file({ pages: [page, second], values: 3 }), `${DATA}its pages have 4 values, its metadata 3`],
    ['values of one page', fileOf({ values: 2 }, { values: 3 }), `${DATA}its pages have 2 values, its metadata 3`],
    ['values and their bytes', fileOf({ body: doubles(1, 2) }), `${DATA}16 bytes for 3 values of 8`],
    ['bytes behind the values', fileOf({ body: doubles(1, 2, 3, 4) }), `${DATA}32 bytes for 3 values of 8`],
    ['rows of a page', fileOf({ kind: 'v2', rows: 2 }), `${DATA}a page of 2 rows that has 3 values`],
    [
      'nulls of a page',
      fileOf({ kind: 'v2', nulls: 1, definitionBytes: 2, body: joined(present, doubles(1, 2)) }, { form: 'optional' }),
      `${DATA}a page of 1 nulls that has 0`,
    ],
    [
      'columns of a row group',
      file({}, { schema: schemaOf('c0', 'c1') }),
      `${FOOTER}row group 1 has 1 columns, the schema 2`,
    ],
    ['negative values', fileOf({ values: -3 }, { values: 3 }), `${DATA}a page header with -3 as its number of values`],
    ['negative rows', file({ values: -3 }, { rows: -3 }), `${FOOTER}row group 1, rows: -3`],
  ])('are rejected: %s', async (_, bytes, message) => {
    expect(await failure(bytes)).toBe(message);
  });

  test('are rejected in lists, whose rows are where levels begin', async () => {
    // Lists [1.5, 2.5] and [3.5]: repetition levels 0, 1, 0 and definition levels 3, 3, 3.
    const lists = (repetition: number, rows: number) =>
      madeFile({
        rows,
        columns: [
          { form: 'list', pages: [{ ...page, body: joined(prefixed(3, repetition), prefixed(6, 3), page.body) }] },
        ],
      });
    expect((await read(lists(0b010, 2))).c0.map((one) => Array.from(one as Iterable<number>))).toEqual([
      [1.5, 2.5],
      [3.5],
    ]);
    expect(await failure(lists(0b000, 2))).toBe(`${DATA}more lists than the 2 rows`);
    expect(await failure(lists(0b110, 2))).toBe(`${DATA}its pages have 1 rows, its row group 2`);
    expect(await failure(lists(0b011, 2))).toBe(`${DATA}an item of a list that has not begun`);
  });

  test('are rejected by readers of parts, too, before rows are given', async () => {
    const bytes = file({}, { fileRows: 1 });
    const buffer = { byteLength: bytes.length, slice: (start: number, end?: number) => bytes.slice(start, end).buffer };
    await expect(parquetBatches(buffer, 'f', { bytes: 1e6 }).next()).rejects.toThrow('the file says 1 rows');
  });

  test('do not matter in columns that are not read', async () => {
    const bytes = madeFile({ rows: 3, columns: [{ pages: [page] }, { pages: [{ ...page, values: 2 }], values: 3 }] });
    const buffer = { byteLength: bytes.length, slice: (start: number, end?: number) => bytes.slice(start, end).buffer };
    const { value } = await parquetBatches(buffer, 'f', { bytes: 1e6, columns: ['c0'] }).next();
    expect(value?.numRows).toBe(3);
    expect(await failure(bytes)).toMatch('column c1, row group 1: its pages have 2 values, its metadata 3');
  });
});

describe('a Parquet footer that is impossible', () => {
  const element = (fields: Parameters<typeof struct>[0]) => struct({ 4: text('c0'), ...fields });
  const root = (children: number) => element({ 5: i32(children) });
  const leaf = element({ 1: i32(TYPE.double), 3: i32(0) });
  /** In the list of Parquet's converted types. */
  const CONVERTED_LIST = 3;
  const withSchema = (...elements: ReturnType<typeof struct>[]) => file({}, { schema: list(elements) });
  let deep = struct({});
  for (let depth = 0; depth < 5_000; depth++) deep = struct({ 7: deep });
  const nested = [...Array.from({ length: 5_000 }, () => element({ 5: i32(1), 3: i32(1) })), leaf];
  test.each<[string, Uint8Array, string]>([
    ['a list of 2 billion', file({}, { groups: list([], 2_000_000_000) }), 'a list of 2000000000 elements in'],
    [
      'a number that does not end',
      file({}, { groups: { type: 6, bytes: Array(50).fill(255) } }),
      'a number of more than 10 bytes',
    ],
    ['structs within structs', file({}, { groups: list([deep]) }), 'structs nested 33 deep'],
    ['a type that Parquet has not', file({}, { groups: { type: 13, bytes: [] } }), 'an unknown type 13'],
    ['a schema within a schema', withSchema(root(1), ...nested), 'a schema more than 64 deep'],
    ['more children than elements', withSchema(root(1_000_000), leaf), '1000000 children among 2 elements'],
    ['fewer children than elements', withSchema(root(1), leaf, leaf), 'a schema of more than one tree'],
    ['children that lack', withSchema(root(2), leaf), 'a schema of 2 elements, some of which are missing'],
    ['negative children', withSchema(root(-1), leaf), '-1 children among 2 elements'],
    ['a column of no type', withSchema(root(1), element({})), 'a schema element c0 of no known type'],
    ['another type than the schema', file({}, { schema: schemaOf('x') }), 'column x is stored as c0 of type DOUBLE'],
    ['data before the file', file({ dataAt: 0 }), 'column c0 lies from byte 0 to'],
    ['data in the footer', file({ bytes: 4_000 }), 'column c0 lies from byte 4 to 4004, outside of 4 to'],
    ['data beyond the file', file({ dataAt: 2 ** 40 }), 'column c0 lies from byte 1099511627776 to'],
    ['sizes beyond all numbers', file({ bytes: 2 ** 60 }), 'column c0, bytes: 1152921504606847000'],
    [
      'bytes of two columns',
      madeFile({ rows: 3, columns: [{ pages: [page] }, { pages: [page], dataAt: 10 }] }),
      'columns c0 and c1 share bytes 10 to',
    ],
    ['values without bytes', file({ values: 2 ** 31 }, { rows: 2 ** 31 }), 'column c0 has 2147483648 values in'],
  ])('is rejected: %s', async (_, bytes, message) => {
    expect(await failure(bytes)).toMatch(`${FOOTER}`);
    expect(await failure(bytes)).toMatch(message);
  });

  test('is read where numbers are called a list, which has no items', async () => {
    const called = element({ 1: i32(TYPE.double), 3: i32(0), 6: i32(CONVERTED_LIST) });
    expect(await read(withSchema(root(1), called))).toEqual({ c0: [1.5, 2.5, 3.5] });
  });

  test('is rejected where it is longer than the file', async () => {
    const bytes = file();
    new DataView(bytes.buffer).setUint32(bytes.length - 8, 0xffffffff, true);
    expect(await failure(bytes)).toBe(`${FOOTER}a footer of 4294967295 bytes in a file of ${bytes.length}`);
  });
});

describe('a page whose bytes are not what its header says', () => {
  const snappy = (size: number, ...bytes: number[]) => Uint8Array.from([...varint(size), ...bytes]);
  const coded = (codec: number, body: Uint8Array, decodedBytes = 24) => fileOf({ body, decodedBytes }, { codec });
  const gzip = (flip?: number) => {
    const bytes = new Uint8Array(gzipSync(doubles(1.5, 2.5, 3.5)));
    if (flip !== undefined) bytes[bytes.length - flip] ^= 1;
    return bytes;
  };
  test.each<[string, Uint8Array, string]>([
    ['a wrong checksum', fileOf({ crc: 5 }), 'where 5 is noted'],
    ['a wrong checksum of version 2', fileOf({ kind: 'v2', crc: 5 }), 'where 5 is noted'],
    ['more bytes than there are', fileOf({ storedBytes: 25 }), 'a page of 25 bytes where 24 are left'],
    ['fewer bytes than there are', fileOf({ storedBytes: 23 }), ''],
    ['a size that is not its own', fileOf({ decodedBytes: 23 }), 'a page of 24 bytes where 23 are expected'],
    ['a negative size', fileOf({ decodedBytes: -1 }), 'a page header with -1 as its uncompressed size'],
    ['a size for many more values', coded(CODEC.zstd, page.body, 2 ** 30), 'a page of 1073741824 bytes for 3 values'],
    ['gzip with a wrong checksum', coded(CODEC.gzip, gzip(8)), 'incorrect data check'],
    ['gzip with a wrong length', coded(CODEC.gzip, gzip(4)), 'incorrect length check'],
    ['gzip beyond its size', coded(CODEC.gzip, gzip(), 16), ''],
    ['gzip below its size', coded(CODEC.gzip, gzip(), 32), 'a page of 24 bytes where 32 are expected'],
    [
      'Snappy of another length',
      coded(CODEC.snappy, snappy(16, 0)),
      'a Snappy block of 16 bytes where 24 are expected',
    ],
    // 2 ** 32 - 5 bytes follow: added to a place as a signed number, they lead back.
    [
      'Snappy that leads back',
      coded(CODEC.snappy, snappy(24, 0xfc, 0xfb, 255, 255, 255, 1, 1)),
      'a Snappy literal too long',
    ],
    [
      'Snappy from before its beginning',
      coded(CODEC.snappy, snappy(24, 0, 1, 0x5e, 9, 0)),
      'a Snappy copy out of bounds',
    ],
    [
      'LZ4 beyond its size',
      coded(CODEC.lz4Raw, Uint8Array.of(0x1f, 0, 1, 0, 255, 255, 255, 0)),
      'an LZ4 match out of bounds',
    ],
    ['LZ4 below its size', coded(CODEC.lz4Raw, lz4Block(doubles(1, 2))), 'an LZ4 block that ends after 16 of 24 bytes'],
    ['a compression that is not read', coded(3, page.body), 'the compression LZO is not read'],
    ['an unknown kind of page', fileOf({ kind: 'v2', encoding: 4 }), 'values of the type DOUBLE and the encoding 4'],
  ])('is rejected: %s', async (_, bytes, message) => {
    const error = await failure(bytes);
    expect(error).toMatch(/^FormatError: f: holds corrupt Parquet data in column c0, row group 1/);
    expect(error).toContain(message);
  });
});

describe('streams in a page that do not end where they should', () => {
  const levels = (...bytes: number[]) =>
    fileOf({ body: joined(prefixed(...bytes), doubles(1, 2, 3)) }, { form: 'optional' });
  const dictionary: MadePage = { kind: 'dictionary', body: doubles(1.5, 2.5), values: 2 };
  const indices = (...bytes: number[]) =>
    file({ pages: [dictionary, { ...page, encoding: ENCODING.dictionary, body: Uint8Array.from(bytes) }] });
  const deltas = (...bytes: number[]) =>
    fileOf({ encoding: ENCODING.deltas, body: Uint8Array.from(bytes) }, { type: TYPE.int32 });
  const strings = (encoding: number, body: Uint8Array) => fileOf({ encoding, body }, { type: TYPE.bytes });

  test('are read where they do', async () => {
    expect(await read(levels(6, 1))).toEqual({ c0: [1, 2, 3] });
    expect(await read(indices(1, 3, 0b011))).toEqual({ c0: [2.5, 2.5, 1.5] });
    expect(await read(deltas(128, 1, 4, 3, 2, 2, 0, 0, 0, 0))).toEqual({ c0: [1, 2, 3] });
    expect(await read(strings(ENCODING.plain, texts('a', 'bc', '')))).toEqual({ c0: ['a', 'bc', ''].map(utf8) });
  });

  test.each<[string, Uint8Array, string]>([
    ['levels longer than the page', levels(6), ''],
    [
      'levels that are cut',
      fileOf({ body: Uint8Array.of(200, 0, 0, 0) }, { form: 'optional' }),
      '200 bytes where 0 are left',
    ],
    ['levels without a number', levels(), 'runs that end after 0 of 3 numbers'],
    ['levels that end early', levels(4, 1), 'runs that end after 2 of 3 numbers'],
    ['a run of nothing', levels(0, 1, 6, 1), 'a run of no numbers'],
    ['bits of nothing', levels(1, 6, 1), 'a run of no numbers'],
    ['a run of too many', levels(8, 1), 'a run of 4 numbers where 3 are left'],
    ['a run of 2 billion', levels(254, 255, 255, 255, 15, 1), 'a run of 2147483647 numbers where 3 are left'],
    ['a count that does not end', levels(255, 255, 255, 255, 255, 255), 'runs that end after 0 of 3 numbers'],
    ['a level beyond the highest', levels(6, 2), 'a number 2 of 1 bits'],
    ['no indices', indices(), 'no bytes for 3 values'],
    ['indices of 33 bits', indices(33, 6, 0), 'numbers of 33 bits'],
    ['indices of 255 bits', indices(255, 3, 0), 'numbers of 255 bits'],
    ['indices beyond the dictionary', indices(2, 3, 0b100001), 'value 2 of a dictionary of 2'],
    ['an index of 32 bits', indices(32, 6, 255, 255, 255, 255), 'value 4294967295 of a dictionary of 2'],
    ['indices that are cut', indices(8, 3, 0, 1), 'runs that end after 0 of 3 numbers'],
    [
      'no dictionary',
      fileOf({ encoding: ENCODING.dictionary, body: Uint8Array.of(1, 6, 0) }),
      'a dictionary that is missing',
    ],
    ['two dictionaries', file({ pages: [dictionary, dictionary, page] }), 'a dictionary after other pages'],
    [
      'a dictionary of another count',
      file({ pages: [{ ...dictionary, values: 3 }, page] }),
      '16 bytes for 3 values of 8',
    ],
    [
      'differences of another count',
      deltas(128, 1, 4, 2, 2, 2, 0, 0, 0, 0),
      '2 differences where 3 values are expected',
    ],
    ['differences in no parts', deltas(128, 1, 0, 3, 2, 2), 'blocks of 128 differences in 0 parts'],
    [
      'differences in endless blocks',
      deltas(255, 255, 255, 255, 15, 1, 3, 2),
      'blocks of 4294967295 differences in 1 parts',
    ],
    ['differences of 65 bits', deltas(128, 1, 4, 3, 2, 2, 65, 0, 0, 0), 'differences of 65 bits'],
    ['differences that are cut', deltas(128, 1, 4, 3, 2, 2, 8, 0, 0, 0, 1), 'differences that are truncated'],
    ['differences without their blocks', deltas(128, 1, 4, 3, 2), 'differences that are truncated'],
    ['a text beyond the page', strings(ENCODING.plain, joined(texts('a', 'b'), ints(9))), 'a text of 9 bytes'],
    ['a text of 4 GB', strings(ENCODING.plain, joined(ints(-1), texts('a', 'b'))), 'a text of 4294967295 bytes'],
    ['texts that lack', strings(ENCODING.plain, texts('a', 'b')), '10 bytes for 3 texts'],
    ['bytes behind the texts', strings(ENCODING.plain, texts('a', 'b', 'c', 'd')), '20 bytes for values that take 15'],
    [
      'a negative length',
      strings(ENCODING.deltaLengths, Uint8Array.of(128, 1, 4, 3, 1, 0, 0, 0, 0, 0)),
      'a text of -1 bytes',
    ],
    [
      'a prefix longer than the text before',
      strings(ENCODING.deltaTexts, Uint8Array.of(128, 1, 4, 3, 2, 0, 0, 0, 0, 0, 128, 1, 4, 3, 0, 0, 0, 0, 0, 0)),
      'a prefix of 1 of 0 bytes',
    ],
    ['split bytes that lack', fileOf({ encoding: ENCODING.split, body: new Uint8Array(23) }), '23 bytes for 3 values'],
    ['booleans that are cut', fileOf({ body: new Uint8Array(0) }, { type: TYPE.boolean }), '0 bytes for 3 booleans'],
    ['differences of floats', fileOf({ encoding: ENCODING.deltas }), 'values of the type DOUBLE and the encoding 5'],
  ])('are rejected: %s', async (_, bytes, message) => {
    const error = await failure(bytes);
    expect(error).toMatch(/^FormatError: f: holds corrupt Parquet data in column c0, row group 1: /);
    expect(error).toContain(message);
  });

  test('are stopped where texts that share their beginnings become more than memory holds', async () => {
    // Each text is the one before and a byte: differences of 1 and of 0, which take no bits.
    const count = 2 ** 16;
    const prefixes = [...varint(2 ** 20), 1, ...varint(count), 0, 2, 0];
    const lengths = [...varint(2 ** 20), 1, ...varint(count), 2, 0, 0];
    const body = joined(prefixes, lengths, new Uint8Array(count));
    const bytes = madeFile({
      rows: count,
      columns: [{ type: TYPE.bytes, pages: [{ body, values: count, encoding: ENCODING.deltaTexts }] }],
    });
    expect(await failure(bytes)).toContain('texts of 2147516416 bytes');
  });
});

test('each change of a byte gives a typed error, or a table of as many rows', async () => {
  const whole = fileOf({ body: joined(prefixed(3, 0b101), doubles(1.5, 3.5)) }, { form: 'optional' });
  expect(await read(whole)).toEqual({ c0: [1.5, null, 3.5] });
  for (let at = 0; at < whole.length; at++) {
    for (const value of [0, 1, 127, 128, 255, whole[at] ^ 1, whole[at] ^ 16, whole[at] ^ 128]) {
      const bytes = whole.slice();
      bytes[at] = value;
      const outcome = await readTable(bytes).then(
        ({ numRows }) => numRows,
        (error: unknown) => isPlumecastError(error) || error,
      );
      expect([3, true], `byte ${at} is ${value}: ${outcome}`).toContain(outcome);
    }
  }
});

function schemaOf(...names: string[]) {
  const leaves = names.map((name) => struct({ 1: i32(TYPE.double), 3: i32(0), 4: text(name) }));
  return list([struct({ 4: text('schema'), 5: i32(names.length) }), ...leaves]);
}

const utf8 = (value: string) => new TextEncoder().encode(value);
