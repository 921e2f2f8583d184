// A place's values of a variable: docs/store-format.md specifies the bytes. What kernels read and write:
//
//   bytes    the block, and 32 readable bytes behind it
//   fields   the grid of fields, for blocks that need it: the quantum (f64), 8 unused bytes, then a f64 for each day and
//            member, a row a day, rows of `stride`
//   scratch  integers  days x stride of i32, a row a day; stride is the members, rounded up to a multiple of 4 unless 1
//            codes     days of i32: what the width of each group follows from
//            floors    days of i32
//            group     members x days of i32 at most, twice: numbers of a group, and these with zeros between
//            each with 64 bytes behind it
//   out      members x days of f32, member after member

import { countOnes, expand, unpack } from './unpack';

const HEAD: u32 = 8;
const INTEGERS_HEAD: u32 = 22;

const CONSTANT: u32 = 0;
const PLAIN: u32 = 1;
const GRID: u32 = 2;
const BITS: u32 = 3;
const FIELDS: u32 = 4;

const HAS_MISSING: u32 = 1;
const IS_SPARSE: u32 = 2;
const IS_OF_FIELDS: u32 = 4;
const HAS_ORIGIN: u32 = 16;
const FLAGS: u32 = 31;

// What decodeBlock returns.
const DECODED: i32 = 0;
const OTHER_VERSION: i32 = 1;
const OTHER_SHAPE: i32 = 2;
const INVALID: i32 = 3;
const NO_FIELDS: i32 = 4;

/** Decodes a block of `members` x `days` values, and returns DECODED or why not; then `out` may hold anything. */
export function decodeBlock(
  tables: usize, bytes: usize, length: u32, members: u32, days: u32, fields: usize, scratch: usize, out: usize,
): i32 {
  if (length < HEAD) return INVALID;
  if (load<u8>(bytes) != 1) return OTHER_VERSION;
  if (load<u16>(bytes, 4) != members || load<u16>(bytes, 6) != days) return OTHER_SHAPE;
  const kind = <u32>load<u8>(bytes, 1);
  const count = members * days;
  if (kind == CONSTANT) {
    if (length != HEAD + 4) return INVALID;
    fill(out, count, load<u32>(bytes, HEAD));
    return DECODED;
  }
  if (kind == PLAIN) {
    if (length != HEAD + 4 * count) return INVALID;
    memory.copy(out, bytes + HEAD, <usize>count << 2);
    return DECODED;
  }
  if (kind > BITS) return INVALID;
  return decodeIntegers(tables, bytes, length, members, days, fields, scratch, out);
}

function fill(out: usize, count: u32, bits: u32): void {
  for (const end = out + (<usize>count << 2); out < end; out += 4) store<u32>(out, bits);
}

function decodeIntegers(
  tables: usize, bytes: usize, length: u32, members: u32, days: u32, fields: usize, scratch: usize, out: usize,
): i32 {
  const kind = <u32>load<u8>(bytes, 1);
  const flags = <u32>load<u8>(bytes, 2);
  const isOfFields = kind == GRID && (flags & IS_OF_FIELDS) != 0;
  let at = INTEGERS_HEAD;
  if (kind == GRID && !isOfFields) at += flags & HAS_ORIGIN ? 16 : 8;
  if (length < at || flags > FLAGS) return INVALID;
  if (isOfFields && fields == 0) return NO_FIELDS;

  const coefficient = <i32>load<u8>(bytes, 3);
  const groupDays = <u32>load<u8>(bytes, 8);
  const minCode = <u32>load<u8>(bytes, 9);
  const codeBits = <u32>load<u8>(bytes, 10);
  const floorBits = <u32>load<u8>(bytes, 11);
  const base = load<i32>(bytes, 12);
  const minFloor = load<i32>(bytes, 16);
  const exceptions = <u32>load<u16>(bytes, 20);
  if (groupDays == 0 || minCode > 33 || codeBits > 6 || floorBits > 32) return INVALID;
  const count = members * days;
  const groups = (days + groupDays - 1) / groupDays;
  const tail = (flags & HAS_MISSING ? (count + 7) >> 3 : 0) + 8 * exceptions;
  const codeBytes = (groups * codeBits + 7) >> 3;
  const floorBytes = <u32>((<u64>groups * floorBits + 7) >> 3);
  if (<u64>at + codeBytes + floorBytes + tail > length) return INVALID;

  const stride = members == 1 ? 1 : (members + 3) & ~3;
  const integers = scratch;
  const codes = integers + (<usize>(stride * days) << 2) + 64;
  const floors = codes + (<usize>days << 2) + 64;
  const group = floors + (<usize>days << 2) + 64;
  unpack(tables, bytes, at << 3, groups, codeBits, minCode, codes);
  at += codeBytes;
  unpack(tables, bytes, at << 3, groups, floorBits, minFloor, floors);
  at += floorBytes;

  const limit = length - tail;
  const end = flags & IS_SPARSE
    ? unpackSparse(tables, bytes, at << 3, limit << 3, members, days, groupDays, stride, codes, floors, group, integers)
    : unpackDense(
        tables, bytes, at << 3, limit << 3, members, days, groupDays, stride, codes, floors, group, integers, coefficient,
      );
  if (end == 0 || (end + 7) >> 3 != limit) return INVALID;

  if (kind == BITS) {
    writeBits(integers, stride, members, days, base, out);
  } else if (isOfFields) {
    writeFields(integers, stride, members, days, base, load<f64>(fields), fields + 16, out);
  } else {
    const origin = flags & HAS_ORIGIN ? load<f64>(bytes, INTEGERS_HEAD + 8) : 0;
    writeGrid(integers, stride, members, days, base, load<f64>(bytes, INTEGERS_HEAD), origin, out);
  }

  at = limit;
  if (flags & HAS_MISSING) {
    clearMissing(bytes + at, count, out);
    at += (count + 7) >> 3;
  }
  for (; at < length; at += 8) {
    const index = load<u32>(bytes + at);
    if (index >= count) return INVALID;
    store<u32>(out + (<usize>index << 2), load<u32>(bytes + at, 4));
  }
  return DECODED;
}

/** Unpacks groups without gaps, and adds what each day follows from; returns the bit behind, or 0 where they do not fit. */
function unpackDense(
  tables: usize, bytes: usize, bit: u32, limit: u32, members: u32, days: u32, groupDays: u32, stride: u32,
  codes: usize, floors: usize, group: usize, integers: usize, coefficient: i32,
): u32 {
  const rowBytes = <usize>stride << 2;
  let row = integers;
  for (let day: u32 = 0; day < days; day += groupDays) {
    const rows = min(groupDays, days - day);
    const numbers = rows * members;
    const width = load<u32>(codes);
    const floor = load<i32>(floors);
    codes += 4;
    floors += 4;
    if (width > 32 || <u64>bit + <u64>numbers * width > limit) return 0;
    if (rows == 1 || stride == 1) {
      unpack(tables, bytes, bit, numbers, width, floor, row);
      if (stride == 1) {
        row += <usize>rows << 2;
      } else {
        if (day > 0 && coefficient != 0) addPredicted(row, row, rowBytes, coefficient);
        row += rowBytes;
      }
    } else {
      unpack(tables, bytes, bit, numbers, width, floor, group);
      for (let r: u32 = 0, from = group; r < rows; r++, from += <usize>members << 2, row += rowBytes) {
        if (day + r == 0 || coefficient == 0) copyRow(from, row, rowBytes);
        else addPredicted(from, row, rowBytes, coefficient);
      }
    }
    bit += numbers * width;
  }
  if (stride == 1 && coefficient != 0) {
    let before = load<i32>(integers);
    for (let to = integers + 4; to < row; to += 4) {
      before = load<i32>(to) + ((before * coefficient) >> 4);
      store<i32>(to, before);
    }
  }
  return bit;
}

@inline function copyRow(from: usize, row: usize, rowBytes: usize): void {
  for (let i: usize = 0; i < rowBytes; i += 16) v128.store(row + i, v128.load(from + i));
}

/** Writes the numbers of a day plus what is predicted from the row before. */
@inline function addPredicted(from: usize, row: usize, rowBytes: usize, coefficient: i32): void {
  const factors = i32x4.splat(coefficient);
  for (let i: usize = 0; i < rowBytes; i += 16) {
    const predicted = i32x4.shr_s(i32x4.mul(v128.load(row - rowBytes + i), factors), 4);
    v128.store(row + i, i32x4.add(v128.load(from + i), predicted));
  }
}

/** Unpacks groups in which a bit says of each number whether it is 0; returns the bit behind, or 0 where they do not fit. */
function unpackSparse(
  tables: usize, bytes: usize, bit: u32, limit: u32, members: u32, days: u32, groupDays: u32, stride: u32,
  codes: usize, floors: usize, group: usize, integers: usize,
): u32 {
  const rowBytes = <usize>stride << 2;
  const expanded = group + (<usize>(members * days) << 2) + 64;
  let row = integers;
  for (let day: u32 = 0; day < days; day += groupDays) {
    const rows = min(groupDays, days - day);
    const numbers = rows * members;
    const code = load<u32>(codes);
    const floor = load<i32>(floors);
    codes += 4;
    floors += 4;
    if (code == 0) {
      memory.fill(row, 0, rowBytes * <usize>rows);
      row += rowBytes * <usize>rows;
      continue;
    }
    if (code > 33 || <u64>bit + numbers > limit) return 0;
    const ones = countOnes(bytes, bit, numbers);
    const width = code - 1;
    if (<u64>bit + numbers + <u64>ones * width > limit) return 0;
    unpack(tables, bytes, bit + numbers, ones, width, floor, group);
    if (rows == 1 || stride == 1) {
      expand(tables, bytes, bit, numbers, group, row);
      row += rowBytes * <usize>rows;
    } else {
      expand(tables, bytes, bit, numbers, group, expanded);
      for (let r: u32 = 0, from = expanded; r < rows; r++, from += <usize>members << 2, row += rowBytes) {
        copyRow(from, row, rowBytes);
      }
    }
    bit += numbers + ones * width;
  }
  return bit;
}

/** The values of four integers: float32 by the order of their bits. */
@inline function bitsOf(n: v128): v128 {
  return v128.xor(n, v128.and(i32x4.shr_s(n, 31), i32x4.splat(0x7fffffff)));
}

/** The values of four integers on a grid, with the origins of two and two. */
@inline function onGrid(n: v128, quanta: v128, low: v128, high: v128): v128 {
  const first = f64x2.add(low, f64x2.mul(quanta, f64x2.convert_low_i32x4_s(n)));
  const second = f64x2.add(high, f64x2.mul(quanta, f64x2.convert_low_i32x4_s(v128.shuffle<i64>(n, n, 1, 0))));
  return v128.shuffle<i64>(f32x4.demote_f64x2_zero(first), f32x4.demote_f64x2_zero(second), 0, 2);
}

/** The values of four integers, whose origins are at `field`, or all the same. */
@inline function valueOf(kind: u32, row: usize, bases: v128, quanta: v128, origins: v128, field: usize): v128 {
  const n = i32x4.add(v128.load(row), bases);
  if (kind == BITS) return bitsOf(n);
  if (kind == GRID) return onGrid(n, quanta, origins, origins);
  return onGrid(n, quanta, v128.load(field), v128.load(field, 16));
}

@inline function writeRows(
  kind: u32, integers: usize, stride: u32, members: u32, days: u32, base: i32, quantum: f64, origin: f64, fields: usize,
  out: usize,
): void {
  const bases = i32x4.splat(base);
  const quanta = f64x2.splat(quantum);
  const origins = f64x2.splat(origin);
  if (stride == 1) {
    let at: usize = 0;
    for (const end = <usize>(days & ~3) << 2; at < end; at += 16) {
      v128.store(out + at, valueOf(kind, integers + at, bases, quanta, origins, fields + 2 * at));
    }
    const left = days & 3;
    if (left > 0) storeApart(out + at, 4, left, valueOf(kind, integers + at, bases, quanta, origins, fields + 2 * at));
    return;
  }
  const rowBytes = <usize>stride << 2;
  const fieldBytes = <usize>stride << 3;
  const outBytes = <usize>days << 2;
  const whole = days & ~3;
  for (let day: u32 = 0; day < whole; day += 4) {
    let row = integers + rowBytes * <usize>day;
    let field = fields + fieldBytes * <usize>day;
    let to = out + (<usize>day << 2);
    let left = members;
    for (; left >= 4; left -= 4) {
      const a = valueOf(kind, row, bases, quanta, origins, field);
      const b = valueOf(kind, row + rowBytes, bases, quanta, origins, field + fieldBytes);
      const c = valueOf(kind, row + 2 * rowBytes, bases, quanta, origins, field + 2 * fieldBytes);
      const d = valueOf(kind, row + 3 * rowBytes, bases, quanta, origins, field + 3 * fieldBytes);
      row += 16;
      field += 32;
      const lowAb = v128.shuffle<i32>(a, b, 0, 4, 1, 5);
      const highAb = v128.shuffle<i32>(a, b, 2, 6, 3, 7);
      const lowCd = v128.shuffle<i32>(c, d, 0, 4, 1, 5);
      const highCd = v128.shuffle<i32>(c, d, 2, 6, 3, 7);
      v128.store(to, v128.shuffle<i64>(lowAb, lowCd, 0, 2));
      to += outBytes;
      v128.store(to, v128.shuffle<i64>(lowAb, lowCd, 1, 3));
      to += outBytes;
      v128.store(to, v128.shuffle<i64>(highAb, highCd, 0, 2));
      to += outBytes;
      v128.store(to, v128.shuffle<i64>(highAb, highCd, 1, 3));
      to += outBytes;
    }
    if (left > 0) {
      for (let i: u32 = 0; i < 4; i++) {
        storeApart(to, outBytes, left, valueOf(kind, row, bases, quanta, origins, field));
        row += rowBytes;
        field += fieldBytes;
        to += 4;
      }
    }
  }
  for (let day = whole; day < days; day++) {
    let row = integers + rowBytes * <usize>day;
    let field = fields + fieldBytes * <usize>day;
    let to = out + (<usize>day << 2);
    for (let m: u32 = 0; m < members; m += 4) {
      storeApart(to, outBytes, min<u32>(4, members - m), valueOf(kind, row, bases, quanta, origins, field));
      row += 16;
      field += 32;
      to += outBytes << 2;
    }
  }
}

/** Stores the first one to four lanes, each so many bytes behind the one before. */
@inline function storeApart(out: usize, bytes: usize, count: u32, lanes: v128): void {
  store<i32>(out, i32x4.extract_lane(lanes, 0));
  if (count > 1) store<i32>(out + bytes, i32x4.extract_lane(lanes, 1));
  if (count > 2) store<i32>(out + 2 * bytes, i32x4.extract_lane(lanes, 2));
  if (count > 3) store<i32>(out + 3 * bytes, i32x4.extract_lane(lanes, 3));
}

function writeBits(integers: usize, stride: u32, members: u32, days: u32, base: i32, out: usize): void {
  writeRows(BITS, integers, stride, members, days, base, 0, 0, 0, out);
}

function writeGrid(
  integers: usize, stride: u32, members: u32, days: u32, base: i32, quantum: f64, origin: f64, out: usize,
): void {
  writeRows(GRID, integers, stride, members, days, base, quantum, origin, 0, out);
}

function writeFields(
  integers: usize, stride: u32, members: u32, days: u32, base: i32, quantum: f64, fields: usize, out: usize,
): void {
  writeRows(FIELDS, integers, stride, members, days, base, quantum, 0, fields, out);
}

/** Writes NaN where a bit is 1. */
function clearMissing(bits: usize, count: u32, out: usize): void {
  for (let i: u32 = 0; i < count; i += 8) {
    let byte = <u32>load<u8>(bits + (i >> 3));
    for (; byte != 0; byte &= byte - 1) {
      const index = i + <u32>ctz(byte);
      if (index < count) store<u32>(out + (<usize>index << 2), 0x7fc00000);
    }
  }
}
