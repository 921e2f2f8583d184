// Phase 1 for all rules but sums and means, and for rolling windows by all rules; short-windows.ts is for conditions on
// few days, excess-windows.ts for what lies beyond a limit, extreme-windows.ts for extremes of weeks of f64, and windows.ts
// draws the memory layout.
//
//   condition   { f64 bound, f64 side, f64 limit, f64 days }: a day fulfils it if it is above the bound (side 0), or if it is
//               not (side 1); excess is counted from the limit, and spells of at least so many days
//   days        a vector for each day, `stride` bytes apart: lanes are four members of f32 or two of f64, whose days are
//               transposed to scratch, 16 bytes apart; or neighbouring cells, if these are adjacent in memory
//
// A missing or infinite day is NaN times zero: it is added to what the days of its window make.
//
// Rows are of the type of the values, which holds minima, counts and days as they are; only sums, ranges and excess are f64.
import { excessWindowsOf } from './excess-windows';
import { extremeWeeksOf } from './extreme-windows';
import { WindowJob } from './generated/jobs';
import { rollingWindowsOf } from './rolling-windows';
import { areShortCounts, shortCountsOf } from './short-windows';
import { areWeeks } from './windows';

/** What windows hold, by the numbers that callers give: the order of WINDOW_RULES in src/variable/, then measures. */
export const enum Rule {
  Sum, Mean, Minimum, Maximum, First, Last, Count, Range, Days, LongestSpell, Spells, FirstDay, Excess,
}

/** The largest number of the type that is not above `x`: values of the type are above both or above neither. */
@inline export function boundOf<T>(x: f64): T {
  if (sizeof<T>() == 8) return <T>x;
  const near = <f32>x;
  if (!(<f64>near > x)) return <T>near;
  if (near == 0) return <T>reinterpret<f32>(0x80000001);
  return <T>reinterpret<f32>(reinterpret<u32>(near) + (near > 0 ? -1 : 1));
}

/** All bits set where the condition is the complement of a comparison. */
@inline export function sideOf(condition: usize): v128 {
  return i32x4.splat(load<f64>(condition, 8) != 0 ? -1 : 0);
}

/** The first two lanes as f64, and the others of f32. */
@inline export function lowPair<T>(x: v128): v128 {
  return sizeof<T>() == 4 ? f64x2.promote_low_f32x4(x) : x;
}
@inline export function highPair<T>(x: v128): v128 {
  return sizeof<T>() == 4 ? f64x2.promote_low_f32x4(v128.shuffle<u64>(x, x, 1, 1)) : x;
}

/** Whole numbers of lanes of T as values. */
@inline export function countsOf<T>(counts: v128): v128 {
  if (sizeof<T>() == 4) return f32x4.convert_i32x4_s(counts);
  return f64x2.convert_low_i32x4_s(i32x4.shuffle(counts, counts, 0, 2, 0, 2));
}

/** Whether rows are of f64 whatever the type of the values is. */
@inline function areWide(rule: i32): bool {
  return rule < Rule.Minimum || rule == Rule.Range || rule == Rule.Excess;
}

/** Whether windows hold their smallest or largest value, or the difference of both. */
@inline function areExtremes(rule: i32): bool {
  return rule == Rule.Minimum || rule == Rule.Maximum || rule == Rule.Range;
}

/** The limit of a condition as values of the type are compared with it. */
@inline export function limitOf<T>(condition: usize): f64 {
  const limit = load<f64>(condition, 16);
  return sizeof<T>() == 4 ? <f64><f32>limit : limit;
}

/** NaN where a value is infinite, else 0; and 0 where it is missing. */
@inline export function infinite<T>(x: v128): v128 {
  return v128.and(v128.sub<T>(x, x), v128.eq<T>(x, x));
}

/**
 * Fills windows of some vectors of lanes: `groups` vectors, 16 bytes apart, whose results are `written` bytes apart, and
 * windows `apart` bytes apart.
 * The rule is a constant, so that loops have only what they need.
 */
@inline function combine<T>(
  rule: i32, job: WindowJob, first: usize, stride: usize, groups: i32, written: usize, apart: usize,
  out0: usize, out1: usize, out2: usize, out3: usize,
): void {
  const windows = job.windows, condition = job.condition;
  const windowsEnd = windows + (<usize>job.windowCount << 3);
  const zero = v128.splat<T>(0), one = i32x4.splat(1);
  const bound = v128.splat<T>(boundOf<T>(load<f64>(condition))), side = sideOf(condition);
  const least = i32x4.splat(<i32>load<f64>(condition, 24));
  const begin = first - <usize>load<i32>(windows) * stride;
  for (let group = 0; group < groups; group++) {
    const days0 = begin + (<usize>group << 4);
    let at = <usize>group * written;
    for (let window = windows; window < windowsEnd; window += 8, at += apart) {
      let from = days0 + <usize>load<i32>(window) * stride;
      const end = from + <usize>load<i32>(window, 4) * stride;
      let bad = zero, a = zero, b = zero;
      if (rule == Rule.Minimum || rule == Rule.Range) a = v128.splat<T>(<T>Infinity);
      if (rule == Rule.Maximum || rule == Rule.Range) b = v128.splat<T>(<T>-Infinity);
      if (rule == Rule.FirstDay) a = i32x4.splat(-1);
      if (rule == Rule.First) {
        a = v128.load(job.rule == Rule.First ? from : end - stride);
        bad = v128.mul<T>(zero, a);
      } else {
        for (; from != end; from += stride) {
          const x = v128.load(from);
          if (rule == Rule.Minimum || rule == Rule.Range) a = v128.pmin<T>(a, x);
          if (rule == Rule.Maximum || rule == Rule.Range) b = v128.pmax<T>(b, x);
          if (rule == Rule.Count) {
            a = i32x4.sub(a, v128.eq<T>(x, x));
            bad = v128.or(bad, infinite<T>(x));
          } else {
            bad = v128.mul<T>(bad, x);
          }
          if (rule < Rule.Days) continue;
          const there = v128.xor(v128.gt<T>(x, bound), side);
          if (rule == Rule.Days) a = i32x4.sub(a, there);
          if (rule == Rule.LongestSpell || rule == Rule.Spells) a = v128.and(i32x4.sub(a, there), there);
          if (rule == Rule.LongestSpell) b = i32x4.max_s(b, a);
          if (rule == Rule.Spells) b = i32x4.sub(b, i32x4.eq(a, least));
          if (rule == Rule.FirstDay) {
            b = i32x4.add(b, one);
            a = i32x4.min_u(a, v128.or(b, v128.not(there)));
          }
        }
      }
      // A zero is positive, whichever days have it.
      if (areExtremes(rule)) bad = v128.abs<T>(bad);
      if (rule == Rule.Range) {
        const low = f64x2.add(f64x2.sub(lowPair<T>(b), lowPair<T>(a)), lowPair<T>(bad));
        const high = f64x2.add(f64x2.sub(highPair<T>(b), highPair<T>(a)), highPair<T>(bad));
        writePairs<T>(low, high, out0 + at, out1 + at, out2 + at, out3 + at);
        continue;
      }
      if (rule == Rule.Maximum || rule == Rule.LongestSpell || rule == Rule.Spells) a = b;
      if (rule == Rule.FirstDay) a = daysOf<T>(a);
      else if (rule >= Rule.Count) a = countsOf<T>(a);
      writeLanes<T>(v128.add<T>(a, bad), out0 + at, out1 + at, out2 + at, out3 + at);
    }
  }
}

/** Chooses the loops of the rule, for windows of any days. */
function windowsOf<T>(
  job: WindowJob, first: usize, stride: usize, groups: i32, written: usize, apart: usize,
  out0: usize, out1: usize, out2: usize, out3: usize,
): void {
  switch (job.rule) {
    case Rule.Minimum: {
      combine<T>(Rule.Minimum, job, first, stride, groups, written, apart, out0, out1, out2, out3);
      break;
    }
    case Rule.Maximum: {
      combine<T>(Rule.Maximum, job, first, stride, groups, written, apart, out0, out1, out2, out3);
      break;
    }
    case Rule.First:
    case Rule.Last: {
      combine<T>(Rule.First, job, first, stride, groups, written, apart, out0, out1, out2, out3);
      break;
    }
    case Rule.Count: {
      combine<T>(Rule.Count, job, first, stride, groups, written, apart, out0, out1, out2, out3);
      break;
    }
    case Rule.Range: {
      combine<T>(Rule.Range, job, first, stride, groups, written, apart, out0, out1, out2, out3);
      break;
    }
    case Rule.Days: {
      combine<T>(Rule.Days, job, first, stride, groups, written, apart, out0, out1, out2, out3);
      break;
    }
    case Rule.LongestSpell: {
      combine<T>(Rule.LongestSpell, job, first, stride, groups, written, apart, out0, out1, out2, out3);
      break;
    }
    case Rule.Spells: {
      combine<T>(Rule.Spells, job, first, stride, groups, written, apart, out0, out1, out2, out3);
      break;
    }
    default: {
      combine<T>(Rule.FirstDay, job, first, stride, groups, written, apart, out0, out1, out2, out3);
      break;
    }
  }
}

/** Days counted from 1 as values; -1, for a day that there is not, becomes missing. */
@inline export function daysOf<T>(days: v128): v128 {
  const values = countsOf<T>(days);
  return v128.or(values, v128.lt<T>(values, v128.splat<T>(0)));
}

/** Writes a value for each lane; of f64 there are two. */
@inline export function writeLanes<T>(x: v128, out0: usize, out1: usize, out2: usize, out3: usize): void {
  if (out1 == out0 + sizeof<T>() && (sizeof<T>() == 8 || out3 == out0 + 12)) {
    v128.store(out0, x);
  } else if (sizeof<T>() == 8) {
    v128.store64_lane(out0, x, 0);
    v128.store64_lane(out1, x, 1);
  } else {
    v128.store32_lane(out0, x, 0);
    v128.store32_lane(out1, x, 1);
    v128.store32_lane(out2, x, 2);
    v128.store32_lane(out3, x, 3);
  }
}

/** Writes a f64 for each lane: the first two, and the others of f32. */
@inline export function writePairs<T>(low: v128, high: v128, out0: usize, out1: usize, out2: usize, out3: usize): void {
  writeLanes<f64>(low, out0, out1, 0, 0);
  if (sizeof<T>() == 4) writeLanes<f64>(high, out2, out3, 0, 0);
}

/** Writes the days of lanes, adjacent for each, as vectors: four days of four lanes of f32, or two of two, at a time. */
function transpose<T>(day0: usize, day1: usize, day2: usize, day3: usize, days: i32, out: usize): void {
  const lanes = 16 / sizeof<T>();
  let day = 0;
  for (; day + lanes <= days; day += lanes, out += 16 * lanes) {
    const at = <usize>day * sizeof<T>();
    const x0 = v128.load(day0 + at), x1 = v128.load(day1 + at);
    if (sizeof<T>() == 8) {
      v128.store(out, v128.shuffle<u64>(x0, x1, 0, 2));
      v128.store(out, v128.shuffle<u64>(x0, x1, 1, 3), 16);
    } else {
      const x2 = v128.load(day2 + at), x3 = v128.load(day3 + at);
      const a = v128.shuffle<u32>(x0, x1, 0, 4, 1, 5), b = v128.shuffle<u32>(x2, x3, 0, 4, 1, 5);
      const c = v128.shuffle<u32>(x0, x1, 2, 6, 3, 7), d = v128.shuffle<u32>(x2, x3, 2, 6, 3, 7);
      v128.store(out, v128.shuffle<u64>(a, b, 0, 2));
      v128.store(out, v128.shuffle<u64>(a, b, 1, 3), 16);
      v128.store(out, v128.shuffle<u64>(c, d, 0, 2), 32);
      v128.store(out, v128.shuffle<u64>(c, d, 1, 3), 48);
    }
  }
  gather<T>(day0, day1, day2, day3, sizeof<T>(), day, days, out);
}

/** The same for days that lie `stride` bytes apart, from the day `day` on, one at a time. */
function gather<T>(
  day0: usize, day1: usize, day2: usize, day3: usize, stride: usize, day: i32, days: i32, out: usize,
): void {
  for (; day < days; day++, out += 16) {
    const at = <usize>day * stride;
    store<T>(out, load<T>(day0 + at));
    store<T>(out + sizeof<T>(), load<T>(day1 + at));
    if (sizeof<T>() == 8) continue;
    store<T>(out + 8, load<T>(day2 + at));
    store<T>(out + 12, load<T>(day3 + at));
  }
}

/** Members at least so many bytes apart, from the first to the last, are more than caches hold. */
const FAR: u32 = 8388608;

/** Whether members come from memory rather than from caches. */
function areFar(job: WindowJob): bool {
  const members = job.members, first = load<u32>(members), last = load<u32>(members + (<usize>(job.memberCount - 1) << 2));
  return max(first, last) - min(first, last) >= FAR;
}

/**
 * Reads the days of windows of adjacent cells of a member, unless all members are in caches: one row after the other, which from
 * memory is much faster than some values of each day in turn.
 */
export function readAhead(job: WindowJob, size: usize, member: i32, cells: i32): void {
  if (!areFar(job)) return;
  const windows = job.windows, origin = load<i32>(windows), days = lastEnd(windows, job.windowCount) - origin;
  const stride = job.dayStride, bytes = <usize>cells * size;
  let from = <usize>load<u32>(job.members + (<usize>member << 2)) + job.offset + <usize>origin * stride;
  let all = 0;
  for (let day = 0; day < days; day++, from += stride) {
    for (let at = from, end = from + bytes; at < end; at += 64) all |= load<i32>(at);
  }
  // Otherwise nothing would be read: behind the lanes of a row, which may have any content there.
  store<i32>(job.rows + <usize>(member + 1) * job.rowBytes - 8, all);
}

/** The day after the last of any window. */
@inline export function lastEnd(windows: usize, windowCount: i32): i32 {
  let end = 0;
  for (let w = 0; w < windowCount; w++, windows += 8) end = max(end, load<i32>(windows) + load<i32>(windows, 4));
  return end;
}

/**
 * Windows by any rule, for both row orders. `spare` is scratch: a vector for each day that the windows of a cell span, and
 * what rolling windows or short ones need. Returns whether all days are known to be there and finite.
 */
@inline function windowsBy<T>(job: WindowJob): bool {
  const members = job.members, memberCount = job.memberCount, offset = job.offset, dayStride = job.dayStride;
  const cellStride = job.cellStride, cells = job.cells, windows = job.windows, windowCount = job.windowCount;
  const rows = job.rows, rowBytes = job.rowBytes, rule = job.rule;
  const isRolling = job.rolling > 1 && rule != Rule.First && rule != Rule.Last;
  if (!isRolling && areShortCounts(job)) return shortCountsOf<T>(job);
  if (!isRolling && rule == Rule.Excess) {
    // Sums may be more than the type holds, which is looked for only where days are not known to be finite.
    excessWindowsOf<T>(job);
    return false;
  }
  const isField = cellStride < dayStride;
  if (sizeof<T>() == 8 && !isField && areExtremes(rule) && windowCount > 1 && areWeeks(windows, windowCount)) {
    extremeWeeksOf(job);
    return false;
  }
  const lanes = 16 / sizeof<T>();
  const firstDay = load<i32>(windows);
  const days = lastEnd(windows, windowCount) - firstDay;
  const isInPlace = isField && cells >= lanes;
  const stride = isInPlace ? dayStride : 16;
  // Where cells are adjacent, all cells of a rolling window come before those of the next.
  const isByWindow = isField && job.rolling != 0;
  const size: usize = areWide(rule) ? 8 : sizeof<T>();
  const written = isByWindow ? size : <usize>windowCount * size;
  const next = isByWindow ? <usize>cells * size : size;
  const start = offset + <usize>firstDay * dayStride;
  const spare = job.spare;
  for (let m = 0; m < memberCount; m += isField ? 1 : lanes) {
    const m1 = isField ? m : min(m + 1, memberCount - 1);
    const m2 = isField ? m : min(m + 2, memberCount - 1);
    const m3 = isField ? m : min(m + 3, memberCount - 1);
    const from0 = <usize>load<u32>(members + (<usize>m << 2)) + start, row0 = rows + <usize>m * rowBytes;
    const from1 = <usize>load<u32>(members + (<usize>m1 << 2)) + start, row1 = rows + <usize>m1 * rowBytes;
    const from2 = <usize>load<u32>(members + (<usize>m2 << 2)) + start, row2 = rows + <usize>m2 * rowBytes;
    const from3 = <usize>load<u32>(members + (<usize>m3 << 2)) + start, row3 = rows + <usize>m3 * rowBytes;
    if (isInPlace && rule != Rule.First && rule != Rule.Last) readAhead(job, sizeof<T>(), m, cells);
    for (let c = 0; c < cells; c += isField ? lanes : 1) {
      let first = spare, out0: usize, out1: usize, out2: usize, out3: usize, groups = 1;
      if (isInPlace) {
        // As many as there are, and then the last cells once more, where fewer are left.
        const cell = <usize>min(c, cells - lanes);
        first = from0 + cell * cellStride;
        out0 = row0 + cell * written, out1 = out0 + written, out2 = out1 + written, out3 = out2 + written;
        groups = max(1, (cells - c) / lanes);
        c += (groups - 1) * lanes;
      } else {
        const c1 = <usize>(isField ? min(c + 1, cells - 1) : c);
        const c2 = <usize>(isField ? min(c + 2, cells - 1) : c);
        const c3 = <usize>(isField ? min(c + 3, cells - 1) : c);
        const day0 = from0 + <usize>c * cellStride, day1 = from1 + c1 * cellStride;
        const day2 = from2 + c2 * cellStride, day3 = from3 + c3 * cellStride;
        if (isField) gather<T>(day0, day1, day2, day3, dayStride, 0, days, first);
        else transpose<T>(day0, day1, day2, day3, days, first);
        out0 = row0 + <usize>c * written, out1 = row1 + c1 * written;
        out2 = row2 + c2 * written, out3 = row3 + c3 * written;
      }
      const apart = written * lanes;
      if (isRolling) rollingWindowsOf<T>(job, first, stride, groups, apart, next, days, out0, out1, out2, out3);
      else windowsOf<T>(job, first, stride, groups, apart, next, out0, out1, out2, out3);
    }
  }
  return false;
}

export function windowsByF32(job: WindowJob): bool {
  return windowsBy<f32>(job);
}
export function windowsByF64(job: WindowJob): bool {
  return windowsBy<f64>(job);
}
