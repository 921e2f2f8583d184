// Zstandard: tables of finite state entropy and of Huffman codes (RFC 8878, sections 4.1 and 4.2).
//
// The caller's scratch, of `zstdScratch()` bytes:
//
//   LITERAL_LENGTHS, OFFSETS, MATCH_LENGTHS
//                u64 for each state: u16 the base of the next one, u8 its bits, u8 extra bits of the value, u32 the least value
//   WEIGHTS      the same for the weights of Huffman codes: the value is the weight
//   HUFFMAN      u16 for each value of 11 bits: u8 the length of the code, u8 the byte
//   CODES        u64 for each code of the three kinds: what its states have in common
//   SHARES, NEXT the description of a table, and what it takes to build it
//   STATE        what a block leaves to the next one
//   LITERALS     the literals of a block, and 64 bytes

export const LITERAL_LENGTHS = 0, OFFSETS = 4096, MATCH_LENGTHS = 6144, WEIGHTS = 10240, HUFFMAN = 10752;
const CODES = 14848, SHARES = 16384, NEXT = 16960, WEIGHT_VALUES = 17536;
export const STATE = 17856, LITERALS = 17920;
export const MAX_BLOCK: usize = 131072;

/**
 * Of the state: u32 the logarithms of the four tables, 255 for none; u32 three offsets; u32 the shares of a
 * description.
 */
export const LOGS = STATE, HAS_HUFFMAN = STATE + 12, REPEATED = STATE + 16;
const COUNT = STATE + 28, LOG = STATE + 32;
export const NO_TABLE: u32 = 255;

const HUFFMAN_BITS: u32 = 11;
const MAX_WEIGHT_LOG = 6;
const MAX_WEIGHTS = 255;

const LITERAL_BITS = memory.data<u8>([1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
const MATCH_BITS = memory.data<u8>([1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);

/** The predefined shares of the three kinds, one after the other. */
const PREDEFINED = memory.data<i8>([
  4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1,
  1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1,
  1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
  1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
]);

/** The bytes of scratch that `decompressZstd` needs. */
export function zstdScratch(): i32 {
  return LITERALS + <i32>MAX_BLOCK + 64;
}

/** Writes what the codes of lengths and offsets stand for. */
export function writeCodes(scratch: usize): void {
  const codes = scratch + CODES;
  writeLengths(codes, 0, 16, LITERAL_BITS, 20);
  for (let code: u64 = 0; code < 32; code++) store<u64>(codes + 512 + (<usize>code << 3), (code << 24) | (<u64>1 << (code + 32)));
  writeLengths(codes + 1024, 3, 32, MATCH_BITS, 21);
}

function writeLengths(codes: usize, least: u64, zeros: i32, bits: usize, count: i32): void {
  let base = least;
  for (let code = 0; code < zeros + count; code++) {
    const extra: u64 = code < zeros ? 0 : <u64>load<u8>(bits + (code - zeros));
    store<u64>(codes + (<usize>code << 3), (extra << 24) | (base << 32));
    base += <u64>1 << extra;
  }
}

/**
 * Makes the table of a kind, 0 to 2, from a description between `at` and `end`, as `mode` says, and returns the end of
 * the description; 0 if it is corrupt.
 */
export function openTable(scratch: usize, kind: usize, mode: i32, at: usize, end: usize): usize {
  const table = scratch + (kind == 0 ? LITERAL_LENGTHS : kind == 1 ? OFFSETS : MATCH_LENGTHS);
  const codes = scratch + CODES + (kind << 9);
  const log = scratch + LOGS + (kind << 2);
  const most = kind == 0 ? 35 : kind == 1 ? 31 : 52;
  if (mode == 3) return load<u32>(log) == NO_TABLE ? 0 : at;
  let next = at;
  if (mode == 1) {
    if (at >= end || load<u8>(at) > <u8>most) return 0;
    store<u64>(table, load<u64>(codes + (<usize>load<u8>(at) << 3)));
    store<u32>(log, 0);
    return at + 1;
  }
  if (mode == 0) {
    const from = PREDEFINED + (kind == 0 ? 0 : kind == 1 ? 36 : 65);
    const count = kind == 0 ? 36 : kind == 1 ? 29 : 53;
    for (let i = 0; i < count; i++) store<i16>(scratch + SHARES + (i << 1), <i16>load<i8>(from + i));
    store<i32>(scratch + COUNT, count);
    store<u32>(scratch + LOG, kind == 1 ? 5 : 6);
  } else {
    next = readShares(scratch, at, end, kind == 1 ? 8 : 9, most);
    if (next == 0) return 0;
  }
  buildTable(scratch, table, codes);
  store<u32>(log, load<u32>(scratch + LOG));
  return next;
}

@inline function bitsAt(at: usize, bit: u32, count: u32): u32 {
  return (load<u32>(at + (bit >> 3)) >> (bit & 7)) & ((1 << count) - 1);
}

/** Reads the shares of symbols, -1 for less than one, and returns the end of their description; 0 if it is corrupt. */
function readShares(scratch: usize, at: usize, end: usize, maxLog: u32, maxSymbol: i32): usize {
  if (at >= end) return 0;
  const shares = scratch + SHARES;
  const log = (<u32>load<u8>(at) & 15) + 5;
  if (log > maxLog) return 0;
  const limit = <u32>(end - at) << 3;
  let bit: u32 = 4;
  let left = 1 << log;
  let count = 0;
  while (left > 0) {
    if (count > maxSymbol || bit > limit) return 0;
    const width: u32 = 32 - clz(left + 1);
    const low = (1 << (width - 1)) - 1;
    const short = (1 << width) - 2 - left;
    let value = <i32>bitsAt(at, bit, width);
    bit += width;
    if ((value & low) < short) {
      value &= low;
      bit--;
    } else if (value > low) value -= short;
    const share = value - 1;
    left -= abs(share);
    store<i16>(shares + (count++ << 1), <i16>share);
    if (share != 0) continue;
    let repeats: u32;
    do {
      repeats = bitsAt(at, bit, 2);
      bit += 2;
      for (let i: u32 = 0; i < repeats; i++) store<i16>(shares + (count++ << 1), 0);
      if (count > maxSymbol + 1) return 0;
    } while (repeats == 3);
  }
  store<i32>(scratch + COUNT, count);
  store<u32>(scratch + LOG, log);
  const bytes = (bit + 7) >> 3;
  return bytes > <u32>(end - at) ? 0 : at + bytes;
}

/** Builds a table from the shares; `codes` is 0 where symbols stand for themselves. */
function buildTable(scratch: usize, table: usize, codes: usize): void {
  const shares = scratch + SHARES;
  const next = scratch + NEXT;
  const count = load<i32>(scratch + COUNT);
  const log = load<u32>(scratch + LOG);
  const size = 1 << log;
  let high = size;
  for (let symbol = 0; symbol < count; symbol++) {
    const share = load<i16>(shares + (symbol << 1));
    store<u16>(next + (symbol << 1), <u16>abs<i32>(share));
    if (share < 0) store<u32>(table + (--high << 3), symbol);
  }
  const step = (size >> 1) + (size >> 3) + 3;
  let state = 0;
  for (let symbol = 0; symbol < count; symbol++) {
    for (let share = <i32>load<i16>(shares + (symbol << 1)); share > 0; share--) {
      store<u32>(table + (state << 3), symbol);
      do state = (state + step) & (size - 1);
      while (state >= high);
    }
  }
  for (let i = 0; i < size; i++) {
    const entry = table + (i << 3);
    const symbol = <usize>load<u32>(entry);
    const value = load<u16>(next + (symbol << 1));
    store<u16>(next + (symbol << 1), value + 1);
    const bits = log - 31 + clz<u32>(value);
    const shared: u64 = codes == 0 ? <u64>symbol << 32 : load<u64>(codes + (symbol << 3));
    store<u64>(entry, shared | (<u64>bits << 16) | <u64>((<u32>value << bits) - size));
  }
}

/**
 * Reads a description of Huffman codes, builds their table, and returns the end of the description; 0 if it is corrupt.
 */
export function openHuffman(scratch: usize, at: usize, end: usize): usize {
  if (at >= end) return 0;
  const header = <u32>load<u8>(at++);
  const length = header < 128 ? header : (header - 126) >> 1;
  if (length > <u32>(end - at)) return 0;
  const weights = scratch + WEIGHT_VALUES;
  let count: i32;
  if (header < 128) count = readWeights(scratch, at, at + length);
  else {
    count = header - 127;
    for (let i = 0; i < count; i++) store<u8>(weights + i, (load<u8>(at + (i >> 1)) >> (i & 1 ? 0 : 4)) & 15);
  }
  return count > 0 && buildHuffman(scratch, count) ? at + length : 0;
}

/** Reads weights with two states in turn until the bits end, and returns their number; 0 if they are corrupt. */
function readWeights(scratch: usize, at: usize, end: usize): i32 {
  const start = readShares(scratch, at, end, MAX_WEIGHT_LOG, MAX_WEIGHTS);
  if (start == 0 || start >= end || load<u8>(end - 1) == 0) return 0;
  const table = scratch + WEIGHTS;
  buildTable(scratch, table, 0);
  const log = load<u32>(scratch + LOG);
  let left = (<i32>(end - start) << 3) - 1 - <i32>clz<u32>(load<u8>(end - 1)) + 24 - 2 * log;
  if (left < 0) return 0;
  let state = bitsAt(start, left + log, log);
  let other = bitsAt(start, left, log);
  const weights = scratch + WEIGHT_VALUES;
  for (let count = 0; count < MAX_WEIGHTS; ) {
    const entry = load<u64>(table + (state << 3));
    store<u8>(weights + count++, <u8>min<u64>(entry >> 32, 255));
    const bits = <u32>(entry >> 16) & 255;
    left -= bits;
    if (left < 0) {
      if (count == MAX_WEIGHTS) return 0;
      store<u8>(weights + count, <u8>min<u64>(load<u64>(table + (other << 3)) >> 32, 255));
      return count + 1;
    }
    state = other;
    other = (<u32>entry & 0xffff) + bitsAt(start, left, bits);
  }
  return 0;
}

/** Builds the table of codes with `count` weights and a last one, which follows from them. */
function buildHuffman(scratch: usize, count: i32): bool {
  const weights = scratch + WEIGHT_VALUES;
  const places = scratch + NEXT;
  memory.fill(places, 0, 64);
  let sum: u32 = 0;
  for (let i = 0; i < count; i++) {
    const weight = <u32>load<u8>(weights + i);
    if (weight > HUFFMAN_BITS) return false;
    if (weight == 0) continue;
    sum += 1 << (weight - 1);
    store<u32>(places + (weight << 2), load<u32>(places + (weight << 2)) + 1);
  }
  const log: u32 = 32 - clz(sum);
  const rest = (1 << log) - sum;
  if (sum == 0 || log > HUFFMAN_BITS || popcnt(rest) != 1) return false;
  const last: u32 = 32 - clz(rest);
  store<u8>(weights + count, <u8>last);
  store<u32>(places + (last << 2), load<u32>(places + (last << 2)) + 1);
  // From the number of codes of each weight to the place of the first one.
  let place: u32 = 0;
  for (let weight: u32 = 1; weight <= log; weight++) {
    const own = load<u32>(places + (weight << 2));
    store<u32>(places + (weight << 2), place);
    place += own << (weight + HUFFMAN_BITS - 1 - log);
  }
  for (let i = 0; i <= count; i++) {
    const weight = <u32>load<u8>(weights + i);
    if (weight == 0) continue;
    const to = load<u32>(places + (weight << 2));
    const entries: u32 = 1 << (weight + HUFFMAN_BITS - 1 - log);
    store<u32>(places + (weight << 2), to + entries);
    const entry = (i << 8) | (log + 1 - weight);
    const from = scratch + HUFFMAN + (to << 1);
    let bytes: usize = 0;
    for (; bytes + 16 <= entries << 1; bytes += 16) v128.store(from + bytes, i16x8.splat(<i16>entry));
    for (; bytes < entries << 1; bytes += 2) store<u16>(from + bytes, entry);
  }
  store<u32>(scratch + HAS_HUFFMAN, 1);
  return true;
}
