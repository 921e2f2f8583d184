// How the integers of a block are packed: in groups of whole days, each with a width and a floor of its own. All plans
// are sized by the least and greatest numbers of groups; two groups give a group of twice as many days.

import { codesAt, firstLanes, integersAt, numbersAt, spansAt, words, ZERO, ZEROS } from './work';

// Where the head of a block has them.
export const FLAGS: usize = 2;
export const COEFFICIENT: usize = 3;
export const GROUP_DAYS: usize = 8;
export const MIN_CODE: usize = 9;
export const CODE_BITS: usize = 10;
export const FLOOR_BITS: usize = 11;
export const BASE: usize = 12;
export const MIN_FLOOR: usize = 16;

export const IS_SPARSE: u32 = 2;

/** Members and days of a group are about so many values. */
const GROUP_VALUES: u32 = 32;
/** The same of one member, whose blocks are long: fewer groups are decoded faster. */
const SINGLE_GROUP_VALUES: u32 = 96;
/** Zeros are tried apart where one of so many values is 0. */
const MIN_ZEROS: u32 = 16;
/** Bits of the numbers that the coefficient is fitted to: sums of their products are exact. */
const FITTED_BITS: i32 = 14;

/** Finds the plan that takes the fewest bytes, writes it to the head, codes and floors, and returns its bytes. */
export function planGroups(members: u32, days: u32, work: usize): u32 {
  const count = members * days;
  const integers = integersAt(work, members);
  const values = members == 1 ? SINGLE_GROUP_VALUES : GROUP_VALUES;
  const groupDays = max<u32>(1, (2 * values + members) / (2 * members));
  const zeros = load<u32>(work, ZEROS);
  const isMostlyZero = MIN_ZEROS * zeros >= count;
  const dense = spansAt(work, members, days);
  const spanBytes = words(2 * days);
  const sparse = dense + 3 * spanBytes;

  let least: i32 = 0;
  let leastBytes: u32 = u32.MAX_VALUE;
  let base: i32 = 0;
  let coefficient: i32 = 0;
  let spans: usize = 0;
  let step: u32 = 1;
  let hasOneFloor = false;
  if (isMostlyZero) {
    base = load<i32>(work, ZERO);
    least = findOtherSpans(integers, count, groupDays * members, base, sparse, days);
    spans = sparse;
    for (let plan = 0; plan < 4; plan++) {
      const bytes = layOut(work, members, days, groupDays, 1 + (plan >> 1), sparse, true, (plan & 1) == 0, least);
      if (bytes >= leastBytes) continue;
      leastBytes = bytes;
      step = 1 + (plan >> 1);
      hasOneFloor = (plan & 1) == 0;
    }
  }
  // Where most are zeros, nothing can be predicted from the day before.
  if (!isMostlyZero || zeros < count - zeros) {
    const mean = middle(integers, count);
    for (let before = integers - words(members); before < integers; before += 4) store<i32>(before, mean);
    let bestBytes: u32 = u32.MAX_VALUE;
    let bestSpans = dense;
    let bestCoefficient = 0;
    let tried = 0;
    // Of one member, what is predicted from day to day would be computed value after value.
    const plans = members == 1 ? 1 : 3;
    for (let plan = 0; plan < plans; plan++) {
      const next = plan == 1 ? fitCoefficient(integers, members, days, mean, groupDays, dense) : 8 * plan;
      if (plan > 0 && next == tried) continue;
      tried = next;
      const own = dense + spanBytes * plan;
      findSpans(integers, members, count, groupDays * members, mean, next, own, days);
      const bytes = layOut(work, members, days, groupDays, 1, own, false, false, 0);
      if (bytes >= bestBytes) continue;
      bestBytes = bytes;
      bestSpans = own;
      bestCoefficient = next;
    }
    const twice = layOut(work, members, days, groupDays, 2, bestSpans, false, false, 0);
    if (min(bestBytes, twice) < leastBytes) {
      leastBytes = min(bestBytes, twice);
      base = mean;
      coefficient = bestCoefficient;
      spans = bestSpans;
      step = twice < bestBytes ? 2 : 1;
    }
  }
  const isSparse = spans == sparse;
  if (isSparse) store<u8>(work, load<u8>(work, FLAGS) | IS_SPARSE, FLAGS);
  store<u8>(work, coefficient, COEFFICIENT);
  store<i32>(work, base, BASE);
  return layOut(work, members, days, groupDays, step, spans, isSparse, hasOneFloor, least);
}

/** The bits of a number without a sign. */
@inline function bitsFor(span: i32): u32 {
  return 32 - <u32>clz(span);
}

@inline function bytesFor(bits: u32): u32 {
  return (bits + 7) >> 3;
}

/** Writes codes, floors and what the head says of them, and returns the bytes of the plan with its groups. */
function layOut(
  work: usize, members: u32, days: u32, groupDays: u32, step: u32, spans: usize, isSparse: bool, hasOneFloor: bool,
  least: i32,
): u32 {
  const count = members * days;
  const singles = (days + groupDays - 1) / groupDays;
  const groups = (singles + step - 1) / step;
  const spanBytes = words(days);
  const codes = codesAt(work, members, days);
  const floors = codes + spanBytes;
  let minCode: u32 = 255;
  let maxCode: u32 = 0;
  let minFloor = i32.MAX_VALUE;
  let maxFloor = i32.MIN_VALUE;
  let bits: u32 = 0;
  let left = count;
  let single = spans;
  for (let g: usize = 0, end = words(groups); g < end; g += 4) {
    let low = load<i32>(single);
    let high = load<i32>(single + spanBytes);
    let others = isSparse ? load<u32>(single + 2 * spanBytes) : 0;
    const size = min(left, step * groupDays * members);
    left -= size;
    if (size > groupDays * members) {
      low = min(low, load<i32>(single, 4));
      high = max(high, load<i32>(single + spanBytes, 4));
      if (isSparse) others += load<u32>(single + 2 * spanBytes, 4);
    }
    single += words(step);
    let code: u32 = 0;
    let floor = isSparse && (hasOneFloor || others == 0) ? least : low;
    if (!isSparse) {
      code = bitsFor(high - floor);
      bits += code * size;
    } else if (others > 0) {
      const width = bitsFor(high - floor);
      code = width + 1;
      bits += size + others * width;
    }
    store<u32>(codes + g, code);
    store<i32>(floors + g, floor);
    minCode = min(minCode, code);
    maxCode = max(maxCode, code);
    minFloor = min(minFloor, floor);
    maxFloor = max(maxFloor, floor);
  }
  const codeBits = bitsFor(maxCode - minCode);
  const floorBits = bitsFor(maxFloor - minFloor);
  store<u8>(work, step * groupDays, GROUP_DAYS);
  store<u8>(work, minCode, MIN_CODE);
  store<u8>(work, codeBits, CODE_BITS);
  store<u8>(work, floorBits, FLOOR_BITS);
  store<i32>(work, minFloor, MIN_FLOOR);
  return bytesFor(groups * codeBits) + bytesFor(groups * floorBits) + bytesFor(bits);
}

/** An integer near the mean. */
function middle(integers: usize, count: u32): i32 {
  let sums = i64x2.splat(0);
  let at = integers;
  let left = count;
  for (; left >= 4; left -= 4, at += 16) {
    const n = v128.load(at);
    sums = i64x2.add(sums, i64x2.add(i64x2.extend_low_i32x4_s(n), i64x2.extend_high_i32x4_s(n)));
  }
  let sum = i64x2.extract_lane(sums, 0) + i64x2.extract_lane(sums, 1);
  for (; left > 0; left--, at += 4) sum += load<i32>(at);
  return <i32>Math.round(<f64>sum / <f64>count);
}

@inline function leastOf(lanes: v128): i32 {
  const two = i32x4.min_s(lanes, v128.shuffle<i64>(lanes, lanes, 1, 0));
  return min(i32x4.extract_lane(two, 0), i32x4.extract_lane(two, 1));
}

@inline function greatestOf(lanes: v128): i32 {
  const two = i32x4.max_s(lanes, v128.shuffle<i64>(lanes, lanes, 1, 0));
  return max(i32x4.extract_lane(two, 0), i32x4.extract_lane(two, 1));
}

/** What is packed of four integers: less the base, and less what the day before predicts of that. */
@inline function residuals(at: usize, rowBytes: usize, bases: v128, coefficients: v128): v128 {
  const before = i32x4.sub(v128.load(at - rowBytes), bases);
  return i32x4.sub(i32x4.sub(v128.load(at), bases), i32x4.shr_s(i32x4.mul(before, coefficients), 4));
}

/** Writes what is packed of all integers to the numbers. */
export function writeResiduals(members: u32, days: u32, work: usize): void {
  const rowBytes = words(members);
  const bases = i32x4.splat(load<i32>(work, BASE));
  const coefficients = i32x4.splat(load<u8>(work, COEFFICIENT));
  const integers = integersAt(work, members);
  const end = numbersAt(work, members, days);
  const shift = end - integers;
  for (let at = integers; at < end; at += 16) {
    // The last lanes may lie behind the integers: numbers there are not used, and gaps come behind them.
    const r = residuals(at, rowBytes, bases, coefficients);
    if (end - at >= 16) v128.store(at + shift, r);
    else storeFirst(at + shift, r, <u32>(end - at));
  }
}

/** Stores the first lanes, of so many bytes. */
function storeFirst(at: usize, lanes: v128, bytes: u32): void {
  v128.store_lane<i32>(at, lanes, 0);
  if (bytes > 4) v128.store_lane<i32>(at, lanes, 1, 4);
  if (bytes > 8) v128.store_lane<i32>(at, lanes, 2, 8);
}

/** Writes the least and the greatest number of each group. */
function findSpans(
  integers: usize, members: u32, count: u32, groupValues: u32, base: i32, coefficient: i32, lows: usize, days: u32,
): void {
  const rowBytes = words(members);
  const spanBytes = words(days);
  const bases = i32x4.splat(base);
  const coefficients = i32x4.splat(coefficient);
  for (let from: u32 = 0; from < count; from += groupValues) {
    let at = integers + words(from);
    let left = min(groupValues, count - from);
    let low = i32x4.splat(i32.MAX_VALUE);
    let high = i32x4.splat(i32.MIN_VALUE);
    for (; left >= 4; left -= 4, at += 16) {
      const r = residuals(at, rowBytes, bases, coefficients);
      low = i32x4.min_s(low, r);
      high = i32x4.max_s(high, r);
    }
    if (left > 0) {
      const r = residuals(at, rowBytes, bases, coefficients);
      const lanes = firstLanes(left);
      low = i32x4.min_s(low, v128.bitselect(r, low, lanes));
      high = i32x4.max_s(high, v128.bitselect(r, high, lanes));
    }
    store<i32>(lows, leastOf(low));
    store<i32>(lows + spanBytes, greatestOf(high));
    lows += 4;
  }
}

/** The same of integers that are not the base, and how many they are; returns the least of all, or 0 for none. */
function findOtherSpans(
  integers: usize, count: u32, groupValues: u32, base: i32, lows: usize, days: u32,
): i32 {
  const spanBytes = words(days);
  const bases = i32x4.splat(base);
  let least = i32.MAX_VALUE;
  for (let from: u32 = 0; from < count; from += groupValues) {
    let at = integers + words(from);
    let low = i32x4.splat(i32.MAX_VALUE);
    let high = i32x4.splat(i32.MIN_VALUE);
    let others: u32 = 0;
    for (let left = <i32>min(groupValues, count - from); left > 0; left -= 4, at += 16) {
      const x = i32x4.sub(v128.load(at), bases);
      let isOther = i32x4.ne(x, i32x4.splat(0));
      if (left < 4) isOther = v128.and(isOther, firstLanes(left));
      others += <u32>popcnt(i32x4.bitmask(isOther));
      low = i32x4.min_s(low, v128.bitselect(x, low, isOther));
      high = i32x4.max_s(high, v128.bitselect(x, high, isOther));
    }
    store<i32>(lows, leastOf(low));
    store<i32>(lows + spanBytes, greatestOf(high));
    store<u32>(lows + 2 * spanBytes, others);
    least = min(least, load<i32>(lows));
    lows += 4;
  }
  return least == i32.MAX_VALUE ? 0 : least;
}

@inline function sumOf(lanes: v128): f64 {
  return <f64>(i64x2.extract_lane(lanes, 0) + i64x2.extract_lane(lanes, 1));
}

/** Adds the products of the lower and the higher two lanes. */
@inline function addProducts(sums: v128, a: v128, b: v128): v128 {
  return i64x2.add(sums, i64x2.add(i64x2.extmul_low_i32x4_s(a, b), i64x2.extmul_high_i32x4_s(a, b)));
}

/**
 * The sixteenths of the day before that predict a day best, where what all members of a day have in common costs
 * nothing: the floor of their group holds it. Integers lose bits first, so that sums of a day are exact.
 */
function fitCoefficient(
  integers: usize, members: u32, days: u32, base: i32, groupDays: u32, lows: usize,
): i32 {
  const groups = (days + groupDays - 1) / groupDays;
  let low = i32.MAX_VALUE;
  let high = i32.MIN_VALUE;
  for (let g: u32 = 0; g < groups; g++, lows += 4) {
    low = min(low, load<i32>(lows));
    high = max(high, load<i32>(lows + words(days)));
  }
  const shift = max(0, <i32>bitsFor(high - low) - FITTED_BITS);
  const rowBytes = words(members);
  const bases = i32x4.splat(base);
  let products: f64 = 0;
  let squares: f64 = 0;
  let sumBefore: f64 = 0;
  let squareBefore: f64 = 0;
  let at = integers;
  for (let day: u32 = 0; day < days; day++) {
    let sums = i32x4.splat(0);
    let dots = i64x2.splat(0);
    let own = i64x2.splat(0);
    let left = members;
    for (; left >= 4; left -= 4, at += 16) {
      const x = i32x4.shr_s(i32x4.sub(v128.load(at), bases), shift);
      const before = i32x4.shr_s(i32x4.sub(v128.load(at - rowBytes), bases), shift);
      sums = i32x4.add(sums, x);
      dots = addProducts(dots, x, before);
      own = addProducts(own, x, x);
    }
    if (left > 0) {
      const x = v128.and(i32x4.shr_s(i32x4.sub(v128.load(at), bases), shift), firstLanes(left));
      const before = i32x4.shr_s(i32x4.sub(v128.load(at - rowBytes), bases), shift);
      sums = i32x4.add(sums, x);
      dots = addProducts(dots, x, before);
      own = addProducts(own, x, x);
      at += words(left);
    }
    const sum = sumOf(i64x2.add(i64x2.extend_low_i32x4_s(sums), i64x2.extend_high_i32x4_s(sums)));
    if (day > 0) {
      products += sumOf(dots) - (sumBefore * sum) / <f64>members;
      squares += squareBefore - (sumBefore * sumBefore) / <f64>members;
    }
    sumBefore = sum;
    squareBefore = sumOf(own);
  }
  return squares > 0 ? <i32>max(0, min(16, Math.round((16 * products) / squares))) : 0;
}
