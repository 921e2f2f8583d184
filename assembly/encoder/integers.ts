import { EXCEPTIONS, firstLanes, GAPS, gapsAt, integersAt, MISSING, words, ZERO, ZEROS } from './work';

/** Integers are smaller, so that sums of two of them do not overflow. */
const MAX_INTEGER: f64 = 1_073_741_824;
/** Marks a value without an integer. */
const NONE: i32 = i32.MIN_VALUE;
/** The bits of missing values. */
const MISSING_BITS: i32 = 0x7fc00000;
/** Added to a whole number, its lowest bits are the number as i32. */
const WHOLE: f64 = 6_755_399_441_055_744;

const GRID: u32 = 0;
const FIELDS: u32 = 1;
const BITS: u32 = 2;

/**
 * Writes the values, member after member, as integers on a grid. `fields` are the origins of all values, or 0 where all
 * have `origin`. Returns false where more than `most` values are exceptions. With `isRounded` each value becomes the
 * nearest on the grid; otherwise a value that is not exactly on it is an exception.
 */
export function integersOnGrid(
  values: usize, members: u32, days: u32, quantum: f64, origin: f64, fields: usize, isRounded: bool, most: u32,
  work: usize,
): bool {
  if (fields != 0) {
    store<i32>(work, 0, ZERO);
    return placeIntegers(FIELDS, values, members, days, quantum, 0, fields, isRounded, most, work);
  }
  const zero = Math.floor(-origin * (1 / quantum) + 0.5);
  store<i32>(work, Math.abs(zero) < MAX_INTEGER ? <i32>zero : 0, ZERO);
  return placeIntegers(GRID, values, members, days, quantum, origin, 0, isRounded, most, work);
}

/** The same as float32 in the order of their bits: infinities and NaN have none. */
export function integersOfBits(values: usize, members: u32, days: u32, most: u32, work: usize): bool {
  store<i32>(work, 0, ZERO);
  return placeIntegers(BITS, values, members, days, 0, 0, 0, false, most, work);
}

/** The higher two lanes, as the lower two. */
@inline function high(lanes: v128): v128 {
  return v128.shuffle<i64>(lanes, lanes, 1, 0);
}

/** The steps from origins to two values. */
@inline function steps(values: v128, origins: v128, perUnit: v128): v128 {
  const distance = f64x2.sub(f64x2.promote_low_f32x4(values), origins);
  return f64x2.floor(f64x2.add(f64x2.mul(distance, perUnit), f64x2.splat(0.5)));
}

@inline function isSmall(steps: v128): v128 {
  return f64x2.lt(f64x2.abs(steps), f64x2.splat(MAX_INTEGER));
}

@inline function placeIntegers(
  kind: u32, values: usize, members: u32, days: u32, quantum: f64, origin: f64, fields: usize, isRounded: bool,
  most: u32, work: usize,
): bool {
  const integers = integersAt(work, members);
  const rowBytes = words(members);
  const quanta = f64x2.splat(quantum);
  const perUnit = f64x2.splat(1 / quantum);
  const origins = f64x2.splat(origin);
  const wholes = f64x2.splat(WHOLE);
  const rounded = i32x4.splat(-<i32>isRounded);
  const firstGap = gapsAt(work, members, days);
  let gap = firstGap;
  let exceptions: u32 = 0;
  let zeros = i32x4.splat(0);
  for (let m: u32 = 0; m < members; m++) {
    let to = integers + words(m);
    for (let day: u32 = 0; day < days; day += 4) {
      const index = m * days + day;
      const bits = v128.load(values + words(index));
      let n: v128;
      let isFound: v128;
      let isZero: v128;
      if (kind == BITS) {
        const exponents = i32x4.splat(0x7f800000);
        n = v128.xor(bits, v128.and(i32x4.shr_s(bits, 31), i32x4.splat(0x7fffffff)));
        isFound = i32x4.ne(v128.and(bits, exponents), exponents);
        isZero = i32x4.eq(bits, i32x4.splat(0));
      } else {
        const at = fields + words(2 * index);
        const lowOrigins = kind == FIELDS ? v128.load(at) : origins;
        const highOrigins = kind == FIELDS ? v128.load(at, 16) : origins;
        const low = steps(bits, lowOrigins, perUnit);
        const high_ = steps(high(bits), highOrigins, perUnit);
        n = v128.shuffle<i32>(f64x2.add(low, wholes), f64x2.add(high_, wholes), 0, 2, 4, 6);
        const isInside = v128.shuffle<i32>(isSmall(low), isSmall(high_), 0, 2, 4, 6);
        const decoded = v128.shuffle<i64>(
          f32x4.demote_f64x2_zero(f64x2.add(lowOrigins, f64x2.mul(quanta, low))),
          f32x4.demote_f64x2_zero(f64x2.add(highOrigins, f64x2.mul(quanta, high_))),
          0, 2,
        );
        // Values are equal to what is decoded, bit for bit; -0 is decoded by no reader.
        const isExact = v128.andnot(i32x4.eq(decoded, bits), i32x4.eq(bits, i32x4.splat(i32.MIN_VALUE)));
        isFound = v128.and(isInside, v128.or(isExact, rounded));
        isZero = v128.and(isInside, f32x4.eq(bits, f32x4.splat(0)));
      }
      const left = days - day;
      if (left < 4) {
        const lanes = firstLanes(left);
        isFound = v128.or(isFound, v128.not(lanes));
        isZero = v128.and(isZero, lanes);
      }
      zeros = i32x4.sub(zeros, isZero);
      if (!i32x4.all_true(isFound)) {
        for (let others = ~i32x4.bitmask(isFound) & 15; others != 0; others &= others - 1) {
          const other = index + <u32>ctz(others);
          if (load<i32>(values + words(other)) != MISSING_BITS && ++exceptions > most) return false;
          store<u32>(gap, other);
          gap += 4;
        }
        n = v128.bitselect(n, i32x4.splat(NONE), isFound);
      }
      v128.store_lane<i32>(to, n, 0);
      if (left > 1) v128.store_lane<i32>(to + rowBytes, n, 1);
      if (left > 2) v128.store_lane<i32>(to + 2 * rowBytes, n, 2);
      if (left > 3) v128.store_lane<i32>(to + 3 * rowBytes, n, 3);
      to += 4 * rowBytes;
    }
  }
  const gaps = <u32>((gap - firstGap) >> 2);
  store<u32>(work, gaps, GAPS);
  store<u32>(work, gaps - exceptions, MISSING);
  store<u32>(work, exceptions, EXCEPTIONS);
  const two = i32x4.add(zeros, high(zeros));
  store<u32>(work, i32x4.extract_lane(two, 0) + i32x4.extract_lane(two, 1), ZEROS);
  if (gaps > 0) fillGaps(integers, integers + rowBytes * <usize>days, rowBytes);
  return true;
}

/** Values without an integer get that of the member before, on the first days of the next one, or of the day before. */
function fillGaps(integers: usize, end: usize, rowBytes: usize): void {
  let first = integers;
  while (first < end && load<i32>(first) == NONE) first += 4;
  const start = first < end ? load<i32>(first) : 0;
  for (let row = integers; row < end; row += rowBytes) {
    const rowEnd = row + rowBytes;
    let near = row == integers ? start : load<i32>(row - rowBytes);
    for (let at = row; at < rowEnd; at += 4) {
      if (load<i32>(at) != NONE) {
        near = load<i32>(at);
        break;
      }
    }
    for (let at = row; at < rowEnd; at += 4) {
      const n = load<i32>(at);
      if (n == NONE) store<i32>(at, near);
      else near = n;
    }
  }
}

/** Whether all differences are multiples of a number above 1: then the values are on a coarser grid. */
export function haveCommonFactor(members: u32, days: u32, work: usize): bool {
  const integers = integersAt(work, members);
  const first = load<i32>(integers);
  let factor: u32 = 0;
  for (let at = integers + 4, end = integers + words((members * days)); at < end && factor != 1; at += 4) {
    let other = <u32>abs(load<i32>(at) - first);
    while (other != 0) {
      const rest = factor % other;
      factor = other;
      other = rest;
    }
  }
  return factor > 1;
}
