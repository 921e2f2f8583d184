import type { Filter, Metadata } from 'h5wasm';
import { FormatError } from '../../errors.js';
import { type Box, type StoredArray, storedText } from '../array/array-file.js';
import { onceThere } from '../array/bytes-elsewhere.js';
import { checkedBytes, copyRun, elements, inUnits, notText } from '../array/copy-box.js';
import type { RandomAccess } from '../array/random-access.js';
import type { Layout } from '../hdf5/read-layout.js';
import { areOursAlone, isOfLibrary } from './chunk-filters.js';
import type { Hdf5Handle, Hdf5Library } from './hdf5-handle.js';
import {
  arrayType,
  decodeTexts,
  type Hdf5Dataset,
  isCharacters,
  type NamedDimension,
  nameOf,
  withoutInternal,
} from './list-datasets.js';
import { REFERENCES, refersElsewhere } from './other-files.js';
import { type OwnValues, openOwnValues, type StoredPart, storedLayout } from './own-values.js';

/** The library's length of a dimension without a limit. */
const UNLIMITED = 2 ** 64;

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
  const { path, metadata, attributes, storage } = dataset;
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
    storage,
    shape: metadata.shape,
    limits: (metadata.maxshape ?? metadata.shape).map((limit) =>
      limit < UNLIMITED ? limit : Number.POSITIVE_INFINITY,
    ),
    chunk: metadata.chunks ?? undefined,
    elementBytes: metadata.size,
    type: type === 'text' ? undefined : type,
    isLittleEndian: metadata.littleEndian,
  };
  let opening: Promise<OwnValues | undefined> | undefined;
  const ownValues = () => {
    opening ??= onceThere(async () =>
      openOwnValues(file, access, part, await checkStorage(file, access, dataset, part)),
    );
    return opening;
  };
  return {
    ...array,
    get filters() {
      return storage.filters(file, path, subject).map(({ name }) => name);
    },
    async read(box, into) {
      const bytes = checkedBytes(array, box, into);
      file.assertOpen();
      const stored = storedBox(box, part.shape);
      const own = await ownValues();
      const others = own === undefined ? [stored] : await own.read(stored, box, into);
      await onceThere(() => readBoxes(file, part, others, { box, into: bytes }));
      await access.checkUnchanged();
      return absentBoxes(box, stored);
    },
    ...(access.fetch && {
      fetch: async (boxes) => (await ownValues())?.fetch(boxes.map((box) => storedBox(box, part.shape))),
    }),
    async readTexts() {
      if (type !== 'text') throw notText(name);
      const own = await ownValues();
      await own?.check({ start: part.shape.map(() => 0), count: part.shape });
      const texts = await onceThere(() => readTexts(file, path, subject, metadata));
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
const NBIT = 5;
const READABLE =
  'deflate, shuffle, fletcher32, szip, scaleoffset and nbit, of numbers also zstd and blosc, not beside szip or scaleoffset; `nccopy -F none` or `h5repack -f NONE` takes others off where they are installed';

/**
 * Checks that the values of a dataset are in the file and can be decoded, and reads how they are stored. Without a
 * decoder, HDF5 leaves memory unchanged, and it gives fill values for files of a virtual dataset that do not exist.
 *
 * Throws FormatError that names a filter that is not decoded, or the files that values are in.
 */
async function checkStorage(
  file: Hdf5Handle,
  access: RandomAccess,
  { path, metadata, storage }: Hdf5Dataset,
  part: StoredPart,
): Promise<Layout | undefined> {
  const { subject } = part;
  const filters = storage.filters(file, path, subject);
  const own = part.type !== undefined && areOursAlone(filters);
  const unknown = filters.find((filter) => hasFewerBits(filter) || !(own || isOfLibrary(filter.id)));
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
  return id === NBIT && (parameters[1] !== 1 || parameters[6] !== parameters[4] * 8);
}

/** The part of a box that is stored. */
function storedBox({ start, count }: Box, shape: readonly number[]): Box {
  return { start, count: count.map((size, d) => Math.max(0, Math.min(size, shape[d] - start[d]))) };
}

/**
 * Lets the library read boxes within `box` to `into`, which has the size of `box`. The library reads or decodes values
 * to a buffer in its memory; from there they are copied to `into`. Throws FormatError if the library cannot read them.
 */
function readBoxes(
  file: Hdf5Handle,
  part: StoredPart,
  boxes: readonly Box[],
  { box, into }: { readonly box: Box; readonly into: Uint8Array },
): void {
  const { shape, chunk = shape.map(() => 1), elementBytes } = part;
  const stored = boxes.filter(({ count }) => elements(count) > 0);
  const pieces = stored.flatMap((each) => [...cutBox(each, chunk, elementBytes)]);
  if (pieces.length === 0) return;
  const most = pieces.reduce((bytes, { count }) => Math.max(bytes, elements(count) * elementBytes), 0);
  file.lend(most, (at) => {
    for (const piece of pieces) readPiece(file, part, piece, at, box, into);
  });
}

function readPiece(file: Hdf5Handle, part: StoredPart, piece: Box, at: number, box: Box, into: Uint8Array): void {
  const { elementBytes } = part;
  const bytes = elements(piece.count) * elementBytes;
  // If the writer turned filling off, chunks that were never written leave this memory unchanged: NaN or -1 instead of
  // older values.
  file.library.HEAPU8.fill(0xff, at, at + bytes);
  readIntoLibrary(file, part, piece, at);
  const values = file.library.HEAPU8.subarray(at, at + bytes);
  if (bytes === into.length) into.set(values);
  else scatter(values, piece, elementBytes, box, into);
}

/** Lets the library read a box to its memory from `at` on. */
function readIntoLibrary(
  file: Hdf5Handle,
  { path, subject, chunk = [], elementBytes }: StoredPart,
  { start, count }: Box,
  at: number,
): void {
  const chunkBytes = elements(chunk) * elementBytes;
  const query = (library: Hdf5Library, id: bigint) => {
    if (count.length === 0) return library.get_dataset_data(id, path, null, null, null, BigInt(at));
    const steps = count.map(() => 1n);
    return library.get_dataset_data(id, path, count.map(BigInt), start.map(BigInt), steps, BigInt(at));
  };
  file.query(subject, query, chunkBytes);
}

/** Copies the values of a piece to their places among those of the box. */
function scatter(values: Uint8Array, piece: Box, elementBytes: number, box: Box, into: Uint8Array): void {
  const unit = Math.min(elementBytes, 4);
  const from = inUnits(values, unit);
  const target = inUnits(into, unit);
  // If a piece is complete along the faster dimensions, its values are adjacent on both sides.
  let inner = piece.count.length - 1;
  let length = (elementBytes / unit) * piece.count[inner];
  const strides: number[] = [];
  let stride = elementBytes / unit;
  for (let d = box.count.length - 1; d >= 0; d--) {
    strides[d] = stride;
    stride *= box.count[d];
  }
  while (inner > 0 && piece.count[inner] === box.count[inner]) length *= piece.count[--inner];
  let taken = 0;

  function copy(d: number, to: number): void {
    const first = to + (piece.start[d] - box.start[d]) * strides[d];
    if (d === inner) {
      copyRun(from, taken, target, first, length);
      taken += length;
      return;
    }
    for (let i = 0; i < piece.count[d]; i++) copy(d + 1, first + i * strides[d]);
  }
  copy(0, 0);
}

/** Boxes that cover a box without its stored part; they do not overlap. */
function absentBoxes(box: Box, stored: Box): readonly Box[] {
  const absent: Box[] = [];
  for (let d = 0; d < box.count.length; d++) {
    const missing = box.count[d] - stored.count[d];
    if (missing === 0) continue;
    const isBefore = (dimension: number) => dimension < d;
    const start = box.start.map((first, i) => (i === d ? first + stored.count[d] : first));
    const count = box.count.map((size, i) => (i === d ? missing : isBefore(i) ? stored.count[i] : size));
    if (elements(count) > 0) absent.push({ start, count });
  }
  return absent;
}

/** At most this, or one chunk, is read at once: the library's memory never shrinks. */
const PIECE_BYTES = 8_388_608;

/**
 * Cuts a box into pieces of some megabytes, in the order of the array. If the array is stored in chunks, pieces end
 * where chunks end, so that each chunk is decoded once. Neighbours along the fastest dimensions stay together.
 */
export function* cutBox({ start, count }: Box, chunk: readonly number[], elementBytes: number): Generator<Box> {
  const lengths = pieceLengths(start, count, chunk, elementBytes);
  const end = start.map((first, d) => first + count[d]);
  // Pieces lie on a grid that begins with the chunk of the first element.
  const origin = start.map((first, d) => first - (first % chunk[d]));

  function* along(d: number, from: number[], size: number[]): Generator<Box> {
    if (d === start.length) {
      yield { start: from, count: size };
      return;
    }
    for (let at = origin[d]; at < end[d]; at += lengths[d]) {
      const first = Math.max(at, start[d]);
      yield* along(d + 1, [...from, first], [...size, Math.min(at + lengths[d], end[d]) - first]);
    }
  }
  yield* along(0, [], []);
}

/** The number of elements of a piece along each dimension: as many full chunks as fit, the fastest dimension first. */
function pieceLengths(
  start: readonly number[],
  count: readonly number[],
  chunk: readonly number[],
  elementBytes: number,
): readonly number[] {
  const lengths = [...chunk];
  let bytes = chunk.reduce((product, length, d) => product * Math.min(length, count[d]), elementBytes);
  for (let d = chunk.length - 1; d >= 0; d--) {
    const chunks = Math.ceil(((start[d] % chunk[d]) + count[d]) / chunk[d]);
    const fitting = Math.max(1, Math.min(chunks, Math.floor(PIECE_BYTES / bytes)));
    lengths[d] = fitting * chunk[d];
    bytes *= fitting;
    if (fitting < chunks) break;
  }
  return lengths;
}
