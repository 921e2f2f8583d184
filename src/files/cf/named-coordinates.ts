import { assertKnownKeys, assertObject } from '../../check/option-checks.js';
import { OptionError, unusable } from '../../errors.js';
import type { ArrayFile, StoredArray } from '../array/array-file.js';
import { textAttribute } from './attribute-values.js';
import { coordinateKind, isLength } from './coordinate-kind.js';

/** The names of the arrays with the latitudes and longitudes of a file. */
export interface NamedCoordinates {
  readonly latitude?: string;
  readonly longitude?: string;
}

const KINDS = ['latitude', 'longitude'] as const;

/** Checks names of coordinates without their file. Throws OptionError. */
export function assertCoordinates(coordinates: NamedCoordinates): void {
  assertObject('coordinates', coordinates, '{ latitude: "y", longitude: "x" }');
  assertKnownKeys(coordinates, KINDS, 'coordinates');
  for (const [kind, name] of Object.entries(coordinates)) {
    const isName = name === undefined || (typeof name === 'string' && name !== '');
    if (!isName) throw unusable(`coordinates.${kind}`, name, 'the name of an array');
  }
}

/**
 * Returns the file with the named arrays as its latitudes and longitudes, instead of its own. Throws OptionError for an
 * array that it does not have, or that is in metres.
 */
export function withNamedCoordinates(file: ArrayFile, coordinates: NamedCoordinates | undefined): ArrayFile {
  if (coordinates === undefined) return file;
  const arrays = new Map(file.arrays);
  for (const kind of KINDS) {
    const name = coordinates[kind];
    if (name === undefined) continue;
    const array = namedArray(file, kind, name);
    for (const [other, { name: path }] of arrays) {
      if (path !== array.name && coordinateKind(arrays.get(other) as StoredArray) === kind) arrays.delete(other);
    }
    arrays.set(name, { ...toPlainArray(array), attributes: new Map([...array.attributes, ['standard_name', kind]]) });
  }
  const { format, source, attributes } = file;
  return { format, source, attributes, arrays, close: () => file.close() };
}

/** Copies an array to a plain object: spreading an instance would lose the methods of its class. */
function toPlainArray(array: StoredArray): StoredArray {
  const { name, type, dimensions, shape, attributes, chunk, filters } = array;
  const how = { ...(chunk && { chunk }), ...(filters && { filters }) };
  return {
    ...{ name, type, dimensions, shape, attributes, ...how },
    read: (box, into) => array.read(box, into),
    readTexts: () => array.readTexts(),
  };
}

function namedArray({ source, arrays }: ArrayFile, kind: string, name: string): StoredArray {
  const subject = `${source}, coordinates.${kind}`;
  const array = arrays.get(name);
  if (array === undefined) {
    const allowed = [...arrays.values()].filter(({ shape, type }) => shape.length <= 2 && type !== 'text');
    throw new OptionError({
      ...{ subject, problem: 'the file has no such array', received: name },
      allowed: allowed.map((other) => other.name).join(', '),
    });
  }
  const units = textAttribute(array.attributes, 'units');
  if (!isLength(units)) return array;
  throw new OptionError({
    ...{ subject, problem: `array ${name} is in ${units}, not in degrees`, received: name },
    allowed: `an array of degrees of ${kind}; remap projected grids first, as with cdo remapbil`,
  });
}
