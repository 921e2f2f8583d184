/** Matches are looked for by the hash of four bytes. */
const HASH_BITS = 14;
const LEAST_MATCH = 4;
/**
 * The last bytes of a block are literals, and its last match begins before these (LZ4 block format, end of block
 * conditions).
 */
const LAST_LITERALS = 5;
const NO_MATCH_FROM = 12;
const FARTHEST = 65_535;
/** Bytes without a match after which the search goes faster: a byte more a step for each so many. */
const PATIENCE = 6;

/** The most bytes that a block of `length` bytes takes. */
function boundOf(length: number): number {
  return length + Math.ceil(length / 255) + 16;
}

/** Compresses bytes into one LZ4 block, which may be longer than they are. */
export function lz4Block(source: Uint8Array): Uint8Array {
  const target = new Uint8Array(boundOf(source.length));
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
    if (before < 0 || at - before > FARTHEST || view.getUint32(before, true) !== word) {
      at += 1 + (misses++ >> PATIENCE);
      continue;
    }
    misses = 0;
    let length = LEAST_MATCH;
    while (at + length < matchEnd && source[before + length] === source[at + length]) length++;
    written = writeSequence(target, written, source, anchor, at, at - before, length);
    at += length;
    anchor = at;
  }
  written = writeLiterals(target, written, source, anchor, source.length, 0);
  return target.subarray(0, written);
}

/** Literals, and then a match. */
function writeSequence(
  target: Uint8Array,
  at: number,
  source: Uint8Array,
  from: number,
  to: number,
  distance: number,
  length: number,
): number {
  const extra = length - LEAST_MATCH;
  let next = writeLiterals(target, at, source, from, to, Math.min(extra, 15));
  target[next++] = distance & 255;
  target[next++] = distance >> 8;
  return extra < 15 ? next : writeLength(target, next, extra - 15);
}

/** A token and literals; `match` is the part of the token that tells the length of the match behind them. */
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
  target.set(source.subarray(from, to), next);
  return next + count;
}

function writeLength(target: Uint8Array, at: number, length: number): number {
  let [next, left] = [at, length];
  for (; left >= 255; left -= 255) target[next++] = 255;
  target[next++] = left;
  return next;
}
