import type { Box } from '../array/array-file.js';
import { copyRun, elements, inUnits } from '../array/copy-box.js';
import type { Hdf5Handle, Hdf5Library } from './hdf5-handle.js';

/** The stored part of an array: an array that can grow may be stored shorter than its dimensions. */
export interface StoredPart {
  readonly path: string;
  readonly subject: string;
  readonly shape: readonly number[];
  /** Ones if the array is not stored in chunks. */
  readonly chunk: readonly number[];
  readonly elementBytes: number;
}

/** The part of a box that is stored. */
export function storedBox({ start, count }: Box, shape: readonly number[]): Box {
  return { start, count: count.map((size, d) => Math.max(0, Math.min(size, shape[d] - start[d]))) };
}

/**
 * Lets the library read boxes within `box` to `into`, which has the size of `box`. The library reads or decodes values
 * to a buffer in its memory; from there they are copied to `into`. Throws FormatError if the library cannot read them.
 */
export function readBoxes(
  file: Hdf5Handle,
  part: StoredPart,
  boxes: readonly Box[],
  { box, into }: { readonly box: Box; readonly into: Uint8Array },
): void {
  const { chunk, elementBytes } = part;
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
  { path, subject, chunk, elementBytes }: StoredPart,
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
export function absentBoxes(box: Box, stored: Box): readonly Box[] {
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
