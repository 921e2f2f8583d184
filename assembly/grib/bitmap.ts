// Bitmaps (section 6): a bit for each point, the first one the highest of its byte; 1 where the point has a value.

/** The number of ones of the first `count` bits. */
export function countBits(bitmap: usize, count: i32): i32 {
  let ones: i64 = 0;
  let at = bitmap;
  const full = bitmap + (<usize>count >> 3);
  for (; at + 8 <= full; at += 8) ones += popcnt(load<i64>(at));
  for (; at < full; at++) ones += popcnt(<i64>load<u8>(at));
  const left = count & 7;
  if (left != 0) ones += popcnt(<i64>(load<u8>(at) >> (8 - left)));
  return <i32>ones;
}

/**
 * Gives each of `count` points its value, and NaN to those without one. Values are the last of the float64 in `out`, so
 * that a point never lies behind its value.
 */
export function spreadValues(bitmap: usize, count: i32, values: usize, out: usize): void {
  let from = values;
  let to = out;
  let byte: u32 = 0;
  for (let i = 0; i < count; i++) {
    if ((i & 7) == 0) {
      byte = load<u8>(bitmap + (<usize>i >> 3));
      if (i + 8 <= count && (byte == 0 || byte == 255)) {
        if (byte == 0) for (let j: usize = 0; j < 64; j += 8) store<f64>(to + j, NaN);
        else {
          memory.copy(to, from, 64);
          from += 64;
        }
        to += 64;
        i += 7;
        continue;
      }
    }
    if ((byte & (128 >> (i & 7))) != 0) {
      store<f64>(to, load<f64>(from));
      from += 8;
    } else store<f64>(to, NaN);
    to += 8;
  }
}
