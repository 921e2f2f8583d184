import type { Filter, Metadata } from 'h5wasm';
import { FormatError } from '../../errors.js';
import type { StoredArray } from '../array/array-file.js';
import { checkedBytes, elements, notText } from '../array/copy-box.js';
import type { RandomAccess } from '../array/random-access.js';
import { storedText } from '../array/stored-text.js';
import type { Layout } from '../hdf5/read-layout.js';
import type { Hdf5Handle } from './hdf5-handle.js';
import type { Hdf5Dataset } from './list-datasets.js';
import { type NamedDimension, nameOf, withoutInternal } from './list-datasets.js';
import { REFERENCES, refersElsewhere } from './other-files.js';
import { type OwnValues, openOwnValues, storedLayout } from './own-values.js';
import { absentBoxes, readBoxes, type StoredPart, storedBox } from './read-box.js';
import { arrayType, decodeTexts, isCharacters } from './stored-type.js';

/**
 * Creates an array of a dataset, with these `dimensions`; undefined if it has neither plain numbers nor texts.
 *
 * Values that were never written read as HDF5's fill value: in NetCDF files that is `_FillValue`, or else NetCDF's
 * default for the type. If the writer turned filling off, they read as NaN, or as the integer whose bits are all set.
 * If an array that can grow is shorter than its dimension, the rest is absent.
 */
export function createArray(
  file: Hdf5Handle,
  access: RandomAccess,
  dataset: Hdf5Dataset,
  dimensions: readonly NamedDimension[],
): StoredArray | undefined {
  const { path, metadata, attributes } = dataset;
  const type = arrayType(metadata);
  if (type === undefined || metadata.shape === null) return undefined;
  const name = nameOf(path);
  const subject = `${file.source}, array ${name}`;
  const rank = metadata.shape.length - (isCharacters(metadata) ? 1 : 0);
  const own = dimensions.slice(0, rank);
  const array = {
    name,
    type,
    dimensions: own.map((dimension) => dimension.name),
    shape: type === 'text' ? metadata.shape.slice(0, rank) : own.map((dimension) => dimension.length),
    attributes: withoutInternal(attributes),
    ...(metadata.chunks !== null && { chunk: metadata.chunks.slice(0, rank) }),
  };
  const part = {
    path,
    subject,
    shape: metadata.shape,
    chunk: metadata.chunks ?? metadata.shape.map(() => 1),
    elementBytes: metadata.size,
  };
  let checking: Promise<Layout | undefined> | undefined;
  const checkOnce = () => {
    checking ??= checkStorage(file, access, dataset, part);
    return checking;
  };
  let opening: Promise<OwnValues | undefined> | undefined;
  const ownValues = async () => {
    const layout = await checkOnce();
    const isOurs = type !== 'text' && metadata.littleEndian;
    opening ??= isOurs ? openOwnValues(file, access, part, type, layout) : Promise.resolve(undefined);
    return opening;
  };
  return {
    ...array,
    get filters() {
      return file.query(subject, (library, id) => library.get_dataset_filters(id, path)).map(({ name }) => name);
    },
    async read(box, into) {
      const bytes = checkedBytes(array, box, into);
      file.assertOpen();
      const stored = storedBox(box, part.shape);
      const own = await ownValues();
      const others = own === undefined ? [stored] : await own.read(stored, box, into);
      readBoxes(file, part, others, { box, into: bytes });
      await access.checkUnchanged();
      return absentBoxes(box, stored);
    },
    async readTexts() {
      if (type !== 'text') throw notText(name);
      await checkOnce();
      const texts = readTexts(file, path, subject, metadata);
      await access.checkUnchanged();
      return texts;
    },
  };
}

/** Reads all texts of a dataset. Throws FormatError if the library cannot read them. */
function readTexts(file: Hdf5Handle, path: string, subject: string, metadata: Metadata): string[] {
  const { size, total_size: length, vlen, shape } = metadata;
  return file.lend(size * length, (at) => {
    const place = BigInt(at);
    if (length > 0) file.query(subject, (library, id) => library.get_dataset_data(id, path, null, null, null, place));
    if (isCharacters(metadata)) return rowsOfCharacters(file.library.HEAPU8.subarray(at, at + length), shape ?? []);
    const texts = decodeTexts(file.library, at, length, metadata);
    if (vlen) file.query(subject, (library, id) => library.reclaim_vlen_memory(id, path, '', place));
    return texts;
  });
}

function rowsOfCharacters(characters: Uint8Array, shape: readonly number[]): string[] {
  const width = shape[shape.length - 1];
  return Array.from({ length: elements(shape.slice(0, -1)) }, (_, i) => {
    return storedText(characters.subarray(i * width, (i + 1) * width));
  });
}

/** The name by which sources of a virtual dataset are in its own file. */
const SAME_FILE = '.';
/** The filters that h5wasm's HDF5 library decodes, by their numbers. */
const DECODED = new Set([1, 2, 3, 4, 5, 6]);
const NBIT = 5;
const READABLE =
  'deflate, shuffle, fletcher32, szip, scaleoffset and nbit; `nccopy -F none` or `h5repack -f NONE` takes others off where they are installed';

/**
 * Checks that the values of a dataset are in the file and can be decoded, and reads how they are stored. Without a
 * decoder, HDF5 leaves memory unchanged, and it gives fill values for files of a virtual dataset that do not exist.
 *
 * Throws FormatError that names a filter that is not decoded, or the files that values are in.
 */
async function checkStorage(
  file: Hdf5Handle,
  access: RandomAccess,
  { path, metadata }: Hdf5Dataset,
  part: StoredPart,
): Promise<Layout | undefined> {
  const { subject } = part;
  const filters = file.query(subject, (library, id) => library.get_dataset_filters(id, path));
  const unknown = filters.find((filter) => !DECODED.has(filter.id) || hasFewerBits(filter));
  if (unknown !== undefined) {
    const problem = `is stored with the filter ${unknown.name || 'without a name'} (${unknown.id}), which is not decoded`;
    throw new FormatError({ subject, problem, allowed: READABLE });
  }
  const sources = metadata.virtual_sources;
  if (sources !== undefined) {
    const others = sources.map((source) => source.file_name).filter((name) => name !== SAME_FILE);
    if (others.length > 0) throw refersElsewhere(subject, REFERENCES.virtual, others);
    const arrays = sources.map((source) => source.dset_name);
    throw refersElsewhere(subject, REFERENCES.views, arrays);
  }
  const layout = await storedLayout(file, access, part);
  if (layout?.kind === 'external') throw refersElsewhere(subject, REFERENCES.storage, layout.files);
  return layout;
}

/**
 * Whether numbers use fewer bits than their bytes have: the parameters are count, flag, count, class, size, order,
 * bits.
 */
function hasFewerBits({ id, cd_values: parameters }: Filter): boolean {
  return id === NBIT && parameters[6] !== parameters[4] * 8;
}
