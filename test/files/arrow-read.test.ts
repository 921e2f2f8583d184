import { Float32, Float64, Table, tableToIPC, vectorFromArray } from 'apache-arrow';
import { describe, expect, test, vi } from 'vitest';
import { DataError, FormatError, isPlumecastError } from '../../src/errors.js';
import { readTable } from '../../src/files/index.js';
import { isFullCheck } from '../full-check.js';
import { fixtures } from './pyarrow-fixtures.js';
import { columnsOf, typesOf } from './table-rows.js';

const table = new Table({
  name: vectorFromArray(['rain', null, 'snow']),
  m01: vectorFromArray([1.5, null, Number.NaN], new Float32()),
  m02: vectorFromArray([1, 2, 3], new Float64()),
});
const twoBatches = new Table([...table.batches, ...table.batches]);
const failure = (bytes: Uint8Array) =>
  readTable(bytes, { source: 'f.arrow' }).then(
    () => undefined,
    (error: unknown) => error,
  );

describe('readTable of Arrow IPC', () => {
  test.each(['file', 'stream'] as const)('reads a %s with its types, nulls, NaN and record batches', async (kind) => {
    const read = await readTable(tableToIPC(twoBatches, kind));
    expect(typesOf(read)).toEqual({ name: 'Dictionary<Int32, Utf8>', m01: 'Float32', m02: 'Float64' });
    expect(read.batches.length).toBe(2);
    expect(columnsOf(read)).toEqual({
      name: ['rain', null, 'snow', 'rain', null, 'snow'],
      m01: [1.5, null, Number.NaN, 1.5, null, Number.NaN],
      m02: [1, 2, 3, 1, 2, 3],
    });
  });

  test.each(['file', 'stream'] as const)('views the columns of an aligned %s in place', async (kind) => {
    const bytes = tableToIPC(table, kind);
    const aligned = new Uint8Array(new ArrayBuffer(bytes.length + 16), 8, bytes.length);
    aligned.set(bytes);
    expect((await readTable(aligned)).getChild('m02')?.data[0].values.buffer).toBe(aligned.buffer);
  });

  test.each(['file', 'stream'] as const)('reads a %s at an unaligned place, and in a Buffer', async (kind) => {
    const bytes = tableToIPC(table, kind);
    const unaligned = new Uint8Array(new ArrayBuffer(bytes.length + 3), 3);
    unaligned.set(bytes);
    expect(columnsOf(await readTable(unaligned)).m02).toEqual([1, 2, 3]);
    const buffer = Buffer.from(unaligned.buffer, 3);
    expect(columnsOf(await readTable(buffer)).m02).toEqual([1, 2, 3]);
  });

  test.each(['LZ4_FILE', 'LZ4_STREAM', 'ZSTD_FILE', 'ZSTD_STREAM', 'LEGACY_STREAM'] as const)(
    'reads what pyarrow wrote: %s',
    async (name) => {
      const read = await readTable(fixtures[name]);
      const rows = Array.from({ length: 40 }, (_, row) => row);
      const firstDay = Date.UTC(2024, 1, 20) / 86_400_000;
      expect(columnsOf(read)).toEqual({
        date: rows.map((row) => firstDay + row),
        name: rows.map((row) => (row % 3 === 0 ? null : 'rain')),
        m01: rows.map((row) => (row % 7 === 3 ? null : row / 4)),
        m02: rows.map((row) => row * 0.1),
      });
      expect(read.batches.length).toBe(name === 'LEGACY_STREAM' ? 1 : 2);
      expect(read.schema.metadata).toEqual(
        new Map([
          ['variable', 'precipitation'],
          ['units', 'mm'],
        ]),
      );
      expect(read.schema.fields[2].metadata).toEqual(new Map([['units', 'mm']]));
    },
  );

  const whole = {
    'plain file': tableToIPC(twoBatches, 'file'),
    'plain stream': tableToIPC(twoBatches, 'stream'),
    'LZ4 file': fixtures.LZ4_FILE,
    'ZSTD stream': fixtures.ZSTD_STREAM,
    'legacy stream': fixtures.LEGACY_STREAM,
  };
  test.each(Object.entries(whole))('never reads a %s that is cut, wherever it is', async (_, bytes) => {
    for (let length = 0; length < bytes.length; length += length > bytes.length - 64 ? 1 : 4) {
      const error = await failure(bytes.slice(0, length));
      expect(isPlumecastError(error, 'format'), `${length} of ${bytes.length} bytes: ${error}`).toBe(true);
    }
  });

  test('answers a flipped bit anywhere at once, and with no error but its own', async () => {
    for (const bytes of [fixtures.LZ4_FILE, fixtures.ZSTD_STREAM]) {
      for (let at = 0; at < bytes.length; at += isFullCheck ? 1 : 7) {
        const flipped = bytes.slice();
        flipped[at] ^= 1;
        const error = await failure(flipped);
        expect(error === undefined || isPlumecastError(error), `byte ${at}: ${error}`).toBe(true);
      }
    }
  });

  test('rejects a footer that lists a message where none begins', async () => {
    const bytes = fixtures.LZ4_FILE.slice();
    // The last record batch's place, 0x0620, in the footer.
    const at = bytes.findLastIndex((_, index) => bytes[index] === 0x20 && bytes[index + 1] === 0x06);
    bytes[at] = 0x28;
    expect(String(await failure(bytes))).toBe(
      'FormatError: f.arrow: has a corrupt Arrow footer: record batch 2, at byte 1576, has 304 bytes of metadata by the footer, but says 24 itself',
    );
  });

  test('notices a stream cut exactly after a record batch', async () => {
    const one = tableToIPC(table, 'stream');
    const withoutEnd = one.subarray(0, one.length - 8);
    expect(await failure(withoutEnd)).toEqual(
      new FormatError({
        subject: 'f.arrow',
        problem: 'is a truncated Arrow stream',
        received: '1 complete record batch and no end-of-stream marker',
        allowed: 'a stream up to its end-of-stream marker',
      }),
    );
    expect(String(await failure(withoutEnd))).toBe(
      'FormatError: f.arrow: is a truncated Arrow stream; received "1 complete record batch and no end-of-stream marker"; allowed: a stream up to its end-of-stream marker',
    );
  });

  test('names a cut file', async () => {
    const bytes = tableToIPC(table, 'file');
    expect(String(await failure(bytes.subarray(0, bytes.length - 1)))).toBe(
      'FormatError: f.arrow: is a truncated Arrow file; allowed: a file that ends with its footer and ARROW1',
    );
  });

  test('rejects a stream of nothing but its end marker', async () => {
    const marker = Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0);
    expect(String(await failure(marker))).toBe('FormatError: f.arrow: is an Arrow stream without a schema');
  });

  test.each(['file', 'stream'] as const)('rejects a %s without rows', async (kind) => {
    const empty = new Table(table.schema);
    const expected = new DataError({ source: 'f.arrow', problem: 'has no rows', allowed: 'at least one row' });
    expect(await failure(tableToIPC(empty, kind))).toEqual(expected);
    expect(await failure(tableToIPC(table.slice(0, 0), kind))).toEqual(expected);
  });

  test('tolerates zeros after the end of a stream, and rejects a second stream', async () => {
    const bytes = tableToIPC(table, 'stream');
    expect((await readTable(joined(bytes, new Uint8Array(24)))).numRows).toBe(3);
    expect(String(await failure(joined(bytes, bytes)))).toBe(
      `FormatError: f.arrow: goes on after the end of its Arrow stream; received "${bytes.length} more bytes"; allowed: one stream a file`,
    );
  });

  test('rejects compressed bodies that do not give the bytes of their columns', async () => {
    for (const [name, magic, problem] of [
      ['LZ4_STREAM', [0x04, 0x22, 0x4d, 0x18], ': holds corrupt Arrow data'],
      ['ZSTD_STREAM', [0x28, 0xb5, 0x2f, 0xfd], ', dictionary 0, entries: has corrupt offsets: not a Zstandard frame'],
    ] as const) {
      const bytes = fixtures[name].slice();
      const at = bytes.findIndex((_, index) => magic.every((byte, i) => bytes[index + i] === byte));
      expect(at).toBeGreaterThan(0);
      bytes.fill(0xff, at, at + 12);
      expect(String(await failure(bytes))).toContain(`FormatError: f.arrow${problem}`);
    }
  });
});

function joined(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => Array.from(part)));
}

test('reports where text of shared memory cannot be decoded, as in browsers', async () => {
  const bytes = tableToIPC(table, 'file');
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  const { decode } = TextDecoder.prototype;
  const spy = vi.spyOn(TextDecoder.prototype, 'decode').mockImplementation(function (
    this: TextDecoder,
    input,
    options,
  ) {
    if (ArrayBuffer.isView(input) && input.buffer instanceof SharedArrayBuffer)
      throw new TypeError('must not be shared');
    return decode.call(this, input, options);
  });
  try {
    expect(String(await failure(shared))).toContain('f.arrow: cannot be read in shared memory here');
    expect(await failure(bytes)).toBeUndefined();
  } finally {
    spy.mockRestore();
  }
  expect(await failure(shared)).toBeUndefined();
});
