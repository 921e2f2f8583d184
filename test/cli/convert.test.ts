import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Table } from 'apache-arrow';
import { afterAll, describe, expect, it } from 'vitest';
import { demoTable } from '../../src/demo/index.js';
import { encodeTable, readTable } from '../../src/files/index.js';
import { referenceFolder } from '../reference/data-folder.js';
import { folderWith, plumecast, threeMembers } from './run-command.js';
import { plumecastHere } from './run-here.js';

const demo = demoTable('precipitation', { days: 16, members: 3 });
const steps = ['2024-01-01', '2024-01-02']
  .flatMap((day) => [0, 6, 12, 18].map((hour) => `${day}T${String(hour).padStart(2, '0')}:00:00Z,280,${281 + hour}`))
  .join('\n');
const { folder, remove } = folderWith({
  'demo.arrow': await encodeTable(demo, 'arrow'),
  'notes.csv': 'station,date,remark,mm\nA,2024-01-01,"wet, windy",1.5\nB,2024-01-02,,\n',
  'weeks.csv': threeMembers(14),
  'steps.csv': `time,m1,m2\n${steps}\n`,
  'cut.nc': 'CDF\x01',
});
afterAll(remove);

const at = (name: string) => join(folder, name);
const convert = (input: string, output: string, ...options: string[]) =>
  plumecastHere('convert', at(input), output === '-' ? '-' : at(output), ...options);
const read = async (name: string): Promise<Table> => readTable(readFileSync(at(name)));
const withoutFolder = (text: string) => text.replaceAll(folder, 'DIR');

describe('plumecast convert', () => {
  it('keeps columns that it does not need to understand', async () => {
    expect(await convert('notes.csv', 'notes.parquet')).toEqual({ code: 0, out: '', err: '' });
    expect(await convert('notes.parquet', 'again.csv')).toEqual({ code: 0, out: '', err: '' });
    expect(readFileSync(at('again.csv'), 'utf8')).toBe(readFileSync(at('notes.csv'), 'utf8'));
  });

  it('keeps the metadata and types of a table', async () => {
    await convert('demo.arrow', 'demo.parquet', '--compression', 'zstd');
    await convert('demo.parquet', 'again.arrow');
    const again = await read('again.arrow');
    expect(String(again.schema)).toBe(String(demo.schema));
    expect(Object.fromEntries(again.schema.metadata)).toEqual(Object.fromEntries(demo.schema.metadata));
  });

  it('writes the requested format, regardless of the ending', async () => {
    await convert('demo.arrow', 'demo.txt', '--to', 'parquet');
    expect(readFileSync(at('demo.txt')).subarray(0, 4).toString()).toBe('PAR1');
  });

  it('converts time steps to daily values in the unit of the variable, and says so', async () => {
    const { code, err } = await convert('steps.csv', 'days.csv', '--variable', 'temp_mean', '--units', 'K');
    expect([code, withoutFolder(err)]).toEqual([0, 'note: DIR/steps.csv: K to degC; 6-hourly values to daily means\n']);
    const { columns } = { columns: (await read('days.csv')).schema.names };
    expect(columns).toEqual(['variable', 'units', 'latitude', 'longitude', 'date', 'member_00', 'member_01']);
    const table = await read('days.csv');
    expect([table.getChild('variable')?.get(0), table.getChild('units')?.get(0)]).toEqual(['temp_mean', 'degC']);
    expect(table.getChild('member_00')?.toJSON().map(Number)).toEqual([6.850000000000023, 6.850000000000023]);
  });

  it('writes values at places to NetCDF, with the names of members', async () => {
    await convert('demo.arrow', 'demo.nc');
    const { out } = await convert('demo.nc', '-', '--to', 'csv');
    expect(out.split('\n')[0]).toBe('variable,units,latitude,longitude,date,member_00,member_01,member_02');
    expect(out.split('\n')).toHaveLength(18);
  });

  it('keeps the numbers of members through NetCDF, although columns are numbered from 0', async () => {
    const table = 'date,m5,m7,m9\n2024-01-01,1,2,3\n2024-01-02,4,5,6\n';
    const { folder: other, remove: done } = folderWith({ 'numbered.csv': table });
    try {
      const path = (name: string) => join(other, name);
      const rain = ['--variable', 'precipitation'];
      await plumecastHere('convert', path('numbered.csv'), path('a.nc'), ...rain);
      await plumecastHere('convert', path('a.nc'), path('b.arrow'), ...rain);
      await plumecastHere('convert', path('b.arrow'), path('c.nc'));
      await plumecastHere('convert', path('c.nc'), path('d.arrow'));
      for (const name of ['b.arrow', 'd.arrow']) {
        const { schema } = await readTable(readFileSync(path(name)));
        expect(JSON.parse(schema.metadata.get('member_names') ?? '')).toEqual(['5', '7', '9']);
      }
    } finally {
      done();
    }
  });

  for (const [form, locations] of Object.entries({
    'a grid': [0, 1, 2, 3, 4, 5].map((i) => ({ latitude: 40 - (i % 2), longitude: 7 + Math.floor(i / 2) / 2 })),
    places: [0, 1, 2].map((i) => ({ latitude: 40 - i, longitude: 7 + i * i })),
  })) {
    it(`writes statistics on ${form} to NetCDF, and converts them back to the same table`, async () => {
      const rain = ['--threshold', '>5', '--threshold', '<=1', '--spread', '--quantiles', '0.9,0.1,1', '--partial'];
      await writeFile(
        at('places.arrow'),
        await encodeTable(demoTable('precipitation', { days: 20, locations }), 'arrow'),
      );
      await plumecastHere('stats', at('places.arrow'), '--granularity', 'weekly', ...rain, '--out', at('stats.arrow'));
      expect(await convert('stats.arrow', 'stats.nc')).toEqual({ code: 0, out: '', err: '' });
      expect(await convert('stats.nc', 'again.nc')).toEqual({ code: 0, out: '', err: '' });
      expect(await convert('again.nc', 'again.arrow')).toEqual({ code: 0, out: '', err: '' });
      const [before, after] = [await read('stats.arrow'), await read('again.arrow')];
      expect(after.schema.names).toEqual(before.schema.names);
      const rows = (table: Table) =>
        table
          .toArray()
          .map((row) => JSON.stringify(row))
          .sort();
      expect(rows(after)).toEqual(rows(before));
      for (const key of ['variable', 'units', 'granularity', 'window', 'init_time', 'horizon']) {
        expect([key, after.schema.metadata.get(key)]).toEqual([key, before.schema.metadata.get(key)]);
      }
    });
  }

  it('reads standard input of any format', () => {
    const bytes = readFileSync(at('demo.arrow'));
    const csv = plumecast(['convert', '-', '-', '--to', 'csv'], { input: bytes });
    expect([csv.code, csv.err, csv.out.split('\n').length]).toEqual([0, '', 18]);
  });

  it('names the problem, and leaves no file behind', async () => {
    const wrong = [
      await convert('demo.arrow', 'demo.xyz'),
      await convert('demo.arrow', '-'),
      await convert('demo.arrow', 'demo.arrow'),
      await plumecastHere('convert', folder, at('x.csv')),
      await convert('demo.arrow', '-', '--to', 'netcdf'),
      await convert('demo.arrow', 'x.csv', '--compression', 'zstd'),
      await convert('demo.arrow', 'x.nc', '--compression', 'lz4'),
      await convert('demo.arrow', 'x.csv', '--variable', 'temp_mean'),
      await convert('demo.arrow', 'x.csv', '--variable', 'rainfall_of_mars'),
      await convert('demo.arrow', 'no/such/folder/x.csv'),
      await convert('nothing.nc', 'x.csv'),
      await convert('cut.nc', 'x.csv'),
      await convert('steps.csv', 'x.nc', '--variable', 'temp_mean'),
      await plumecastHere('convert', at('demo.arrow'), at('x.csv'), '--to', 'docx'),
    ];
    expect(wrong.map(({ code, out, err }) => [code, out, withoutFolder(err)])).toMatchSnapshot();
    expect(existsSync(at('x.csv')) || existsSync(at('x.nc'))).toBe(false);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  const gefs = referenceFolder('gefs-fcre-2022');
  it.skipIf(gefs === undefined)(
    'makes a table of hourly rates in NetCDF4 that has the daily sums of Zarr',
    async () => {
      const rain = ['--variable', 'precipitation'];
      const hourly = await plumecastHere('convert', `${gefs}/hourly_nc4.nc`, at('hourly.arrow'), ...rain);
      expect(hourly.err).toContain('kg m-2 s-1 to mm; hourly rates to daily sums');
      await plumecastHere('convert', `${gefs}/daily.zarr`, at('daily.arrow'), ...rain);
      const [one, other] = [await read('hourly.arrow'), await read('daily.arrow')];
      expect([one.numRows, one.schema.names.length]).toEqual([35, 34]);
      for (const name of one.schema.names.slice(3)) {
        const [sums, daily] = [one.getChild(name), other.getChild(name)];
        for (let row = 0; row < 35; row++) expect(sums?.get(row)).toBeCloseTo(Number(daily?.get(row)), 4);
      }
      const several = await plumecastHere('convert', `${gefs}/hourly_nc4.nc`, at('x.arrow'));
      expect(several.code).toBe(1);
      expect(several.err).toContain('the file holds several; received "precipitation_flux, air_temperature"');
    },
  );
});
