import { inflate } from '#inflate';
import { crc32 } from '../../codecs/crc.js';
import { assertImageFits, type ImageNumbers, type ImageSize } from './image.js';
import { type FieldHead, fieldError, type Packing } from './packed-field.js';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** The length, type and checksum of a chunk. */
const CHUNK_BYTES = 12;
const HEADER_BYTES = 13;
/** The bit depths of a channel that are read, and the number of channels, by the colour type. */
const DEPTHS: Readonly<Record<number, { readonly depths: readonly number[]; readonly channels: number } | undefined>> =
  {
    0: { depths: [1, 2, 4, 8, 16], channels: 1 },
    2: { depths: [8], channels: 3 },
    6: { depths: [8], channels: 4 },
  };
/** The fifth bit of the first letter: readers may pass over the chunk. */
const ANCILLARY = 0x20;

interface Header extends ImageSize {
  /** The compressed rows. */
  readonly data: readonly Uint8Array[];
}

/**
 * Reads the numbers of a PNG image (template 5.41): grey values of 1, 2, 4, 8 or 16 bits, 24 bits as RGB, 32 as RGBA.
 * Throws FormatError for other images, and where something is cut, damaged or does not fit section 5.
 */
export async function readPng(field: FieldHead, packing: Packing, png: Uint8Array): Promise<ImageNumbers> {
  const { width, height, bits, data } = readChunks(field, png);
  assertImageFits(field, 'PNG', { width, height, bits }, packing);
  const rowBytes = Math.ceil((width * bits) / 8);
  const filtered = await inflateRows(field, data, height * (1 + rowBytes));
  const bytes = undoFilters(field, filtered, height, rowBytes, Math.max(1, bits / 8));
  return bits < 8 ? { bytes: spreadBits(bytes, width, height, rowBytes, bits), bits: 8 } : { bytes, bits };
}

/** Reads the chunks up to the end of the image, with their checksums. */
function readChunks(field: FieldHead, bytes: Uint8Array): Header {
  if (!SIGNATURE.every((byte, i) => bytes[i] === byte)) throw damaged(field, 'does not begin with a PNG image');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let size: ImageSize | undefined;
  const data: Uint8Array[] = [];
  for (let at = SIGNATURE.length; ; ) {
    const left = bytes.length - at - CHUNK_BYTES;
    const length = left < 0 ? 0 : view.getUint32(at);
    if (left < 0 || length > left) throw damaged(field, 'has a PNG image that ends within a chunk');
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const content = bytes.subarray(at + 8, at + 8 + length);
    if (crc32(bytes.subarray(at + 4, at + 8 + length)) !== view.getUint32(at + 8 + length))
      throw damaged(field, `has a PNG image with a wrong checksum in chunk ${JSON.stringify(type)}`);
    if ((size === undefined) !== (type === 'IHDR'))
      throw damaged(field, 'has a PNG image without one header at its beginning');
    if (type === 'IHDR') size = readHeader(field, content);
    else if (type === 'IDAT') data.push(content);
    else if (type === 'IEND') return { ...(size as ImageSize), data };
    else if ((bytes[at + 4] & ANCILLARY) === 0)
      throw unread(field, 'has a PNG image with a chunk that is not read', type, 'IHDR, IDAT and IEND');
    at += CHUNK_BYTES + length;
  }
}

function readHeader(field: FieldHead, content: Uint8Array): ImageSize {
  if (content.length !== HEADER_BYTES) throw damaged(field, 'has a PNG image whose header has a wrong length');
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const [depth, colour, compression, filter, interlace] = content.subarray(8);
  const kind = DEPTHS[colour];
  if (kind === undefined || !kind.depths.includes(depth)) {
    const received = `colour type ${colour} with ${depth} bits`;
    const allowed = 'grey of 1, 2, 4, 8 or 16 bits, RGB or RGBA of 8 bits for each colour';
    throw unread(field, 'has a PNG image of a kind that is not read', received, allowed);
  }
  if (interlace !== 0) throw unread(field, 'has an interlaced PNG image', interlace, '0 (not interlaced)');
  if (compression !== 0 || filter !== 0)
    throw unread(field, 'has a PNG image with an unknown compression or filter', [compression, filter], '0 and 0');
  return { width: view.getUint32(0), height: view.getUint32(4), bits: depth * kind.channels };
}

async function inflateRows(field: FieldHead, data: readonly Uint8Array[], length: number): Promise<Uint8Array> {
  const joined = new Uint8Array(data.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of data) {
    joined.set(part, at);
    at += part.length;
  }
  const rows = await inflate('deflate', joined, length).catch((cause: unknown) => {
    if (!(cause instanceof RangeError)) throw cause;
    throw damaged(field, `has a PNG image with damaged rows: ${cause.message}`, cause);
  });
  if (rows.length !== length) throw damaged(field, 'has a PNG image with too few rows');
  return rows;
}

/** Undoes the filter of each row (section 9 of the PNG specification); `step` is the bytes from a pixel to the next. */
function undoFilters(field: FieldHead, filtered: Uint8Array, height: number, rowBytes: number, step: number) {
  const rows = new Uint8Array(height * rowBytes);
  const zeros = new Uint8Array(rowBytes);
  for (let y = 0; y < height; y++) {
    const at = y * (1 + rowBytes);
    const row = rows.subarray(y * rowBytes, (y + 1) * rowBytes);
    const above = y === 0 ? zeros : rows.subarray((y - 1) * rowBytes, y * rowBytes);
    row.set(filtered.subarray(at + 1, at + 1 + rowBytes));
    const undo = UNDO[filtered[at]];
    if (undo === undefined) throw damaged(field, `has a PNG image with an unknown filter, ${filtered[at]}`);
    undo(row, above, step);
  }
  return rows;
}

type Undo = (row: Uint8Array, above: Uint8Array, step: number) => void;

/** By the number of the filter: none, left, above, the mean of both, and that of Paeth. */
const UNDO: readonly Undo[] = [
  () => {},
  (row, _, step) => {
    for (let i = step; i < row.length; i++) row[i] += row[i - step];
  },
  (row, above) => {
    for (let i = 0; i < row.length; i++) row[i] += above[i];
  },
  (row, above, step) => {
    for (let i = 0; i < row.length; i++) row[i] += ((i < step ? 0 : row[i - step]) + above[i]) >> 1;
  },
  (row, above, step) => {
    for (let i = 0; i < row.length; i++) {
      row[i] += i < step ? above[i] : paeth(row[i - step], above[i], above[i - step]);
    }
  },
];

/** Which of three neighbours is nearest to left + above - corner. */
function paeth(left: number, above: number, corner: number): number {
  const toLeft = Math.abs(above - corner);
  const toAbove = Math.abs(left - corner);
  const toCorner = Math.abs(left + above - 2 * corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

/** Gives numbers of 1, 2 or 4 bits, whose rows begin with a byte, a byte each. */
function spreadBits(rows: Uint8Array, width: number, height: number, rowBytes: number, bits: number): Uint8Array {
  const spread = new Uint8Array(width * height);
  const mask = 2 ** bits - 1;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const bit = x * bits;
      spread[y * width + x] = (rows[y * rowBytes + (bit >> 3)] >> (8 - bits - (bit & 7))) & mask;
    }
  }
  return spread;
}

function damaged(field: FieldHead, problem: string, cause?: unknown) {
  return fieldError(field, 7, { problem, allowed: 'a complete PNG image', cause });
}

function unread(field: FieldHead, problem: string, received: unknown, allowed: string) {
  return fieldError(field, 7, { problem, received, allowed });
}
