// Copies of a few bytes, as blocks of Zstandard and LZ4 are made of: 16 at a time.
//
// Up to 64 bytes behind what is copied may be read, and behind where it goes written.

/** Copies `length` bytes that do not overlap. */
@inline export function copyLiteral(to: usize, from: usize, length: usize): void {
  v128.store(to, v128.load(from));
  if (length > 64) memory.copy(to, from, length);
  else for (let i: usize = 16; i < length; i += 16) v128.store(to + i, v128.load(from + i));
}

/** Repeats the `length` bytes that begin `offset` before `to`, those just written too where they reach beyond it. */
@inline export function copyMatch(to: usize, offset: usize, length: usize): void {
  let at = to;
  let from = to - offset;
  const end = to + length;
  if (offset < 16) {
    if (popcnt(offset) == 1) {
      const repeated =
        offset == 8 ? i64x2.splat(load<i64>(from))
        : offset == 4 ? i32x4.splat(load<i32>(from))
        : offset == 2 ? i16x8.splat(load<i16>(from))
        : i8x16.splat(load<i8>(from));
      for (; at < end; at += 16) v128.store(at, repeated);
      return;
    }
    // Each copy doubles the distance.
    for (let distance = offset; distance < 16; distance <<= 1) {
      v128.store(at, v128.load(from));
      at += distance;
    }
  }
  for (; at < end; at += 16, from += 16) v128.store(at, v128.load(from));
}
