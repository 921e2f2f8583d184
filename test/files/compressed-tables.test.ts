import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DateDay, Float32, Float64, Int32, Schema, Table, Utf8, vectorFromArray } from 'apache-arrow';
import { afterAll, describe, expect, test } from 'vitest';
import { type Compression, encodeTable, readTable, type TableFormat } from '../../src/files/index.js';
import { formatDate } from '../../src/period/day.js';
import { hasPython, python } from '../reference/foreign-programs.js';
import { weather } from './encoded-tables.js';
import { columnsOf, typesOf } from './table-rows.js';

const FORMS: [TableFormat, Compression][] = [
  ['arrow', 'none'],
  ['arrow', 'lz4'],
  ['arrow', 'zstd'],
  ['arrow-stream', 'none'],
  ['arrow-stream', 'lz4'],
  ['arrow-stream', 'zstd'],
  ['parquet', 'none'],
  ['parquet', 'snappy'],
  ['parquet', 'lz4'],
  ['parquet', 'zstd'],
];
const hasZstd = isInstalled('@bokuweb/zstd-wasm');
const forms = FORMS.filter(([, compression]) => hasZstd || compression !== 'zstd');

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    console.log(`skipped: ${name} is not installed`);
    return false;
  }
}

/** Texts from a dictionary, nulls, NaN, and values that do not compress. */
const table = weather(4000, new Map([['variable', 'précipitation']]));
const odd = new Table({
  empty: vectorFromArray([null, null], new Float32()),
  one: vectorFromArray([Number.NaN, null], new Float64()),
  text: vectorFromArray(['', 'é'], new Utf8()),
});

const folder = mkdtempSync(join(tmpdir(), 'plumecast-compressed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(forms)('%s with compression %s', (format, compression) => {
  test('comes back with values, types, nulls and metadata', async () => {
    for (const written of [table, odd]) {
      const read = await readTable(await encodeTable(written, format, { compression }));
      expect(columnsOf(read)).toEqual(columnsOf(written));
      if (format !== 'parquet') expect(typesOf(read)).toEqual(typesOf(written));
      expect(read.schema.metadata.get('variable')).toBe(written.schema.metadata.get('variable'));
    }
  });

  test('is smaller the more it is compressed, and the same bytes each time', async () => {
    const bytes = await encodeTable(table, format, { compression });
    expect(Buffer.compare(await encodeTable(table, format, { compression }), bytes)).toBe(0);
    if (compression === 'none') return;
    expect(bytes.length).toBeLessThan(0.8 * (await encodeTable(table, format, { compression: 'none' })).length);
  });
});

test.each<[TableFormat, Compression, string]>([
  ['csv', 'lz4', 'compression: csv is not written with it; received "lz4"; allowed: none'],
  ['arrow', 'snappy', 'compression: arrow is not written with it; received "snappy"; allowed: none, lz4, zstd'],
  ['parquet', 'gzip' as 'lz4', 'allowed: snappy, none, lz4, zstd'],
])('%s is not written with %s', async (format, compression, message) => {
  await expect(encodeTable(odd, format, { compression })).rejects.toThrow(message);
});

const READ = `
import json, sys, pyarrow, pyarrow.ipc, pyarrow.feather, pyarrow.parquet
out = {}
for name in sys.argv[1:]:
    if name.endswith('.parquet'): t = pyarrow.parquet.read_table(name)
    elif name.endswith('.arrows'): t = pyarrow.ipc.open_stream(name).read_all()
    else: t = pyarrow.feather.read_table(name)
    t.validate(full=True)
    meta = {k.decode(): v.decode() for k, v in (t.schema.metadata or {}).items()}
    rows = t.to_pydict()
    rows['day'] = [None if d is None else d.isoformat() for d in rows['day']]
    out[name] = {'meta': meta, 'rows': rows}
print(json.dumps(out))
`;

test.runIf(hasPython('pyarrow'))('pyarrow reads all of them, with equal values and metadata', async () => {
  const ending = { arrow: 'arrow', 'arrow-stream': 'arrows', parquet: 'parquet' } as Record<TableFormat, string>;
  const { batches, schema } = weather(500, new Map([['variable', 'précipitation']]));
  const nulls = new Table({ none: vectorFromArray(Array(500).fill(null), new Float32()) });
  const small = new Table(new Schema(schema.fields, schema.metadata), batches).assign(nulls);
  const args: string[] = [];
  for (const [format, compression] of forms) {
    const file = join(folder, `${compression}.${ending[format]}`);
    writeFileSync(file, await encodeTable(small, format, { compression }));
    args.push(file);
  }
  const found = JSON.parse(python(READ, { args })) as Record<string, { meta: object; rows: object }>;
  const { day: dayNumbers, ...expected } = columnsOf(small);
  const days = (dayNumbers as (number | null)[]).map((day) => (day === null ? null : formatDate(day)));
  for (const file of args) {
    expect(found[file].rows, file).toEqual({ ...expected, day: days });
    expect(found[file].meta).toMatchObject({ variable: 'précipitation' });
  }
});

const DUCKDB = join(import.meta.dirname, '../../bench/node_modules/@duckdb/node-api/lib/index.js');
if (!existsSync(DUCKDB)) console.log('skipped: DuckDB is not installed in bench/');

test.runIf(existsSync(DUCKDB))(
  'DuckDB reads Parquet of every compression, CSV and JSON lines, with equal values',
  async () => {
    const { DuckDBInstance } = await import(DUCKDB);
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const values = new Table({
      day: vectorFromArray([new Date(0), null, new Date(20_000 * 86_400_000)], new DateDay()),
      none: vectorFromArray([null, null, null], new Float32()),
      count: vectorFromArray([1, -2, null], new Int32()),
      mean: vectorFromArray(
        [0.1, null, 1e-7].map((v) => (v === null ? null : Math.fround(v))),
        new Float32(),
      ),
      q50: vectorFromArray([1 / 3, 2, null], new Float64()),
      text: vectorFromArray(['a "quoted", é', 'b', null], new Utf8()),
    });
    const expected = columnsOf(values);
    const files = [
      ...forms.filter(([format]) => format === 'parquet'),
      ['csv', 'none'],
      ['jsonl', 'none'],
    ] as typeof forms;
    for (const [format, compression] of files) {
      const file = join(folder, `duckdb-${compression}.${format}`);
      writeFileSync(file, await encodeTable(values, format, { compression }));
      const reader = { parquet: 'read_parquet', csv: 'read_csv', jsonl: 'read_json' }[format as 'csv'];
      const result = await connection.runAndReadAll(
        `select day - date '1970-01-01' as day, none, count, mean::float as mean, q50, text from ${reader}('${file}')`,
      );
      const rows = result.getRowObjectsJson() as Record<string, unknown>[];
      for (const name of ['day', 'none', 'count', 'mean', 'q50']) {
        const numbers = rows.map((row) => (row[name] === null ? null : Number(row[name])));
        const wanted = expected[name].map((v) => (v === null ? null : Number(v)));
        expect(
          numbers.map((v) => (name === 'mean' && v !== null ? Math.fround(v) : v)),
          `${format} ${name}`,
        ).toEqual(wanted);
      }
      expect(rows.map(({ text }) => text)).toEqual(expected.text);
    }
  },
);
