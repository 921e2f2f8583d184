import { xxhash64 } from './xxhash64.js';
import { ZstdBlocks } from './zstd-blocks.js';

const MAGIC = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;
const DICTIONARY_ID_BYTES = [0, 1, 2, 4];
const BLOCK = { raw: 0, repeated: 1, compressed: 2 };
const CHECKSUM_BYTES = 4;

/**
 * Decompresses frames of Zstandard (RFC 8878) into `size` bytes, and stops if they have more. Throws a RangeError if
 * they have more or fewer, are corrupt, need a dictionary, or if a checksum in them is wrong.
 */
export function decompressZstd(bytes: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const output = new Uint8Array(size);
  let at = 0;
  let written = 0;
  while (at < bytes.length) {
    const magic = view.getUint32(at, true);
    if ((magic & ~15) >>> 0 === SKIPPABLE) {
      at += 8 + view.getUint32(at + 4, true);
    } else {
      if (magic !== MAGIC) throw new RangeError('not a Zstandard frame');
      ({ at, written } = decompressFrame(view, at + 4, bytes, output, written));
    }
  }
  if (at > bytes.length || written !== size) {
    throw new RangeError(`Zstandard frames that end after ${written} of ${size} bytes`);
  }
  return output;
}

function decompressFrame(view: DataView, start: number, bytes: Uint8Array, output: Uint8Array, first: number) {
  const descriptor = view.getUint8(start);
  const isSingle = (descriptor & 32) !== 0;
  let at = start + (isSingle ? 1 : 2);
  for (const end = at + DICTIONARY_ID_BYTES[descriptor & 3]; at < end; at++) {
    if (view.getUint8(at) !== 0) throw new RangeError('a Zstandard frame that needs a dictionary');
  }
  const sizeKind = descriptor >> 6;
  const contentSize = readContentSize(view, at, sizeKind, isSingle);
  at += sizeKind === 0 ? (isSingle ? 1 : 0) : 1 << sizeKind;
  if ((descriptor & 8) !== 0) throw new RangeError('a Zstandard frame of an unknown version');
  const blocks = new ZstdBlocks(bytes, output, first);
  for (let isLast = false; !isLast; ) {
    const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
    isLast = (header & 1) === 1;
    const kind = (header >> 1) & 3;
    const length = header >> 3;
    at += 3;
    const stored = kind === BLOCK.repeated ? 1 : length;
    if (stored > bytes.length - at) throw new RangeError('a Zstandard block that is cut');
    if (kind === BLOCK.compressed) blocks.compressed(at, at + length);
    else if (kind === BLOCK.raw) blocks.raw(at, length);
    else if (kind === BLOCK.repeated) blocks.repeated(bytes[at], length);
    else throw new RangeError('a Zstandard block of an unknown kind');
    at += stored;
  }
  const { written } = blocks;
  if (contentSize !== undefined && contentSize !== written - first) {
    throw new RangeError(`a Zstandard frame of ${written - first} bytes that says ${contentSize}`);
  }
  if ((descriptor & 4) !== 0) {
    const checksum = Number(xxhash64(output.subarray(first, written)) & 0xffffffffn);
    if (view.getUint32(at, true) !== checksum) throw new RangeError('a Zstandard checksum that is wrong');
    at += CHECKSUM_BYTES;
  }
  return { at, written };
}

function readContentSize(view: DataView, at: number, kind: number, isSingle: boolean): number | undefined {
  if (kind === 0) return isSingle ? view.getUint8(at) : undefined;
  if (kind === 1) return view.getUint16(at, true) + 256;
  return kind === 2 ? view.getUint32(at, true) : Number(view.getBigUint64(at, true));
}
