// Days as bits, by whether they are above a bound or finite: 64 bytes of values are compared together, 16 of f32, or 8 of f64.

/** What is asked of values: whether they are above the bound, or finite. */
export const enum Ask { Above, Finite }

@inline function answer<T>(ask: Ask, x: v128, bound: v128): v128 {
  return ask == Ask.Above ? v128.gt<T>(x, bound) : v128.lt<T>(v128.abs<T>(x), bound);
}

/** The answers for 64 bytes of values, a byte each. */
@inline export function pack<T>(a: v128, b: v128, c: v128, d: v128): v128 {
  if (sizeof<T>() == 4) return i8x16.narrow_i16x8_s(i16x8.narrow_i32x4_s(a, b), i16x8.narrow_i32x4_s(c, d));
  const low = i32x4.shuffle(a, b, 0, 2, 4, 6), high = i32x4.shuffle(c, d, 0, 2, 4, 6);
  return i8x16.narrow_i16x8_s(i16x8.narrow_i32x4_s(low, high), i8x16.splat(0));
}

@inline export function areNaN<T>(a: v128, b: v128, c: v128, d: v128): v128 {
  return pack<T>(v128.ne<T>(a, a), v128.ne<T>(b, b), v128.ne<T>(c, c), v128.ne<T>(d, d));
}

/**
 * Writes the bits of adjacent days, all of them inverted where `flip` has all bits set. Returns whether any day is missing or
 * infinite. `spare` is scratch of 64 bytes.
 */
@inline export function writeBits<T>(ask: Ask, bound: v128, flip: i32, from: usize, days: i32, spare: usize, bits: usize): bool {
  const inBlock = 64 / sizeof<T>();
  let bad0 = v128.splat<T>(0), bad1 = bad0, bad2 = bad0, bad3 = bad0;
  let at = from, over = 0;
  if (days < inBlock) {
    for (let k: usize = 0; k < 64; k += 16) v128.store(spare + k, bad0);
    for (let k: usize = 0; k < <usize>days * sizeof<T>(); k += sizeof<T>()) store<T>(spare + k, load<T>(from + k));
    at = spare;
  }
  for (let day = 0; day < days; day += inBlock, at += 64, bits += inBlock >> 3) {
    if (day > 0 && day + inBlock > days) {
      // The last block begins earlier: so many of its days are there already.
      over = day + inBlock - days;
      at -= <usize>over * sizeof<T>();
    }
    const a = v128.load(at), b = v128.load(at, 16), c = v128.load(at, 32), d = v128.load(at, 48);
    bad0 = v128.mul<T>(bad0, a), bad1 = v128.mul<T>(bad1, b), bad2 = v128.mul<T>(bad2, c), bad3 = v128.mul<T>(bad3, d);
    const found = i8x16.bitmask(
      pack<T>(answer<T>(ask, a, bound), answer<T>(ask, b, bound), answer<T>(ask, c, bound), answer<T>(ask, d, bound)),
    );
    const kept = (found ^ flip) >>> over;
    if (sizeof<T>() == 4) store<u16>(bits, <u16>kept);
    else store<u8>(bits, <u8>kept);
  }
  return v128.any_true(areNaN<T>(bad0, bad1, bad2, bad3));
}

/** Adds up vectors, of which none is missing or infinite if the product of the sum by zero is zero. */
@inline export function sumOf<T>(a: v128, b: v128, c: v128, d: v128): v128 {
  return v128.add<T>(v128.add<T>(a, b), v128.add<T>(c, d));
}

@inline function storeBits<T>(bits: usize, found: i32): void {
  if (sizeof<T>() == 4) store<u16>(bits, <u16>found);
  else store<u8>(bits, <u8>found);
}

@inline function bitsAbove<T>(bound: v128, a: v128, b: v128, c: v128, d: v128): i32 {
  return i8x16.bitmask(pack<T>(v128.gt<T>(a, bound), v128.gt<T>(b, bound), v128.gt<T>(c, bound), v128.gt<T>(d, bound)));
}

/**
 * Writes the bits of at least 64 bytes of adjacent days of four members, `bitBytes` apart: 64 bytes of each in turn, so that four
 * streams from memory go on together. Returns a bit for each member of which a day is missing or infinite, or may be so.
 */
@inline export function writeBitsOfFour<T>(
  bound: v128, flip: i32, from0: usize, from1: usize, from2: usize, from3: usize, days: i32, bits: usize, bitBytes: usize,
): i32 {
  const inBlock = 64 / sizeof<T>();
  let bad0 = v128.splat<T>(0), bad1 = bad0, bad2 = bad0, bad3 = bad0;
  let at: usize = 0, over = 0;
  for (let day = 0; day < days; day += inBlock, at += 64, bits += inBlock >> 3) {
    if (day + inBlock > days) {
      // The last block begins earlier: so many of its days are there already.
      over = day + inBlock - days;
      at -= <usize>over * sizeof<T>();
    }
    let to = bits, from = from0 + at, a = v128.load(from), b = v128.load(from, 16), c = v128.load(from, 32), d = v128.load(from, 48);
    bad0 = v128.mul<T>(bad0, sumOf<T>(a, b, c, d));
    storeBits<T>(to, (bitsAbove<T>(bound, a, b, c, d) ^ flip) >>> over);
    to += bitBytes, from = from1 + at, a = v128.load(from), b = v128.load(from, 16), c = v128.load(from, 32), d = v128.load(from, 48);
    bad1 = v128.mul<T>(bad1, sumOf<T>(a, b, c, d));
    storeBits<T>(to, (bitsAbove<T>(bound, a, b, c, d) ^ flip) >>> over);
    to += bitBytes, from = from2 + at, a = v128.load(from), b = v128.load(from, 16), c = v128.load(from, 32), d = v128.load(from, 48);
    bad2 = v128.mul<T>(bad2, sumOf<T>(a, b, c, d));
    storeBits<T>(to, (bitsAbove<T>(bound, a, b, c, d) ^ flip) >>> over);
    to += bitBytes, from = from3 + at, a = v128.load(from), b = v128.load(from, 16), c = v128.load(from, 32), d = v128.load(from, 48);
    bad3 = v128.mul<T>(bad3, sumOf<T>(a, b, c, d));
    storeBits<T>(to, (bitsAbove<T>(bound, a, b, c, d) ^ flip) >>> over);
  }
  const zero = v128.splat<T>(0);
  return i32(v128.any_true(v128.ne<T>(bad0, zero))) | i32(v128.any_true(v128.ne<T>(bad1, zero))) << 1
    | i32(v128.any_true(v128.ne<T>(bad2, zero))) << 2 | i32(v128.any_true(v128.ne<T>(bad3, zero))) << 3;
}

/** The bits of up to 31 days, from the bit `first` on. */
@inline export function bitsOf(bits: usize, first: i32, days: i32): u32 {
  return <u32>(load<u64>(bits + (first >> 3)) >> (first & 7)) & ((1 << days) - 1);
}
