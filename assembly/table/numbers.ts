// CSV, phase 2: a column of cells to numbers.
//
//   out         f64 for each row from the first; NaN where the cell is missing or left to the caller
//   left        out: i32 number of missing cells, then i32 rows whose cells are left to the caller: texts, and numbers that need more than is
//               known here
//   known       scratch for short cells and their numbers: 256 times u64 bytes, f64 number; then 256 times i32 length, 0 where there is none
//
// A number is decimal: a sign, digits, a decimal mark, digits, an exponent; with spaces around, or in quotes. It is
// rounded correctly: up to 2^53 and 10^22 by one operation on exact doubles (Clinger, "How to read floating point
// numbers accurately", 1990), else by a product of 128 bits (Lemire, "Number parsing at a gigabyte per second", 2021).
// Longer or larger numbers are left to the caller.
import { MAX_POWER, MIN_POWER, powersOfFive } from './generated/powers';

const SPACE: u8 = 32;
const QUOTE: u8 = 34;
const CR: u8 = 13;

/** From this on, further digits are left to the caller: 19 digits may also be a time in nanoseconds. */
const MAX_SIGNIFICAND: u64 = 100_000_000_000_000_000;

const exactPowers: StaticArray<f64> = [
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

@inline function isDigit(byte: u8): bool {
  return <u8>(byte - 48) < 10;
}

/** Whether eight bytes are digits. */
@inline function areDigits(x: u64): bool {
  return ((x & 0xf0f0f0f0f0f0f0f0) | (((x + 0x0606060606060606) & 0xf0f0f0f0f0f0f0f0) >> 4)) == 0x3333333333333333;
}

/** The number of eight digits, the first in the lowest byte. */
@inline function eightDigits(given: u64): u64 {
  let x = given - 0x3030303030303030;
  x = x * 10 + (x >> 8);
  return (((x & 0x000000ff000000ff) * 0x000f424000000064 + ((x >> 16) & 0x000000ff000000ff) * 0x0000271000000001) >> 32) & 0xffffffff;
}

/** The upper 64 bits of a product; the lower ones are `a * b`. */
@inline function upperProduct(a: u64, b: u64): u64 {
  const aLow = a & 0xffffffff, aHigh = a >> 32, bLow = b & 0xffffffff, bHigh = b >> 32;
  const low = aLow * bLow;
  const middle = aHigh * bLow + (low >> 32);
  const cross = aLow * bHigh + (middle & 0xffffffff);
  return aHigh * bHigh + (middle >> 32) + (cross >> 32);
}

/**
 * `significand` x 10^`power`, rounded to the nearest double, for powers of the table; NaN if this takes more digits, or
 * is not normal.
 */
function toDouble(significand: u64, power: i32): f64 {
  const zeros = <i32>clz(significand);
  const w = significand << zeros;
  const at = (power - MIN_POWER) << 1;
  const tableHigh = unchecked(powersOfFive[at]);
  let high = upperProduct(w, tableHigh);
  let low = w * tableHigh;
  if ((high & 0x1ff) == 0x1ff) {
    const more = upperProduct(w, unchecked(powersOfFive[at + 1]));
    low += more;
    if (more > low) high++;
    if (low == 0xffffffffffffffff && (power < -27 || power > 55)) return NaN;
  }
  const upper = <i32>(high >> 63);
  const shift = upper + 9;
  let mantissa = high >> shift;
  let exponent = (((152170 + 65536) * power) >> 16) + 63 + upper - zeros + 1023;
  if (exponent <= 0 || exponent >= 2046) return NaN;
  // Half way between two doubles: to the even one.
  if (low <= 1 && power >= -4 && power <= 23 && (mantissa & 3) == 1 && mantissa << shift == high) mantissa &= ~(<u64>1);
  mantissa += mantissa & 1;
  mantissa >>= 1;
  if (mantissa >= <u64>2 << 52) {
    mantissa = <u64>1 << 52;
    exponent++;
  }
  return reinterpret<f64>((mantissa & ~(<u64>1 << 52)) | (<u64>exponent << 52));
}

/** Whether text stands for a missing number: NA, NaN, null or -, in upper or lower case. */
@inline function isMissing(at: usize, length: i32): bool {
  if (length == 1) return load<u8>(at) == 45;
  if (length == 2) return (load<u16>(at) | 0x2020) == 0x616e;
  if (length == 3) return ((load<u32>(at) & 0xffffff) | 0x202020) == 0x6e616e;
  return length == 4 && (load<u32>(at) | 0x20202020) == 0x6c6c756e;
}

/** The number in a cell of at most eight digits with a decimal mark, and a sign before them; NaN for other cells. */
@inline function readShort(given: usize, bytes: i32, marks: u64): f64 {
  const negative = bytes > 0 && load<u8>(given) == 45;
  const from = negative ? given + 1 : given;
  const length = negative ? bytes - 1 : bytes;
  if (<u32>(length - 1) > 7) return NaN;
  // The digits at the end of eight bytes, zeros before them.
  const padding = (8 - length) << 3;
  let digits = load<u64>(from) << padding;
  digits |= 0x3030303030303030 & ~(<u64>-1 << padding);
  // The lowest bit is of the first byte that is the decimal mark.
  const other = digits ^ marks;
  const found = (other - 0x0101010101010101) & ~other & 0x8080808080808080;
  const hasMark = found != 0;
  const place = <i32>ctz(found) & 0x38;
  const before = (<u64>1 << place) - 1;
  // The digits before the mark take its place. Whether there is one cannot be foreseen: no branch.
  const moved = (digits & ~(before | (<u64>0xff << place))) | ((digits & before) << 8) | 0x30;
  digits = select<u64>(moved, digits, hasMark);
  const decimals = select<i32>(7 - (place >> 3), 0, hasMark);
  if (!areDigits(digits) || (length == 1 && hasMark)) return NaN;
  const value = <f64>eightDigits(digits) / unchecked(exactPowers[decimals]);
  return negative ? -value : value;
}

const KNOWN_LENGTHS: usize = 4096;
const KNOWN_END: usize = 5120;
/** So many cells that were not known show whether most are. */
const MISSES: i32 = 512;

/** Reads a column from row `row` to `rows`, exclusive, and returns the number of cells that are left to the caller. */
export function readNumbers(
  text: usize, ends: usize, columns: i32, column: i32, row: i32, rows: i32, mark: i32, out: usize, left: usize, known: usize,
): i32 {
  memory.fill(known + KNOWN_LENGTHS, 0, KNOWN_END - KNOWN_LENGTHS);
  const first = row;
  let misses = 0;
  let count = 0;
  let missing = 0;
  let cell = ends + (<usize>(row * columns + column) << 2);
  const rowBytes = <usize>columns << 2;
  const decimal = <u8>mark;
  const marks = <u64>decimal * 0x0101010101010101;
  let before: u64 = 0;
  let lengthBefore = 0;
  let shortBefore: f64 = 0;
  for (; row < rows; row++, cell += rowBytes, out += 8) {
    let from = row == 0 && column == 0 ? text : text + load<i32>(cell - 4) + 1;
    let to = text + load<i32>(cell);
    if (column == columns - 1 && from < to && load<u8>(to - 1) == CR) to--;
    const length = <i32>(to - from);
    const isShort = <u32>(length - 1) < 8;
    const bytes: u64 = isShort ? load<u64>(from) << ((8 - length) << 3) : 0;
    let short: f64 = NaN;
    if (isShort && misses < MISSES) {
      // Places and days repeat from row to row.
      if (bytes == before && length == lengthBefore) {
        store<f64>(out, shortBefore);
        continue;
      }
      // Members come in the same order again and again.
      const place = known + ((<usize>(bytes * 0x9e3779b97f4a7c15 >> 56)) << 4);
      const lengthAt = known + KNOWN_LENGTHS + ((place - known) >> 2);
      if (load<u64>(place) == bytes && load<i32>(lengthAt) == length) {
        short = load<f64>(place, 8);
      } else {
        short = readShort(from, length, marks);
        if (short == short) {
          store<u64>(place, bytes);
          store<f64>(place, short, 8);
          store<i32>(lengthAt, length);
        }
        if (++misses == MISSES && row - first > MISSES * 8) misses = 0;
      }
      if (short == short) {
        before = bytes;
        lengthBefore = length;
        shortBefore = short;
      }
    } else short = readShort(from, length, marks);
    if (short == short) {
      store<f64>(out, short);
      continue;
    }
    if (from < to && load<u8>(from) == QUOTE) {
      from++;
      to--;
    }
    while (from < to && load<u8>(from) == SPACE) from++;
    if (from == to) {
      store<f64>(out, NaN);
      missing++;
      continue;
    }
    while (from < to && load<u8>(to - 1) == SPACE) to--;
    let at = from;
    let byte = load<u8>(at);
    const negative = byte == 45;
    if (negative || byte == 43) at++;
    const digits = at;
    let w: u64 = 0;
    let power = 0;
    // Text ends in a delimiter, quote or space, which is no digit.
    while (isDigit((byte = load<u8>(at)))) {
      if (w >= MAX_SIGNIFICAND) break;
      w = w * 10 + (byte - 48);
      at++;
    }
    let digitCount = <i32>(at - digits);
    if (at < to && byte == decimal) {
      const fraction = ++at;
      if (to - at >= 8 && w < 1_000_000_000) {
        const eight = load<u64>(at);
        if (areDigits(eight)) {
          w = w * 100_000_000 + eightDigits(eight);
          at += 8;
        }
      }
      while (isDigit((byte = load<u8>(at)))) {
        if (w >= MAX_SIGNIFICAND) break;
        w = w * 10 + (byte - 48);
        at++;
      }
      power = -<i32>(at - fraction);
      digitCount -= power;
    }
    if (at < to && digitCount > 0 && (byte | 32) == 101) {
      at++;
      byte = load<u8>(at);
      const below = byte == 45;
      if (below || byte == 43) at++;
      let exponent = 0;
      const first = at;
      while (at < to && isDigit((byte = load<u8>(at))) && exponent < 10_000) {
        exponent = exponent * 10 + (byte - 48);
        at++;
      }
      if (at == first) at = 0;
      power += below ? -exponent : exponent;
    }
    let value: f64 = NaN;
    let isRead = at == to && digitCount > 0;
    if (isRead) {
      if (w <= 9_007_199_254_740_992 && power >= -22 && power <= 22) {
        value = power < 0 ? <f64>w / unchecked(exactPowers[-power]) : <f64>w * unchecked(exactPowers[power]);
      } else if (w == 0) {
        value = 0;
      } else if (power >= MIN_POWER && power <= MAX_POWER) {
        value = toDouble(w, power);
        isRead = value == value;
      } else isRead = false;
    } else if (from == to || isMissing(from, <i32>(to - from))) {
      store<f64>(out, NaN);
      missing++;
      continue;
    }
    store<f64>(out, negative ? -value : value);
    if (!isRead || value > 1e17) {
      store<f64>(out, NaN);
      count++;
      store<i32>(left + (<usize>count << 2), row);
    }
  }
  store<i32>(left, missing);
  return count;
}
