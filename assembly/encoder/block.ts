// Encodes the values of a place: docs/store-format.md specifies the bytes. What kernels read and write:
//
//   values   members x days of f32, member after member, and 16 readable bytes behind them
//   fields   the origins of a grid of fields, a f64 for each value, and 32 readable bytes behind them
//   work     what work.ts draws
//   out      the block, and 16 bytes behind it that are written

import { integersOfBits, integersOnGrid } from './integers';
import { pack, packMask } from './pack';
import {
  BASE, CODE_BITS, FLAGS, FLOOR_BITS, GROUP_DAYS, IS_SPARSE, MIN_CODE, MIN_FLOOR, planGroups, writeResiduals,
} from './plan';
import { codesAt, EXCEPTIONS, GAPS, gapsAt, GRID_BYTES, integersAt, MISSING, numbersAt, words } from './work';

const VERSION: u32 = 1;
const CONSTANT: u32 = 0;
const PLAIN: u32 = 1;
const GRID: u32 = 2;
const BITS: u32 = 3;

const HEAD_BYTES: u32 = 8;
const INTEGERS_HEAD_BYTES: u32 = 22;
const LISTED: usize = 20;
const QUANTUM: usize = 22;
const ORIGIN: usize = 30;
const EXCEPTION_BYTES: u32 = 8;
const MAX_EXCEPTIONS: u32 = 65_535;
/** Missing values are marked by a bit for each value where they are more than one of so many. */
const MAX_LISTED: u32 = 64;

const HAS_MISSING: u32 = 1;
const IS_OF_FIELDS: u32 = 4;
const IS_ROUNDED: u32 = 8;
const HAS_ORIGIN: u32 = 16;

/** Writes the block of values that all have the same bits, and returns its bytes; 0 where they have not. */
export function writeConstant(values: usize, members: u32, days: u32, out: usize): u32 {
  const first = load<u32>(values);
  const all = i32x4.splat(first);
  let at = values;
  let left = members * days;
  for (; left >= 4; left -= 4, at += 16) {
    if (v128.any_true(v128.xor(v128.load(at), all))) return 0;
  }
  for (; left > 0; left--, at += 4) {
    if (load<u32>(at) != first) return 0;
  }
  writeHead(out, CONSTANT, members, days);
  store<u32>(out, first, HEAD_BYTES);
  return HEAD_BYTES + 4;
}

/** Writes the block of values as they are, and returns its bytes. */
export function writePlain(values: usize, members: u32, days: u32, out: usize): u32 {
  const bytes = 4 * members * days;
  writeHead(out, PLAIN, members, days);
  memory.copy(out + HEAD_BYTES, values, bytes);
  return HEAD_BYTES + bytes;
}

function writeHead(at: usize, kind: u32, members: u32, days: u32): void {
  store<u32>(at, VERSION | (kind << 8));
  store<u32>(at, members | (days << 16), 4);
}

/**
 * Plans the block of values on a grid, with the origins of `fields` unless that is 0, and returns its bytes; 0 where more
 * than `most` values would be exceptions.
 */
export function packGrid(
  values: usize, members: u32, days: u32, quantum: f64, origin: f64, fields: usize, isRounded: bool, most: u32,
  work: usize,
): u32 {
  if (!integersOnGrid(values, members, days, quantum, origin, fields, isRounded, most, work)) return 0;
  writeHead(work, GRID, members, days);
  store<f64>(work, quantum, QUANTUM);
  store<f64>(work, origin, ORIGIN);
  const hasOrigin = fields == 0 && origin != 0;
  let flags = isRounded ? IS_ROUNDED : 0;
  if (fields != 0) flags |= IS_OF_FIELDS;
  if (hasOrigin) flags |= HAS_ORIGIN;
  store<u8>(work, flags, FLAGS);
  return planBlock(members, days, work, fields != 0 ? 0 : hasOrigin ? 16 : 8);
}

/** The same of values as float32 in the order of their bits. */
export function packBits(values: usize, members: u32, days: u32, most: u32, work: usize): u32 {
  if (!integersOfBits(values, members, days, most, work)) return 0;
  writeHead(work, BITS, members, days);
  return planBlock(members, days, work, 0);
}

/** How many exceptions the block has that was planned last. */
export function exceptionCount(work: usize): u32 {
  return load<u32>(work, EXCEPTIONS);
}

function planBlock(members: u32, days: u32, work: usize, gridBytes: u32): u32 {
  const count = members * days;
  const gaps = load<u32>(work, GAPS);
  const missing = load<u32>(work, MISSING);
  const groups = planGroups(members, days, work);
  let listed = gaps;
  let bytes = INTEGERS_HEAD_BYTES + gridBytes + groups;
  if (MAX_LISTED * missing > count || gaps > MAX_EXCEPTIONS) {
    store<u8>(work, <u32>load<u8>(work, FLAGS) | HAS_MISSING, FLAGS);
    bytes += (count + 7) >> 3;
    listed -= missing;
  }
  store<u16>(work, listed, LISTED);
  store<u32>(work, gridBytes, GRID_BYTES);
  return bytes + EXCEPTION_BYTES * listed;
}

/** Writes the block that was planned last. */
export function writePacked(values: usize, members: u32, days: u32, work: usize, out: usize): void {
  const head = INTEGERS_HEAD_BYTES + load<u32>(work, GRID_BYTES);
  memory.copy(out, work, head);
  const tail = writeGroups(members, days, work, out + head);
  writeGaps(values, members * days, gapsAt(work, members, days), load<u32>(work, GAPS), load<u8>(work, FLAGS), tail);
}

/** Writes missing values and exceptions. */
function writeGaps(values: usize, count: u32, gaps: usize, length: u32, flags: u32, at: usize): void {
  const marked = at;
  if (flags & HAS_MISSING) {
    memory.fill(at, 0, (count + 7) >> 3);
    at += (count + 7) >> 3;
  }
  for (const end = gaps + words(length); gaps < end; gaps += 4) {
    const index = load<u32>(gaps);
    const bits = load<u32>(values + words(index));
    if (flags & HAS_MISSING && bits == 0x7fc00000) {
      const byte = marked + (index >> 3);
      store<u8>(byte, <u32>load<u8>(byte) | (1 << (index & 7)));
    } else {
      store<u32>(at, index);
      store<u32>(at, bits, 4);
      at += EXCEPTION_BYTES;
    }
  }
}

/** Writes codes, floors and groups, and returns the place behind them. */
function writeGroups(members: u32, days: u32, work: usize, at: usize): usize {
  const count = members * days;
  const isSparse = (load<u8>(work, FLAGS) & IS_SPARSE) != 0;
  const groupDays = <u32>load<u8>(work, GROUP_DAYS);
  const groups = (days + groupDays - 1) / groupDays;
  const groupValues = groupDays * members;
  const base = load<i32>(work, BASE);
  const numbers = numbersAt(work, members, days);
  const integers = integersAt(work, members);
  let codes = codesAt(work, members, days);
  let floors = codes + words(days);
  at += (pack(codes, groups, load<u8>(work, MIN_CODE), load<u8>(work, CODE_BITS), at, 0) + 7) >> 3;
  at += (pack(floors, groups, load<i32>(work, MIN_FLOOR), load<u8>(work, FLOOR_BITS), at, 0) + 7) >> 3;
  if (!isSparse) writeResiduals(members, days, work);
  let bit: u32 = 0;
  for (let from: u32 = 0; from < count; from += groupValues, codes += 4, floors += 4) {
    const size = min(groupValues, count - from);
    const code = load<u32>(codes);
    const floor = load<i32>(floors);
    if (!isSparse) {
      bit = pack(numbers + words(from), size, floor, code, at, bit);
    } else if (code > 0) {
      const group = integers + words(from);
      bit = packMask(group, size, base, at, bit);
      let to = numbers;
      for (let n = group, end = group + words(size); n < end; n += 4) {
        const x = load<i32>(n) - base;
        store<i32>(to, x);
        to += x != 0 ? 4 : 0;
      }
      bit = pack(numbers, <u32>((to - numbers) >> 2), floor, code - 1, at, bit);
    }
  }
  return at + ((bit + 7) >> 3);
}
