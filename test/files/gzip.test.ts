import { writeFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Float32, Table, tableToIPC, vectorFromArray } from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import { shellWord } from '../../src/check/shell-word.js';
import { loadCore } from '../../src/core/load.js';
import { inflate as inflateByStreams } from '../../src/files/codecs/inflate.js';
import { inflate as inflateByNode } from '../../src/files/codecs/inflate.node.js';
import { readTable } from '../../src/files/index.js';
import { openArrays } from '../../src/files/open-arrays.node.js';
import { readTables } from '../../src/files/read-tables.node.js';
import { plumecastHere } from '../cli/run-here.js';
import { collected, failureOf } from '../input/location-tables.js';
import { columnsOf, utf8 } from './table-rows.js';

const text = 'date,m01\n2026-03-01,1\n2026-03-02,2\n';
const plain = (bytes: Uint8Array) => new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
const zipped = (content: string | Uint8Array) => plain(gzipSync(content));
const joined = (...parts: Uint8Array[]) => plain(Buffer.concat(parts));
const core = await loadCore();
async function ofFile(bytes: Uint8Array) {
  const path = join(tmpdir(), `plumecast-gzip-${process.pid}.gz`);
  writeFileSync(path, bytes);
  return (await collected(readTables(core, path, { source: 'rain.csv.gz' }))).map(columnsOf);
}
const expected = { date: ['2026-03-01', '2026-03-02'], m01: [1, 2] };

describe('gzipped tables', () => {
  test('of CSV are read, in one member or several', async () => {
    const several = joined(zipped(text.slice(0, 12)), zipped(text.slice(12, 20)), zipped(text.slice(20)));
    for (const bytes of [zipped(text), several]) {
      expect(columnsOf(await readTable(bytes))).toEqual(expected);
      expect(await ofFile(bytes)).toEqual([expected]);
    }
  });

  test('of other formats are read, too', async () => {
    const table = new Table({ m01: vectorFromArray([1, 2], new Float32()) });
    for (const format of ['file', 'stream'] as const) {
      const bytes = zipped(tableToIPC(table, format));
      expect(columnsOf(await readTable(bytes))).toEqual({ m01: [1, 2] });
      expect(await ofFile(bytes)).toEqual([{ m01: [1, 2] }]);
    }
  });

  test('that are cut, or whose checksum or content is wrong, are an error', async () => {
    const whole = zipped(text);
    const wrong = whole.slice();
    wrong[wrong.length - 8] ^= 1;
    for (const bytes of [whole.subarray(0, -1), whole.subarray(0, -9), whole.subarray(0, 12), wrong]) {
      const message = 'is gzip that is cut or damaged; allowed: a complete file';
      expect(await failureOf(() => readTable(bytes.slice(), { source: 'f' }))).toBe(`FormatError: f: ${message}`);
      expect(await failureOf(() => ofFile(bytes))).toBe(`FormatError: rain.csv.gz: ${message}`);
    }
  });

  test('say what is in them where that is not read', async () => {
    expect(await failureOf(() => readTable(zipped('RDX3\nX\n'), { source: 'f' }))).toContain(
      'f, unpacked: is R data (.rds or .RData), which is not read',
    );
    const tar = `rain.csv${'\0'.repeat(249)}ustar`;
    for (const content of [tar, `${tar}${'\0'.repeat(250)}\x89HDF\r\n\x1a\n`])
      expect(await failureOf(() => ofFile(plain(gzipSync(Buffer.from(content, 'latin1')))))).toContain(
        'is a gzipped tar archive',
      );
  });

  test.each([
    ['GRIB', 'GRIB\0\0\0\x02'],
    ['NetCDF3', 'CDF\x01\0\0\0\0'],
    ['NetCDF4 or HDF5', '\x89HDF\r\n\x1a\n'],
    ['Zstandard', '\x28\xb5\x2f\xfd'],
  ])('of %s are not read, and the error says how to unpack them', async (name, content) => {
    const bytes = plain(gzipSync(Buffer.from(content, 'latin1')));
    const error = (source: string, remedy: string) =>
      `FormatError: ${source}: is gzipped ${name}, which is not read; allowed: what is in it, unpacked${remedy}`;
    const command = " first: gunzip -k 'a b.gz'";
    expect(await failureOf(() => readTable(bytes, { source: 'a b.gz' }))).toBe(error('a b.gz', command));
    expect(await failureOf(() => readTable(bytes, { source: '-x.gz' }))).toBe(
      error('-x.gz', ' first: gunzip -k ./-x.gz'),
    );
    const address = 'https://example.org/a.gz';
    expect(await failureOf(() => readTable(bytes, { source: address }))).toBe(error(address, ''));
    expect(await failureOf(() => ofFile(bytes))).toBe(error('rain.csv.gz', ' first: gunzip -k rain.csv.gz'));
    const path = join(tmpdir(), `plumecast-gzip-${process.pid}'$(x).gz`);
    await writeFile(path, bytes);
    try {
      const { err } = await plumecastHere('stats', path, '--variable', 'precipitation');
      // The command unpacks arrays: what is in this file is damaged.
      const unread = error(path, ` first: gunzip -k ${shellWord(path)}`).slice('FormatError: '.length);
      if (name === 'Zstandard') expect(err).toBe(`error: ${unread}\n`);
      else expect(err).toMatch(/^error: .*(truncated|bad byte number)/);
      expect(await failureOf(() => openArrays(path))).toContain(
        'is gzip, from which no arrays are read; allowed: what',
      );
    } finally {
      await rm(path);
    }
  });
});

describe.each([
  ['streams', inflateByStreams],
  ['Node', inflateByNode],
])('inflate by %s', (_, inflate) => {
  test('reads several members of gzip, one after the other', async () => {
    const parts = ['a', 'bc', 'x'.repeat(100_000)];
    expect(Buffer.from(await inflate('gzip', joined(...parts.map(zipped)), 1e6)).toString()).toBe(parts.join(''));
  });

  test('stops beyond the most bytes, and at what is cut', async () => {
    const bomb = zipped(new Uint8Array(1 << 24));
    await expect(inflate('gzip', bomb, 1000)).rejects.toThrow('it becomes more than the 1000 bytes that it can have');
    await expect(inflate('gzip', bomb.subarray(0, 100), 1 << 25)).rejects.toThrow(RangeError);
    await expect(inflate('deflate', utf8('no zlib'), 1000)).rejects.toThrow(RangeError);
  });
});
