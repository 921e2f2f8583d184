import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Dictionary, Field, Float64, Int32, Schema, Table, Utf8, vectorFromArray } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadCore } from '../../../src/core/load.js';
import { encodeTable } from '../../../src/files/index.js';
import { readTable } from '../../../src/files/read-table.js';
import { readTables } from '../../../src/files/read-tables.node.js';
import { plumecastHere } from '../../cli/run-here.js';
import { isFullCheck } from '../../full-check.js';
import { collected, rowsOf } from '../../input/location-tables.js';
import { hasPython, python } from '../../reference/foreign-programs.js';
import { contentOf, expectSame, outcome } from './read-outcome.js';

/**
 * One table with nulls and one without, in every codec, page version and encoding that pyarrow writes and is read here.
 */
const WRITE = `
import sys, decimal, numpy as np, pyarrow as pa, pyarrow.parquet as pq
root, r, n = sys.argv[1], np.random.default_rng(7), 500
def table(gaps):
    mask = r.random(n) < gaps
    some = lambda values, type=None: pa.array([None if gone else v for v, gone in zip(values, mask)], type)
    return pa.table({
        'f4': some(r.random(n).astype('f4')), 'f8': some(np.round(r.gamma(1, 3, n), 1)), 'f2': some(r.random(n).astype('f2')),
        'u1': some(r.integers(0, 256, n), pa.uint8()), 'i4': some(r.integers(-2**31, 2**31, n), pa.int32()),
        'u8': some(r.integers(0, 2**63, n), pa.uint64()), 'i8': some(np.cumsum(r.integers(-5, 9, n)), pa.int64()),
        'dry': some(r.random(n) < 0.3), 'name': some(['cell %d' % (i // 7) for i in range(n)]),
        'note': some(['x' * int(r.integers(0, 60)) + str(i) for i in range(n)]),
        'day': some(r.integers(-9000, 30000, n), pa.int32()).cast(pa.date32()),
        'time': some(r.integers(0, 2**60, n), pa.int64()).cast(pa.timestamp('ns')),
        'cost': some([decimal.Decimal(int(v)) / 100 for v in r.integers(-10**9, 10**9, n)], pa.decimal128(14, 2)),
        'members': some([[None if gaps and v < 0.1 else float(v) for v in r.random(k)] for k in r.integers(0, 5, n)], pa.list_(pa.float64())),
        'three': some([list(map(float, r.random(3))) for _ in range(n)], pa.list_(pa.float64(), 3)),
    })
codings = {'f4': 'BYTE_STREAM_SPLIT', 'f8': 'BYTE_STREAM_SPLIT', 'f2': 'BYTE_STREAM_SPLIT', 'i4': 'DELTA_BINARY_PACKED', 'u1': 'DELTA_BINARY_PACKED',
    'i8': 'DELTA_BINARY_PACKED', 'u8': 'DELTA_BINARY_PACKED', 'day': 'DELTA_BINARY_PACKED', 'name': 'DELTA_BYTE_ARRAY',
    'note': 'DELTA_LENGTH_BYTE_ARRAY', 'dry': 'RLE', 'cost': 'BYTE_STREAM_SPLIT'}
for gaps in (0, 0.2):
    t = table(gaps)
    if not gaps: t = t.cast(pa.schema([f.with_nullable(False) for f in t.schema]))
    put = lambda name, **how: pq.write_table(t, '%s/%s-%s.parquet' % (root, 'gaps' if gaps else 'full', name), row_group_size=300, **how)
    put('plain', compression='none', use_dictionary=False)
    for v in ('1.0', '2.0'):
        for c in ('none', 'snappy', 'gzip', 'zstd', 'lz4', 'brotli'):
            put(c + v, compression=c, data_page_version=v, data_page_size=700, write_page_index=c != 'none', write_page_checksum=c != 'gzip', max_rows_per_page=90)
        put('coded' + v, compression='snappy', data_page_version=v, use_dictionary=False, column_encoding=codings, data_page_size=900, write_page_index=True)
    put('int96', compression='none', use_deprecated_int96_timestamps=True)
`;
const NAMES = ['none', 'snappy', 'gzip', 'zstd', 'lz4', 'brotli', 'coded'].flatMap((name) => [
  `${name}1.0`,
  `${name}2.0`,
]);

const found = hasPython('pyarrow', 'numpy');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumecast-parquet-'));
  if (found) python(WRITE, { args: [folder] });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pathOf = (name: string) => join(folder, `${name}.parquet`);
const bytesOf = (name: string) => new Uint8Array(readFileSync(pathOf(name)));

describe.skipIf(!found)('Parquet files of pyarrow', () => {
  test.each(['full', 'gaps'])('give one table, whatever they are written by: %s', async (kind) => {
    const plain = contentOf(await readTable(bytesOf(`${kind}-plain`)));
    expect(plain.members).toHaveLength(500);
    for (const name of [...NAMES, 'int96']) {
      expect(contentOf(await readTable(bytesOf(`${kind}-${name}`))), name).toEqual(plain);
    }
  });

  test.each(['full', 'gaps'])('give the same rows in parts, of which each reads its own pages: %s', async (kind) => {
    const core = await loadCore();
    const columns = ['f4', 'f8', 'i8', 'dry', 'name', 'note', 'time', 'cost'];
    const parts = async (name: string, bytes: number) =>
      rowsOf(await collected(readTables(core, pathOf(`${kind}-${name}`), { columns, bytes })));
    const plain = await parts('plain', 1e9);
    for (const name of NAMES) expect(await parts(name, 5_000), name).toEqual(plain);
  });

  test.each(['full', 'gaps'])('give the same rows by kernels: %s', async (kind) => {
    for (const name of [...NAMES, 'plain', 'int96']) {
      const [file, bytes] = [bytesOf(`${kind}-${name}`), 3_000];
      const expected = await outcome(file, { kernelsFrom: Number.POSITIVE_INFINITY, bytes });
      expectSame(await outcome(file, { kernelsFrom: 0, bytes }), expected, name);
      expectSame(await outcome(file, { kernelsFrom: 0, bytes, codedTexts: true }), expected, name);
    }
  });

  test.skipIf(!hasPython('polars'))('give the same rows by kernels where Polars wrote them', async () => {
    const code = `
import sys, polars as pl
table = pl.read_parquet(sys.argv[1]).drop('cost')
for codec in sys.argv[3:]: table.write_parquet(f'{sys.argv[2]}/polars-{codec}.parquet', compression=codec)
`;
    const codecs = ['zstd', 'lz4', 'snappy'];
    python(code, { args: [pathOf('gaps-plain'), folder, ...codecs] });
    for (const codec of codecs) {
      const file = bytesOf(`polars-${codec}`);
      const expected = await outcome(file, { kernelsFrom: Number.POSITIVE_INFINITY, bytes: 3_000 });
      expect(expected).toMatchObject({ columns: { f8: expect.any(Array) } });
      expectSame(await outcome(file, { kernelsFrom: 0, bytes: 3_000 }), expected, codec);
    }
  });

  test('are rejected for each bit of a page that is flipped, where pages have checksums', async () => {
    const whole = bytesOf('gaps-none1.0');
    const footer = new DataView(whole.buffer).getUint32(whole.length - 8, true);
    const same = contentOf(await readTable(whole));
    for (let i = 0; i < (isFullCheck ? 1000 : 80); i++) {
      const bytes = whole.slice();
      const at = 4 + ((i * 7_919) % (whole.length - footer - 12));
      bytes[at] ^= 1 << (i % 8);
      // What a page states without need, such as its least value, may change.
      const outcome = await readTable(bytes).then(contentOf, ({ tag }) => tag);
      if (outcome !== 'format') expect(outcome, `byte ${at}`).toEqual(same);
    }
  });

  test('are rejected by every command where the footer lacks rows, and nothing is written', async () => {
    const bytes = bytesOf('full-snappy1.0');
    // The number of rows is the third field of the footer, 500 as a zigzag number of two bytes.
    const footer = bytes.length - 8 - new DataView(bytes.buffer).getUint32(bytes.length - 8, true);
    const at = bytes.findIndex(
      (byte, i) => i > footer && byte === 0x16 && bytes[i + 1] === 0xe8 && bytes[i + 2] === 0x07,
    );
    bytes[at + 1] = 0xc8;
    bytes[at + 2] = 0x01;
    const path = join(folder, 'changed.parquet');
    writeFileSync(path, bytes);
    const out = join(folder, 'changed.csv');
    for (const args of [
      ['convert', path, out],
      ['inspect', path],
      ['stats', path, '--variable', 'precipitation', '--out', out],
    ]) {
      const { code, err, out: shown } = await plumecastHere(...args);
      expect([args[0], code !== 0, `${err}${shown}`]).toEqual([
        args[0],
        true,
        expect.stringContaining('its row groups have 500'),
      ]);
    }
    expect(() => readFileSync(out)).toThrow('ENOENT');
  });
});

describe.skipIf(!hasPython('pyarrow'))('columns with metadata', () => {
  test('have them in pyarrow, with the types that are stored', async () => {
    const of = JSON.stringify({ kind: 'exceedance', of: 'weekly mean' });
    const name = new Field('name', new Dictionary(new Utf8(), new Int32()), true);
    const share = new Field('p_lt_0', new Float64(), true, new Map([['plumecast_statistic', of]]));
    const values = {
      name: vectorFromArray(['a', 'b'], name.type),
      p_lt_0: vectorFromArray([0.5, null], new Float64()),
    };
    const table = new Table(new Schema([name, share], new Map([['units', 'mm']])), values);
    const path = join(tmpdir(), `plumecast-metadata-${process.pid}.parquet`);
    writeFileSync(path, await encodeTable(table, 'parquet'));
    try {
      const found = python(
        'import sys, json, pyarrow.parquet as pq\n' +
          't = pq.read_table(sys.argv[1]); s = t.schema\n' +
          "print(json.dumps([str(s.field('p_lt_0').type), s.field('p_lt_0').metadata[b'plumecast_statistic'].decode(), str(s.field('name').type), s.metadata[b'units'].decode(), t['name'].to_pylist(), t['p_lt_0'].to_pylist()]))",
        { args: [path] },
      );
      expect(JSON.parse(String(found))).toEqual(['double', of, 'string', 'mm', ['a', 'b'], [0.5, null]]);
      const again = await readTable(readFileSync(path));
      expect(again.schema.fields[1].metadata.get('plumecast_statistic')).toBe(of);
      expect([...again.schema.metadata]).toEqual([['units', 'mm']]);
    } finally {
      rmSync(path);
    }
  });
});
