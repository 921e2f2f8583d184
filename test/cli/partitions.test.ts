import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { hasPython, python } from '../reference/foreign-programs.js';
import { folderWith, plumecast } from './run-command.js';
import { plumecastHere } from './run-here.js';

const PLACES = [
  [50.5, 7.25],
  [50.5, 8.25],
  [48.25, -120.5],
] as const;
/** 400 days from 2025-11-01 of two members; two places have gaps. */
const rows = PLACES.flatMap(([latitude, longitude], place) =>
  Array.from({ length: 400 }, (_, day) => {
    const date = new Date(Date.UTC(2025, 10, 1 + day)).toISOString().slice(0, 10);
    const second = place > 0 && day % 50 === 0 ? '' : (day % 7) + place;
    return [date, latitude, longitude, (day % 9) * 0.5, second].join();
  }),
);
const { folder, remove } = folderWith({
  'rain.csv': ['date,latitude,longitude,member_00,member_01', ...rows].join('\n'),
});
afterAll(remove);
const at = (name: string) => join(folder, name);
const RAIN = ['--variable', 'precipitation', '--units', 'mm'];

async function run(...args: string[]): Promise<string> {
  const { code, out, err } = await plumecastHere(...args);
  expect([code, err.match(/^error.*/m)?.[0]]).toEqual([0, undefined]);
  return out;
}

const filesIn = (name: string) =>
  readdirSync(at(name), { recursive: true })
    .map((path) => String(path).replaceAll('\\', '/'))
    .filter((path) => path.includes('.'))
    .sort();

/** The lines of CSV without some columns, sorted: rows of files come in the order of files. */
function sortedLines(csv: string, without: readonly string[] = []): string[] {
  const [head, ...lines] = csv.trim().split('\n');
  const names = head.split(',');
  const kept = [...names.keys()].filter((i) => !without.includes(names[i]));
  const order = kept.sort((a, b) => (names[a] < names[b] ? -1 : 1));
  return [head, ...lines.sort()].map((line) => order.map((i) => line.split(',')[i]).join());
}

describe.each(['parquet', 'geoparquet', 'csv', 'arrow', 'jsonl'] as const)('partitions as %s', (format) => {
  const ending = format === 'geoparquet' ? 'parquet' : format;
  const root = `set-${format}`;
  const template = `variable={variable}/granularity={granularity}/year={year}/part.${ending}`;

  it('have the rows of each key', async () => {
    const weekly = ['stats', at('rain.csv'), ...RAIN, '--granularity', 'weekly'];
    await run(...weekly, '--out', at(`${root}/${template}`), '--format', format);
    const [before, after] = [2025, 2026].map((year) => `variable=precipitation/granularity=weekly/year=${year}`);
    expect(filesIn(root)).toEqual([`${before}/part.${ending}`, `${after}/part.${ending}`]);
    const lines = sortedLines(await run(...weekly, '--format', 'csv'), ['variable']);
    const read = async (path: string) => {
      const part = at(`${root}/${path}/part.${ending}`);
      if (format === 'csv') return readFileSync(part, 'utf8');
      if (format === 'jsonl') return jsonAsCsv(readFileSync(part, 'utf8'), lines[0].split(','));
      return run('convert', part, '-', '--to', 'csv');
    };
    const [first, second] = [await read(before), await read(after)].map((text) => sortedLines(text));
    expect([first[0], [...first.slice(1), ...second.slice(1)].sort()]).toEqual([lines[0], lines.slice(1).sort()]);
    // The year of a week is that of its first day.
    const start = lines[0].split(',').indexOf('start');
    expect(new Set(first.slice(1).map((line) => line.split(',')[start].slice(0, 4)))).toEqual(new Set(['2025']));
    expect(first.some((line) => line.includes('2026-W01'))).toBe(true);
  });
});

function jsonAsCsv(text: string, names: readonly string[]): string {
  const objects = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return [
    names.join(),
    ...objects.map((row) => names.map((name) => (row[name] === true ? 1 : (row[name] ?? ''))).join()),
  ].join('\n');
}

const READ = `
import sys, json, duckdb, polars, pyarrow.dataset as ds, pyarrow.parquet as pq
root = sys.argv[1]
found = {}
rows = duckdb.sql(f"select variable, granularity, year, count(*), sum(n_members) from read_parquet('{root}/**/*.parquet', hive_partitioning = true) group by all order by year").fetchall()
found['duckdb'] = [[a, b, int(c), d, int(e)] for a, b, c, d, e in rows]
frame = polars.scan_parquet(root, hive_partitioning=True).group_by('variable', 'granularity', 'year').agg(polars.len(), polars.col('n_members').sum()).sort('year').collect()
found['polars'] = [[a, b, int(c), d, e] for a, b, c, d, e in frame.rows()]
def counted(table):
    t = table.group_by(['variable', 'granularity', 'year']).aggregate([([], 'count_all'), ('n_members', 'sum')]).to_pylist()
    return [[r['variable'], r['granularity'], int(r['year']), r['count_all'], r['n_members_sum']] for r in sorted(t, key=lambda r: r['year'])]
found['dataset'] = counted(ds.dataset(root, partitioning='hive').to_table(columns=['variable', 'granularity', 'year', 'n_members']))
whole = pq.read_table(root)
found['read_table'] = counted(whole.set_column(whole.schema.get_field_index('variable'), 'variable', whole['variable'].cast('string')).set_column(whole.schema.get_field_index('granularity'), 'granularity', whole['granularity'].cast('string')))
print(json.dumps(found))
`;

it.runIf(hasPython('duckdb', 'polars', 'pyarrow'))('DuckDB, Polars and pyarrow read the keys of folders', async () => {
  const out = at('layout/variable={variable}/granularity={granularity}/year={year}/rain.parquet');
  await run('stats', at('rain.csv'), ...RAIN, '--granularity', 'weekly', '--out', out);
  const csv = await run('stats', at('rain.csv'), ...RAIN, '--granularity', 'weekly', '--format', 'csv');
  const [head, ...lines] = csv
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const expected = ['2025', '2026'].map((year) => {
    const own = lines.filter((line) => line[head.indexOf('start')].startsWith(year));
    const members = own.reduce((sum, line) => sum + Number(line[head.indexOf('n_members')]), 0);
    return ['precipitation', 'weekly', Number(year), own.length, members];
  });
  const found = JSON.parse(python(READ, { args: [at('layout')] }));
  expect(found).toEqual({ duckdb: expected, polars: expected, dataset: expected, read_table: expected });
});

it('GeoParquet is converted to GeoParquet and to other formats without its points', async () => {
  const weekly = ['stats', at('rain.csv'), ...RAIN, '--granularity', 'weekly'];
  await run(...weekly, '--out', at('points.geoparquet'));
  await run('convert', at('points.geoparquet'), at('again.geoparquet'));
  expect(readFileSync(at('again.geoparquet')).equals(readFileSync(at('points.geoparquet')))).toBe(true);
  const { out, err } = await plumecastHere('convert', at('points.geoparquet'), '-', '--to', 'csv');
  expect(out).toBe(await run(...weekly, '--format', 'csv'));
  expect(err).toContain('points left out: they are the places');
});

it('daily values in files by year are the values before', async () => {
  await run('convert', at('rain.csv'), at('days/year={year}/days.parquet'), ...RAIN);
  const stats = (path: string, ...more: string[]) =>
    run('stats', path, '--granularity', 'monthly', '--format', 'csv', ...more);
  await run('convert', at('rain.csv'), at('days.arrow'), ...RAIN);
  expect(filesIn('days')).toEqual(['year=2025/days.parquet', 'year=2026/days.parquet']);
  expect(await stats(at('days'), '--sort')).toBe(await stats(at('days.arrow')));
});

it('other files stay, those of the same names are replaced, and nothing is left where writing fails', async () => {
  const out = at('kept/{year}.csv');
  await run('stats', at('rain.csv'), ...RAIN, '--out', out);
  writeFileSync(at('kept/2024.csv'), 'kept');
  const before = readFileSync(at('kept/2025.csv'), 'utf8');
  expect(before.split('\n')[0]).toContain('variable');
  await run('stats', at('rain.csv'), ...RAIN, '--granularity', 'monthly', '--out', out);
  expect(readFileSync(at('kept/2025.csv'), 'utf8')).not.toBe(before);
  const after = readFileSync(at('kept/2025.csv'), 'utf8');
  writeFileSync(at('broken.csv'), `${readFileSync(at('rain.csv'), 'utf8')}\n2025-11-02,50.5,7.25,x,y`);
  expect((await plumecastHere('stats', at('broken.csv'), ...RAIN, '--out', out)).code).toBe(1);
  expect([readFileSync(at('kept/2025.csv'), 'utf8'), readFileSync(at('kept/2024.csv'), 'utf8')]).toEqual([
    after,
    'kept',
  ]);
  expect(readdirSync(at('kept')).sort()).toEqual(['2024.csv', '2025.csv', '2026.csv']);
});

it('rejects what cannot be divided, and outputs that would replace inputs', async () => {
  writeFileSync(at('2025.csv'), readFileSync(at('rain.csv')));
  const climatology = ['climatology', at('rain.csv'), ...RAIN, '--reference', '2025-2026', '--granularity', 'monthly'];
  const faults = [
    await plumecastHere('stats', at('rain.csv'), ...RAIN, '--out', at('{place}/{year}.csv')),
    await plumecastHere('stats', at('rain.csv'), ...RAIN, '--out', at('y/{year}.nc')),
    await plumecastHere('stats', at('rain.csv'), ...RAIN, '--out', at('y/{year}.zarr')),
    await plumecastHere('stats', at('2025.csv'), ...RAIN, '--out', at('{year}.csv')),
    await plumecastHere('convert', at('rain.csv'), at('y/{granularity}.csv')),
    await plumecastHere(...climatology, '--fewer-years', '--out', at('y/{year}.csv')),
  ];
  const errors = faults.map(({ code, err }) => [code, err.match(/^error: ([^;]*)/m)?.[1].replaceAll(`${folder}/`, '')]);
  expect(errors).toEqual([
    [1, 'output: has an unknown placeholder'],
    [1, 'output: netcdf keeps all results together'],
    [1, 'output: zarr keeps all results together'],
    [1, '{year}.csv: would replace an input, 2025.csv'],
    [1, 'output: the table does not state the {granularity} of its rows'],
    [1, 'output: the table does not state the {year} of its rows'],
  ]);
  expect(existsSync(at('y')) ? readdirSync(at('y')) : []).toEqual([]);
});

it('batches whose names have a key leave its column to the folder', async () => {
  const args = ['--granularity', 'weekly,monthly', '--format', 'parquet', '--out', at('hive')];
  const name = 'variable={variable}/granularity={granularity}/{input}';
  expect(plumecast(['batch', at('rain.csv'), ...RAIN, ...args, '--name', name]).code).toBe(0);
  const part = 'variable=precipitation/granularity=weekly/rain.parquet';
  expect(filesIn('hive')).toContain(part);
  const [head] = (await run('convert', at(`hive/${part}`), '-', '--to', 'csv')).split('\n');
  expect(head.split(',').slice(0, 2)).toEqual(['units', 'latitude']);
});
