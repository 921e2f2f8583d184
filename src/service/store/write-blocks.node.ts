import { createHash } from 'node:crypto';
import type { Places } from '../../ensemble/nearest-place.js';
import { DataError, unusable } from '../../errors.js';
import { isBlockShape } from '../blocks/block-format.js';
import type { BlockMemory } from '../blocks/block-memory.js';
import { BlockEncoder } from '../blocks/encode-block.js';
import { fieldGridBytes, findFieldGrid } from '../blocks/field-grid.js';
import { blockBytes, type FileCodec } from './block-codec.js';
import {
  BLOCK_MAGIC,
  DIGEST_BYTES,
  digestOf,
  formatFooter,
  NO_PLACE,
  type SeriesHead,
  seriesWidth,
  storedBytes,
  TAIL_BYTES,
} from './block-file.js';
import type { BlockSample } from './block-sample.js';
import type { StoreAccess } from './store-access.js';

/** One variable of a part, with its values. */
export interface Series extends SeriesHead {
  /** The places of the cells. */
  readonly places: Places;
  /**
   * Each has the values of some consecutive cells, in order: the days of member 0, then of member 1, ...; NaN where
   * missing.
   */
  readonly blocks: Iterable<Float32Array> | AsyncIterable<Float32Array>;
  /**
   * Up to so many cells, spread over those at hand, with their values as `blocks` has them. Where it is there, and each
   * field has a grid of its own that all places share, such as a reference of GRIB, that grid is found, and blocks become
   * smaller.
   */
  readonly sample?: (count: number) => BlockSample | Promise<BlockSample>;
  /** The quantum that values are rounded to, in their units. By default every bit is kept. */
  readonly precision?: number;
  /**
   * A text that changes with the values, such as a checksum of what they are from: where an update was stopped, the next one
   * takes the values that were finished by the same key, and does not read `blocks`.
   */
  readonly key?: string;
  /** Called with what becomes of values that a stopped update has left. */
  readonly onNotice?: (text: string) => void;
}

/** An object of a store: its name, its length and the SHA-256 of its bytes; stores of version 1 state only the name. */
export interface ObjectEntry {
  readonly file: string;
  readonly bytes?: number;
  readonly sha256?: string;
}

/** Blocks of fewer values are not packed: what a block says of itself takes as much. */
const MIN_PACKED = 24;
/** Packed blocks are used where they take at most this share of the others, which are read faster. */
const MIN_SAVING = 0.9;
/** Fields are looked at at about so many values, of so many places. */
const MAX_SAMPLED = 4_194_304;
const [MIN_SAMPLED_PLACES, MAX_SAMPLED_PLACES] = [64, 512];
/** So many places are encoded to choose the codec. */
const MAX_TRIED = 16;

/** About so many bytes are written at a time. */
const PIECE_BYTES = 1_048_576;

/**
 * Writes an object from its pieces, and returns what a manifest states of it. Rejects with FileError, and with what the
 * pieces throw.
 */
export async function putObject(
  access: StoreAccess,
  file: string,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<Required<ObjectEntry>> {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* counted() {
    for await (const piece of pieces) {
      hash.update(piece);
      bytes += piece.length;
      yield piece;
    }
  }
  await access.put(file, counted());
  return { file, bytes, sha256: hash.digest('hex') };
}

/**
 * Writes the file of a variable as its blocks come. Rejects with FileError, with DataError where the blocks do not fit
 * the places, and with whatever the blocks' iterator throws; then there is no such file.
 */
export async function writeBlocks(
  access: StoreAccess,
  file: string,
  series: Series,
  memory: BlockMemory,
): Promise<Required<ObjectEntry>> {
  const encoder = await BlockEncoder.load();
  try {
    return await putObject(access, file, piecesOf(series, memory, encoder));
  } finally {
    encoder.end();
  }
}

/** The bytes of a file of blocks; each piece is valid until the next one is requested. */
async function* piecesOf(series: Series, memory: BlockMemory, encoder: BlockEncoder): AsyncGenerator<Uint8Array> {
  const { axis, places } = series;
  const codec = await chooseCodec(series, encoder);
  const count = places.latitude.length;
  const lengths = blockBytes(codec.name, axis) === undefined ? new Uint32Array(count) : undefined;
  yield BLOCK_MAGIC;
  let piece = new Uint8Array(PIECE_BYTES);
  let held = 0;
  let place = 0;
  const width = seriesWidth(axis);
  for await (const values of blocksOf(series)) {
    for (let at = 0; at < values.length; at += width) {
      const own = values.subarray(at, at + width);
      const block = codec.name === 'packed' ? encoder.encode(own, axis, codec) : bytesOf(own);
      const stored = storedBytes(block.length);
      if (held + stored > piece.length) {
        if (held > 0) yield piece.subarray(0, held);
        if (stored > piece.length) piece = new Uint8Array(stored);
        held = 0;
      }
      piece.set(block, held);
      piece.fill(0, held + block.length, held + stored);
      writeNumber(piece, held + stored - 4, digestOf(memory, piece.subarray(held, held + stored - 4), place));
      if (lengths !== undefined) lengths[place] = block.length;
      held += stored;
      place++;
    }
  }
  yield piece.subarray(0, held);
  const { name, precision, fields } = codec;
  if (fields !== undefined) yield withDigest(fieldGridBytes(fields), memory);
  if (lengths !== undefined) yield withDigest(new Uint8Array(lengths.buffer), memory);
  const footer = formatFooter(series, count, { name, precision, hasFields: fields !== undefined });
  const ending = new Uint8Array(footer.length + TAIL_BYTES);
  ending.set(footer);
  writeNumber(ending, footer.length, footer.length);
  writeNumber(ending, footer.length + 4, digestOf(memory, footer, NO_PLACE));
  ending.set(BLOCK_MAGIC, footer.length + 8);
  yield ending;
}

/** The codec that is likely to take the fewest bytes, by some places, whose fields are looked at together. */
async function chooseCodec({ axis, precision, sample }: Series, encoder: BlockEncoder): Promise<FileCodec> {
  const width = seriesWidth(axis);
  if (!isBlockShape(axis) || width < MIN_PACKED) return { name: 'raw' };
  if (sample === undefined) return { name: 'packed', precision };
  const wanted = Math.max(MIN_SAMPLED_PLACES, Math.min(MAX_SAMPLED_PLACES, Math.ceil(MAX_SAMPLED / width)));
  const { values } = await sample(wanted);
  const fields = precision === undefined ? findFieldGrid(values, axis) : undefined;
  const packed: FileCodec = { name: 'packed', precision, fields };
  const tried = Math.min(MAX_TRIED, Math.floor(values.length / width));
  let bytes = 0;
  for (let place = 0; place < tried; place++) {
    bytes += encoder.encode(values.subarray(place * width, (place + 1) * width), axis, packed).length;
  }
  return bytes < MIN_SAVING * tried * width * Float32Array.BYTES_PER_ELEMENT ? packed : { name: 'raw' };
}

function withDigest(bytes: Uint8Array, memory: BlockMemory): Uint8Array {
  const ending = new Uint8Array(bytes.length + DIGEST_BYTES);
  ending.set(bytes);
  writeNumber(ending, bytes.length, digestOf(memory, bytes, NO_PLACE));
  return ending;
}

function writeNumber(bytes: Uint8Array, at: number, value: number): void {
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(at, value, true);
}

/** The blocks of a series, each of complete places, and all places together. */
async function* blocksOf({ slug, axis, places, blocks }: Series): AsyncGenerator<Float32Array> {
  const width = seriesWidth(axis);
  const expected = places.latitude.length * width;
  let taken = 0;
  for await (const block of blocks) {
    if (!(block instanceof Float32Array)) throw unusable(`block of ${slug}`, block, 'a Float32Array');
    taken += block.length;
    if (block.length % width !== 0 || taken > expected) throw otherPlaces(slug, expected, width, taken);
    yield block;
  }
  if (taken !== expected) throw otherPlaces(slug, expected, width, taken);
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function otherPlaces(slug: string, expected: number, width: number, taken: number): DataError {
  return new DataError({
    subject: slug,
    problem: 'blocks do not hold the values of all places, each complete and once',
    received: `${taken} values${taken > expected ? ' or more' : ''}`,
    allowed: `${expected}: ${width} values of each of ${expected / width} places`,
  });
}
