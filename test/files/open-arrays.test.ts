import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { FileError, FormatError } from '../../src/errors.js';
import { openArrays } from '../../src/files/open-arrays.node.js';
import { readReferenceCsv } from '../golden/reference-csv.js';
import { referenceFolder } from '../reference/data-folder.js';
import { writeNetcdf3 } from './netcdf3/write-netcdf3.js';
import { valuesOf } from './stored-values.js';

const fixture = (name: string) => join(import.meta.dirname, '../fixtures/arrays', name);
const netcdf3 = (values: readonly number[]) => {
  const variables = [{ name: 'v', type: 'int16' as const, dimensions: [0], values }];
  return writeNetcdf3({ version: 1, records: 0, dimensions: [{ name: 'x', length: values.length }], variables });
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumecast-arrays-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** What `read` gives of a file, which is closed after it. */
async function ofFile<T>(path: string, read: (file: Awaited<ReturnType<typeof openArrays>>) => Promise<T> | T) {
  const file = await openArrays(path);
  try {
    return await read(file);
  } finally {
    await file.close();
  }
}

describe('openArrays', () => {
  it('recognizes formats by content, whatever the name', async () => {
    const path = join(folder, 'precipitation.csv');
    await writeFile(path, netcdf3([1, 2, 3]));
    expect(await ofFile(path, (file) => valuesOf(file.arrays.get('v')))).toEqual([1, 2, 3]);
    await copyFile(fixture('arrays.nc'), path);
    expect(await ofFile(path, ({ format }) => format)).toBe('NetCDF4');
    await copyFile(fixture('plain.h5'), path);
    expect(await ofFile(path, ({ format }) => format)).toBe('HDF5');
  });

  test.each([
    ['is empty', ''],
    ['is NumPy', '\x93NUMPY\x01\x00'],
    ['is a table (Parquet)', 'PAR1....PAR1'],
    ['is a table (Arrow file)', 'ARROW1\0\0'],
    ['is a table (CSV)', 'date,m01\n2024-01-01,1\n'],
    ['is of no known format', 'date m01\n2024-01-01 1\n'],
  ])('says that a file %s', async (problem, text) => {
    const path = join(folder, 'other');
    await writeFile(path, text, 'latin1');
    await expect(openArrays(path)).rejects.toThrow(`${path}: ${problem}; allowed: NetCDF3, NetCDF4 or other HDF5`);
  });

  it('names files that cannot be had, and folders', async () => {
    const absent = join(folder, 'absent.nc');
    await expect(openArrays(absent)).rejects.toThrow(`${absent}: cannot be read: there is no such file or folder`);
    await expect(openArrays(folder)).rejects.toThrow(FileError);
    await expect(openArrays('/dev/null')).rejects.toThrow(FileError);
  });

  it('reports that a NetCDF3 file changed, or became shorter, while it was read', async () => {
    const path = join(folder, 'changing.nc');
    await writeFile(path, netcdf3([1, 2, 3, 4]));
    await ofFile(path, async (file) => {
      await writeFile(path, netcdf3([1, 2, 3, 4]).subarray(0, 20));
      await expect(valuesOf(file.arrays.get('v'))).rejects.toThrow(`${path}: was changed while it was read`);
      await writeFile(path, netcdf3([5, 6, 7, 8, 9]));
      await expect(valuesOf(file.arrays.get('v'))).rejects.toThrow(`${path}: was changed while it was read`);
    });
  });

  it('rejects a cut file by its size before it reads any value', async () => {
    const path = join(folder, 'cut.nc');
    const whole = netcdf3([1, 2, 3, 4]);
    await writeFile(path, whole.subarray(0, -3));
    const opening = openArrays(path);
    await expect(opening).rejects.toThrow(FormatError);
    await expect(opening).rejects.toThrow(`it has ${whole.length - 3} bytes and needs ${whole.length}`);
  });
});

const gefs = referenceFolder('gefs-fcre-2022');
describe.skipIf(gefs === undefined)('hourly_nc4.nc of the reference data', () => {
  it('has the hours whose sums the table of daily precipitation has', () =>
    ofFile(join(gefs as string, 'hourly_nc4.nc'), async (file) => {
      const flux = file.arrays.get('precipitation_flux');
      expect(flux).toMatchObject({ dimensions: ['number', 'time'], shape: [31, 841], chunk: [31, 841] });
      expect(flux?.attributes.get('units')).toBe('kg m-2 s-1');
      const values = await valuesOf(flux);
      const csv = readReferenceCsv(join(gefs as string, 'precip_mm_members_daily.csv'));
      for (const member of [0, 17, 30]) {
        const daily = csv.numbers(csv.names[member + 1]);
        for (const [day, sum] of daily.entries()) {
          const from = member * 841 + day * 24;
          const hours = values.slice(from, from + 24);
          expect(hours.reduce((total, value) => total + value * 3600, 0)).toBeCloseTo(sum, 4);
        }
      }
    }));
});

const seas5 = referenceFolder('seas5-burrishoole-feb');
describe.skipIf(seas5 === undefined)('all_years_nc4.nc of the reference data', () => {
  test.each([
    ['2004', 'precip', 'precip_mm'],
    ['2019', 't2m', 't2m_degC'],
  ])('has for %s the daily values of %s that the table of the year has', (year, name, table) =>
    ofFile(join(seas5 as string, 'all_years_nc4.nc'), async (file) => {
      const csv = readReferenceCsv(join(seas5 as string, year, `${table}_members_daily.csv`));
      const days = await valuesOf(file.arrays.get('time'));
      const first = (Date.parse(csv.text('date')[0]) - Date.parse('1993-01-01')) / 86_400_000;
      const start = days.indexOf(first);
      const box = { start: [0, start], count: [25, csv.length] };
      const members = csv.names.filter((column) => column !== 'date').map((column) => csv.numbers(column));
      expect(await valuesOf(file.arrays.get(name), box)).toEqual(members.flat());
    }),
  );
});

const burrishoole = referenceFolder('era5-burrishoole-1979-2019');
describe.skipIf(burrishoole === undefined)('daily_nc4.nc of the reference data', () => {
  test.each([
    ['precip', 'precip_mm'],
    ['t2m', 't2m_degC'],
    ['pet', 'pet_mm'],
  ])('has the values of %s that its table has', (name, column) =>
    ofFile(join(burrishoole as string, 'daily_nc4.nc'), async (file) => {
      const csv = readReferenceCsv(join(burrishoole as string, 'daily.csv'));
      expect(await valuesOf(file.arrays.get(name))).toEqual(csv.numbers(column));
    }),
  );
});

const cities = referenceFolder('era5-cancities-1990-1993');
describe.skipIf(cities === undefined)('daily_surface_cancities_1990-1993.nc of the reference data', () => {
  test.each(['Halifax', 'Iqaluit', 'Saskatoon', 'Victoria'])('has the values that the table of %s has', (city) =>
    ofFile(join(cities as string, 'daily_surface_cancities_1990-1993.nc'), async (file) => {
      const names = (await file.arrays.get('location')?.readTexts()) ?? [];
      expect(names).toContain('Montréal');
      const csv = readReferenceCsv(join(cities as string, `${city}_daily.csv`));
      const box = { start: [names.indexOf(city), 0], count: [1, 1461] };
      const rain = await valuesOf(file.arrays.get('pr'), box);
      const warmth = await valuesOf(file.arrays.get('tas'), box);
      expect(rain.map((flux) => flux * 86_400)).toEqual(csv.numbers('precip_mm'));
      expect(warmth.map((kelvin) => kelvin - 273.15)).toEqual(csv.numbers('t2m_degC'));
    }),
  );
});
