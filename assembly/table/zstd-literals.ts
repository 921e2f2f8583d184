// Zstandard: literals by Huffman codes (RFC 8878, section 4.2.2), in one stream or four that are decoded in turn.
//
// A stream is read from its end; its last byte has a 1 above the first bit. Its next bits are the highest of a word of
// 64, and below them is another 1, which shows how many of them are used. Eight bytes before a stream, and after it,
// may be read.

/** Symbols between two refills: at most 7 bits of a refill are used before, and each takes 11 at most. */
const SYMBOLS: usize = 5;

@inline function firstBits(end: usize): u64 {
  const word = load<u64>(end - 8);
  return (word | 1) << (clz(word) + 1);
}

@inline function bitsLeft(start: usize, at: usize, bits: u64): isize {
  return (<isize>(at - start) << 3) + 64 - <isize>ctz(bits);
}

/** Decodes `count` bytes from a stream of `bits` bits that begins at `start`, and returns whether these are all. */
function decodeRest(start: usize, bits: isize, table: usize, out: usize, count: usize): bool {
  let left = bits;
  for (const end = out + count; out < end; out++) {
    let index: u32;
    if (left >= 11) index = (load<u32>(start + (<usize>(left - 11) >> 3)) >> (<u32>(left - 11) & 7)) & 2047;
    else if (left > 0) index = ((<u32>load<u16>(start) & ((1 << <u32>left) - 1)) << (11 - <u32>left)) & 2047;
    else return false;
    const entry = <u32>load<u16>(table + (index << 1));
    store<u8>(out, <u8>(entry >> 8));
    left -= <isize>(entry & 255);
  }
  return left == 0;
}

/** Decodes one stream between `start` and `end` into exactly `size` bytes, and returns whether it is valid. */
export function decodeStream(start: usize, end: usize, table: usize, out: usize, size: usize): bool {
  if (start >= end || load<u8>(end - 1) == 0) return false;
  return decodeRest(start, bitsLeft(start, end - 8, firstBits(end)), table, out, size);
}

/**
 * Decodes four streams, after the lengths of the first three, into exactly `size` bytes, and returns whether they are
 * valid.
 */
export function decodeFourStreams(start: usize, end: usize, table: usize, out: usize, size: usize): bool {
  const quarter = (size + 3) >> 2;
  if (end - start < 10 || quarter + quarter + quarter > size) return false;
  const first = start + 6;
  const second = first + <usize>load<u16>(start);
  const third = second + <usize>load<u16>(start, 2);
  const fourth = third + <usize>load<u16>(start, 4);
  if (first == second || second == third || third == fourth || fourth >= end) return false;
  if (load<u8>(second - 1) == 0 || load<u8>(third - 1) == 0 || load<u8>(fourth - 1) == 0 || load<u8>(end - 1) == 0) return false;
  let a = firstBits(second);
  let b = firstBits(third);
  let c = firstBits(fourth);
  let d = firstBits(end);
  let atA = second - 8;
  let atB = third - 8;
  let atC = fourth - 8;
  let atD = end - 8;
  let to = out;
  let toB = out + quarter;
  let toC = toB + quarter;
  let toD = toC + quarter;
  const last = size - 3 * quarter;
  for (;;) {
    // A round takes 7 bytes of a stream at most, and must not go below its beginning.
    const shortest = min(
      min(<isize>(atA - first), <isize>(atB - second)),
      min(<isize>(atC - third), <isize>(atD - fourth)),
    );
    const rounds = min(shortest >> 3, <isize>((last - (to - out)) / SYMBOLS));
    if (rounds <= 0) break;
    for (const end = to + <usize>rounds * SYMBOLS; to < end; ) {
      for (let i: usize = 0; i < SYMBOLS; i++) {
        const entryA = <u32>load<u16>(table + (<usize>(a >> 53) << 1));
        const entryB = <u32>load<u16>(table + (<usize>(b >> 53) << 1));
        const entryC = <u32>load<u16>(table + (<usize>(c >> 53) << 1));
        const entryD = <u32>load<u16>(table + (<usize>(d >> 53) << 1));
        a <<= <u64>entryA;
        b <<= <u64>entryB;
        c <<= <u64>entryC;
        d <<= <u64>entryD;
        store<u8>(to++, <u8>(entryA >> 8));
        store<u8>(toB++, <u8>(entryB >> 8));
        store<u8>(toC++, <u8>(entryC >> 8));
        store<u8>(toD++, <u8>(entryD >> 8));
      }
      const usedA = ctz(a);
      const usedB = ctz(b);
      const usedC = ctz(c);
      const usedD = ctz(d);
      atA -= <usize>(usedA >> 3);
      atB -= <usize>(usedB >> 3);
      atC -= <usize>(usedC >> 3);
      atD -= <usize>(usedD >> 3);
      a = (load<u64>(atA) | 1) << (usedA & 7);
      b = (load<u64>(atB) | 1) << (usedB & 7);
      c = (load<u64>(atC) | 1) << (usedC & 7);
      d = (load<u64>(atD) | 1) << (usedD & 7);
    }
  }
  const done = to - out;
  return (
    decodeRest(first, bitsLeft(first, atA, a), table, to, quarter - done) &&
    decodeRest(second, bitsLeft(second, atB, b), table, toB, quarter - done) &&
    decodeRest(third, bitsLeft(third, atC, c), table, toC, quarter - done) &&
    decodeRest(fourth, bitsLeft(fourth, atD, d), table, toD, last - done)
  );
}
