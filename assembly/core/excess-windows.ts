// Phase 1 for the sum of what lies beyond a limit, in windows that do not roll; windows.ts draws the memory layout,
// window-rules.ts the condition.
//
// Days at even and at odd places are added in f64, as in totals. Of f64, differences from the limit are added where a value is
// beyond the condition's bound. Of f32, what is not beyond counts as the limit, and from the total so many times the limit is
// taken as there are days: f32 have 24 binary digits, f64 53, so that a total rounds only where what lies beyond is about as
// large as it. A missing day makes its sum NaN. Below a limit, the sign is turned last.
//
// An infinite day on the other side of the limit is in no sum: days are looked at once more where the product of all by zero
// is NaN.
import { WindowJob } from './generated/jobs';
import { firstInfiniteF32, firstInfiniteF64 } from './missing';
import { boundOf, highPair, lastEnd, limitOf, lowPair, readAhead } from './window-rules';
import { value } from './windows';

/**
 * What is added of a value: of f64 its difference from the limit; of f32 the larger of both above a limit, or for a limit near
 * zero, with which other values may tie, a choice, which is simpler for zero.
 */
const enum Way { Difference, Larger, Choice, Zero }

/** Nearer to zero, there are f32 between a limit and the end of what ties with it. */
const TIES_BELOW: f64 = 1e-4;

/** What is added of a vector of values. */
@inline function held(way: Way, isAbove: bool, x: v128, limits: v128, bounds: v128): v128 {
  if (way == Way.Larger) return isAbove ? f32x4.pmax(x, limits) : f32x4.pmin(x, limits);
  if (way == Way.Difference) return v128.andnot(f64x2.sub(x, limits), isAbove ? f64x2.le(x, bounds) : f64x2.gt(x, bounds));
  const others = isAbove ? f32x4.le(x, bounds) : f32x4.gt(x, bounds);
  return way == Way.Zero ? v128.andnot(x, others) : v128.bitselect(limits, x, others);
}

/** Adds what is `held`: of f32 of the first two lanes, and of the others where the vector is whole. */
@inline function add<T>(isWhole: bool, sum: v128, values: v128): v128 {
  const two = f64x2.add(sum, lowPair<T>(values));
  return sizeof<T>() == 4 && isWhole ? f64x2.add(two, highPair<T>(values)) : two;
}

/** Adds what is `held` of the first value alone. */
@inline function addOne<T>(sum: v128, values: v128): v128 {
  return f64x2.add(sum, v128.and(lowPair<T>(values), i64x2(-1, 0)));
}

@inline function one<T>(address: usize): v128 {
  return sizeof<T>() == 4 ? v128.load32_zero(address) : v128.load64_zero(address);
}

/** What two totals are beyond the limit; `rest` is what they are where no day is. */
@inline function excessOf(isAbove: bool, totals: v128, rest: v128): v128 {
  return isAbove ? f64x2.sub(totals, rest) : f64x2.sub(rest, totals);
}

/** The totals of two sums of days at even and odd places. */
@inline function totalsOf(sums: v128, others: v128): v128 {
  return f64x2.add(v128.shuffle<u64>(sums, others, 0, 2), v128.shuffle<u64>(sums, others, 1, 3));
}

@inline function areNaN<T>(x: v128): bool {
  return v128.any_true(v128.ne<T>(x, x));
}

/** Makes windows of a member and a cell missing that have an infinite day. */
function spoil<T>(job: WindowJob, from: usize, days: i32, out: usize): void {
  if ((sizeof<T>() == 4 ? firstInfiniteF32(from, days) : firstInfiniteF64(from, days)) < 0) return;
  const windows = job.windows, origin = load<i32>(windows);
  for (let window = windows, end = windows + (<usize>job.windowCount << 3); window < end; window += 8, out += 8) {
    let day = from + <usize>(load<i32>(window) - origin) * sizeof<T>();
    for (const last = day + <usize>load<i32>(window, 4) * sizeof<T>(); day != last; day += sizeof<T>()) {
      if (abs(value<T>(day)) == Infinity) store<f64>(out, NaN);
    }
  }
}

/** Days that are adjacent: of four members at a time, the last one again if fewer are left. */
@inline function byDays<T>(way: Way, isAbove: bool, job: WindowJob, limit: f64, limits: v128, bounds: v128): void {
  const windows = job.windows, windowCount = job.windowCount, windowsEnd = windows + (<usize>windowCount << 3);
  const members = job.members, origin = load<i32>(windows), days = lastEnd(windows, windowCount) - origin, lanes = 16 / sizeof<T>();
  const start = job.offset + <usize>origin * sizeof<T>(), cellStride = job.cellStride;
  const written = <usize>windowCount << 3, rowBytes = job.rowBytes, last = job.memberCount - 1;
  for (let m = 0; m <= last; m += 4) {
    const m1 = <usize>min(m + 1, last), m2 = <usize>min(m + 2, last), m3 = <usize>min(m + 3, last);
    let from0 = <usize>load<u32>(members + (<usize>m << 2)) + start, row0 = job.rows + <usize>m * rowBytes;
    let from1 = <usize>load<u32>(members + (m1 << 2)) + start, row1 = job.rows + m1 * rowBytes;
    let from2 = <usize>load<u32>(members + (m2 << 2)) + start, row2 = job.rows + m2 * rowBytes;
    let from3 = <usize>load<u32>(members + (m3 << 2)) + start, row3 = job.rows + m3 * rowBytes;
    for (let cells = job.cells; cells > 0; cells--) {
      let bad0 = v128.splat<T>(0), bad1 = bad0, bad2 = bad0, bad3 = bad0;
      let at: usize = 0;
      for (let window = windows; window < windowsEnd; window += 8, at += 8) {
        const length = load<i32>(window, 4);
        let day = <usize>(load<i32>(window) - origin) * sizeof<T>();
        let sum0 = f64x2.splat(0), sum1 = sum0, sum2 = sum0, sum3 = sum0, x: v128;
        for (const end = day + <usize>(length & -lanes) * sizeof<T>(); day < end; day += 16) {
          x = v128.load(from0 + day), bad0 = v128.mul<T>(bad0, x), sum0 = add<T>(true, sum0, held(way, isAbove, x, limits, bounds));
          x = v128.load(from1 + day), bad1 = v128.mul<T>(bad1, x), sum1 = add<T>(true, sum1, held(way, isAbove, x, limits, bounds));
          x = v128.load(from2 + day), bad2 = v128.mul<T>(bad2, x), sum2 = add<T>(true, sum2, held(way, isAbove, x, limits, bounds));
          x = v128.load(from3 + day), bad3 = v128.mul<T>(bad3, x), sum3 = add<T>(true, sum3, held(way, isAbove, x, limits, bounds));
        }
        if (sizeof<T>() == 4 && length & 2) {
          x = v128.load64_zero(from0 + day), bad0 = v128.mul<T>(bad0, x), sum0 = add<T>(false, sum0, held(way, isAbove, x, limits, bounds));
          x = v128.load64_zero(from1 + day), bad1 = v128.mul<T>(bad1, x), sum1 = add<T>(false, sum1, held(way, isAbove, x, limits, bounds));
          x = v128.load64_zero(from2 + day), bad2 = v128.mul<T>(bad2, x), sum2 = add<T>(false, sum2, held(way, isAbove, x, limits, bounds));
          x = v128.load64_zero(from3 + day), bad3 = v128.mul<T>(bad3, x), sum3 = add<T>(false, sum3, held(way, isAbove, x, limits, bounds));
          day += 8;
        }
        if (length & 1) {
          x = one<T>(from0 + day), bad0 = v128.mul<T>(bad0, x), sum0 = addOne<T>(sum0, held(way, isAbove, x, limits, bounds));
          x = one<T>(from1 + day), bad1 = v128.mul<T>(bad1, x), sum1 = addOne<T>(sum1, held(way, isAbove, x, limits, bounds));
          x = one<T>(from2 + day), bad2 = v128.mul<T>(bad2, x), sum2 = addOne<T>(sum2, held(way, isAbove, x, limits, bounds));
          x = one<T>(from3 + day), bad3 = v128.mul<T>(bad3, x), sum3 = addOne<T>(sum3, held(way, isAbove, x, limits, bounds));
        }
        const rest = f64x2.splat(sizeof<T>() == 4 ? <f64>length * limit : 0);
        const low = excessOf(isAbove, totalsOf(sum0, sum1), rest), high = excessOf(isAbove, totalsOf(sum2, sum3), rest);
        v128.store64_lane(row0 + at, low, 0), v128.store64_lane(row1 + at, low, 1);
        v128.store64_lane(row2 + at, high, 0), v128.store64_lane(row3 + at, high, 1);
      }
      if (areNaN<T>(v128.add<T>(v128.add<T>(bad0, bad1), v128.add<T>(bad2, bad3)))) {
        spoil<T>(job, from0, days, row0), spoil<T>(job, from1, days, row1), spoil<T>(job, from2, days, row2), spoil<T>(job, from3, days, row3);
      }
      from0 += cellStride, from1 += cellStride, from2 += cellStride, from3 += cellStride;
      row0 += written, row1 += written, row2 += written, row3 += written;
    }
  }
}

/** The windows of adjacent cells one by one; missing where a day is infinite. */
@inline function writeCells<T>(
  way: Way, isAbove: bool, from: usize, stride: usize, length: i32, cells: i32, limits: v128, bounds: v128, rest: v128, out: usize,
): void {
  for (; cells > 0; cells--, from += sizeof<T>(), out += 8) {
    let sum = f64x2.splat(0), other = sum, day = from;
    for (let left = length; left > 0; left--, day += stride) {
      // The sums of days at even and odd places take turns.
      const next = addOne<T>(other, held(way, isAbove, one<T>(day), limits, bounds));
      other = sum, sum = abs(value<T>(day)) == Infinity ? f64x2.splat(NaN) : next;
    }
    v128.store64_lane(out, excessOf(isAbove, f64x2.add(sum, other), rest), 0);
  }
}

/** Whether a day of adjacent cells, so many in 32 bytes, is infinite. */
function areInfinite<T>(day: usize, stride: usize, length: i32): bool {
  let found = false;
  for (; length > 0; length--, day += stride) {
    found = found || (sizeof<T>() == 4 ? firstInfiniteF32(day, 8) : firstInfiniteF64(day, 4)) >= 0;
  }
  return found;
}

/** The first window of cells that are adjacent: 32 bytes of each day at a time, and then one by one. */
@inline function byCells<T>(way: Way, isAbove: bool, job: WindowJob, limit: f64, limits: v128, bounds: v128): void {
  const window = job.windows, stride = job.dayStride, cells = job.cells, length = load<i32>(window, 4), inBlock = 32 / sizeof<T>();
  const rest = f64x2.splat(sizeof<T>() == 4 ? <f64>length * limit : 0), zero = f64x2.splat(0);
  const start = job.offset + <usize>load<i32>(window) * stride;
  for (let m = 0; m < job.memberCount; m++) {
    let from = <usize>load<u32>(job.members + (<usize>m << 2)) + start, out = job.rows + <usize>m * job.rowBytes, c = 0;
    readAhead(job, sizeof<T>(), m, cells);
    for (; c + inBlock <= cells; c += inBlock, from += 32, out += 8 * inBlock) {
      let bad0 = v128.splat<T>(0), bad1 = bad0, even0 = zero, even1 = zero, even2 = zero, even3 = zero, odd0 = zero, odd1 = zero, odd2 = zero, odd3 = zero;
      let day = from, x: v128, y: v128;
      for (let left = length; left > 0; left -= 2, day += stride) {
        x = v128.load(day), y = v128.load(day, 16);
        bad0 = v128.mul<T>(bad0, x), bad1 = v128.mul<T>(bad1, y);
        x = held(way, isAbove, x, limits, bounds), y = held(way, isAbove, y, limits, bounds);
        even0 = f64x2.add(even0, lowPair<T>(x)), even1 = f64x2.add(even1, lowPair<T>(y));
        if (sizeof<T>() == 4) even2 = f64x2.add(even2, highPair<T>(x)), even3 = f64x2.add(even3, highPair<T>(y));
        if (left == 1) break;
        day += stride;
        x = v128.load(day), y = v128.load(day, 16);
        bad0 = v128.mul<T>(bad0, x), bad1 = v128.mul<T>(bad1, y);
        x = held(way, isAbove, x, limits, bounds), y = held(way, isAbove, y, limits, bounds);
        odd0 = f64x2.add(odd0, lowPair<T>(x)), odd1 = f64x2.add(odd1, lowPair<T>(y));
        if (sizeof<T>() == 4) odd2 = f64x2.add(odd2, highPair<T>(x)), odd3 = f64x2.add(odd3, highPair<T>(y));
      }
      v128.store(out, excessOf(isAbove, f64x2.add(even0, odd0), rest));
      v128.store(out + 4 * inBlock, excessOf(isAbove, f64x2.add(even1, odd1), rest));
      if (sizeof<T>() == 4) {
        v128.store(out, excessOf(isAbove, f64x2.add(even2, odd2), rest), 16);
        v128.store(out, excessOf(isAbove, f64x2.add(even3, odd3), rest), 48);
      }
      if (areNaN<T>(v128.add<T>(bad0, bad1)) && areInfinite<T>(from, stride, length)) {
        writeCells<T>(way, isAbove, from, stride, length, inBlock, limits, bounds, rest, out);
      }
    }
    writeCells<T>(way, isAbove, from, stride, length, cells - c, limits, bounds, rest, out);
  }
}

// Functions of their own: one with all loops is slower, and so are limits that the compiler makes anew in a loop.
function largerAboveByDays(job: WindowJob, limit: f64, limits: v128, bounds: v128): void {
  byDays<f32>(Way.Larger, true, job, limit, limits, bounds);
}
function largerAboveByCells(job: WindowJob, limit: f64, limits: v128, bounds: v128): void {
  byCells<f32>(Way.Larger, true, job, limit, limits, bounds);
}
function largerBelowByDays(job: WindowJob, limit: f64, limits: v128, bounds: v128): void {
  byDays<f32>(Way.Larger, false, job, limit, limits, bounds);
}
function largerBelowByCells(job: WindowJob, limit: f64, limits: v128, bounds: v128): void {
  byCells<f32>(Way.Larger, false, job, limit, limits, bounds);
}
function choiceAboveByDays(job: WindowJob, limit: f64, limits: v128, bounds: v128): void {
  byDays<f32>(Way.Choice, true, job, limit, limits, bounds);
}
function choiceAboveByCells(job: WindowJob, limit: f64, limits: v128, bounds: v128): void {
  byCells<f32>(Way.Choice, true, job, limit, limits, bounds);
}
function choiceBelowByDays(job: WindowJob, limit: f64, limits: v128, bounds: v128): void {
  byDays<f32>(Way.Choice, false, job, limit, limits, bounds);
}
function choiceBelowByCells(job: WindowJob, limit: f64, limits: v128, bounds: v128): void {
  byCells<f32>(Way.Choice, false, job, limit, limits, bounds);
}
function zeroAboveByDays(job: WindowJob, limit: f64, limits: v128, bounds: v128): void {
  byDays<f32>(Way.Zero, true, job, limit, limits, bounds);
}
function zeroAboveByCells(job: WindowJob, limit: f64, limits: v128, bounds: v128): void {
  byCells<f32>(Way.Zero, true, job, limit, limits, bounds);
}
function zeroBelowByDays(job: WindowJob, limit: f64, limits: v128, bounds: v128): void {
  byDays<f32>(Way.Zero, false, job, limit, limits, bounds);
}
function zeroBelowByCells(job: WindowJob, limit: f64, limits: v128, bounds: v128): void {
  byCells<f32>(Way.Zero, false, job, limit, limits, bounds);
}
function differenceAboveByDays(job: WindowJob, limit: f64, limits: v128, bounds: v128): void {
  byDays<f64>(Way.Difference, true, job, limit, limits, bounds);
}
function differenceAboveByCells(job: WindowJob, limit: f64, limits: v128, bounds: v128): void {
  byCells<f64>(Way.Difference, true, job, limit, limits, bounds);
}
function differenceBelowByDays(job: WindowJob, limit: f64, limits: v128, bounds: v128): void {
  byDays<f64>(Way.Difference, false, job, limit, limits, bounds);
}
function differenceBelowByCells(job: WindowJob, limit: f64, limits: v128, bounds: v128): void {
  byCells<f64>(Way.Difference, false, job, limit, limits, bounds);
}

/** Fills the rows of windows that do not roll. */
export function excessWindowsOf<T>(job: WindowJob): void {
  const condition = job.condition, isAbove = load<f64>(condition, 8) == 0, isField = job.cellStride < job.dayStride;
  const limit = limitOf<T>(condition), limits = v128.splat<T>(<T>limit), bounds = v128.splat<T>(boundOf<T>(load<f64>(condition)));
  if (sizeof<T>() == 8) {
    if (isField) isAbove ? differenceAboveByCells(job, limit, limits, bounds) : differenceBelowByCells(job, limit, limits, bounds);
    else isAbove ? differenceAboveByDays(job, limit, limits, bounds) : differenceBelowByDays(job, limit, limits, bounds);
  } else if (limit == 0) {
    if (isField) isAbove ? zeroAboveByCells(job, limit, limits, bounds) : zeroBelowByCells(job, limit, limits, bounds);
    else isAbove ? zeroAboveByDays(job, limit, limits, bounds) : zeroBelowByDays(job, limit, limits, bounds);
  } else if (abs(limit) >= TIES_BELOW) {
    if (isField) isAbove ? largerAboveByCells(job, limit, limits, bounds) : largerBelowByCells(job, limit, limits, bounds);
    else isAbove ? largerAboveByDays(job, limit, limits, bounds) : largerBelowByDays(job, limit, limits, bounds);
  } else {
    if (isField) isAbove ? choiceAboveByCells(job, limit, limits, bounds) : choiceBelowByCells(job, limit, limits, bounds);
    else isAbove ? choiceAboveByDays(job, limit, limits, bounds) : choiceBelowByDays(job, limit, limits, bounds);
  }
}
