import type { Filter, Metadata } from 'h5wasm';
import { isNumberType, NUMBER_ARRAYS, type NumberType } from '../../core/number-arrays.js';
import { FormatError } from '../../errors.js';
import {
  type ArrayType,
  type Attributes,
  type AttributeValue,
  storedText,
  UnreadAttribute,
} from '../array/array-file.js';
import type { Hdf5Handle, Hdf5Library } from './hdf5-handle.js';
import { REFERENCES, refersElsewhere } from './other-files.js';

/** A dataset of the file, with all of its attributes. */
export interface Hdf5Dataset {
  /** From the root: `/group/name`. */
  readonly path: string;
  readonly metadata: Metadata;
  readonly attributes: Attributes;
  /** What the library is asked for when it is needed. */
  readonly storage: DatasetStorage;
}

/** How a dataset is stored, as far as its header says so; kept once it is known. */
class DatasetStorage {
  #filters: readonly Filter[] | undefined;
  /** The address of its header; undefined if addresses do not have eight bytes. */
  #address: { readonly found: number | undefined } | undefined;

  filters(file: Hdf5Handle, path: string, subject: string): readonly Filter[] {
    this.#filters ??= file.query(subject, (library, id) => library.get_dataset_filters(id, path));
    return this.#filters;
  }

  address(file: Hdf5Handle, path: string, subject: string): number | undefined {
    if (this.#address === undefined) {
      const reference = file.query(subject, (library, id) => library.create_object_reference(id, path));
      const isWide = reference.length === 8;
      const found = isWide ? Number(new DataView(Uint8Array.from(reference).buffer).getBigUint64(0, true)) : undefined;
      this.#address = { found };
    }
    return this.#address.found;
  }
}

/** Groups that are nested deeper contain themselves. */
const MAX_DEPTH = 64;
/** A group that is in several groups is visited once for each path to it; the number of paths can grow without end. */
const MAX_PATHS = 100;

/**
 * All datasets of a file in its order, those of a group at the place of the group. Symbolic links are not followed.
 * Throws FormatError that names a link to another file.
 */
export function listDatasets(file: Hdf5Handle): readonly Hdf5Dataset[] {
  const found: Hdf5Dataset[] = [];
  const pathsTo = new Map<string, number>();

  function visit(group: string, depth: number): void {
    if (depth > MAX_DEPTH) {
      throw new FormatError({ subject: file.source, problem: `has groups more than ${MAX_DEPTH} deep` });
    }
    const address = String(file.query(file.source, (library, id) => library.create_object_reference(id, group || '/')));
    const paths = (pathsTo.get(address) ?? 0) + 1;
    pathsTo.set(address, paths);
    if (paths > MAX_PATHS) {
      throw new FormatError({ subject: file.source, problem: `has a group that is in more than ${MAX_PATHS} places` });
    }
    const names = file.query(file.source, (library, id) => library.get_names(id, group || '/', false));
    for (const name of names) {
      const path = `${group}/${name}`;
      const { isGroup, isDataset } = kindOf(file, path);
      if (isGroup) visit(path, depth + 1);
      if (isDataset) {
        const metadata = file.query(path, (library, id) => library.get_dataset_metadata(id, path));
        found.push({ path, metadata, attributes: readAttributes(file, path), storage: new DatasetStorage() });
      }
    }
  }
  visit('', 0);
  return found;
}

function kindOf(file: Hdf5Handle, path: string): { isGroup: boolean; isDataset: boolean } {
  return file.query(path, (library, id) => {
    if (library.get_symbolic_link(id, path) !== null) return { isGroup: false, isDataset: false };
    const { filename, obj_path } = library.get_external_link(id, path);
    if (filename !== undefined) {
      throw refersElsewhere(`${file.source}, ${path}`, REFERENCES.link, [`${filename}:${obj_path}`]);
    }
    const type = library.get_type(id, path);
    return { isGroup: type === library.H5G_GROUP, isDataset: type === library.H5G_DATASET };
  });
}

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

/** Internal attributes that say nothing of values or dimensions: each takes some calls to read. */
const UNUSED = new Set(['REFERENCE_LIST', 'DIMENSION_LIST', 'DIMENSION_LABELS', '_nc3_strict']);

/**
 * Reads the attributes of an object of the file, including internal ones of NetCDF and HDF5 that are used. Those of a type
 * other than texts and plain numbers are unread; one without values is an empty text or an empty list of numbers.
 */
export function readAttributes(file: Hdf5Handle, path: string): Attributes {
  const all = file.query(path, (library, id) => library.get_attribute_names(id, path));
  const names = all.filter((name) => !UNUSED.has(name));
  return new Map(names.map((name) => [name, readAttribute(file, path, name)]));
}

/** Removes the attributes that NetCDF and HDF5 use internally. */
export function withoutInternal(attributes: Attributes): Attributes {
  return new Map([...attributes].filter(([name]) => !INTERNAL.has(name)));
}

function readAttribute(file: Hdf5Handle, path: string, name: string): AttributeValue | UnreadAttribute {
  const subject = `${path} ${name}`;
  const metadata = file.query(subject, (library, id) => library.get_attribute_metadata(id, path, name));
  const { size, total_size: length, vlen } = metadata;
  const type = arrayType(metadata);
  if (type === undefined) {
    const column = path.replace(/^\//, '');
    return new UnreadAttribute(typeName(metadata), { source: file.source, ...(column === '' ? {} : { column }) });
  }
  if (metadata.shape === null) return type === 'text' ? '' : [];
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

const NO_VARIABLE = 'This is a netCDF dimension but not a netCDF variable';
/** The prefix of a variable that has the name of a dimension, but is not its coordinate. */
const NO_COORDINATE = '_nc4_non_coord_';

/** Whether the NetCDF library wrote the dataset. */
export function isOfNetcdf(dataset: Hdf5Dataset): boolean {
  return dataset.attributes.has('_Netcdf4Dimid') || isDimensionOnly(dataset);
}

/** Whether the dataset is a dimension: by convention it may also contain the coordinates along it. */
function isDimension({ attributes }: Hdf5Dataset): boolean {
  return attributes.get('CLASS') === 'DIMENSION_SCALE';
}

/** Whether the dataset only represents a dimension, and has no values. */
export function isDimensionOnly(dataset: Hdf5Dataset): boolean {
  return isDimension(dataset) && String(dataset.attributes.get('NAME')).startsWith(NO_VARIABLE);
}

/** The name of a dataset, with the path of its group: `group/name`. */
export function nameOf(path: string): string {
  const at = path.lastIndexOf('/') + 1;
  const name = path.slice(at);
  return path.slice(1, at) + (name.startsWith(NO_COORDINATE) ? name.slice(NO_COORDINATE.length) : name);
}

/** A dimension of a dataset; a dataset that can grow along it may have fewer stored values than its length. */
export interface NamedDimension {
  readonly name: string;
  readonly length: number;
}

/**
 * Names the dimensions of each dataset by the dimension scales that are attached to it. Without scales, dimensions of
 * equal length count as the same, but not two of one dataset: `phony_dim_0` and so on, as the NetCDF library does.
 */
export function nameDimensions(
  file: Hdf5Handle,
  datasets: readonly Hdf5Dataset[],
): ReadonlyMap<Hdf5Dataset, readonly NamedDimension[]> {
  const names = dimensionNames(file, datasets);
  const longest = new Map<string, number>();
  for (const [{ metadata }, dimensions] of names) {
    for (const [d, name] of dimensions.entries()) {
      longest.set(name, Math.max(longest.get(name) ?? 0, metadata.shape?.[d] ?? 0));
    }
  }
  const lengthOf = ({ metadata: { shape, maxshape } }: Hdf5Dataset, name: string, d: number) => {
    const stored = shape?.[d] ?? 0;
    return (maxshape?.[d] ?? 0) > stored ? (longest.get(name) ?? stored) : stored;
  };
  return new Map(
    [...names].map(([dataset, dimensions]) => {
      return [dataset, dimensions.map((name, d) => ({ name, length: lengthOf(dataset, name, d) }))];
    }),
  );
}

function dimensionNames(file: Hdf5Handle, datasets: readonly Hdf5Dataset[]): Map<Hdf5Dataset, readonly string[]> {
  const pathOfId = new Map<unknown, string>();
  for (const { path, attributes } of datasets.filter(isDimension)) {
    const id = attributes.get('_Netcdf4Dimid');
    if (id !== undefined) pathOfId.set(id, path);
  }
  const phony: number[] = [];

  function phonyName(length: number, taken: readonly string[]): string {
    const at = phony.findIndex((known, i) => known === length && !taken.includes(`phony_dim_${i}`));
    return `phony_dim_${at < 0 ? phony.push(length) - 1 : at}`;
  }

  function scaleOf(dataset: Hdf5Dataset, d: number): string | undefined {
    const { path, metadata, attributes } = dataset;
    const ids = [attributes.get('_Netcdf4Coordinates') ?? []].flat();
    const known = pathOfId.get(ids[d]);
    if (known !== undefined) return known;
    if (isDimension(dataset)) return metadata.shape?.length === 1 ? path : undefined;
    assertScaleCounts(file, dataset, datasets.length);
    return file.query(path, (library, id) => library.get_attached_scales(id, path, d)[0]);
  }

  function names(dataset: Hdf5Dataset): readonly string[] {
    const found: string[] = [];
    for (const [d, length] of (dataset.metadata.shape ?? []).entries()) {
      const scale = scaleOf(dataset, d);
      found.push(scale === undefined ? phonyName(length, found) : nameOf(scale));
    }
    return found;
  }

  return new Map(datasets.map((dataset) => [dataset, names(dataset)]));
}

/** Bytes of a list of references in the library's memory: its length, and where it is. */
const LIST_BYTES = 8;

/**
 * Throws FormatError where a list of dimension scales is longer than `max`, the number of datasets: the library goes
 * through all of it for each dimension, up to 4 billion references that the file does not hold.
 */
function assertScaleCounts(file: Hdf5Handle, { path }: Hdf5Dataset, max: number): void {
  const name = 'DIMENSION_LIST';
  const subject = `${path} ${name}`;
  const names = file.query(path, (library, id) => library.get_attribute_names(id, path));
  if (!names.includes(name)) return;
  const { size, total_size: count } = file.query(subject, (library, id) =>
    library.get_attribute_metadata(id, path, name),
  );
  if (size !== LIST_BYTES) return;
  const longest = file.lend(size * count, (at) => {
    file.query(subject, (library, id) => library.get_attribute_data(id, path, name, BigInt(at)));
    const lengths = decodeNumbers(file.library, at, 2 * count, 'uint32').filter((_, i) => i % 2 === 0);
    const length = Math.max(0, ...lengths);
    if (length <= max) file.query(subject, (library, id) => library.reclaim_vlen_memory(id, path, name, BigInt(at)));
    return length;
  });
  if (longest <= max) return;
  const allowed = `at most ${max}, the number of datasets`;
  throw new FormatError({
    subject: `${file.source}, ${subject}`,
    problem: 'has too many scales',
    received: longest,
    allowed,
  });
}

/** HDF5's numbers of the classes of its types. */
const INTEGER = 0;
const FLOAT = 1;
const STRING = 3;

/** What people call the other classes, by their numbers. */
const CLASS_NAMES: Readonly<Record<number, string>> = {
  0: 'an integer',
  1: 'a float',
  2: 'a time',
  4: 'a bit field',
  5: 'an opaque value',
  6: 'a compound',
  7: 'a reference',
  8: 'an enumeration',
  9: 'a list of variable length',
  10: 'an array',
};

/** The type of the elements of an HDF5 dataset or attribute; undefined if they are not plain numbers or texts. */
export function arrayType({ type, size, signed }: Metadata): ArrayType | undefined {
  if (type === STRING) return 'text';
  if (type !== INTEGER && type !== FLOAT) return undefined;
  const kind = type === FLOAT ? 'float' : signed ? 'int' : 'uint';
  const name = `${kind}${8 * size}`;
  return isNumberType(name) ? name : undefined;
}

/** Whether these are single characters, which NetCDF joins to texts along the last dimension. */
export function isCharacters({ type, size, vlen, shape }: Metadata): boolean {
  return type === STRING && size === 1 && !vlen && shape !== null && shape.length > 0;
}

/** HDF5's number for texts of fixed length that are padded with spaces; others are padded with NULs. */
const SPACE_PADDED = 2;

/** Reads `length` texts, of fixed or variable length, from the library's memory from `at` on. */
export function decodeTexts({ HEAPU8 }: Hdf5Library, at: number, length: number, metadata: Metadata): string[] {
  const { size, vlen, strpad } = metadata;
  const pointers = new DataView(HEAPU8.buffer, at);
  return Array.from({ length }, (_, i) => {
    if (vlen) {
      const from = pointers.getUint32(i * size, true);
      return from === 0 ? '' : storedText(HEAPU8.slice(from, HEAPU8.indexOf(0, from)));
    }
    const bytes = HEAPU8.slice(at + i * size, at + (i + 1) * size);
    if (strpad === SPACE_PADDED) return storedText(bytes).trimEnd();
    const end = bytes.indexOf(0);
    return storedText(end < 0 ? bytes : bytes.subarray(0, end));
  });
}

/** Reads `length` numbers from the library's memory from `at` on. */
function decodeNumbers({ HEAPU8 }: Hdf5Library, at: number, length: number, type: NumberType): number[] {
  const TypedArray = NUMBER_ARRAYS[type];
  const { buffer } = HEAPU8.slice(at, at + length * TypedArray.BYTES_PER_ELEMENT);
  return Array.from<number | bigint, number>(new TypedArray(buffer), Number);
}

/** What people call a type that is not read, such as `a compound of 8 bytes`. */
function typeName({ type, size }: Metadata): string {
  return `${CLASS_NAMES[type] ?? 'an unknown type'} of ${size} ${size === 1 ? 'byte' : 'bytes'}`;
}
