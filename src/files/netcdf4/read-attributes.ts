import type { Attributes, AttributeValue } from '../array/array-file.js';
import { decodeNumbers, decodeTexts } from './decode-values.js';
import type { Hdf5Handle } from './hdf5-handle.js';
import { arrayType } from './stored-type.js';

/** Attributes that NetCDF and HDF5 use internally. */
const INTERNAL = new Set([
  'CLASS',
  'NAME',
  'REFERENCE_LIST',
  'DIMENSION_LIST',
  'DIMENSION_LABELS',
  '_Netcdf4Dimid',
  '_Netcdf4Coordinates',
  '_nc3_strict',
  '_NCProperties',
]);

/**
 * Reads the attributes of an object of the file that are texts or numbers, including those that NetCDF and HDF5 use
 * internally.
 */
export function readAttributes(file: Hdf5Handle, path: string): Attributes {
  const names = file.query(path, (library, id) => library.get_attribute_names(id, path));
  const attributes = new Map<string, AttributeValue>();
  for (const name of names) {
    const value = readAttribute(file, path, name);
    if (value !== undefined) attributes.set(name, value);
  }
  return attributes;
}

/** Removes the attributes that NetCDF and HDF5 use internally. */
export function withoutInternal(attributes: Attributes): Attributes {
  return new Map([...attributes].filter(([name]) => !INTERNAL.has(name)));
}

function readAttribute(file: Hdf5Handle, path: string, name: string): AttributeValue | undefined {
  const subject = `${path} ${name}`;
  const metadata = file.query(subject, (library, id) => library.get_attribute_metadata(id, path, name));
  const { size, total_size: length, vlen } = metadata;
  const type = arrayType(metadata);
  if (type === undefined) return undefined;
  if (metadata.shape === null) return type === 'text' ? '' : undefined;
  return file.lend(size * length, (at) => {
    file.query(subject, (library, id) => library.get_attribute_data(id, path, name, BigInt(at)));
    if (type !== 'text') return singleOrAll(decodeNumbers(file.library, at, length, type));
    const texts = decodeTexts(file.library, at, length, metadata);
    if (vlen) file.query(subject, (library, id) => library.reclaim_vlen_memory(id, path, name, BigInt(at)));
    return singleOrAll(texts);
  });
}

function singleOrAll(values: string[] | number[]): AttributeValue {
  return values.length === 1 ? values[0] : values;
}
