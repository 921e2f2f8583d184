import { DataError } from '../../errors.js';
import type { ArrayFile, StoredArray } from '../array/array-file.js';
import { type ArrayDimension, arrayDimensions } from './array-dimensions.js';
import { coordinateKind } from './coordinate-kind.js';

/** A file with more than these is damaged or made up. */
const MAX_MEMBERS = 65_536;
const MAX_CELLS = 2 ** 28;

/** What is missing where a dimension of a kind has no elements. */
const MISSING: Readonly<Record<string, string>> = {
  time: 'time steps',
  lead: 'time steps',
  init: 'runs',
  member: 'members',
  latitude: 'cells',
  longitude: 'cells',
};

/**
 * Checks the dimensions of an array before anything is read: none is empty, its coordinates have the same lengths, and
 * the numbers of members and cells are possible. Throws DataError that names the dimension.
 */
export function assertDimensions(file: ArrayFile, array: StoredArray): void {
  const { source } = file;
  const column = array.name;
  const dimensions = arrayDimensions(file, array);
  const empty = dimensions.find(({ length }) => length === 0);
  if (empty !== undefined) {
    const problem = `has no ${MISSING[empty.kind ?? ''] ?? 'values'}`;
    throw new DataError({
      ...{ source, column, problem, received: `dimension ${empty.name} of length 0`, allowed: 'at least one' },
    });
  }
  for (const other of file.arrays.values()) assertSameLengths(source, array, other);
  const lengthOf = (isOf: (dimension: ArrayDimension) => boolean) =>
    dimensions.filter(isOf).reduce((product, { length }) => product * length, 1);
  const members = lengthOf(({ kind }) => kind === 'member');
  const cells = lengthOf(({ kind }) => kind === undefined || kind === 'latitude' || kind === 'longitude');
  if (members > MAX_MEMBERS) throw tooMany(source, column, `${members} members`, MAX_MEMBERS);
  if (cells > MAX_CELLS) throw tooMany(source, column, `${cells} cells`, MAX_CELLS);
}

/** Checks a coordinate whose dimensions are all dimensions of the array. */
function assertSameLengths(source: string, array: StoredArray, coordinate: StoredArray): void {
  const places = coordinate.dimensions.map((name) => array.dimensions.indexOf(name));
  if (coordinate === array || places.includes(-1)) return;
  const other = places.findIndex((place, d) => array.shape[place] !== coordinate.shape[d]);
  if (other < 0 || coordinateKind(coordinate) === undefined) return;
  throw new DataError({
    ...{ source, column: array.name, problem: `dimension ${coordinate.dimensions[other]} has two lengths` },
    received: `${array.shape[places[other]]} here, ${coordinate.shape[other]} in ${coordinate.name}`,
    allowed: 'one length for all arrays along it',
  });
}

function tooMany(source: string, column: string, received: string, most: number): DataError {
  return new DataError({ source, column, problem: 'has impossible dimensions', received, allowed: `at most ${most}` });
}
