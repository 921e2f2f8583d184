import { copyLiteral } from './copy-bytes.js';

/** Matches are found by the hash of four bytes. */
const HASH_BITS = 14;
const MIN_MATCH = 4;
/**
 * The last bytes of a block are literals, and its last match begins before these (LZ4 block format, end of block
 * conditions).
 */
const LAST_LITERALS = 5;
const NO_MATCH_FROM = 12;
const MAX_DISTANCE = 65_535;
/** After each 2 ** 6 places without a match, the steps of the search grow by one byte. */
const STEP_GROWTH_BITS = 6;

/** The most bytes that `length` bytes can become in a block. */
function maxBlockBytes(length: number): number {
  return length + Math.ceil(length / 255) + 16;
}

/** Compresses bytes into one LZ4 block, which may be longer than they are. */
export function lz4Block(source: Uint8Array): Uint8Array {
  const target = new Uint8Array(maxBlockBytes(source.length));
  const view = new DataView(source.buffer, source.byteOffset, source.byteLength);
  const places = new Int32Array(1 << HASH_BITS).fill(-1);
  const matchEnd = source.length - LAST_LITERALS;
  let written = 0;
  let anchor = 0;
  let misses = 0;
  for (let at = 0; at < source.length - NO_MATCH_FROM; ) {
    const word = view.getUint32(at, true);
    const hash = Math.imul(word, 0x9e3779b1) >>> (32 - HASH_BITS);
    const before = places[hash];
    places[hash] = at;
    if (before < 0 || at - before > MAX_DISTANCE || view.getUint32(before, true) !== word) {
      at += 1 + (misses++ >> STEP_GROWTH_BITS);
      continue;
    }
    misses = 0;
    let length = MIN_MATCH;
    while (at + length < matchEnd && source[before + length] === source[at + length]) length++;
    written = writeSequence(target, written, source, anchor, at, at - before, length);
    at += length;
    anchor = at;
  }
  written = writeLiterals(target, written, source, anchor, source.length, 0);
  return target.subarray(0, written);
}

/** Writes literals, and then a match. */
function writeSequence(
  target: Uint8Array,
  at: number,
  source: Uint8Array,
  from: number,
  to: number,
  distance: number,
  length: number,
): number {
  const extra = length - MIN_MATCH;
  let next = writeLiterals(target, at, source, from, to, Math.min(extra, 15));
  target[next++] = distance & 255;
  target[next++] = distance >> 8;
  return extra < 15 ? next : writeLength(target, next, extra - 15);
}

/** Writes a token and literals; `match` is the part of the token that states the length of the match after them. */
function writeLiterals(
  target: Uint8Array,
  at: number,
  source: Uint8Array,
  from: number,
  to: number,
  match: number,
): number {
  const count = to - from;
  let next = at + 1;
  target[at] = (Math.min(count, 15) << 4) | match;
  if (count >= 15) next = writeLength(target, next, count - 15);
  copyLiteral(source, from, target, next, count);
  return next + count;
}

function writeLength(target: Uint8Array, at: number, length: number): number {
  let [next, left] = [at, length];
  for (; left >= 255; left -= 255) target[next++] = 255;
  target[next++] = left;
  return next;
}
