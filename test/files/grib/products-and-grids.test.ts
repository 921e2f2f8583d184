import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bytesAccess } from '../../../src/files/array/random-access.js';
import { readGrid } from '../../../src/files/grib/grid/read-grid.js';
import type { GribField } from '../../../src/files/grib/messages.js';
import { levelType, levelValue } from '../../../src/files/grib/product/level.js';
import { findParameter } from '../../../src/files/grib/product/parameter.js';
import { readProduct } from '../../../src/files/grib/product/product.js';
import { scanMessages } from '../../../src/files/grib/scan-messages.js';
import { hasPython, pythonFile } from '../../reference/foreign-programs.js';

/** What ecCodes says of the messages that `write_products.py` writes. */
interface Written {
  readonly products: readonly Readonly<Record<string, string | number>>[];
  readonly grids: readonly { readonly gridType: string; readonly latitude: number[]; readonly longitude: number[] }[];
}

const folder = mkdtempSync(join(tmpdir(), 'plumecast-grib-'));
afterAll(() => rmSync(folder, { recursive: true }));
const isThere = hasPython('eccodes', 'numpy');
const script = resolve(import.meta.dirname, 'write_products.py');
const written: Written = isThere ? JSON.parse(pythonFile(script, [folder])) : { products: [], grids: [] };
const [products, grids] = [await fieldsOf('products.grib2'), await fieldsOf('grids.grib2')];

async function fieldsOf(name: string): Promise<GribField[]> {
  if (!isThere) return [];
  const fields: GribField[] = [];
  for await (const field of scanMessages(bytesAccess(readFileSync(join(folder, name)), name))) {
    if (field.kind === 'fault') throw field.error;
    fields.push(field as GribField);
  }
  return fields;
}

/** Names of ecCodes of this version and of NCEP's table that mean the same, and units as CF writes them. */
const NAMES: Readonly<Record<string, string>> = {
  sdswrf: 'dswrf',
  avg_tprate: 'tprate',
  '10fg3': '10fg',
  t: 't_850hPa',
};
const unitOf = (text: unknown) => String(text).replaceAll('**', '').replace('(0 - 1)', '1');
const seconds = (date: unknown, time: unknown) => {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(String(date)) as RegExpExecArray;
  return Date.UTC(+year, +month - 1, +day, Math.floor(Number(time) / 100), Number(time) % 100) / 1000;
};
const hours = (step: unknown) => (/m$/.test(String(step)) ? Number.parseInt(String(step), 10) / 60 : Number(step));

describe.skipIf(!isThere)('a product is read as by ecCodes', () => {
  it.each(
    written.products.map((keys, i) => ({ name: `${keys.shortName} ${keys.startStep}-${keys.endStep}`, keys, i })),
  )('message $i: $name', ({ keys, i }) => {
    const product = readProduct(products[i]);
    if (product === undefined) throw new Error('the template is not read');
    const reference = seconds(keys.dataDate, keys.dataTime);
    expect(product).toMatchObject({ reference, stepType: keys.stepType });
    expect(product.end).toBe(seconds(keys.validityDate, keys.validityTime));
    // The steps of ecCodes are in hours, and those of the product with days as unit, too.
    expect((product.start - reference) / 3600).toBe(hours(keys.startStep));
    expect(product.member?.number).toBe(keys.perturbationNumber);
    expect([levelType(product.level), levelValue(product.level)]).toEqual([keys.typeOfLevel, keys.level]);
    const { shortName, units } = findParameter(product);
    if (keys.shortName === 'storprob') return expect([shortName, units]).toEqual(['param0_19_200_centre7', undefined]);
    expect(shortName).toBe(NAMES[keys.shortName] ?? keys.shortName);
    expect(units).toBe(unitOf(keys.units));
  });

  it('with the version of the model of hindcasts, and what was derived from all members', () => {
    const versions = products.map((field) => readProduct(field)?.modelVersion);
    expect(versions.filter((version) => version !== undefined)).toEqual(Array(2).fill(Date.UTC(2026, 1, 28) / 1000));
    expect(products.map((field) => readProduct(field)?.derived).filter((code) => code !== undefined)).toEqual([4, 4]);
  });
});

describe.skipIf(!isThere)('the points of a grid lie where ecCodes has them', () => {
  it.each(written.grids.map((grid, i) => ({ ...grid, i })))(
    'grid $i: $gridType',
    ({ gridType, latitude, longitude, i }) => {
      const grid = readGrid(grids[i]);
      const places = grid.places();
      expect(grid.type).toBe(gridType);
      const [rows, columns] = [places.latitude, places.longitude];
      const isAxes = places.kind === 'rectilinear';
      const width = columns.length;
      let [north, east] = [0, 0];
      for (const [point, expected] of latitude.entries()) {
        north = Math.max(north, Math.abs(rows[isAxes ? Math.floor(point / width) : point] - expected));
        const distance = columns[isAxes ? point % width : point] - longitude[point];
        east = Math.max(east, Math.abs(distance - 360 * Math.round(distance / 360)));
      }
      expect(latitude).toHaveLength(isAxes ? rows.length * columns.length : rows.length);
      // ecCodes rounds those of rotated grids, and adds up increments.
      expect([north, east].map((distance) => distance < 2e-6)).toEqual([true, true]);
    },
  );
});
