import { type GribKernels, giveGribKernels, takeGribKernels } from '../../src/core/grib-kernels.js';
import { isPlumecastError } from '../../src/errors.js';
import type { RandomAccess } from '../../src/files/array/random-access.js';
import { readGrib1Grid } from '../../src/files/grib/grid/grib1-grid.js';
import type { GribGrid } from '../../src/files/grib/grid/grid.js';
import { readGrid } from '../../src/files/grib/grid/read-grid.js';
import type { Grib1Field, GribField } from '../../src/files/grib/messages.js';
import { countPoints } from '../../src/files/grib/packing/grib2-values.js';
import { readGrib1Product } from '../../src/files/grib/product/grib1-product.js';
import { findParameter } from '../../src/files/grib/product/parameter.js';
import { readProduct } from '../../src/files/grib/product/product.js';
import { scanMessages } from '../../src/files/grib/scan-messages.js';
import { compareParts, readPart } from '../files/grib/read-parts.js';
import { Dice } from './dice.js';
import type { Digest } from './digest.js';

/**
 * Adds what the fields of a file are and, of those that have at most `most` points, their places and values; returns
 * the number of points. Parts of fields are read, too, and compared. Throws the first error of a message, after all
 * others have been read, and whatever is no error of plumecast at once.
 */
export async function addFields(digest: Digest, access: RandomAccess, most: number): Promise<number> {
  const tools = await takeGribKernels();
  const mark = tools.memory.mark();
  const errors: unknown[] = [];
  let count = 0;
  try {
    for await (const field of scanMessages(access)) {
      if (field.kind === 'fault') errors.push(field.error);
      else if (field.kind === 'field') count += await addField(tools, digest, access, field, most, errors);
    }
    if (tools.memory.mark() !== mark) throw new Error('memory of the kernels is not given back');
  } finally {
    giveGribKernels(tools);
  }
  if (errors.length > 0) throw errors[0];
  return count;
}

/** Adds a field, and returns the number of its points; keeps the errors of its parts apart, as each is read alone. */
async function addField(
  tools: GribKernels,
  digest: Digest,
  access: RandomAccess,
  field: GribField | Grib1Field,
  most: number,
  errors: unknown[],
): Promise<number> {
  const attempt = async <T>(work: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (!isPlumecastError(error)) throw error;
      errors.push(error);
      return undefined;
    }
  };
  const product = await attempt(() => (field.edition === 1 ? readGrib1Product(field) : readProduct(field)));
  if (typeof product === 'object') digest.add(`${findParameter(product).shortName} ${product.start} ${product.end}`);
  const grid = await attempt(() => (field.edition === 1 ? readGrib1Grid(field) : readGrid(field)));
  const points = field.edition === 1 ? pointsOf(grid) : ((await attempt(() => countPoints(field))) ?? 0);
  if (points > most) return points;
  if (grid !== undefined) await attempt(() => addPlaces(digest, grid));
  await attempt(async () => {
    if (field.edition === 1 && grid === undefined) return;
    const values = await readPart(tools, access, field, {}, { from: 0, to: points }).catch((error) => error);
    await compareParts(tools, access, field, values, points, new Dice([points, field.offset]));
    if (!(values instanceof Float64Array)) throw values;
    for (const value of values) digest.add(value);
  });
  return points;
}

function pointsOf(grid: GribGrid | undefined): number {
  return grid?.shape.reduce((product, length) => product * length, 1) ?? 0;
}

function addPlaces(digest: Digest, grid: GribGrid): void {
  const { latitude, longitude } = grid.places();
  for (const places of [latitude, longitude]) for (const degrees of places) digest.add(degrees);
}
