import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Table } from 'apache-arrow';
import { parquetMetadata } from 'hyparquet';
import { afterAll, describe, expect, test } from 'vitest';
import { encodeTable, encodeTables } from '../../../src/files/encode-tables.js';
import {
  createTable,
  dates,
  type NewColumn,
  numbers,
  textDictionary,
  texts,
} from '../../../src/table/build/create-table.js';
import { hasPython, python } from '../../reference/foreign-programs.js';

const folder = mkdtempSync(join(tmpdir(), 'plumecast-places-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Row = readonly [latitude: number, longitude: number, start: number];

/** Rows of places and days, with a value each. */
function tableOf(rows: readonly Row[], more: readonly NewColumn[] = [], metadata = new Map<string, string>()): Table {
  const column = (index: 0 | 1) => Float64Array.from(rows, (row) => row[index]);
  const start = Int32Array.from(rows, (row) => row[2]);
  return createTable(
    [
      ...more,
      numbers('latitude', column(0)),
      numbers('longitude', column(1)),
      dates('start', start),
      numbers('mean', column(0)),
    ],
    metadata,
  );
}

/** The sorting columns of each row group: names, with a minus where they descend. */
async function sortingOf(table: Table): Promise<string[][]> {
  const bytes = await encodeTable(table, 'parquet');
  const metadata = parquetMetadata(bytes.slice().buffer as ArrayBuffer);
  const names = metadata.row_groups[0].columns.map(({ meta_data }) => meta_data?.path_in_schema[0]);
  return metadata.row_groups.map(({ sorting_columns = [] }) =>
    sorting_columns.map(({ column_idx, descending, nulls_first }) => {
      expect(nulls_first).toBe(false);
      return `${descending ? '-' : ''}${names[column_idx]}`;
    }),
  );
}

const grid = (latitudes: readonly number[], longitudes: readonly number[], days = 2): Row[] =>
  latitudes.flatMap((latitude) =>
    longitudes.flatMap((longitude) =>
      Array.from({ length: days }, (_, day): Row => [latitude, longitude, 20_000 + day]),
    ),
  );

describe('sorting columns', () => {
  test('are place and period, in the direction of the rows', async () => {
    expect(await sortingOf(tableOf(grid([50, 49], [6, 7])))).toEqual([['-latitude', 'longitude', 'start']]);
    expect(await sortingOf(tableOf(grid([49, 50], [7, 6])))).toEqual([['latitude', '-longitude', 'start']]);
    expect(await sortingOf(tableOf(grid([50], [7])))).toEqual([['latitude', 'longitude', 'start']]);
  });

  test('end before a column that is not sorted within those before it', async () => {
    expect(await sortingOf(tableOf(grid([50, 49], [6, 170, -170])))).toEqual([['-latitude']]);
    expect(await sortingOf(tableOf(grid([50, 49, 50.5], [6])))).toEqual([[]]);
    const [first, second, ...rest] = grid([50, 49], [6, 7]);
    expect(await sortingOf(tableOf([second, first, ...rest]))).toEqual([['-latitude', 'longitude']]);
    expect(await sortingOf(tableOf([...grid([50, 49], [6]), [Number.NaN, 6, 1]]))).toEqual([[]]);
  });

  test('begin with the file and the variable where there are such columns', async () => {
    const rows = [...grid([50, 49], [6]), ...grid([50, 49], [6])];
    const variable = (codes: readonly number[], words: readonly string[]) =>
      texts('variable', Int32Array.from(codes), textDictionary(words));
    const inOrder = variable([0, 0, 0, 0, 1, 1, 1, 1], ['precipitation', 'temp_mean']);
    expect(await sortingOf(tableOf(rows, [inOrder]))).toEqual([['variable', '-latitude', 'longitude', 'start']]);
    const descending = variable([0, 0, 0, 0, 1, 1, 1, 1], ['temp_mean', 'precipitation']);
    expect(await sortingOf(tableOf(rows, [descending]))).toEqual([['-variable', '-latitude', 'longitude', 'start']]);
    const mixed = variable([0, 0, 1, 1, 0, 0, 1, 1], ['temp_mean', 'precipitation']);
    expect(await sortingOf(tableOf(rows, [mixed]))).toEqual([[]]);
  });

  test('are those of each row group, and a place that fills one has the direction of the others', async () => {
    const days = 40_000;
    const found = await sortingOf(tableOf([...grid([50], [6], days), ...grid([49], [6], 2)]));
    expect(found).toEqual([
      ['-latitude', 'longitude', 'start'],
      ['-latitude', 'longitude', 'start'],
    ]);
    const other = await sortingOf(tableOf([...grid([50], [6], days), ...grid([49, 51], [6], 2)]));
    expect(other).toEqual([['latitude', 'longitude', 'start'], []]);
  });

  const CHECK = `
import sys, pyarrow as pa, pyarrow.parquet as pq, pyarrow.compute as pc
file = pq.ParquetFile(sys.argv[1])
for group in range(file.metadata.num_row_groups):
    columns = file.metadata.row_group(group).sorting_columns
    names = [file.metadata.schema.column(c.column_index).path for c in columns]
    rows = file.read_row_group(group)
    keys = [(name, 'descending' if c.descending else 'ascending') for name, c in zip(names, columns)]
    order = pc.sort_indices(rows.append_column('row', pa.array(range(len(rows)))), sort_keys=keys + [('row', 'ascending')])
    assert order.to_pylist() == list(range(len(rows)))
    print(' '.join(('-' if c.descending else '') + name for name, c in zip(names, columns)))
`;

  test.runIf(hasPython('pyarrow'))('are those by which pyarrow finds the rows sorted', async () => {
    writeFileSync(join(folder, 'sorted.parquet'), await encodeTable(tableOf(grid([50, 49], [6, 7], 9000)), 'parquet'));
    const sorted = python(CHECK, { args: [join(folder, 'sorted.parquet')] });
    expect(sorted.trim().split('\n')).toEqual(Array(2).fill('-latitude longitude start'));
  });
});

describe('GeoParquet', () => {
  const rows: Row[] = [...grid([50.5, 49], [6.25, 190, -120.5], 3), [Number.NaN, 6, 1], [91, Number.NaN, 2]];

  test('states version, encoding and bounds, and no bounds of bytes', async () => {
    const bytes = await encodeTable(tableOf(rows, [], new Map([['geo', '{"old": 1}']])), 'geoparquet');
    const { key_value_metadata: texts = [], row_groups: groups } = parquetMetadata(bytes.slice().buffer as ArrayBuffer);
    const geo = texts.filter(({ key }) => key === 'geo').map(({ value }) => JSON.parse(value ?? ''));
    const column = { encoding: 'WKB', geometry_types: ['Point'], bbox: [-170, 49, 6.25, 50.5] };
    expect(geo).toEqual([{ version: '1.1.0', primary_column: 'geometry', columns: { geometry: column } }]);
    const points = groups[0].columns.at(-1)?.meta_data;
    expect([points?.path_in_schema, points?.type]).toEqual([['geometry'], 'BYTE_ARRAY']);
    expect(points?.statistics).toMatchObject({ null_count: 2n });
    expect(points?.statistics?.min_value).toBeUndefined();
  });

  test('is not stated by Parquet without points, whatever the table said', async () => {
    const bytes = await encodeTable(tableOf(rows, [], new Map([['geo', '{}']])), 'parquet');
    expect(parquetMetadata(bytes.slice().buffer as ArrayBuffer).key_value_metadata).toBeUndefined();
  });

  test('needs places', async () => {
    const without = createTable([numbers('mean', Float64Array.of(1))], new Map());
    await expect(encodeTable(without, 'geoparquet')).rejects.toThrow('table: has no places');
    const texts = createTable(
      [numbers('latitude', Float64Array.of(1)), numbers('geometry', Float64Array.of(1))],
      new Map(),
    );
    await expect(encodeTable(texts, 'geoparquet')).rejects.toThrow('column geometry: is there already');
  });

  const READ = `
import sys, json, geopandas, duckdb, pyarrow.parquet as pq, shapely
frame = geopandas.read_parquet(sys.argv[1])
points = [None if p is None else [p.x, p.y] for p in frame.geometry]
wkb = [None if v is None else shapely.from_wkb(v) for v in pq.read_table(sys.argv[1])['geometry'].to_pylist()]
assert points == [None if p is None else [p.x, p.y] for p in wkb]
found = duckdb.sql(f"select latitude, longitude, geometry::varchar from '{sys.argv[1]}'").fetchall()
print(json.dumps([str(frame.crs), points, [r[2] for r in found], list(frame.total_bounds)]))
`;

  test.runIf(hasPython('geopandas', 'shapely', 'pyarrow', 'duckdb')).each(['snappy', 'zstd'] as const)(
    'geopandas, shapely and DuckDB read the points, %s',
    async (compression) => {
      const path = join(folder, `points-${compression}.parquet`);
      const blocks: Uint8Array[] = [];
      const tables = [tableOf(rows.slice(0, 5)), tableOf(rows.slice(5))];
      for await (const block of encodeTables(tables, 'geoparquet', { compression })) blocks.push(block);
      writeFileSync(path, Buffer.concat(blocks));
      const [crs, points, found, bounds] = JSON.parse(python(READ, { args: [path] }));
      const expected = rows.map(([y, x]) => (Number.isNaN(x + y) ? null : [x > 180 ? x - 360 : x, y]));
      expect(crs).toBe('OGC:CRS84');
      expect(points).toEqual(expected);
      expect(found).toEqual(expected.map((point) => point && `POINT (${point[0]} ${point[1]})`));
      expect(bounds).toEqual([-170, 49, 6.25, 50.5]);
    },
  );
});
