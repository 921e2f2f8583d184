// Phase 1 for the sum of what lies beyond a limit, for f32 in windows that do not roll; windows.ts draws the memory layout,
// window-rules.ts the condition and the loops for others.
//
// What is not beyond the limit counts as the limit, and differences from it are added in f64, a day after the other. Below a
// limit, all signs are turned first: then the larger of a value and the limit counts.
//
// Above a limit that is above zero, the total of a window's days less its days times the limit is the same to the last bit: f32
// have 24 binary digits, f64 53, so that nothing rounds if the excess is less than 2^28 times the limit. If it is not, all is
// added again as differences.
//
//   days adjacent     member 0  | a0 a1 a2 a3 |      | a0 b0 |, | a1 b1 |, ...
//                     member 1  | b0 b1 b2 b3 |
//   cells adjacent    eight cells as they are in memory
//
// A missing day makes its sum NaN. An infinite one may be on the other side of the limit, but its product by zero is NaN:
// days of which one is missing or infinite are looked at once more.
import { WindowJob } from './generated/jobs';
import { firstInfiniteF32 } from './missing';
import { longestOf } from './short-windows';
import { highPair, lastEnd, limitOf, lowPair, readAhead, Rule, sideOf, writePairs } from './window-rules';

/** Nearer to zero, there are f32 between a limit and the end of what ties with it. */
const TIES_BELOW: f64 = 1e-4;
/** The cells of which a day's values are read together. */
const BLOCK_CELLS: i32 = 8;
/** Totals of values from the limit on are exact up to so many times it, with a factor of two to spare. */
const EXACT: f64 = 268435456;

/** Whether these loops take windows by a rule: not few adjacent cells, and no limit near zero. */
export function areFastExcess(job: WindowJob): bool {
  if (job.rule != Rule.Excess || !(abs(limitOf<f32>(job.condition)) >= TIES_BELOW)) return false;
  return job.cellStride >= job.dayStride || job.cells >= BLOCK_CELLS;
}

/** The bits that turn signs where the condition is below a limit. */
@inline function signsOf(job: WindowJob): v128 {
  return v128.and(sideOf(job.condition), f32x4.splat(-0.0));
}

/** The limit, with its sign turned. */
function turnedLimit(job: WindowJob): f64 {
  const limit = limitOf<f32>(job.condition);
  return load<f64>(job.condition, 8) != 0 ? -limit : limit;
}

/** Values that are beyond the limit, and the limit for others. Totals are of values that keep their signs. */
@inline function held(isExact: bool, x: v128, turn: v128, limits: v128): v128 {
  return f32x4.pmax(isExact ? x : v128.xor(x, turn), limits);
}

/** Adds two days, or their differences from the limit. */
@inline function addTwo(isExact: bool, sum: v128, x: v128, limit: v128): v128 {
  return f64x2.add(sum, isExact ? x : f64x2.sub(x, limit));
}

/** Adds the last `days` of four adjacent days of two members. */
@inline function addLast(isExact: bool, sum: v128, x: v128, y: v128, days: i32, limit: v128): v128 {
  const a = v128.shuffle<u32>(x, y, 0, 4, 1, 5), b = v128.shuffle<u32>(x, y, 2, 6, 3, 7);
  if (days > 3) sum = addTwo(isExact, sum, lowPair<f32>(a), limit);
  if (days > 2) sum = addTwo(isExact, sum, highPair<f32>(a), limit);
  if (days > 1) sum = addTwo(isExact, sum, lowPair<f32>(b), limit);
  return addTwo(isExact, sum, highPair<f32>(b), limit);
}

@inline function larger(pair: v128): f64 {
  return max(f64x2.extract_lane(pair, 0), f64x2.extract_lane(pair, 1));
}

/** Makes windows of a member and a cell missing that have an infinite day. */
function spoil(job: WindowJob, from: usize, stride: usize, out: usize): void {
  const windows = job.windows, origin = load<i32>(windows);
  for (let window = windows, end = windows + (<usize>job.windowCount << 3); window < end; window += 8, out += 8) {
    let day = from + <usize>(load<i32>(window) - origin) * stride;
    for (const last = day + <usize>load<i32>(window, 4) * stride; day != last; day += stride) {
      if (abs(load<f32>(day)) == Infinity) store<f64>(out, NaN);
    }
  }
}

/** The same, if there is an infinite one among adjacent days. */
function spoilSeries(job: WindowJob, from: usize, days: i32, out: usize): void {
  if (firstInfiniteF32(from, days) >= 0) spoil(job, from, 4, out);
}

/** Days that are adjacent: of four members at a time, the last one again if fewer are left. Returns the largest excess of totals. */
@inline function byDays(isExact: bool, job: WindowJob, limit: f64): f64 {
  const windows = job.windows, windowCount = job.windowCount, windowsEnd = windows + (<usize>windowCount << 3);
  const members = job.members, origin = load<i32>(windows), days = lastEnd(windows, windowCount) - origin;
  const turn = signsOf(job), from = f64x2.splat(limit), limits = f32x4.splat(<f32>limit), none = f32x4.splat(0);
  const start = job.offset + <usize>origin * 4, cellStride = job.cellStride;
  const written = <usize>windowCount << 3, rowBytes = job.rowBytes, last = job.memberCount - 1;
  let most0 = f64x2.splat(0), most1 = most0;
  for (let m = 0; m <= last; m += 4) {
    const m1 = <usize>min(m + 1, last), m2 = <usize>min(m + 2, last), m3 = <usize>min(m + 3, last);
    let from0 = <usize>load<u32>(members + (<usize>m << 2)) + start, row0 = job.rows + <usize>m * rowBytes;
    let from1 = <usize>load<u32>(members + (m1 << 2)) + start, row1 = job.rows + m1 * rowBytes;
    let from2 = <usize>load<u32>(members + (m2 << 2)) + start, row2 = job.rows + m2 * rowBytes;
    let from3 = <usize>load<u32>(members + (m3 << 2)) + start, row3 = job.rows + m3 * rowBytes;
    for (let cells = job.cells; cells > 0; cells--) {
      let bad0 = none, bad1 = none, bad2 = none, bad3 = none;
      let at: usize = 0;
      for (let window = windows; window < windowsEnd; window += 8, at += 8) {
        let sum01 = f64x2.splat(0), sum23 = sum01;
        let day = <usize>(load<i32>(window) - origin) << 2, left = load<i32>(window, 4);
        for (; left >= 4; left -= 4, day += 16) {
          const x0 = v128.load(from0 + day), x1 = v128.load(from1 + day), x2 = v128.load(from2 + day), x3 = v128.load(from3 + day);
          bad0 = f32x4.mul(bad0, x0), bad1 = f32x4.mul(bad1, x1), bad2 = f32x4.mul(bad2, x2), bad3 = f32x4.mul(bad3, x3);
          sum01 = addLast(isExact, sum01, held(isExact, x0, turn, limits), held(isExact, x1, turn, limits), 4, from);
          sum23 = addLast(isExact, sum23, held(isExact, x2, turn, limits), held(isExact, x3, turn, limits), 4, from);
        }
        if (left > 0) {
          // A vector that ends with the window: its first days are in the sum already, or before the window.
          day -= <usize>(4 - left) << 2;
          const x0 = v128.load(from0 + day), x1 = v128.load(from1 + day), x2 = v128.load(from2 + day), x3 = v128.load(from3 + day);
          bad0 = f32x4.mul(bad0, x0), bad1 = f32x4.mul(bad1, x1), bad2 = f32x4.mul(bad2, x2), bad3 = f32x4.mul(bad3, x3);
          sum01 = addLast(isExact, sum01, held(isExact, x0, turn, limits), held(isExact, x1, turn, limits), left, from);
          sum23 = addLast(isExact, sum23, held(isExact, x2, turn, limits), held(isExact, x3, turn, limits), left, from);
        }
        if (isExact) {
          const all = f64x2.splat(<f64>load<i32>(window, 4) * limit);
          sum01 = f64x2.sub(sum01, all), sum23 = f64x2.sub(sum23, all);
          most0 = f64x2.pmax(most0, sum01), most1 = f64x2.pmax(most1, sum23);
        }
        writePairs<f32>(sum01, sum23, row0 + at, row1 + at, row2 + at, row3 + at);
      }
      const bad = f32x4.add(f32x4.add(bad0, bad1), f32x4.add(bad2, bad3));
      if (v128.any_true(f32x4.ne(bad, bad))) {
        spoilSeries(job, from0, days, row0), spoilSeries(job, from1, days, row1);
        spoilSeries(job, from2, days, row2), spoilSeries(job, from3, days, row3);
      }
      from0 += cellStride, from1 += cellStride, from2 += cellStride, from3 += cellStride;
      row0 += written, row1 += written, row2 += written, row3 += written;
    }
  }
  return larger(f64x2.pmax(most0, most1));
}

/** Cells that are adjacent: eight at a time, the last ones once more. Returns the largest excess of totals. */
@inline function byCells(isExact: bool, job: WindowJob, limit: f64): f64 {
  const windows = job.windows, windowCount = job.windowCount, windowsEnd = windows + (<usize>windowCount << 3);
  const origin = load<i32>(windows), stride = job.dayStride, cells = job.cells;
  const turn = signsOf(job), from = f64x2.splat(limit), limits = f32x4.splat(<f32>limit);
  const none = f32x4.splat(0), zero = f64x2.splat(0);
  const start = job.offset + <usize>origin * stride, written = <usize>windowCount << 3;
  let most0 = zero, most1 = zero;
  for (let m = 0; m < job.memberCount; m++) {
    const member = <usize>load<u32>(job.members + (<usize>m << 2)) + start, row = job.rows + <usize>m * job.rowBytes;
    readAhead(job, 4, m, 0, cells);
    for (let c = 0; c < cells; c += BLOCK_CELLS) {
      const cell = <usize>min(c, cells - BLOCK_CELLS), first = member + (cell << 2), to = row + cell * written;
      let bad0 = none, bad1 = none, at = to;
      for (let window = windows; window < windowsEnd; window += 8, at += 8) {
        let low0 = zero, high0 = zero, low1 = zero, high1 = zero;
        let day = first + <usize>(load<i32>(window) - origin) * stride;
        for (const last = day + <usize>load<i32>(window, 4) * stride; day != last; day += stride) {
          const x = v128.load(day), y = v128.load(day, 16);
          bad0 = f32x4.mul(bad0, x), bad1 = f32x4.mul(bad1, y);
          const a = held(isExact, x, turn, limits), b = held(isExact, y, turn, limits);
          low0 = addTwo(isExact, low0, lowPair<f32>(a), from), high0 = addTwo(isExact, high0, highPair<f32>(a), from);
          low1 = addTwo(isExact, low1, lowPair<f32>(b), from), high1 = addTwo(isExact, high1, highPair<f32>(b), from);
        }
        if (isExact) {
          const all = f64x2.splat(<f64>load<i32>(window, 4) * limit);
          low0 = f64x2.sub(low0, all), high0 = f64x2.sub(high0, all), low1 = f64x2.sub(low1, all), high1 = f64x2.sub(high1, all);
          most0 = f64x2.pmax(f64x2.pmax(most0, low0), high0), most1 = f64x2.pmax(f64x2.pmax(most1, low1), high1);
        }
        writePairs<f32>(low0, high0, at, at + written, at + 2 * written, at + 3 * written);
        writePairs<f32>(low1, high1, at + 4 * written, at + 5 * written, at + 6 * written, at + 7 * written);
      }
      let bad = i32x4.bitmask(f32x4.ne(bad0, bad0)) | i32x4.bitmask(f32x4.ne(bad1, bad1)) << 4;
      for (; bad; bad &= bad - 1) spoil(job, first + (<usize>ctz(bad) << 2), stride, to + <usize>ctz(bad) * written);
    }
  }
  return larger(f64x2.pmax(most0, most1));
}
// Functions of their own: one with all loops is slower.
function totalsByCells(job: WindowJob, limit: f64): f64 {
  return byCells(true, job, limit);
}
function differencesByCells(job: WindowJob, limit: f64): void {
  byCells(false, job, limit);
}
function totalsByDays(job: WindowJob, limit: f64): f64 {
  return byDays(true, job, limit);
}
function differencesByDays(job: WindowJob, limit: f64): void {
  byDays(false, job, limit);
}

/** Fills the rows of windows for which `areFastExcess`. */
export function excessWindowsOf(job: WindowJob): void {
  const limit = turnedLimit(job), isAbove = load<f64>(job.condition, 8) == 0, reach = (EXACT - 4 * <f64>longestOf(job.windows, job.windowCount)) * limit;
  const isField = job.cellStride < job.dayStride;
  if (isAbove && limit > 0 && (isField ? totalsByCells(job, limit) : totalsByDays(job, limit)) <= reach) return;
  if (isField) differencesByCells(job, limit);
  else differencesByDays(job, limit);
}
