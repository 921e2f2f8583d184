// Parquet: the hybrid of repeated and bit-packed numbers (Encodings.md of parquet-format) of levels and of the indices
// of dictionaries.
//
//   at, end     the bytes of the runs; 8 more may be read
//
// What is corrupt is left to the caller, which finds out what is wrong with it.

/** The run that is read: u32 its header, u32 where it goes on. The heap belongs to the callers. */
const RUN = memory.data(8, 4);
const AT = 4;

/** Reads the header of the next run; false if there is none, or a run of no numbers. */
@inline function nextRun(end: usize): bool {
  let header: u32 = 0;
  let at = load<usize>(RUN, AT);
  for (let shift: u32 = 0; ; shift += 7) {
    if (at >= end || shift > 28) return false;
    const byte = load<u8>(at++);
    // Headers of more than 32 bits are left to the caller.
    if (shift == 28 && byte > 15) return false;
    header |= <u32>(byte & 127) << shift;
    if (byte < 128) break;
  }
  store<usize>(RUN, at, AT);
  store<u32>(RUN, header);
  return header > 1;
}

/** The number of a run that is repeated, of `width` bits; -1 if it is truncated or has more bits. */
@inline function repeated(end: usize, width: i32): i64 {
  const bytes = (width + 7) >> 3;
  const at = load<usize>(RUN, AT);
  if (end - at < <usize>bytes) return -1;
  const value = <u64>load<u32>(at) & ((<u64>1 << (bytes << 3)) - 1);
  if (value >= <u64>1 << width) return -1;
  store<usize>(RUN, at + bytes, AT);
  return <i64>value;
}

/** The numbers of a bit-packed run that are used, at most `left`; -1 if it is truncated. */
@inline function packed(end: usize, width: i32, left: i32): i32 {
  const groups: u64 = load<u32>(RUN) >> 1;
  const count = <i32>min(groups << 3, <u64>left);
  const needed = (<u64>count * width + 7) >> 3;
  return needed > <u64>(end - load<usize>(RUN, AT)) ? -1 : count;
}

/** Where the run behind a bit-packed one begins: the last may end after the last number that is used. */
@inline function behindPacked(end: usize, width: i32): usize {
  const bytes = <u64>(load<u32>(RUN) >> 1) * width;
  return bytes > <u64>(end - load<usize>(RUN, AT)) ? end : load<usize>(RUN, AT) + <usize>bytes;
}

/**
 * Writes `count` levels of at most `max` as bytes, and returns how many are `max`; -1 if the bytes are left to the
 * caller.
 */
export function readLevels(at: usize, end: usize, max: i32, out: usize, count: i32): i32 {
  const width = 32 - clz(max);
  if (width > 8) return -1;
  const mask = (1 << width) - 1;
  let full = 0;
  store<usize>(RUN, at, AT);
  for (let seen = 0; seen < count; ) {
    if (!nextRun(end)) return -1;
    if (load<u32>(RUN) & 1) {
      const numbers = packed(end, width, count - seen);
      if (numbers < 0) return -1;
      const from = load<usize>(RUN, AT);
      for (let i = 0, bit: usize = 0; i < numbers; i++, bit += width) {
        const level = <i32>(<u32>load<u16>(from + (bit >> 3)) >> <u32>(bit & 7)) & mask;
        if (level > max) return -1;
        full += level == max ? 1 : 0;
        store<u8>(out + i, level);
      }
      store<usize>(RUN, behindPacked(end, width), AT);
      out += numbers;
      seen += numbers;
    } else {
      const length = load<u32>(RUN) >> 1;
      const level = repeated(end, width);
      if (length > <u32>(count - seen) || level < 0 || level > max) return -1;
      memory.fill(out, <u8>level, <usize>length);
      if (level == max) full += <i32>length;
      out += <usize>length;
      seen += <i32>length;
    }
  }
  return full;
}

/** Like `readDictionary4`, for values of `sizeof<T>()` bytes. */
@inline function readCoded<T>(at: usize, end: usize, entries: usize, size: i32, out: usize, count: i32): bool {
  const shift: usize = alignof<T>();
  if (at >= end) return false;
  const width = <i32>load<u8>(at);
  if (width > 32 || size == 0) return false;
  store<usize>(RUN, at + 1, AT);
  if (width == 0) {
    fill<T>(out, load<T>(entries), count);
    return true;
  }
  const mask = (<u64>1 << width) - 1;
  for (let seen = 0; seen < count; ) {
    if (!nextRun(end)) return false;
    if (load<u32>(RUN) & 1) {
      const numbers = packed(end, width, count - seen);
      if (numbers < 0) return false;
      const from = load<usize>(RUN, AT);
      let most: u64 = 0;
      for (let i = 0, bit: usize = 0; i < numbers; i++, bit += width) {
        const index = (load<u64>(from + (bit >> 3)) >> (bit & 7)) & mask;
        most = max(most, index);
        // An index out of range reads the first entry until the end of the run shows it.
        const safe: usize = index < <u64>size ? <usize>index : 0;
        store<T>(out, load<T>(entries + (safe << shift)));
        out += sizeof<T>();
      }
      if (most >= <u64>size) return false;
      store<usize>(RUN, behindPacked(end, width), AT);
      seen += numbers;
    } else {
      const length = load<u32>(RUN) >> 1;
      const index = repeated(end, width);
      if (length > <u32>(count - seen) || index < 0 || index >= size) return false;
      fill<T>(out, load<T>(entries + (<usize>index << shift)), <i32>length);
      out += <usize>length << shift;
      seen += <i32>length;
    }
  }
  return true;
}

@inline function fill<T>(out: usize, value: T, count: i32): void {
  const splat = sizeof<T>() == 8 ? i64x2.splat(<i64>value) : i32x4.splat(<i32>value);
  const bytes = <usize>count << alignof<T>();
  let i: usize = 0;
  for (; i + 16 <= bytes; i += 16) v128.store(out + i, splat);
  for (; i < bytes; i += sizeof<T>()) store<T>(out + i, value);
}

/**
 * Writes the values of 4 bytes that `count` indices have in a dictionary of `size` entries; the bytes begin with the
 * width of indices. Returns whether they are valid.
 */
export function readDictionary4(at: usize, end: usize, entries: usize, size: i32, out: usize, count: i32): bool {
  return readCoded<u32>(at, end, entries, size, out, count);
}

/** Like `readDictionary4`, for values of 8 bytes. */
export function readDictionary8(at: usize, end: usize, entries: usize, size: i32, out: usize, count: i32): bool {
  return readCoded<u64>(at, end, entries, size, out, count);
}
