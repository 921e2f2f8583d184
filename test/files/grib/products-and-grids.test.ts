import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { GridProjection } from '../../../src/ensemble/grid.js';
import { bytesAccess } from '../../../src/files/array/random-access.js';
import { readGrib1Grid } from '../../../src/files/grib/grid/grib1-grid.js';
import type { GribGrid } from '../../../src/files/grib/grid/grid.js';
import { readGrid } from '../../../src/files/grib/grid/read-grid.js';
import type { Grib1Field, GribField } from '../../../src/files/grib/messages.js';
import { readGrib1Product } from '../../../src/files/grib/product/grib1-product.js';
import { levelType, levelValue } from '../../../src/files/grib/product/level.js';
import { findParameter } from '../../../src/files/grib/product/parameter.js';
import { type Product, readProduct } from '../../../src/files/grib/product/product.js';
import { scanMessages } from '../../../src/files/grib/scan-messages.js';
import { gridGeo } from '../../../src/plot/map/map-projection.js';
import { hasPython, pythonFile } from '../../reference/foreign-programs.js';

/** What ecCodes says of the messages that `write_products.py` writes. */
interface Written {
  readonly products: readonly WrittenProduct[];
  readonly grids: readonly WrittenGrid[];
  /** Of edition 1. */
  readonly products1: readonly WrittenProduct[];
  readonly grids1: readonly WrittenGrid[];
}

type WrittenProduct = Readonly<Record<string, string | number>>;

interface WrittenGrid {
  readonly gridType: string;
  readonly latitude: number[];
  readonly longitude: number[];
}

const folder = mkdtempSync(join(tmpdir(), 'plumecast-grib-'));
afterAll(() => rmSync(folder, { recursive: true }));
const isThere = hasPython('eccodes', 'numpy');
const script = resolve(import.meta.dirname, 'write_products.py');
const written: Written = isThere
  ? JSON.parse(pythonFile(script, [folder]))
  : { products: [], grids: [], products1: [], grids1: [] };
const [products, grids] = [await fieldsOf<GribField>('products.grib2'), await fieldsOf<GribField>('grids.grib2')];
const [products1, grids1] = [await fieldsOf<Grib1Field>('products.grib1'), await fieldsOf<Grib1Field>('grids.grib1')];

async function fieldsOf<Field>(name: string): Promise<Field[]> {
  if (!isThere) return [];
  const fields: Field[] = [];
  for await (const field of scanMessages(bytesAccess(readFileSync(join(folder, name)), name))) {
    if (field.kind === 'fault') throw field.error;
    fields.push(field as Field);
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
const unitOf = (text: unknown) =>
  String(text).replaceAll('**', '').replace('(0 - 1)', '1').replace('gpm', 'm').replace(' of water equivalent', '');
/** Levels of edition 1 whose unit ecCodes keeps. */
const UNITS_OF_LEVELS: Readonly<Record<string, number>> = { sigma: 1e4, depthBelowLand: 100 };
const seconds = (date: unknown, time: unknown) => {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(String(date)) as RegExpExecArray;
  return Date.UTC(+year, +month - 1, +day, Math.floor(Number(time) / 100), Number(time) % 100) / 1000;
};
const hours = (step: unknown) => (/m$/.test(String(step)) ? Number.parseInt(String(step), 10) / 60 : Number(step));

const named = (all: readonly WrittenProduct[]) =>
  all.map((keys, i) => ({ name: `${keys.shortName} ${keys.startStep}-${keys.endStep}`, keys, i }));

function expectProduct(product: Product, keys: WrittenProduct): void {
  const reference = seconds(keys.dataDate, keys.dataTime);
  expect(product).toMatchObject({ reference, stepType: keys.stepType });
  expect(product.end).toBe(seconds(keys.validityDate, keys.validityTime));
  // The steps of ecCodes are in hours, and those of the product with days as unit, too.
  expect((product.start - reference) / 3600).toBe(hours(keys.startStep));
  expect(levelType(product.level)).toBe(keys.typeOfLevel);
}

describe.skipIf(!isThere)('a product is read as by ecCodes', () => {
  it.each(named(written.products))('message $i: $name', ({ keys, i }) => {
    const product = readProduct(products[i]);
    if (product === undefined) throw new Error('the template is not read');
    expectProduct(product, keys);
    expect(levelValue(product.level)).toBe(keys.level);
    expect(product.member?.number).toBe(keys.perturbationNumber);
    const { shortName, units } = findParameter(product);
    if (keys.shortName === 'storprob') return expect([shortName, units]).toEqual(['param0_19_200_centre7', undefined]);
    expect(shortName).toBe(NAMES[keys.shortName] ?? keys.shortName);
    expect(units).toBe(unitOf(keys.units));
  });

  it.each(named(written.products1))('message $i of edition 1: $name', ({ keys, i }) => {
    const product = readGrib1Product(products1[i]);
    if (typeof product === 'string') throw new Error(product);
    expectProduct(product, keys);
    expect(levelValue(product.level) * (UNITS_OF_LEVELS[keys.typeOfLevel] ?? 1)).toBe(keys.level);
    expect(product.member?.number ?? 0).toBe(keys.perturbationNumber ?? 0);
    const { shortName, units } = findParameter(product);
    expect(shortName.replace(/_.*/, '')).toBe(keys.shortName);
    expect(units).toBe(unitOf(keys.units));
  });

  it('with the version of the model of hindcasts, and what was derived from all members', () => {
    const versions = products.map((field) => readProduct(field)?.modelVersion);
    expect(versions.filter((version) => version !== undefined)).toEqual(Array(2).fill(Date.UTC(2026, 1, 28) / 1000));
    expect(products.map((field) => readProduct(field)?.derived).filter((code) => code !== undefined)).toEqual([4, 4]);
  });
});

describe.skipIf(!isThere)('the points of a grid lie where ecCodes has them', () => {
  const expectPlaces = (grid: GribGrid, { gridType, latitude, longitude }: WrittenGrid, tolerance = 2e-6) => {
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
    expect([north < 2e-6, east < tolerance]).toEqual([true, true]);
  };

  it.each(written.grids.map((grid, i) => ({ grid, i, type: grid.gridType })))('grid $i: $type', ({ grid, i }) => {
    expectPlaces(readGrid(grids[i]), grid);
  });

  it.each(written.grids1.map((grid, i) => ({ grid, i, type: grid.gridType })))(
    'grid $i of edition 1: $type',
    ({ grid, i }) => {
      // ecCodes keeps the rounding of the last longitude to thousandths of degrees.
      expectPlaces(readGrib1Grid(grids1[i]), grid, 5.1e-4);
    },
  );

  it('and on straight rows and columns of the plane of its projection', () => {
    const all = [...grids.map(readGrid), ...grids1.map(readGrib1Grid)];
    const planes = all.filter(({ type }) => /^(polar_stereographic|lambert|rotated_ll)$/.test(type));
    expect(planes.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['polar_stereographic', 'lambert', 'rotated_ll']),
    );
    for (const { type, shape, projection, places } of planes) {
      const [rows, columns] = shape;
      const { latitude, longitude } = places();
      const geo = gridGeo(projection as GridProjection).scale(1000);
      const points = Array.from(latitude, (north, i) => geo([longitude[i], north]) as [number, number]);
      const [first, second] = [points[0], points[columns + 1]];
      const [dx, dy] = [Math.abs(second[0] - first[0]), Math.abs(second[1] - first[1])];
      for (let i = 0; i < rows * columns; i++) {
        const [x, y] = points[i];
        // A sphere is no ellipsoid.
        expect(Math.abs(y - points[i - (i % columns)][1]) / dy, `${type}, row of point ${i}`).toBeLessThan(0.1);
        expect(Math.abs(x - points[i % columns][0]) / dx, `${type}, column of point ${i}`).toBeLessThan(0.1);
      }
    }
  });

  it('on the southern hemisphere where they mirror those of the northern one', () => {
    const north = grids1[written.grids1.findIndex(({ gridType }) => gridType === 'polar_stereographic')];
    const section2 = (north.section2 as Uint8Array).slice();
    section2[10] |= 0x80;
    section2[26] |= 0x80;
    // Rows towards the equator from the side of the pole are those of smaller y.
    section2[27] ^= 0x40;
    const [one, other] = [readGrib1Grid(north), readGrib1Grid({ ...north, section2 })].map((grid) => grid.places());
    expect(other.longitude.map((degrees, i) => Math.abs(degrees - one.longitude[i])).every((d) => d < 1e-9)).toBe(true);
    expect(other.latitude.map((degrees, i) => Math.abs(degrees + one.latitude[i])).every((d) => d < 1e-9)).toBe(true);
  });

  it('of Mercator grids of edition 1 on the parallels and meridians of their last point', () => {
    const [field] = grids1;
    const uint = (value: number, bytes: number) =>
      Array.from({ length: bytes }, (_, i) => (value >> (8 * (bytes - 1 - i))) & 255);
    // From 10 degrees north, 100 degrees east to 15 degrees north, 110 degrees east, true at the equator.
    const radius = 6_367_470;
    const y = (degrees: number) => radius * Math.asinh(Math.tan((degrees * Math.PI) / 180));
    const dx = Math.round((radius * 10 * Math.PI) / 180 / 4);
    const dy = Math.round((y(15) - y(10)) / 5);
    const corners = [...uint(10_000, 3), ...uint(100_000, 3), 128, ...uint(15_000, 3), ...uint(110_000, 3)];
    const body = [
      0,
      255,
      1,
      ...uint(5, 2),
      ...uint(6, 2),
      ...corners,
      0,
      0,
      0,
      0,
      0x40,
      ...uint(dx, 3),
      ...uint(dy, 3),
    ];
    const section2 = Uint8Array.from([...uint(42, 3), ...body, ...uint(0, 8)]);
    const { latitude, longitude } = readGrib1Grid({ ...field, section2 }).places();
    expect([latitude[0], longitude[0]]).toEqual([expect.closeTo(10, 9), expect.closeTo(100, 9)]);
    expect([latitude[29], longitude[29]]).toEqual([expect.closeTo(15, 4), expect.closeTo(110, 4)]);
  });
});
