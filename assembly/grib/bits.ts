// Bits in the order of the file, the first one the highest of its byte. Kernels read them from a copy with all bytes in
// reverse order, in which eight bytes of the file are one number as the machine loads it:
//
//   file       b0 b1 b2 b3 b4 b5 b6 b7 b8 ...           at + length - 8
//   reversed   ... b8 b7 b6 b5 b4 b3 b2 b1 b0           the `stream`: the number that b0 begins
//
// The number that byte p begins is at `stream - p`. Up to 8 bytes behind the last one of the file are read, and 64
// bytes below the copy are zeros, so that the end of the bits is found by position alone.

/** The bits from position `at` on, the first one highest: 57 of them at least, with zeros behind the last one. */
@inline export function bitsAt(stream: usize, at: u64): u64 {
  return load<u64>(stream - <usize>(at >> 3)) << (at & 7);
}

/** The number of `width` bits at position `at`; `width` is 0 to 32. */
@inline export function numberAt(stream: usize, at: u64, width: u64): u64 {
  // A shift by 64 would be none.
  return (bitsAt(stream, at) >> 1) >> (63 - width);
}

/** Reverses the order of bytes. */
export function reverseBytes(at: usize, length: usize): void {
  let low = at;
  let high = at + length;
  while (high - low >= 32) {
    high -= 16;
    const first = v128.load(low);
    const last = v128.load(high);
    v128.store(low, v128.shuffle<i8>(last, last, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
    v128.store(high, v128.shuffle<i8>(first, first, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
    low += 16;
  }
  while (high - low >= 2) {
    high--;
    const byte = load<u8>(low);
    store<u8>(low, load<u8>(high));
    store<u8>(high, byte);
    low++;
  }
}
