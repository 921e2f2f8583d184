import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { demoTable } from '../../src/demo/index.js';
import { encodeTable } from '../../src/files/index.js';
import type { Inspection } from '../../src/input/inspect/inspection.js';
import { referenceFolder } from '../reference/data-folder.js';
import { folderWith, plumecast, threeMembers } from './run-command.js';
import { plumecastHere } from './run-here.js';

const locations = [0, 1, 2, 3, 4, 5].map((i) => ({ latitude: 40 - Math.floor(i / 3), longitude: -3 + (i % 3) / 2 }));
const day = (d: number) => `2024-01-${String(d).padStart(2, '0')}`;
const long = [1, 2, 5].flatMap((d) =>
  ['tmin', 'rain'].flatMap((name) => ['a', 'b'].map((run) => `${day(d)},${run},${name},${name === 'rain' ? -d : d}`)),
);
const steps = [1, 2].flatMap((d) => [0, 12].map((hour) => `${day(d)}T${String(hour).padStart(2, '0')}:00:00Z,280,290`));
const { folder, remove } = folderWith({
  'demo.arrow': await encodeTable(demoTable('precipitation', { days: 16, members: 3, locations }), 'arrow'),
  'weeks.csv': threeMembers(14),
  'long.csv': `date,run,variable,value\n${long.join('\n')}\n`,
  'steps.csv': `time,m1,m2\n${steps.join('\n')}\n`,
  'columns.csv': 'date,precip_mm,t2m_degC\n2024-01-01,1,20\n2024-01-02,,70\n',
  'taken.csv': `init_time,time,lat,lon,t2m_m1_K,t2m_m2_K\n${['00', '12'].map((hour) => `2026-03-02,2026-03-02T${hour}:00Z,50,7,280,281\n`).join('')}`,
  'stations.csv': 'station,date,run,rain\na,2026-03-02,1,3\na,2026-03-02,2,4\na,2026-03-03,1,0\na,2026-03-03,2,1\n',
  'twice.csv': 'date,m1,m2\n2024-01-01,1,2\n2024-01-01,3,4\n',
  'note.txt': 'hello\n',
});
afterAll(remove);

const at = (name: string) => join(folder, name);
const inspect = (...args: string[]) => plumecastHere('inspect', ...args);
const inJson = async (...args: string[]): Promise<Inspection[]> => JSON.parse((await inspect(...args, '--json')).out);
const withoutFolder = (text: string) => text.replaceAll(folder, 'DIR');

describe('plumecast inspect', () => {
  it('describes a table in lines of at most 80 characters', async () => {
    const { code, out, err } = plumecast(['inspect', 'demo.arrow'], { cwd: folder });
    expect([code, err]).toEqual([0, '']);
    expect(out.replace(/[\d.]+ kB/, 'N kB')).toMatchSnapshot();
    expect(out.split('\n').every((line) => line.length <= 80)).toBe(true);
  });

  it('describes NetCDF too, with its arrays, chunks and filters', async () => {
    await plumecastHere('convert', at('demo.arrow'), at('demo.nc'));
    const [table, file] = await inJson(at('demo.arrow'), at('demo.nc'));
    const [one, other] = [table.variables[0], file.variables[0]];
    expect(other).toMatchObject({ variable: 'precipitation', days: { first: '2026-03-02', whole: 16 } });
    expect({ ...other.values, lowest: undefined, highest: undefined }).toEqual({
      ...one.values,
      lowest: undefined,
      highest: undefined,
    });
    expect(other.values?.highest).toMatchObject({ ...one.values?.highest, member: expect.anything() });
    expect(other.places).toEqual(one.places);
    expect(file.columns.find(({ name }) => name === 'precipitation')?.filters).toEqual(['shuffle', 'deflate']);
  });

  it('says of a table how dates, units, members, the run and places are taken, and by what', async () => {
    const takenOf = async (name: string, ...args: string[]) =>
      (await inJson(at(name), ...args))[0].variables.map(({ taken }) => taken);
    expect(await takenOf('taken.csv')).toEqual([
      {
        ...{
          units: 'K, by the name of column t2m_m1_K',
          dates: 'column time',
          members: 'by the names of their columns',
        },
        ...{ places: 'by columns lat and lon', run: { start: '2026-03-02, by column init_time' } },
      },
    ]);
    expect(await takenOf('columns.csv')).toEqual([
      {
        ...{ units: 'mm, by the name of column precip_mm', dates: 'column date', run: {} },
        members: 'one series in column precip_mm',
      },
      {
        ...{ units: 'degC, by the name of column t2m_degC', dates: 'column date', run: {} },
        members: 'one series in column t2m_degC',
      },
    ]);
    expect(await takenOf('stations.csv', '--columns', 'member=run', '--units', 'mm')).toEqual([
      {
        ...{ units: 'mm, by the caller', dates: 'column date', places: 'by column station', run: {} },
        members: 'by column run, as the caller says',
      },
    ]);
    const { out } = await inspect(at('taken.csv'));
    for (const line of [
      'dates    as they are written, column time; --columns decides otherwise',
      'run      2026-03-02, by column init_time',
    ])
      expect(out).toContain(line);
  });

  it('describes each variable of a long table, with missing days', async () => {
    const [{ variables, columns }] = await inJson(at('long.csv'), '--columns', 'member=run');
    expect(columns.map(({ role }) => role)).toEqual(['date', 'member', 'variable', 'value']);
    expect(variables.map(({ name, variable }) => [name, variable])).toEqual([
      ['tmin', 'temp_min'],
      ['rain', 'precipitation'],
    ]);
    expect(variables[0].command).toMatch(/--variable temp_min --columns member=run --granularity daily$/);
    expect(variables[1]).toMatchObject({
      days: { whole: 3, missing: 2, gaps: [{ first: '2024-01-03', last: '2024-01-04', days: 2 }] },
      values: { count: 6, missing: 0, below: 6, lowest: { value: -5, date: '2024-01-05' } },
      problem: expect.stringMatching(
        /--units: of value are not stated, and cannot be mm: .* received -5; allowed: .*--missing -5/,
      ),
    });
  });

  it('chooses among columns that are named after variables', async () => {
    const [{ variables, columns }] = await inJson(at('columns.csv'));
    expect(variables.map(({ name, values }) => [name, values?.missing, values?.above])).toEqual([
      ['precip_mm', 1, 0],
      ['t2m_degC', 0, 1],
    ]);
    expect(columns.map(({ missing }) => missing)).toEqual([0, 1, 0]);
  });

  it('says why values are not understood, and exits 0', async () => {
    const { code, out } = await inspect(at('steps.csv'), at('twice.csv'), '--json');
    expect(code).toBe(0);
    const found: Inspection[] = JSON.parse(out);
    expect(found.map(({ holds, rows }) => [holds, rows])).toEqual([
      ['nothing understood', 4],
      ['nothing understood', 2],
    ]);
    expect((await inspect(at('twice.csv'))).out).toMatch(
      /holds +values that cannot be used as they are: see the problem below/,
    );
    expect(withoutFolder(found[1].variables[0].problem ?? '')).toContain(
      'twice.csv, row 2, column date: day given twice',
    );
  });

  it('recognizes statistics and climatologies', async () => {
    const rain = ['--variable', 'precipitation'];
    await plumecastHere('stats', at('weeks.csv'), ...rain, '--granularity', 'weekly', '--out', at('s.csv'));
    await plumecastHere('convert', at('s.csv'), at('s.nc'));
    const normal = ['--reference', '2024-2024', '--min-sample-share', '0', '--granularity', 'weekly', '--fewer-years'];
    const made = await plumecastHere('climatology', at('weeks.csv'), ...rain, ...normal, '--out', at('c.parquet'));
    expect(made.code).toBe(0);
    const found = await inJson(at('s.csv'), at('s.nc'), at('c.parquet'));
    expect(found.map(({ holds }) => holds)).toEqual(['statistics', 'statistics', 'climatology']);
  });

  it('shows only the structure with --no-values', async () => {
    const [{ rows, columns, variables }] = await inJson(at('demo.arrow'), '--no-values');
    expect(rows).toBeUndefined();
    expect(columns.every(({ missing }) => missing === undefined)).toBe(true);
    expect(variables[0]).toEqual({
      name: 'precipitation',
      taken: expect.objectContaining({ units: 'mm, by the metadata of the table' }),
      variable: 'precipitation',
      command: expect.stringContaining('--variable precipitation'),
    });
  });

  it('continues after a file that cannot be read, and exits 3', async () => {
    const { code, out, err } = await inspect(at('nothing.nc'), at('note.txt'), at('weeks.csv'));
    expect(code).toBe(3);
    expect(withoutFolder(err).split('\n')).toEqual([
      'error: DIR/nothing.nc: cannot be read: there is no such file or folder; allowed: a readable file',
      expect.stringContaining('DIR/note.txt: is text, but not a table: its first line has no delimiter'),
      '',
    ]);
    expect(out).toContain('2024-01-01 to 2024-01-14, 14 days, daily');
  });

  const gefs = referenceFolder('gefs-fcre-2022');
  it.skipIf(gefs === undefined)('shows hourly rates in NetCDF4 as they would be read', () => {
    expect(plumecast(['inspect', 'hourly_nc4.nc'], { cwd: gefs }).out).toMatchSnapshot();
  });

  it.skipIf(gefs === undefined)('finds the rain below zero of Zarr and of hourly Parquet', async () => {
    const [zarr, parquet] = await inJson(`${gefs}/daily.zarr`, `${gefs}/raw/stage3_part-0.parquet`);
    const rain = ({ variables }: Inspection) => variables.find(({ variable }) => variable === 'precipitation');
    expect(rain(zarr)).toMatchObject({ values: { count: 1085, below: 3 }, reading: { chunks: 20, decoded: 20 } });
    expect(rain(parquet)).toMatchObject({ days: { whole: 60, steps: 'hourly' }, members: { count: 31 } });
    expect(rain(parquet)?.values?.lowest?.value).toBeGreaterThan(-1e-15);
  });

  const seas5 = referenceFolder('seas5-burrishoole-feb');
  it.skipIf(seas5 === undefined)('lists the gaps between the forecasts of 27 years', async () => {
    const [{ variables }] = await inJson(`${seas5}/all_years_nc4.nc`, '--array', 'precip');
    expect(variables[0]).toMatchObject({
      days: { first: '1993-02-01', last: '2019-08-31', whole: 5730, missing: 3978 },
      values: { count: 25 * 5730, missing: 0 },
      windows: { monthly: 27 * 7 },
    });
    expect(variables[0].days?.gaps[0]).toEqual({ first: '1993-09-01', last: '1994-01-31', days: 153 });
  });

  const cities = referenceFolder('era5-cancities-1990-1993');
  it.skipIf(cities === undefined)('shows five cities as places, and a flux as a sum', async () => {
    const [{ variables }] = await inJson(`${cities}/daily_surface_cancities_1990-1993.nc`, '--array', 'pr');
    expect(variables[0]).toMatchObject({
      variable: 'precipitation',
      conversions: ['kg m-2 s-1 to mm'],
      places: { kind: 'places', count: 5, latitude: [44.5, 63.75] },
      members: { count: 1 },
    });
  });
});
