import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { allMembers, blend, blendVariables } from '../../src/blend/index.js';
import { loadCore } from '../../src/core/load.js';
import { demoTable, demoTables } from '../../src/demo/index.js';
import { encodeTable, readTable } from '../../src/files/index.js';
import { statistics } from '../../src/statistics/statistics.js';
import { folderWith, plumecast } from './run-command.js';

const horizons = [
  demoTables({ days: 15, seed: 2, horizon: 'short-term' }),
  demoTables({ days: 46, seed: 3, horizon: 'subseasonal', members: 51 }),
  demoTables({ days: 100, seed: 1, horizon: 'seasonal', members: 25 }),
];
const core = await loadCore();
const csv = async (slug: 'temp_mean' | 'precipitation', h: number) => encodeTable(horizons[h][slug], 'csv');

/** Rows of several variables, as a long table: date, member, variable, value. */
function longCsv(h: number): string {
  const rows = ['date,member,variable,value'];
  for (const slug of ['precipitation', 'temp_mean'] as const) {
    const table = horizons[h][slug];
    const dates = [...(table.getChild('date') as Iterable<number>)];
    for (const { name } of table.schema.fields.filter(({ name }) => name.startsWith('member_'))) {
      const values = [...(table.getChild(name) as Iterable<number>)];
      dates.forEach((date, row) => {
        rows.push(`${new Date(date).toISOString().slice(0, 10)},${name},${slug},${values[row]}`);
      });
    }
  }
  return `${rows.join('\n')}\n`;
}

const { folder, remove } = folderWith({
  'short.arrow': await encodeTable(horizons[0].temp_mean, 'arrow'),
  'sub.parquet': await encodeTable(horizons[1].temp_mean, 'parquet'),
  'seasonal.arrow': await encodeTable(horizons[2].temp_mean, 'arrow'),
  'seasonal.csv': await csv('temp_mean', 2),
  'rain-short.csv': await csv('precipitation', 0),
  'rain-sub.csv': await csv('precipitation', 1),
  'rain-seasonal.csv': await csv('precipitation', 2),
  'all-short.csv': longCsv(0),
  'all-sub.csv': longCsv(1),
  'all-seasonal.csv': longCsv(2),
});
afterAll(remove);

const run = (...args: string[]) => plumecast(['blend', ...args], { cwd: folder });
const TEMPERATURES = ['short.arrow', 'sub.parquet', 'seasonal.arrow'];
const RAIN = ['rain-short.csv', 'rain-sub.csv', 'rain-seasonal.csv', '--variable', 'precipitation'];
const temperatures = horizons.map(({ temp_mean }) => temp_mean);
const text = async (table: Parameters<typeof encodeTable>[0]) =>
  new TextDecoder().decode(await encodeTable(table, 'csv'));

/** The values of a CSV, rounded to hundredths, which is what the demo has. */
const numbers = (csv: string) =>
  csv
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) =>
      line
        .split(',')
        .slice(3)
        .map((value) => Math.round(Number(value) * 100)),
    );

describe('plumecast blend', () => {
  it('writes the timeline that the library gives, from files of any format', async () => {
    const { code, out, err } = run(...TEMPERATURES);
    expect([code, err]).toEqual([0, '']);
    expect(out).toBe(await text(blend(core, temperatures).table));
    expect(out.split('\n')[0]).toBe(
      `latitude,longitude,date,${Array.from({ length: 31 }, (_, m) => `member_${String(m).padStart(2, '0')}`).join()}`,
    );
    expect(out.trimEnd().split('\n')).toHaveLength(101);
  });

  it('writes files that stats reads without options', async () => {
    expect(run(...TEMPERATURES, '--out', 'timeline.arrow')).toEqual({ code: 0, out: '', err: '' });
    const { schema } = await readTable(readFileSync(join(folder, 'timeline.arrow')));
    expect(schema.metadata.get('pair_by')).toBe('temp_mean');
    const stats = plumecast(['stats', 'timeline.arrow', '--granularity', 'monthly'], { cwd: folder });
    expect([stats.code, stats.out.split('\n').length]).toEqual([0, 4]);
  });

  it('reports on seams and shares on standard error, or with a file on standard output', () => {
    const beside = run(...TEMPERATURES, '--report');
    const { out, err } = run(...TEMPERATURES, '--report', '--out', 'timeline.csv');
    expect([beside.err, err]).toEqual([out, '']);
    expect(out).toMatchSnapshot();
  });

  it('pairs members by the files of another variable', async () => {
    const { precipitation } = blendVariables(
      core,
      horizons.map(({ temp_mean, precipitation: rain }) => ({ temp_mean, precipitation: rain })),
      { pairBy: 'temp_mean' },
    );
    const { out } = run(...RAIN, '--pair-by', 'short.arrow,sub.parquet,seasonal.arrow');
    expect(numbers(out)).toEqual(numbers(await text(precipitation.table)));
    expect(run(...RAIN).out).not.toBe(out);
  });

  it('pairs members by temp_mean and precipitation if the same files have them', () => {
    const { out, err } = run(
      'all-short.csv',
      'all-sub.csv',
      'all-seasonal.csv',
      '--variable',
      'precipitation',
      '--report',
    );
    expect(err).toContain('precipitation, 31 members, paired by temp_mean, precipitation');
    const files = ['short.arrow', 'sub.parquet', 'seasonal.arrow', ...RAIN.slice(0, 3)];
    expect(numbers(out)).toEqual(numbers(run(...RAIN, '--pair-by', files.join()).out));
    const alone = run(...RAIN, '--pair-by', 'short.arrow,sub.parquet,seasonal.arrow').out;
    const all = ['all-short.csv', 'all-sub.csv', 'all-seasonal.csv', '--variable', 'precipitation'];
    expect(numbers(run(...all, '--pair-by', 'temp_mean').out)).toEqual(numbers(alone));
  });

  it('accepts the options of the library', async () => {
    const { out } = run(...TEMPERATURES, '--overlaps', '2,5', '--last-leads', '9,30,all', '--method', 'cell');
    expect(out).toBe(
      await text(blend(core, temperatures, { overlaps: [2, 5], lastLeads: [9, 30, null], method: 'cell' }).table),
    );
    const spliced = await text(blend(core, temperatures, { method: 'splice' }).table);
    expect(run(...TEMPERATURES, '--method', 'splice').out).toBe(spliced);
    const gap = ['short.arrow', 'seasonal.csv', '--variable', 'temp_mean', '--last-leads', '5,all'];
    expect(run(...gap, '--names', 'now,later', '--report').err).toContain('now to later');
  });

  it.each([
    [['short.arrow', 'rain-sub.csv', '--variable', 'temp_mean', '--overlaps', 'three'], 2, 'Expected numbers of days'],
    [['short.arrow', 'sub.parquet', '--overlaps', '0'], 1, 'error: --overlaps: not a number of days; received 0'],
    [['sub.parquet', 'short.arrow'], 1, 'error: short.arrow: adds no day to sub.parquet; received'],
    [['short.arrow', 'sub.parquet', '--pair-by', 'short.arrow'], 1, '--pair-by: is not one file for each horizon'],
    [['short.arrow', 'sub.parquet', '--out', 'x.txt'], 1, 'x.txt: has the unknown ending .txt'],
    [['short.arrow', 'sub.parquet', '--out', 'short.arrow'], 1, 'short.arrow: is also an input'],
    [['short.arrow', 'missing.csv'], 1, 'missing.csv: cannot be read'],
    [['short.arrow', 'rain-sub.csv', '--variable', 'precipitation'], 1, 'short.arrow: does not hold precipitation'],
    [[], 2, "missing required argument 'horizons'"],
  ])('%j fails with exit code %i and says why', (args, code, message) => {
    const outcome = run(...args);
    expect([outcome.code, outcome.out]).toEqual([code, '']);
    expect(outcome.err).toContain(message);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

describe('plumecast blend --members all', () => {
  const stats = (file: string, ...more: string[]) =>
    plumecast(['stats', file, '--granularity', 'weekly', '--format', 'csv', ...more], { cwd: folder });

  it.each(['arrow', 'parquet'])('writes a timeline to %s whose statistics are of all members', async (format) => {
    const written = run(...TEMPERATURES, '--members', 'all', '--out', `all.${format}`, '--report');
    expect([written.code, written.err]).toEqual([0, '']);
    expect(written.out).toBe(run(...TEMPERATURES, '--out', 'plain.arrow', '--report').out);
    const table = await readTable(new Uint8Array(readFileSync(join(folder, `all.${format}`))));
    const all = allMembers(blend(core, temperatures));
    expect(await text(table)).toBe(await text(all.table));
    const { code, out, err } = stats(`all.${format}`);
    expect([code, err]).toEqual([0, expect.not.stringContaining('warning')]);
    expect(out).toBe(await text(statistics(core, all, { granularity: 'weekly' })));
    expect(out).toMatch(/,horizon,mean,/);
    expect(out).toMatch(/,51,subseasonal,/);
  });

  it('writes one on a grid to NetCDF and Zarr, whose statistics are the same', async () => {
    const locations = [50, 51].flatMap((latitude) => [7, 8].map((longitude) => ({ latitude, longitude })));
    const grids = [
      demoTable('precipitation', { days: 15, seed: 2, horizon: 'short-term', members: 5, locations }),
      demoTable('precipitation', { days: 46, seed: 3, horizon: 'subseasonal', members: 9, locations }),
    ];
    for (const [h, table] of grids.entries())
      writeFileSync(join(folder, `grid-${h}.arrow`), await encodeTable(table, 'arrow'));
    for (const h of [0, 1])
      expect(plumecast(['convert', `grid-${h}.arrow`, `grid-${h}.nc`], { cwd: folder }).code).toBe(0);
    const expected = statistics(core, allMembers(blend(core, grids)), { granularity: 'weekly' });
    const rows = (csv: string) => {
      const [head, ...lines] = csv
        .trimEnd()
        .split('\n')
        .map((line) => line.split(','));
      return lines.map((line) =>
        ['latitude', 'longitude', 'period', 'n_members', 'mean', 'q95'].map((name) => line[head.indexOf(name)]),
      );
    };
    for (const out of ['all.nc', 'all.zarr']) {
      expect(run('grid-0.nc', 'grid-1.nc', '--members', 'all', '--out', out)).toMatchObject({ code: 0 });
      expect(rows(stats(out).out)).toEqual(rows(await text(expected)));
      expect(rows(stats(out, '--min-member-share', '1').out).every(([, , , , , q95]) => q95 !== '')).toBe(true);
    }
  });

  it('warns of CSV, which does not keep what stats needs, and rejects other choices', () => {
    expect(run(...TEMPERATURES, '--members', 'all', '--format', 'csv').err).toContain('CSV does not say');
    expect(run(...TEMPERATURES, '--members', '51')).toMatchObject({
      code: 2,
      err: expect.stringContaining('blended, all'),
    });
    const byCell = run(...TEMPERATURES, '--members', 'all', '--method', 'cell');
    expect([byCell.code, byCell.err]).toEqual([1, expect.stringContaining('cannot have all members')]);
  });
});
