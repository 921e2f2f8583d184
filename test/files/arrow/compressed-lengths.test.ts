import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readTable } from '../../../src/files/index.js';
import { casesOf } from '../../full-check.js';
import { casePath } from '../../reference/data-folder.js';
import { hasPython, python } from '../../reference/foreign-programs.js';
import { columnsOf } from '../table-rows.js';

/** Writes tables of some numbers of rows in each codec and form, and their columns as JSON. */
const WRITE = `
import datetime, itertools, json, sys
root, writer, counts = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
if writer == 'pyarrow':
    import pyarrow as pa
    types = {'f4': pa.float32(), 'f8': pa.float64(), 'i1': pa.int8(), 'i8': pa.int64(), 'dry': pa.bool_(), 'name': pa.string(),
        'code': pa.dictionary(pa.int8(), pa.string()), 'day': pa.date32(), 'list': pa.list_(pa.float32()), 'two': pa.list_(pa.float64(), 2)}
else:
    import polars as pl
    types = {'f4': pl.Float32, 'f8': pl.Float64, 'i1': pl.Int8, 'i8': pl.Int64, 'dry': pl.Boolean, 'name': pl.String,
        'code': pl.Categorical, 'day': pl.Date, 'list': pl.List(pl.Float32)}
def columns(n, nulls, values):
    is_null = {'none': lambda i: False, 'some': lambda i: i % 5 == 3, 'all': lambda i: True}[nulls]
    number = (lambda i: 1) if values == 'same' else (lambda i: i * 7919 % 101)
    column = lambda make: [None if is_null(i) else make(number(i)) for i in range(n)]
    return {'f4': column(lambda x: x / 4), 'f8': column(lambda x: x / 8), 'i1': column(lambda x: x), 'i8': column(lambda x: x),
        'dry': column(lambda x: x % 2 == 0), 'name': column(lambda x: 'cell %d' % x), 'code': column(lambda x: 'c%d' % (x % 7)),
        'day': column(lambda x: x), 'list': column(lambda x: [x / 4] * (x % 3)), 'two': column(lambda x: [x / 8, 1])}
for n, nulls, values in itertools.product(counts, ('none', 'some', 'all'), ('same', 'mixed')):
    rows = {k: v for k, v in columns(n, nulls, values).items() if k in types}
    with open('%s/%d-%s-%s.json' % (root, n, nulls, values), 'w') as sink: json.dump(rows, sink)
    rows['day'] = [None if x is None else datetime.date(1970, 1, 1) + datetime.timedelta(days=x) for x in rows['day']]
    for codec, form in itertools.product(('lz4', 'zstd'), ('file', 'stream')):
        path = '%s/%d-%s-%s-%s.%s' % (root, n, nulls, values, codec, form)
        if writer == 'pyarrow':
            table = pa.table({k: pa.array(v, types[k]) for k, v in rows.items()})
            new = pa.ipc.new_file if form == 'file' else pa.ipc.new_stream
            with new(path, table.schema, options=pa.ipc.IpcWriteOptions(compression=codec)) as sink: sink.write_table(table)
        else:
            table = pl.DataFrame(rows, schema=types)
            write = table.write_ipc if form == 'file' else table.write_ipc_stream
            write(path, compression=codec, compat_level=pl.CompatLevel.oldest())
`;

const ROWS = Array.from({ length: 241 }, (_, rows) => rows).slice(1);
/** With some nulls, the bitmap of 163 rows is as long compressed by Zstandard as it is raw, that of 235 by LZ4. */
const SOME = [1, 7, 8, 9, 64, 163, 235].map((rows) => rows - 1);

describe.each(['pyarrow', 'polars'])('compressed Arrow data of %s', (writer) => {
  const isThere = hasPython(writer);
  const rows = casesOf(ROWS, SOME);
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'plumecast-lengths-'));
    if (isThere) python(WRITE, { args: [folder, writer, JSON.stringify(rows)] });
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.runIf(isThere)(
    'are read, whatever the length of a buffer before and after compression',
    async () => {
      const failures: string[] = [];
      for (const count of rows) {
        for (const kind of ['none', 'some', 'all'].flatMap((nulls) => [`${nulls}-same`, `${nulls}-mixed`])) {
          const expected = JSON.parse(readFileSync(join(folder, `${count}-${kind}.json`), 'utf8'));
          for (const codec of ['lz4', 'zstd']) {
            for (const form of ['file', 'stream']) {
              const name = `${count}-${kind}-${codec}.${form}`;
              const found = await columnsOfFile(join(folder, name)).catch(String);
              if (JSON.stringify(found) !== JSON.stringify(expected))
                failures.push(`${name}: ${JSON.stringify(found)}`);
            }
          }
        }
      }
      expect(failures.slice(0, 8)).toEqual([]);
    },
    120_000,
  );
});

/** A record batch of pyarrow 26 whose bitmap has 39 bytes before and after compression, in a stream of LZ4. */
const STREAM =
  '/////3AAAAAQAAAAAAAKAAwABgAFAAgACgAAAAABBAAMAAAACAAIAAAABAAIAAAABAAAAAEAAAAUAAAAEAAUAAgABgAHAAwAAAAQABAAAAAAAA' +
  'EDEAAAABgAAAAEAAAAAAAAAAEAAABtAAYACAAGAAYAAAAAAAEA/////5gAAAAUAAAAAAAAAAwAGAAGAAUACAAMAAwAAAAAAwQAHAAAAIgAAAAA' +
  'AAAAAAAAAAwAHAAQAAQACAAMAAwAAABIAAAAHAAAABQAAAAyAQAAAAAAAAAAAAAEAAQABAAAAAIAAAAAAAAAAAAAAC8AAAAAAAAAMAAAAAAAAA' +
  'BSAAAAAAAAAAAAAAABAAAAMgEAAAAAAAAFAAAAAAAAACcAAAAAAAAABCJNGGBAghgAAAAU/wEAFH8DAAUCAMD+///////f/////wMAAAAAAMgE' +
  'AAAAAAAABCJNGGBAgjsAAABPAACAPwQA/ygAAgAPQAFJAAIAD2AAqQ+8AEkPXACVAAIAD6wAlQ+oABUAAgAPLAAVDygATlA/AACAPwAAAAAAAA' +
  'AAAAD/////AAAAAA==';

test('a bitmap that is as long compressed as it is raw is read, without another program', async () => {
  const { m } = columnsOf(await readTable(Uint8Array.from(atob(STREAM), (character) => character.charCodeAt(0))));
  expect(m).toEqual(Array.from({ length: 306 }, (_, row) => ([79, 103, 127, 216, 269].includes(row) ? null : 1)));
});

const inCases = casePath('files/lz4-validity.arrow');

test.runIf(inCases !== undefined)('the case of files/lz4-validity.arrow is read as pyarrow reads it', async () => {
  const { m, k } = await columnsOfFile(inCases as string);
  expect([m.length, m.filter((value) => value === 1).length, k.filter((value) => value === 1).length]).toEqual([
    306, 301, 306,
  ]);
});

async function columnsOfFile(path: string): Promise<Record<string, unknown[]>> {
  const columns = columnsOf(await readTable(new Uint8Array(readFileSync(path))));
  const plain = (cell: unknown) =>
    typeof cell === 'bigint'
      ? Number(cell)
      : typeof cell === 'object' && cell !== null
        ? Array.from(cell as Iterable<unknown>)
        : cell;
  return Object.fromEntries(Object.entries(columns).map(([name, cells]) => [name, cells.map(plain)]));
}
