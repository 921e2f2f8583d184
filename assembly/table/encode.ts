// Parquet: columns to dictionaries, and indices to runs (Encodings.md of parquet-format).

/** Like `codeValues4`, for values of `sizeof<T>()` bytes. */
@inline function codeValues<T>(values: usize, count: i32, most: i32, slots: usize, bits: i32, entries: usize, codes: usize): i32 {
  memory.fill(slots, 0, <usize>4 << bits);
  const mask = (<u32>1 << bits) - 1;
  let size = 0;
  let before: T = load<T>(values);
  let code: u32 = 0;
  for (let i = 0; i < count; i++) {
    const value = load<T>(values + (<usize>i << alignof<T>()));
    if (i == 0 || value != before) {
      before = value;
      let slot = <u32>((<u64>value * 0x9e3779b97f4a7c15) >> (64 - bits));
      for (;;) {
        code = load<u32>(slots + (<usize>slot << 2));
        if (code == 0) {
          if (size == most) return -1;
          store<T>(entries + (<usize>size << alignof<T>()), value);
          code = ++size;
          store<u32>(slots + (<usize>slot << 2), code);
          break;
        }
        if (load<T>(entries + (<usize>(code - 1) << alignof<T>())) == value) break;
        slot = (slot + 1) & mask;
      }
    }
    store<u32>(codes + (<usize>i << 2), code - 1);
  }
  return size;
}

/**
 * Writes the distinct values of 4 bytes, in the order of their first rows, and for each row which of them it has;
 * returns their number, or -1 if there are more than `most`. There are 2^`bits` slots of 4 bytes, more than values.
 */
export function codeValues4(
  values: usize, count: i32, most: i32, slots: usize, bits: i32, entries: usize, codes: usize,
): i32 {
  return codeValues<u32>(values, count, most, slots, bits, entries, codes);
}

/** Like `codeValues4`, for values of 8 bytes. */
export function codeValues8(
  values: usize, count: i32, most: i32, slots: usize, bits: i32, entries: usize, codes: usize,
): i32 {
  return codeValues<u64>(values, count, most, slots, bits, entries, codes);
}

@inline function writeVarint(given: u32, at: usize): usize {
  let value = given;
  let out = at;
  for (; value > 127; value >>= 7) store<u8>(out++, <u8>value | 128);
  store<u8>(out++, <u8>value);
  return out;
}

/** Packs `count` codes, and zeros up to a multiple of 8. */
function writePacked(codes: usize, count: i32, width: i32, at: usize): usize {
  const groups = (count + 7) >> 3;
  let out = writeVarint((<u32>groups << 1) | 1, at);
  let word: u64 = 0;
  let held: u64 = 0;
  for (let i = 0; i < groups << 3; i++) {
    if (i < count) word |= <u64>load<u32>(codes + (<usize>i << 2)) << held;
    held += width;
    while (held >= 8) {
      store<u8>(out++, <u8>word);
      word >>= 8;
      held -= 8;
    }
  }
  return out;
}

/**
 * Writes codes of `width` bits, 1 to 32, as runs: repeated ones from 8 on, others bit-packed. Returns the number of
 * bytes.
 */
export function writeRuns(codes: usize, count: i32, width: i32, out: usize): i32 {
  let to = out;
  let packed = 0;
  for (let at = 0; at < count; ) {
    const code = load<u32>(codes + (<usize>at << 2));
    let end = at + 1;
    while (end < count && load<u32>(codes + (<usize>end << 2)) == code) end++;
    if (end - at < 8) {
      at = min(at + 8, count);
      continue;
    }
    if (packed < at) to = writePacked(codes + (<usize>packed << 2), at - packed, width, to);
    to = writeVarint(<u32>(end - at) << 1, to);
    for (let byte = 0; byte < (width + 7) >> 3; byte++) store<u8>(to++, code >> (byte << 3));
    at = packed = end;
  }
  if (packed < count) to = writePacked(codes + (<usize>packed << 2), count - packed, width, to);
  return <i32>(to - out);
}
